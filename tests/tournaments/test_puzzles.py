"""`tengen puzzles` as its users see it, the rating of a solver, and the shipped puzzles."""

from __future__ import annotations

import datetime
import errno
import io
import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from few_puzzles import EASY, HARD, PUZZLES
from needs import needs_posix, needs_processes
from processes import wait_until_gone
from waiting import PATIENCE_S, read_until

from engine import Board, Limits, Searcher
from engine.proof import Prover
from tournaments.board.library.library import Library
from tournaments.board.library.own_puzzles import DAY, own_standing, settle_puzzle
from tournaments.board.puzzles.puzzle import Puzzle, format_puzzle, format_set, parse_puzzle
from tournaments.board.puzzles.rating import (
    FORGETTING,
    LEAST_DEVIATION,
    MOST_DEVIATION,
    NEW,
    PUZZLE_DEVIATION,
    START,
    Rating,
    answered,
    expected,
    level_rating,
    rested,
    weight_of,
)
from tournaments.board.puzzles.sets import FOLDER, SUFFIX, find_shipped, nearest_puzzle, puzzle_of_day, shipped_set
from tournaments.cli.main import main
from tournaments.cli.puzzles.search import PROOF_NODES, other_moves, prove
from tournaments.rules.proofs import refute
from tournaments.rules.referee import Rule

ASKED = "Your move, a cell such as h8; or show, which gives up and shows the answer; or quit:\n"
AFTER = "Enter proof, which lets you try every defence; or next, for another puzzle; or quit:\n"


@pytest.fixture
def own(tmp_path: Path) -> list[str]:
    """The flags for a set of two puzzles and an empty library."""
    path = tmp_path / "mine.puzzles"
    path.write_text(format_set({}, PUZZLES))
    return ["--set", str(path), "--library", str(tmp_path / "games.sqlite")]


