"""The help of the engine's commands, and the progress of a run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine.training import openings_command, selfplay
from engine.training.progress import Progress, duration
from tournaments.cli.main import main as tengen


@pytest.mark.parametrize(
    "command",
    [
        "bench",
        "openings",
        "selfplay",
        "label",
        "data",
        "data inspect",
        "tune",
        "tune --search",
        "train",
        "train --cycle",
        "train --match",
    ],
)
def test_the_help_of_a_command_has_defaults_and_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        tengen([*command.split(), "--help"])
    text, err = capsys.readouterr()
    assert (caught.value.code, err) == (0, "")
    usage, rest = text.split("\n\n", 1)
    assert usage.startswith(f"usage: tengen {command} [-h]")
    examples = rest.split("\nExamples:\n")[1].splitlines()
    assert len(examples) == 2 and all(
        line.startswith(f"  tengen {command} ") or line == f"  tengen {command}" for line in examples
    )


def test_a_run_shows_what_is_left_from_the_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [1000.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with Progress(1000, "games", 100) as shown:
        now[0] += 30
        shown.show(190)
        now[0] += 150
        shown.show(640, ", even")
    lines = [line.rstrip() for line in capsys.readouterr().err.split("\r")[1:]]
    assert lines == [
        "100 of 1000 games, time left not known yet",
        "190 of 1000 games, 180 a minute, 4 minutes left",
        "640 of 1000 games, 180 a minute, 2 minutes left, even",
    ]
    assert [duration(seconds) for seconds in (0, 99, 100, 5999, 7200)] == [
        "0 s",
        "99 s",
        "2 minutes",
        "100 minutes",
        "2.0 hours",
    ]


@pytest.mark.parametrize(("is_shown", "told"), [(False, ""), (True, "1 of 1 opening, ")])
def test_openings_and_how_far_they_are_do_not_share_a_line(
    is_shown: bool, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_shown)
    assert openings_command.main(["1", "--size", "9", "--nodes", "100", "--even", "1000"]) == 0
    out, err = capsys.readouterr()
    assert out.count("\n") == 1 and told in err and bool(err) == is_shown
    assert " left" not in err.split("\r")[-1]


def test_a_run_that_is_done_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [str(tmp_path / "games.txt"), "--games", "2", "--size", "8", "--nodes", "50", "--processes", "1"]
    assert selfplay.main(command) == 0
    assert capsys.readouterr().err.startswith("\r0 of 2 games, time left not known yet ")
    assert selfplay.main(command) == 0
    assert capsys.readouterr().err == "\r2 of 2 games, nothing left to do \n"
