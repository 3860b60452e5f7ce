"""`tengen check`: a sound brain passes, and the faults of another brain are named."""

import subprocess
import sys
from pathlib import Path

import pytest
from processes import SCRIPT

from tournaments.brains.command import parse_command
from tournaments.brains.limits import BrainLimits
from tournaments.brains.player import Player
from tournaments.cli import check
from tournaments.cli.check import QUESTIONS, Check, Question, check_end, run_check, run_question
from tournaments.cli.main import main
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import Rule

FAST = Path(__file__).parent / "brains" / "fast.py"
LIMITS = BrainLimits(turn=10.0, startup=20.0)


def brain(fault: str, moves: str = "") -> str:
    return f'"{sys.executable}" -I -S "{SCRIPT}" {fault} {moves}'


def player(command: str) -> Player:
    return Player("it", parse_command(command))


def test_a_sound_brain_passes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    known = [entry for entry in check.CHECKS if entry.size != (20, 12) and not entry.swap2]
    assert len(known) == len(check.CHECKS) - 2 and all(entry.is_required for entry in known[:-1])
    monkeypatch.setattr(check, "CHECKS", known)
    monkeypatch.setattr(check, "QUESTIONS", ())
    assert main(["check", f'"{sys.executable}" -I -S "{FAST}"', "--turn-time", "5", "--tolerance", "20"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert last == "fast is fit for a tournament"
    titles = ("starts, and says OK to START", *(entry.title for entry in known), "exits after END")
    assert lines == [f"passed    {title}" for title in titles]


def test_what_is_required_fails_and_what_is_not_does_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check, "QUESTIONS", ())
    monkeypatch.setattr(check, "CHECKS", (Check("plays"), Check("plays on", opening="h8", is_required=False)))
    assert main(["check", brain("crashes", "7,7")]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "passed    starts, and says OK to START",
        "FAILED    plays: it moved to an occupied point (h8), after 1 stone",
        "failed (optional)  plays on: it moved to an occupied point (h8), after 1 stone",
        "passed    exits after END",
        'A brain may be fit for a tournament with lines marked "failed (optional)".',
        "1 check failed",
    ]
    monkeypatch.setattr(check, "CHECKS", (Check("plays on", opening="h8", is_required=False),))
    assert main(["check", brain("crashes", "7,7")]) == 0


def test_how_a_brain_plays_is_reported_apart_from_its_fitness(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check, "CHECKS", ())
    monkeypatch.setattr(check, "QUESTIONS", QUESTIONS[1:3])
    assert main(["check", brain("crashes", "8,7")]) == 0
    played = "in the position e8a1f8c2g8e1h8o15j8m2 it played i8; d8 wins"
    assert capsys.readouterr().out.splitlines()[-4:] == [
        f"failed (optional)  knows that six does not win in standard: {played}",
        f"failed (optional)  knows that six does not win in renju: {played}",
        'A brain may be fit for a tournament with lines marked "failed (optional)".',
        "scripted is fit for a tournament; it won at once in 0 of 2 positions",
    ]


NEEDS_A_FILE = """
import sys
print(open("opening.txt").read(), file=sys.stderr)
for line in sys.stdin:
    if line.startswith("START"):
        print("OK", flush=True)
    if line.startswith("END"):
        break
"""


def test_a_brain_that_does_not_start_is_told_once_and_runs_in_the_folder_that_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check, "QUESTIONS", ())
    program = tmp_path / "needs.py"
    program.write_text(NEEDS_A_FILE)
    (tmp_path / "opening.txt").write_text("h8")
    command = f'"{sys.executable}" -I -S "{program}"'
    assert main(["check", command]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("FAILED    starts, and says OK to START: its program ended (") and "opening.txt" in first
    assert last == (
        "1 check failed; the other checks need a brain that starts; if it needs the files of its own "
        "folder, give the folder as --dir"
    )
    monkeypatch.setattr(check, "CHECKS", ())
    assert main(["check", command, "--dir", str(tmp_path)]) == 0
    assert main(["check", command, "--dir", str(tmp_path / "none")]) == 2
    said = f"tengen check: there is no folder {tmp_path / 'none'} for the brain to run in\n"
    assert capsys.readouterr().err == said


def test_a_foul_is_a_failure() -> None:
    renju = Check("plays renju", Rule.RENJU, opening="h6a1h7o1f8o15g8a15")
    assert run_check(renju, player(brain("hangs", "7,7")), LIMITS) == "foul (double-three at h8), after 9 stones"


def test_questions_have_the_answers_that_they_are_about() -> None:
    answers = {(question.rule, *sorted(format_cell(*cell, 15) for cell in question.answers)) for question in QUESTIONS}
    assert answers == {
        (Rule.FREESTYLE, "e5", "j10"),
        (Rule.STANDARD, "d8"),
        (Rule.RENJU, "d8"),
        (Rule.CARO, "g5"),
        (Rule.STANDARD_CARO, "d8"),
    }
    assert Question("", Rule.FREESTYLE, QUESTIONS[1].stones).answers == {(3, 7), (8, 7)}


@pytest.mark.parametrize(
    ("moves", "wrong"),
    [
        ("3,7", ""),
        ("8,7", "in the position e8a1f8c2g8e1h8o15j8m2 it played i8; d8 wins"),
        ("", "its program ended (exited with code 9)"),
    ],
)
def test_a_question_is_put_to_the_brain(moves: str, wrong: str) -> None:
    assert run_question(QUESTIONS[1], player(brain("crashes", moves)), LIMITS) == wrong


@pytest.mark.parametrize("name", ["weights", "kill"])
def test_the_rivals_know_the_answers(name: str) -> None:
    assert [run_question(question, player(name), LIMITS) for question in QUESTIONS] == [""] * 5


def test_games_follow_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRANSCRIPT", str(tmp_path / "read"))
    rectangle = Check("all of it", Rule.CARO, (20, 12), "h8", "board", turn=0.0)
    assert run_check(rectangle, player(brain("crashes", "7,7")), LIMITS) != ""
    text = "".join(path.read_text() for path in tmp_path.glob("read-*"))
    for line in ("RECTSTART 20,12", "INFO rule 8", "INFO timeout_turn 0", "BOARD"):
        assert f" {line}\n" in text
    assert "TURN" not in text


def test_a_process_that_stays_after_the_end_is_told() -> None:
    assert check_end(player(brain("ignores-end")), LIMITS) == "it still ran 1 s after END"
    assert check_end(player(brain("refuses")), LIMITS) == "it refused the board ('ERROR too big')"


def test_bad_input_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "no-such"]) == 2
    assert capsys.readouterr().err.startswith("tengen check: there is no brain 'no-such'")
    assert main(["check", "weights", "--turn-time", "-1"]) == 2
    told = "tengen check: --turn-time and --tolerance are times in seconds, from 0 to 1000000\n"
    assert capsys.readouterr().err == told


def test_a_check_does_not_wait_for_sqlite() -> None:
    """Only commands with a file of games or of openings load it."""
    code = """if True:
        import sys
        from tournaments.cli.main import main
        try:
            main(["check", "--help"])
        except SystemExit:
            sys.exit("sqlite3" in sys.modules)
    """
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, timeout=60).returncode == 0