def say(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


# In the terminal


def test_a_right_answer_is_told_with_the_proof_and_raises_the_rating(
    own: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    say(monkeypatch, "z9", "l7", "proof", "a1", "quit", "quit", "never read")
    assert main(["puzzles", "--next", *own]) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        "Puzzle 3ab31953, rating 1480, Freestyle. Black to move. There is a forced win. Where does it begin?\n15  . ."
    )
    assert out.count(ASKED) == 1 and "That is not an empty cell of this board." in out
    assert "\nRight. l7 wins by force, in 9 plies at most.\nLongest defence: l7 " in out
    assert re.search(r"\nYour rating: 16\d\d \(\+1\d\d\), give or take 5\d\d\.\n", out)
    assert "Black wins by force in 9 plies, against every defence.\n" in out and "\nBlack plays n9.\n" in out
    assert out.endswith(AFTER) and out.count(AFTER) == 2, "asked again after the walk"


@pytest.mark.long
def test_other_answers_are_judged_by_proof_and_lower_the_rating(
    own: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    say(monkeypatch, "a1", "next", "show")
    assert main(["puzzles", "--next", *own]) == 0
    out = capsys.readouterr().out
    assert "\nNo. a1 loses by force. The answer is l7: it wins by force, in 9 plies at most.\n" in out
    assert "\nThe answer is k6: it wins by force, in 13 plies at most.\n" in out and "\nYour rating: 1" in out
    assert main(["puzzles", "--status", *own]) == 0
    assert capsys.readouterr().out.endswith("\n0 of 2 puzzles solved, 2 answered and not solved.\n")
    say(monkeypatch, "k6", "next", "l7", "next")
    assert main(["puzzles", "--level", "2", *own]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Puzzle 26e7fece, "), "the easier one is nearer to level 2"
    assert out.count("only the first answer to a puzzle counts.") == 2
    assert out.endswith(
        "No puzzle is left: all are solved or were asked just now. tengen puzzles make makes more from your games.\n"
    )
    assert main(["puzzles", "--status", *own]) == 0
    assert capsys.readouterr().out.endswith("\n2 of 2 puzzles solved, 0 answered and not solved.\n")


@pytest.mark.long
def test_each_day_has_a_puzzle_and_says_so_when_it_is_answered(
    own: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    firsts = []
    for day in ("2026-11-25", "2026-11-26", "2026-11-27"):
        say(monkeypatch, "quit")
        assert main(["puzzles", "--day", day, *own]) == 0
        first, second = capsys.readouterr().out.splitlines()[:2]
        assert first == f"The puzzle of {day}."
        firsts.append(second.split(",")[0])
    assert firsts[0] == firsts[2] != firsts[1]
    say(monkeypatch, "show")
    assert main(["puzzles", "--day", "2026-11-25", *own]) == 0
    capsys.readouterr()
    say(monkeypatch)
    assert main(["puzzles", "--day", "2026-11-25", *own]) == 0
    assert "You have answered it before, and not solved it. tengen puzzles --next asks" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--level", "11"], "--level 11 is not a number from 1 to 10"),
        (["--rule", "go"], "go"),
        (["--day", "tomorrow"], "is not a date such as"),
        (["--set", "no/such.puzzles"], "no/such.puzzles: No such file or directory"),
        (["--next", "--status"], "not allowed with"),
    ],
)
def test_bad_input_is_one_sentence(
    words: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["puzzles", *words, "--library", str(tmp_path / "games.sqlite")])
    except SystemExit as end:
        status = int(end.code or 0)
    error = capsys.readouterr().err
    assert status in (1, 2) and complaint in error and error.count("\n") == 1 and error.startswith("tengen puzzles: ")


def test_a_brain_without_proofs_judges_by_the_shipped_answer(
    own: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    say(monkeypatch, "l7", "proof")
    assert main(["puzzles", "--next", "--brain", "weights", *own]) == 0
    out = capsys.readouterr().out
    assert "\nRight. l7 wins by force" in out and "The brain gives no proof of this win.\n" in out


def test_a_set_without_puzzles_and_a_file_of_something_else_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "empty.puzzles"
    for text, words in (
        (format_set({}, []), "there are no puzzles: tengen puzzles make"),
        ("x\n", "not a file of puz"),
    ):
        path.write_text(text)
        assert main(["puzzles", "--set", str(path), "--library", str(tmp_path / "games.sqlite")]) == 2
        assert words in capsys.readouterr().err


@pytest.mark.parametrize(("language", "why"), [("zh", "没有访问权限"), ("cs", "přístup není povolen")])
def test_a_file_that_may_not_be_read_is_not_told_as_one_that_may_not_be_written(
    language: str, why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(path: Path) -> str:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr("tournaments.board.puzzles.sets.read_text", refuse)
    assert main(["puzzles", "--set", "mine.puzzles", "--language", language]) == 1
    assert capsys.readouterr().err == f"tengen puzzles: mine.puzzles: {why}\n"


@needs_processes
@needs_posix
def test_ctrl_c_after_an_answer_ends_the_brain_and_says_nothing(own: list[str]) -> None:
    words = [sys.executable, "-m", "tournaments.cli", "puzzles", "--next", "--brain", "weights", *own]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdin is not None
    process.stdin.write("a1\n")
    process.stdin.flush()
    read_until(process, "^Enter proof")
    brains = [child.pid for child in psutil.Process(process.pid).children(recursive=True)]
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, out, err) == (130, "", "")
    assert brains and wait_until_gone(brains) == []


# The rating


def test_the_formulas_are_those_of_glickmans_example() -> None:
    """g and E for a player of 1500 and opponents of (1400, 30), (1550, 100) and (1700, 300), from his paper."""
    assert [round(weight_of(deviation), 4) for deviation in (30, 100, 300)] == [0.9955, 0.9531, 0.7242]
    weight = weight_of(PUZZLE_DEVIATION)
    assert expected(Rating(1500, 200), 1500) == 0.5
    assert expected(Rating(1500, 200), 1400) == pytest.approx(1 / (1 + 10 ** (-weight / 4)))


def test_a_rating_follows_the_answers_and_becomes_surer() -> None:
    good, bad = answered(NEW, START, True), answered(NEW, START, False)
    assert good.value - START == START - bad.value > 100 and good.deviation == bad.deviation < MOST_DEVIATION
    assert answered(NEW, START + 400, True).value > good.value > answered(NEW, START - 400, True).value
    rating = NEW
    for _ in range(200):  # a person who solves exactly the puzzles rated below 1800
        for puzzle in (1700, 1900):
            rating = answered(rating, puzzle, puzzle < 1800)
    assert abs(rating.value - 1800) < 30 and rating.deviation == LEAST_DEVIATION


def test_a_rating_becomes_less_sure_with_time() -> None:
    sure = Rating(1800, LEAST_DEVIATION)
    assert rested(sure, 0) == sure and rested(sure, -5) == sure
    assert LEAST_DEVIATION < rested(sure, 30).deviation < rested(sure, 300).deviation
    assert rested(sure, FORGETTING).deviation == pytest.approx(MOST_DEVIATION)
    assert rested(sure, 9999) == Rating(1800, MOST_DEVIATION)


def test_only_the_first_answer_counts_and_a_pause_makes_the_next_one_count_more(tmp_path: Path) -> None:
    with Library(tmp_path / "games.sqlite") as library:
        assert own_standing(library).rating == NEW
        first = settle_puzzle(library, EASY, False, now=1e9)
        assert first.rating.value < START and first.solved == set()
        second = settle_puzzle(library, EASY, True, now=1e9)
        assert second.rating == first.rating and second.solved == {EASY.id}
        assert settle_puzzle(library, EASY, False, now=1e9).solved == {EASY.id}, "it stays solved"
        later = own_standing(library, 1e9 + 100 * DAY)
        assert later.rating.deviation > first.rating.deviation
        settle_puzzle(library, HARD, True, now=1e9 + 100 * DAY)
        assert [answer.puzzle for answer in library.puzzle_answers.all()] == [EASY.id, HARD.id]


# The sets


def test_every_puzzle_has_its_day_before_the_first_one_comes_again() -> None:
    puzzles = shipped_set(Rule.FREESTYLE).puzzles
    start = datetime.date(2026, 11, 25)
    days = [puzzle_of_day(puzzles, start + datetime.timedelta(days=day)).id for day in range(2 * len(puzzles))]
    assert len(set(days)) == len(puzzles) and days[: len(puzzles)] == days[len(puzzles) :]
    assert puzzle_of_day(puzzles[::-1], start).id == days[0], "whatever the order of the file"


def test_the_nearest_puzzle_that_is_not_done_is_chosen() -> None:
    assert nearest_puzzle(PUZZLES, 1400, ()) == HARD and nearest_puzzle(PUZZLES, 1300, ()) == EASY
    assert (
        nearest_puzzle(PUZZLES, 1300, {EASY.id}) == HARD and nearest_puzzle(PUZZLES, 1300, {EASY.id, HARD.id}) is None
    )
    assert level_rating(1) < level_rating(5) < level_rating(10)


def all_shipped() -> list[Puzzle]:
    return [puzzle for rule in Rule for puzzle in shipped_set(rule).puzzles]


def test_the_shipped_sets_are_whole() -> None:
    puzzles = all_shipped()
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles) >= 300
    for rule in Rule:
        kept = shipped_set(rule)
        assert len(kept.puzzles) >= 40 and {puzzle.rule for puzzle in kept.puzzles} == {rule}
        assert {puzzle.plies for puzzle in kept.puzzles} == {5, 7, 9, 11, 13, 15}, "wins of different lengths"
        assert [puzzle.rating for puzzle in kept.puzzles] == sorted(puzzle.rating for puzzle in kept.puzzles)
        assert kept.puzzles[0].rating < START < kept.puzzles[-1].rating, "a new player finds easy ones and hard ones"
        assert kept.card["nodes"] >= 100_000 and kept.card["proof_nodes"] == PROOF_NODES
    assert sum(path.stat().st_size for path in FOLDER.glob(f"*{SUFFIX}")) < 200_000
    assert find_shipped(puzzles[0].id) == puzzles[0] and find_shipped("00000000") is None
    assert parse_puzzle(format_puzzle(puzzles[-1])) == puzzles[-1]


def check_again(puzzle: Puzzle, nodes: int) -> None:
    """Proves the puzzle's win again, has the referee replay it, and searches the other moves with `nodes` nodes."""
    board = Board.from_moves(puzzle.moves, puzzle.width, puzzle.height, int(puzzle.rule))
    proof = prove(board, Prover(PROOF_NODES))
    assert proof is not None and proof.steps[0].move == puzzle.answer, puzzle.id
    assert proof.plies == puzzle.plies and tuple(proof.main_line()) == puzzle.line, puzzle.id
    assert refute(puzzle.board(), proof, is_sparing=True) is None, puzzle.id
    searcher = Searcher(16 << 20)
    for cell in other_moves(board, puzzle.answer) if nodes else ():
        board.play(*cell)
        info = searcher.go(board, Limits(nodes=nodes))
        assert info.mate is None or info.mate > 0, (puzzle.id, cell)
        board.undo()


@pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.title)
def test_the_first_shipped_puzzle_of_each_rule_is_proved(rule: Rule) -> None:
    shortest = min(shipped_set(rule).puzzles, key=lambda puzzle: (puzzle.plies, len(puzzle.moves), puzzle.id))
    check_again(shortest, 50)


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", all_shipped(), ids=lambda puzzle: f"{puzzle.rule.title}-{puzzle.id}")
def test_every_shipped_puzzle_is_proved_and_no_other_move_wins(puzzle: Puzzle) -> None:
    check_again(puzzle, 100_000)
