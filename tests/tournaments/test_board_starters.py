"""The starts of the board without a terminal: `tengen serve --install` writes an entry for the menu, which starts the
board from any folder of any name; and the program for Windows."""

import os
import plistlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from needs import needs_posix
from waiting import PATIENCE_S, wait_until

from tournaments.brains.command import parse_command
from tournaments.cli.desktop import windows
from tournaments.cli.desktop.starters import START
from tournaments.cli.main import main
from tournaments.translations.catalogue import ENGLISH, languages

ROOT = Path(__file__).parents[2]
STRANGE = 'a "strange" folder, 50% of it $HOME `and` \\ 五子棋\nExec=false'

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
    text = re.sub(r"\\([\\snrt])", lambda mark: {"\\": "\\", "s": " ", "n": "\n"}[mark[1]], line)
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
    for key in ("GenericName", "Comment"):
        tags = [line.partition("[")[2][:2] for line in lines if line.startswith(f"{key}[")]
        assert {ENGLISH, *tags} == {tag[:2] for tag in languages()}, "the menu has every language of the board"
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


def test_the_downloaded_application_of_macos_stays_as_it_is(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It has the name and the place of the starter if its user puts it into the folder of applications at home."""
    monkeypatch.setattr(sys, "platform", "darwin")
    contents = home / "Applications/Tengen.app/Contents"
    script, python = contents / "MacOS/Tengen", contents / "Resources/python/bin/python3"
    for path in (script, python):
        path.parent.mkdir(parents=True)
        path.write_text("downloaded")
    for flag in ("--install", "--uninstall"):
        assert main(["serve", flag]) == 2
        said = f"tengen serve: {contents.parent} is the downloaded application, which stays as it is\n"
        assert capsys.readouterr().err == said
    assert (script.read_text(), python.read_text()) == ("downloaded", "downloaded")


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


def test_the_program_for_windows_tells_why_it_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no terminal: errors are in a file, and the last of them is shown."""
    monkeypatch.setenv("TENGEN_GAMES", str(tmp_path / "games" / "games.sqlite"))
    log, shown = tmp_path / "games" / "tengen.log", list[str]()
    for words, sentence in (
        (["--port", "-1"], "--port -1 is not a port: choose one from 0 to 65535"),
        (["--prot", "1"], "unrecognized arguments: --prot 1"),
    ):
        assert windows.main(words, shown.append) == 2
        assert shown.pop() == f"Tengen has ended.\n\n{sentence}\n\nAll errors are in {log}"
        assert log.read_text().endswith(f"tengen serve: {sentence}\n")
    assert log.read_text().count("tengen serve:") == 2
    log.write_text("x" * (windows.LONGEST_LOG + 1))
    windows.main(["--port", "-1"], shown.append)
    assert log.stat().st_size < 100, "a long file is begun anew"

    def fail(words: list[str]) -> int:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(windows, "run_command", fail)
    assert windows.main([], shown.append) == 1
    assert "RuntimeError: a fault of ours" in shown[-1]
    monkeypatch.setenv("TENGEN_GAMES", str(log / "games.sqlite"))
    assert windows.main([], shown.append) == 1
    assert shown[-1].startswith("Tengen cannot write into the folder of its games.")
    monkeypatch.setattr(windows, "run_command", lambda words: 0)
    monkeypatch.setenv("TENGEN_GAMES", str(tmp_path / "games.sqlite"))
    told = len(shown)
    assert windows.main([], shown.append) == 0 and len(shown) == told


def test_our_brain_is_the_one_beside_the_program_for_windows(home: Path) -> None:
    packed = Path(sys.executable).with_name("pbrain-tengen64.exe")
    packed.write_text("#!/bin/sh\n")
    command = parse_command("pbrain-tengen")
    assert (command.arguments, command.name) == ((str(packed),), "pbrain-tengen")
