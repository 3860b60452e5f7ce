"""The commands of both pages for people, run as they are written and in their order, in an empty folder.

What they would take too long for is cut short by further flags; `./mine` and its like are wrappers of a fast brain.
"""

import io
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tournaments.cli.main import main

ROOT = Path(__file__).parents[1]
FAST = ROOT / "tests" / "tournaments" / "brains" / "fast.py"
TENGEN = [sys.executable, "-m", "tournaments.cli"]
SHORT = ["--turn-time", "0.01", "--tolerance", "9", "--draw-after", "6"]
QUICK = ["--games", "1", "--concurrency", "2", "--reuse", *SHORT]
FURTHER = {
    "match": ["--games", "2", *SHORT],
    "tournament init league.toml": QUICK,
    "tournament init": ["--games", "2", *SHORT],
    "ladder": QUICK,
    "analyse": ["--turn-time", "0.01"],
    "check": ["--turn-time", "0.01"],
    "review": ["--nodes", "200", "--proof-nodes", "200"],
}

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the pages are written for a POSIX shell")


def commands(page: str, *headings: str) -> list[str]:
    """The `tengen` commands of a page that stand in blocks of their own, in order, those of these sections only."""
    text = (ROOT / page).read_text(encoding="utf-8")
    sections = [text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0] for heading in headings]
    if not headings:
        sections = [text.partition("\n## ")[0]]
    lines = re.sub(r"\\\n *", "", "\n".join(sections)).splitlines()
    blocks = [line.strip().partition("#")[0].strip() for line in lines if line.startswith("    ")]
    return [part.strip() for line in blocks for part in line.split("&&") if part.strip().startswith("tengen ")]


def shortened(command: str) -> list[str]:
    """The command's words without `tengen`, with what makes it short."""
    words = shlex.split(command)[1:]
    return words + next((more for name, more in FURTHER.items() if words[: len(name.split())] == name.split()), [])


def run_and_kill(words: list[str]) -> None:
    """Starts the command, and kills it when its first game is over."""
    process = subprocess.Popen([*TENGEN, *words], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    while not (line := process.stdout.readline()).startswith("Finished game"):
        assert line, "it ended before it could be killed"
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)


@pytest.mark.parametrize(
    ("page", "headings", "kinds"),
    [
        ("README.md", ("Matches", "Tournaments"),
         "match, tournament init, tournament run, tournament resume, tournament status, report, export, analyse, "
         "review, check, ladder"),
        ("tournaments/README.md", (),
         "tournament init, tournament run, tournament resume, tournament status, report, export, analyse"),
    ],
)  # fmt: skip
def test_the_commands_of_a_page_run_one_after_the_other(
    page: str,
    headings: tuple[str, ...],
    kinds: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for name in ("mine", "theirs", "pbrain-mine"):
        (tmp_path / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{FAST}"\n')
        (tmp_path / name).chmod(0o755)
    found = commands(page, *headings)
    for kind in kinds.split(", "):
        assert any(command.startswith(f"tengen {kind}") for command in found), f"{page} shows no {kind}"
    for place, command in enumerate(found):
        words = shortened(command)
        if words[0] == "check" and page != "README.md":
            continue  # the same again, and the slowest of all
        if words[0] == "serve":
            continue  # it does not end by itself; tests/tournaments/test_board_live.py runs it
        if words[:2] == ["tournament", "run"] and any("resume" in later for later in found[place + 1 :]):
            run_and_kill(words)
            continue
        status = main(words)
        out, err = capsys.readouterr()
        # The fast brain knows no rules, and says so in the check.
        assert status == 0 or (words[0] == "check" and status == 1 and out), (command, status, err)
        if words[:2] in (["tournament", "resume"], ["tournament", "status"]):
            assert re.search(r"(\d+) of \1 games", out) or '"state": "finished"' in out, (command, out)
    assert (tmp_path / "cup.tengen").is_file() and (tmp_path / "cup.html").is_file()


def test_the_commands_for_playing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                  capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("TENGEN_GAMES", str(tmp_path / "games.sqlite"))
    monkeypatch.setenv("LC_ALL", "C")
    # A server goes on until it is told to end; test_board_security starts each of them.
    found = [command for command in commands("README.md", "Playing") if not command.startswith("tengen serve")]
    assert {" ".join(command.split()[1:2]) for command in found} == {"play", "games", "review"} and len(found) >= 6
    played = 0
    for command in found:
        words = shlex.split(command)[1:]
        monkeypatch.setattr("sys.stdin", io.StringIO("black\nh8\n"))
        status = main(words + (["--turn-time", "0.05"] if "--level" in words else []))
        out, err = capsys.readouterr()
        assert (status, err) == (0, ""), (command, err)
        if words[0] == "play":
            played += "--resume" not in words
            assert ": h8." in out or "h8 is taken." in out
            assert f"The game is kept as number {played}: tengen play --resume {played}" in out
        elif words[0] == "review":
            assert out.startswith("Game 1: Black - tengen" if words[1] == "1" else "No quiz is due")
        elif words[1:]:
            assert out == f"{played} games are in games.sgf\n"
        else:
            assert out.count("going on") == played


def test_the_road_to_a_network_can_be_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                           capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    further = {
        "selfplay": ["--games", "40", "--nodes", "60", "--size", "9", "--processes", "1"],
        "label": ["--nodes", "60", "--processes", "1"],
        "train --cycle": ["--size", "9", "--processes", "1", "--minutes", "0.5"],
        "train --match": ["--size", "9", "--processes", "1", "--nodes", "60", "--pairs", "2"],
        "train": ["--visits", "2000"],
    }
    found = commands("engine/training/README.md", "The road", "From nothing, by one command")
    assert [command.split()[1] for command in found] == ["selfplay", "label", "data", "train", "train", "train"]
    for command in found:
        words = shlex.split(command)[1:]
        words += next((more for name, more in further.items() if words[: len(name.split())] == name.split()), [])
        status = main(words)
        assert status == 0, (command, capsys.readouterr().err)
    assert (tmp_path / "freestyle.network").is_file() and (tmp_path / "freestyle.html").is_file()
    assert (tmp_path / "caro" / "table.txt").is_file()
