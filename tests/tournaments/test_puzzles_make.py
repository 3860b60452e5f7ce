"""Puzzles are made from games: found, proved, searched for other wins, rated by levels, and written as a set."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from few_puzzles import Here

from engine import Board
from engine.proof import Prover
from engine.training.work import WorkersLost
from tournaments.board.library.library import Library
from tournaments.board.puzzles.puzzle import Puzzle, format_set, parse_puzzle, parse_set, puzzle_id
from tournaments.cli.puzzles import make
from tournaments.cli.puzzles.difficulty import ASKED, rate, solved_by_levels
from tournaments.cli.puzzles.make import in_turn, main, run
from tournaments.cli.puzzles.search import Candidate, Game, check, is_forced, other_moves, prove, scan
from tournaments.rules.notation import parse_opening

NODES = 400

SHORT = (
    "l5j4i5k5l6j7k4j6j3i2j8i7l4l7k7m5h5h7g6i4h8i9f7i8i10h9g10j9e8d9l2l3g9l9k9k10l11m6g8g7f8d8g11g12f10k8n5m10n11i6l8"
)
"""A game of the engine against itself: after 45 stones White wins in five plies by k8, and by no other move."""
STONES = 45
SHARP = True  # Black threatens to win too


def game(text: str = SHORT, name: str = "short 1") -> Game:
    return Game(15, 15, 0, parse_opening(text, 15, 15), name)


def test_a_game_is_scanned_for_positions_with_one_winning_move() -> None:
    found = scan(game())
    assert found == [Candidate(STONES, (10, 7), 5, SHARP)]
    board = Board.from_moves(game().cells[:STONES], 15, 15)
    assert not is_forced(board)
    assert is_forced(Board.from_moves(game().cells[: STONES + 1], 15, 15)), "a four needs an answer"


def test_a_candidate_becomes_a_puzzle_with_its_line_and_its_rating() -> None:
    (candidate,) = scan(game())
    checked = check(game(), candidate, NODES, seed=1)
    puzzle = checked.puzzle
    assert puzzle is not None and checked.reason == ""
    assert (puzzle.answer, puzzle.plies, puzzle.source, puzzle.to_move) == ((10, 7), 5, "short 1", 1)
    assert puzzle.line[0] == (10, 7) and len(puzzle.line) == 5 and len(puzzle.solved) == 10
    assert puzzle.solved[-1] == ASKED == puzzle.asked and puzzle.rating == rate(puzzle.solved)
    assert check(game(), candidate, NODES, seed=1) == checked, "the same seed asks the same levels"
    assert puzzle.board().stones[-1][:2] == puzzle.moves[-1]


def test_a_position_with_two_winning_moves_is_no_puzzle() -> None:
    """Black has two open threes that do not depend on each other: each of their ends wins."""
    text = "h8a1i8a15j8o1c12o15"
    board = Board.from_moves(parse_opening(text, 15, 15), 15, 15)
    assert prove(board, Prover(2_000)) is None, "a win in three plies is too short"
    assert scan(game(text + "g8")) == []
    wrong = Candidate(STONES, (0, 0), 5, SHARP)
    assert check(game(), wrong, NODES, seed=1).reason == "not proved"


def test_every_other_move_that_touches_a_line_is_searched() -> None:
    board = Board.from_moves(game().cells[:STONES], 15, 15)
    others = other_moves(board, (10, 7))
    assert len(others) > 100 and (10, 7) not in others and len(set(others)) == len(others)
    assert set(board.candidates()) - {(10, 7)} <= set(others) <= set(board.legal_moves())


def test_harder_puzzles_have_higher_ratings() -> None:
    easy, hard = (4,) * 10, (0,) * 9 + (4,)
    assert rate(easy) < rate((0, 0, 0, 4, 4, 4, 4, 4, 4, 4)) < rate(hard) < rate((0,) * 10)
    board = Board.from_moves(game().cells[:STONES], 15, 15)
    solved = solved_by_levels(board, (10, 7), 1)
    assert solved[0] < solved[-1] and board.ply == STONES


def test_wins_of_different_lengths_are_checked_by_turns() -> None:
    scanned = {number: [Candidate(10, (1, 1), 5, False), Candidate(20, (2, 2), 5, number == 7)] for number in range(10)}
    scanned[10] = [Candidate(9, (3, 3), 9, False)]
    order = in_turn(scanned, seed=1)
    assert [candidate.plies for _, candidate in order] == [5, 9, *[5] * 19] and order[1] == (10, scanned[10][0])
    assert order[0] == (7, scanned[7][1]), "sharp positions come first"
    assert len({number for number, _ in order}) == 11 and in_turn(scanned, seed=2) != order
    assert in_turn(scanned, seed=1) == order


@pytest.mark.long
def test_a_run_that_was_stopped_goes_on_and_writes_the_same(tmp_path: Path) -> None:
    mirrored = "".join(f"{chr(ord('a') + 14 - x)}{15 - y}" for x, y in game().cells)
    games = [game(), game(mirrored, "mirrored"), game(SHORT[:60], "cut")]
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    puzzles = run(whole, games, 5, NODES, 1, Here())
    assert [puzzle.source for puzzle in puzzles] in (["short 1"], ["mirrored"]), (
        "two that are equal by symmetry are one"
    )
    for most in (1, 1, 1, 1):
        with pytest.raises(WorkersLost):
            run(broken, games, 5, NODES, 1, Here(most))
    assert not broken.exists() and (tmp_path / "broken.part").read_text().count("\n") == 5
    with (tmp_path / "broken.part").open("a") as file:
        file.write("check 1 4")  # a line that a crash cut short
    assert run(broken, games, 5, NODES, 1, Here()) == puzzles
    assert broken.read_text() == whole.read_text() and not (tmp_path / "broken.part").exists()
    card = parse_set(whole.read_text()).card
    assert card["nodes"] == NODES and card["games"] == 3 and len(card["engine"]) == 8


def test_the_file_of_another_run_is_not_continued(tmp_path: Path) -> None:
    with pytest.raises(WorkersLost):
        run(tmp_path / "set", [game()], 1, NODES, 1, Here(0))
    with pytest.raises(ValueError, match="belongs to a run with seed 1, not 2"):
        run(tmp_path / "set", [game()], 1, NODES, 2, Here())
    with (tmp_path / "set.part").open("a") as file:
        file.write("nonsense\n")
    with pytest.raises(ValueError, match=r"set\.part, line 2: this is not a result of a run"):
        run(tmp_path / "set", [game()], 1, NODES, 1, Here())


def test_the_games_are_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    library, games = tmp_path / "games.sqlite", tmp_path / "games.pos"
    Library(library).close()
    games.write_text(f"{SHORT}\n")
    for output, words in ((library, []), (library, [str(games)]), (games, [str(games)])):
        before = output.read_bytes()
        assert main([str(output), *words, "--force", "--library", str(library)]) == 2
        assert f"{output} is the file to read" in capsys.readouterr().err and output.read_bytes() == before


def test_ids_are_equal_for_positions_that_are_equal_by_symmetry() -> None:
    stones = parse_opening("h8i9j7", 15, 15)
    turned = tuple((14 - y, x) for x, y in stones)
    assert puzzle_id(15, 15, 0, stones) == puzzle_id(15, 15, 0, turned)
    assert puzzle_id(15, 15, 0, stones) == puzzle_id(15, 15, 0, stones[::-1]), "the order of a colour's moves"
    assert puzzle_id(15, 15, 0, stones) != puzzle_id(15, 15, 4, stones) != puzzle_id(15, 15, 4, stones[:2])
    long = ((0, 0), (3, 1))
    assert puzzle_id(9, 7, 0, long) == puzzle_id(9, 7, 0, ((8, 6), (5, 5)))


def a_puzzle() -> Puzzle:
    checked = check(game(), Candidate(STONES, (10, 7), 5, SHARP), NODES, seed=1)
    assert checked.puzzle is not None
    return checked.puzzle


def test_a_set_reads_as_it_was_written_and_names_the_line_of_a_fault() -> None:
    puzzle = a_puzzle()
    text = format_set({"nodes": 7}, [puzzle])
    assert parse_set(text).puzzles == (puzzle,) and parse_set(text).card == {"nodes": 7}
    line = text.splitlines()[1]
    for wrong, words in (
        (line.replace('"plies":5', '"plies":17'), "has 5 to 15 plies, not 17"),
        (line.replace('"moves":"l5', '"moves":"a1'), "does not belong to its stones"),
        (line.replace('"line":"k8', '"line":"l5'), "begins on an empty cell"),
        (line.replace('"rating":', '"rank":'), "a puzzle has id, rule"),
        (re.sub('"rating":[0-9]+', '"rating":3001', line), "from 0 to 3000"),
        (re.sub('"rating":[0-9]+', f'"rating":1{"0" * 400}', line), "from 0 to 3000"),
        (re.sub('"rating":[0-9]+', '"rating":-1', line), "from 0 to 3000"),
        (line.replace('"plies":5', '"plies":true'), "a puzzle has id, rule"),
        ("{", "a puzzle is a line of JSON"),
        ("[" * 100_000, "a puzzle is a line of JSON"),
        ("5", "a puzzle has id, rule"),
    ):
        with pytest.raises(ValueError, match=words):
            parse_puzzle(wrong)
        with pytest.raises(ValueError, match=f"^line 3: .*{words}"):
            parse_set(f"{text}{wrong}\n")
    with pytest.raises(ValueError, match=r"line 3: .* stands twice"):
        parse_set(text + line)
    with pytest.raises(ValueError, match="not a file of puzzles"):
        parse_set("{}\n")
    with pytest.raises(ValueError, match="newer version"):
        parse_set(text.replace('"version":1', '"version":2'))
    assert replace(puzzle, rating=1) != puzzle


@pytest.mark.long
def test_the_command_makes_puzzles_of_a_file_and_of_saved_games(tmp_path: Path, capsys: Any) -> None:
    games = tmp_path / "games.pos"
    games.write_text(f"{SHORT}\n")
    output = tmp_path / "mine.puzzles"
    words = ["--nodes", "50", "--processes", "1", "--library", str(tmp_path / "games.sqlite")]
    assert main([str(output), str(games), *words]) == 0
    assert capsys.readouterr().out == f"{output}: 1 puzzle; there are no more in 1 game\n"
    assert [puzzle.source for puzzle in parse_set(output.read_text()).puzzles] == ["games 1"]
    assert main([str(output), str(games), *words]) == 2
    assert "exists already: --force overwrites it" in capsys.readouterr().err
    Library(tmp_path / "games.sqlite").close()
    assert main([str(output), "--force", *words]) == 0
    assert parse_set(output.read_text()).puzzles == () and make.NODES == 100_000
