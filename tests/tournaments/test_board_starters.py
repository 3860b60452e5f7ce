"""`tengen serve --install`: the entry that it writes for the menu starts the board, from any folder of any name."""

import os
import plistlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from needs import needs_posix
from waiting import PATIENCE_S, wait_until

from tournaments.cli.desktop.starters import START
from tournaments.cli.main import main

ROOT = Path(__file__).parents[2]
STRANGE = 'a "strange" folder, 50% of it $HOME `and` \\ 五子棋'

pytestmark = needs_posix


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user whose Python lies in a folder with a strange name, and writes down how it is started."""
    folder = tmp_path / STRANGE
    folder.mkdir()
    python = folder / "python3"
    python.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{tmp_path}/started"\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def words_of(line: str) -> list[str]:
    """The words of a line Exec, by the rules of the Desktop Entry Specification: first a text, then quoted words."""
    text = re.sub(r"\\([\\snrt])", lambda mark: {"\\": "\\", "s": " "}[mark[1]], line)
    words = re.findall(r'"((?:[^"\\`$]|\\["`$\\])*)"|(\S+)', text)
    return [re.sub(r'\\(["`$\\])', r"\1", quoted or plain).replace("%%", "%") for quoted, plain in words]


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has applications instead: the next test is for them")
@pytest.mark.parametrize("is_script", [False, True])
def test_the_menu_of_linux_starts_the_board(home: Path, is_script: bool, capsys: pytest.CaptureFixture[str]) -> None:
    if is_script:
        Path(sys.executable).rename(Path(sys.executable).with_name("tengen"))
    assert main(["serve", "--install"]) == 0
    entry, icon = home / "data/applications/tengen.desktop", home / "data/icons/hicolor/scalable/apps/tengen.svg"
    assert f"written: {entry}\n" in capsys.readouterr().out
    assert icon.read_bytes() == (ROOT / "tournaments/board/page/icon.svg").read_bytes()
    lines = entry.read_text("utf-8").splitlines()
    assert lines[0] == "[Desktop Entry]" and {"Type=Application", "Icon=tengen", "Terminal=false"} < set(lines)
    (command,) = (line.removeprefix("Exec=") for line in lines if line.startswith("Exec="))
    subprocess.run(words_of(command), check=True, timeout=PATIENCE_S)
    module = [] if is_script else ["-m", "tournaments.cli"]
    assert (home / "started").read_text().splitlines() == [*module, *START]

    assert main(["serve", "--install"]) == 0, "a second time, as after an update"
    assert main(["serve", "--uninstall"]) == 0
    assert f"removed: {icon}\n" in capsys.readouterr().out
    assert not entry.exists() and not icon.exists()
    assert main(["serve", "--uninstall"]) == 0
    assert capsys.readouterr().out == "Tengen was not in the menu of applications.\n"


def test_the_application_of_macos_starts_the_board(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert main(["serve", "--install"]) == 0
    contents = home / "Applications/Tengen.app/Contents"
    facts = plistlib.loads((contents / "Info.plist").read_bytes())
    subprocess.run([contents / "MacOS" / facts["CFBundleExecutable"]], check=True, timeout=PATIENCE_S)
    started, words = home / "started", ["-m", "tournaments.cli", *START]
    wait_until(lambda: started.exists() and started.read_text().splitlines() == words, PATIENCE_S, "Python is started")
    assert main(["serve", "--uninstall"]) == 0
    assert not contents.parent.exists()


def test_the_starters_flags_are_flags_of_the_command(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tournaments.cli", *START, "--library", str(tmp_path), "--port", "-1"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env={**os.environ, "BROWSER": "true"},
    )
    assert (done.returncode, done.stderr) == (
        2,
        "tengen serve: --port -1 is not a port: choose one from 0 to 65535\n",
    )


def test_it_takes_no_other_flag_and_says_what_failed(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["serve", "--install", "--port", "1"])
    assert capsys.readouterr().err == "tengen serve: --install takes no other flag\n"
    (home / "data").write_text("a file where the folder should be")
    if sys.platform != "darwin":
        assert main(["serve", "--install"]) == 1
        assert str(home / "data") in capsys.readouterr().err
    monkeypatch.setattr(sys, "platform", "win32")
    assert main(["serve", "--install"]) == 2
    assert "make a shortcut to Tengen.exe" in capsys.readouterr().err
