"""Arguments of the engine: a number out of range, or another value than a number, is named in one sentence."""

from __future__ import annotations

import gc
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import engine
from engine import Board, Info, Limits, Searcher
from engine.board_probe import make_and_undo, plies_to_win
from engine.clock import budget
from engine.diagram import svg_board, text_board
from engine.moves import generate_moves
from engine.network import network_problem, shipped_network
from engine.notation import format_move, parse_moves
from engine.patterns import class_histogram, line_histogram, line_pattern
from engine.proof import Prover
from engine.table import TableProbe
from engine.threats import find_vcf, four_cells
from engine.vct import ThreatSolver

if TYPE_CHECKING:
    from collections.abc import Callable

MEMORY = 1 << 20
DEFINITION = re.compile(r"^ *def \w+\((.*?)\)(?: *->.*)?:", re.M | re.S)
C_NUMBER = re.compile(r"\b(?:int|long|float|double|size_t|Py_ssize_t|[iu](?:8|16|32|64)) \w+")
UNCHECKED_NONE = re.compile(r"\b(?:Board|Searcher) \w+(?! not None|\w)")


def board() -> Board:
    return Board.from_moves("h8i9j10")


def set_attribute(thing: object, name: str, value: object) -> None:
    setattr(thing, name, value)


WRONG: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: Limits(nodes=100.7), TypeError, "nodes is a whole number, not 100.7"),  # type: ignore[arg-type]
    (lambda: Limits(nodes=0), ValueError, "nodes is at least 1, not 0"),
    (lambda: Limits(nodes="9"), TypeError, "nodes is a whole number, not '9'"),  # type: ignore[arg-type]
    (lambda: Limits(depth=-5), ValueError, "depth is at least 1, not -5"),
    (lambda: Limits(turn_ms=float("nan")), TypeError, "turn_ms is a whole number, not nan"),  # type: ignore[arg-type]
    (lambda: Limits(turn_ms=-1), ValueError, "turn_ms is at least 0, not -1"),
    (lambda: Limits(match_ms=-1), ValueError, "match_ms is at least 0, not -1"),
    (lambda: Limits(left_ms=0.5), TypeError, "left_ms is a whole number, not 0.5"),  # type: ignore[arg-type]
    (lambda: Limits(increment_ms=-1), ValueError, "increment_ms is at least 0, not -1"),
    (lambda: set_attribute(Limits(), "depth", 0), ValueError, "depth is at least 1, not 0"),
    (lambda: Limits(depth=-(10**5000)), ValueError, "depth is at least 1, not a number of thousands of digits"),
    (lambda: Limits(exclude="h8"), TypeError, "exclude is a sequence of cells (x, y), not 'h8'"),  # type: ignore[arg-type]
    (
        lambda: Limits(exclude=[(1.5, 0)]),
        TypeError,  # type: ignore[list-item]
        "exclude is a sequence of cells (x, y), not [(1.5, 0)]",
    ),
    (lambda: Searcher(MEMORY).go(board(), 5), TypeError, "limits must be a Limits, not 5"),  # type: ignore[arg-type]
    (
        lambda: Searcher(MEMORY).go("h8", Limits(depth=1)),
        TypeError,  # type: ignore[arg-type]
        "board must be a Board, not 'h8'",
    ),
    (lambda: Searcher(MEMORY).go(None), TypeError, "board must be a Board, not None"),  # type: ignore[arg-type]
    (
        lambda: Searcher(MEMORY).go(board(), Limits(depth=1), 5),
        TypeError,  # type: ignore[arg-type]
        "on_info must be a function of an Info, not 5",
    ),
    (lambda: Searcher(MEMORY).analyse(None), TypeError, "board must be a Board, not None"),  # type: ignore[arg-type]
    (
        lambda: Searcher(MEMORY).analyse(board(), "1 s"),
        TypeError,  # type: ignore[arg-type]
        "limits must be a Limits, not '1 s'",
    ),
    (lambda: Searcher(MEMORY, threads=0), ValueError, "threads is 1 to 256, not 0"),
    (lambda: Searcher(MEMORY, evaluator="nnue"), ValueError, "an evaluator is classical or network, not 'nnue'"),
    (
        lambda: set_attribute(Searcher(MEMORY), "evaluator", 5),
        ValueError,
        "an evaluator is classical or network, not 5",
    ),
    (
        lambda: Searcher(MEMORY).go(board(), Limits(exclude=[(36, 0)])),
        ValueError,
        "exclude: 36,0 is off the 15x15 board",
    ),
    (
        lambda: Searcher(MEMORY).analyse(board(), Limits(exclude=[(0, -1)])),
        ValueError,
        "exclude: 0,-1 is off the 15x15 board",
    ),
    (lambda: Searcher(MEMORY).analyse(board(), Limits(), 0), ValueError, "lines is at least 1, not 0"),
    (
        lambda: Searcher(MEMORY).analyse(board(), Limits(), 1.5),
        TypeError,  # type: ignore[arg-type]
        "lines is a whole number, not 1.5",
    ),
    (lambda: Searcher(-5), ValueError, "memory_bytes is at least 1, not -5"),
    (lambda: Searcher("64"), TypeError, "memory_bytes is a whole number, not '64'"),  # type: ignore[arg-type]
    (lambda: Searcher(MEMORY).resize(0), ValueError, "memory_bytes is at least 1, not 0"),
    (lambda: set_attribute(Searcher(MEMORY), "threads", 10**6), ValueError, "threads is 1 to 256, not 1000000"),
    (lambda: set_attribute(Searcher(MEMORY), "threads", 1.5), TypeError, "threads is a whole number, not 1.5"),
    (
        lambda: set_attribute(Searcher(MEMORY), "parameters", {"razor": 1.5}),
        TypeError,
        "search parameter razor is a whole number, not 1.5",
    ),
    (lambda: Board(15.5), TypeError, "width is a whole number, not 15.5"),  # type: ignore[arg-type]
    (lambda: Board(9, "9"), TypeError, "height is a whole number, not '9'"),  # type: ignore[arg-type]
    (lambda: board().play(7.5, 7), TypeError, "x is a whole number, not 7.5"),  # type: ignore[arg-type]
    (lambda: board().class_at(0, 0, 2), ValueError, "colour is 0 or 1, not 2"),
    (lambda: board().class_at(0, 0, -1), ValueError, "colour is 0 or 1, not -1"),
    (lambda: board().classes(2), ValueError, "colour is 0 or 1, not 2"),
    (lambda: make_and_undo(board(), -1), ValueError, f"pairs is 0 to {1 << 62}, not -1"),
    (lambda: four_cells(board(), 2), ValueError, "colour is 0 or 1, not 2"),
    (lambda: line_histogram(0, 2), ValueError, "colour is 0 or 1, not 2"),
    (lambda: class_histogram(0, 5), ValueError, "colour is 0 or 1, not 5"),
    (lambda: line_pattern(0, 7, ".x.x."), ValueError, "colour is 0 or 1, not 7"),
    (lambda: find_vcf(board(), max_plies=-1), ValueError, "max_plies is at least 1, not -1"),
    (lambda: find_vcf(board(), nodes=1.5), TypeError, "nodes is a whole number, not 1.5"),  # type: ignore[arg-type]
    (lambda: ThreatSolver().find(board(), -1), ValueError, "nodes is at least 1, not -1"),
    (lambda: ThreatSolver().find(board(), 100, -5), ValueError, "ms is at least 0, not -5"),
    (lambda: Prover(0), ValueError, "nodes is at least 1, not 0"),
    (lambda: Prover(steps=0.5), TypeError, "steps is a whole number, not 0.5"),  # type: ignore[arg-type]
    (lambda: TableProbe(-1), ValueError, f"size is 0 to {1 << 62}, not -1"),
    (lambda: shipped_network(1.5), ValueError, "rule 1.5 does not exist"),  # type: ignore[arg-type]
    (lambda: network_problem(3), ValueError, "rule 3 does not exist"),
    (lambda: Searcher(MEMORY).use_network(1.5, None), ValueError, "rule 1.5 does not exist"),  # type: ignore[arg-type]
    (lambda: format_move(1.5, 2, 15), TypeError, "x is a whole number, not 1.5"),  # type: ignore[arg-type]
    (lambda: parse_moves("h8", 15, 0), ValueError, "height is at least 1, not 0"),
    (lambda: parse_moves("z8", 30, 15), ValueError, "width is 1 to 26, not 30"),
    (lambda: parse_moves(5, 15, 15), TypeError, "moves are text such as h8i9, not 5"),  # type: ignore[arg-type]
    (lambda: text_board(30, 15, []), ValueError, "width is 1 to 26, not 30"),
    (lambda: text_board(5, 5, [((1, 1), -1)]), ValueError, "colour is 0 or 1, not -1"),
    (lambda: svg_board(5, 5, [((1, 1), 3)]), ValueError, "colour is 0 or 1, not 3"),
    (lambda: svg_board(30, 5, []), ValueError, "width is 1 to 26, not 30"),
    (lambda: svg_board(5, 5, [], cell_px=0), ValueError, "cell_px is at least 1, not 0"),
    (lambda: find_vcf(None), TypeError, "Argument 'board' has incorrect type"),  # type: ignore[arg-type]
    (lambda: plies_to_win(None), TypeError, "Argument 'board' has incorrect type"),  # type: ignore[arg-type]
    (lambda: generate_moves(None), TypeError, "Argument 'board' has incorrect type"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_a_wrong_argument_is_named(number: int) -> None:
    call, kind, sentence = WRONG[number]
    with pytest.raises(kind, match=re.escape(sentence)):
        call()


def test_no_public_method_lets_c_convert_its_numbers() -> None:
    """C cuts fractions off and knows no names; where a board may be None, it reads what is not there."""
    found = []
    for path in sorted(Path(engine.__file__).parent.rglob("*.pyx")):
        for arguments in DEFINITION.findall(path.read_text(encoding="utf-8")):
            # Without arrays, and what training computes itself.
            plain = re.sub(r"\w+\[[^\]]*\] \w+(?: not None)?|float limit", "", arguments)
            found += [f"{path.name}: {wrong}" for wrong in (*C_NUMBER.findall(plain), *UNCHECKED_NONE.findall(plain))]
    assert found == []


def test_what_is_large_is_taken_for_no_limit() -> None:
    expected = Searcher(MEMORY).go(board(), Limits(depth=3))
    for limits in (
        Limits(depth=3, nodes=10**400),
        Limits(depth=3, turn_ms=10**400),
        Limits(depth=3, left_ms=10**400),
        Limits(depth=3, match_ms=10**400),
    ):
        info = Searcher(MEMORY).go(board(), limits)
        assert (info.move, info.score, info.depth) == (expected.move, expected.score, expected.depth)
    assert find_vcf(board(), max_plies=10**30, nodes=10**30) is None
    assert ThreatSolver().find(board(), 10**30, 10**30) is None
    assert [info.line for info in Searcher(MEMORY).analyse(Board.from_moves("c3", 5), Limits(depth=1), 10**12)] == [
        *range(1, 25)
    ]
    assert Searcher(10**30).table_bytes == 0


def test_excluded_cells_bar_themselves_and_no_other() -> None:
    """A cell off the board was taken for another one: 36,0 for 4,0, where the five was."""
    won = Board.from_moves("a15a1b15b1c15c1d15d1")
    assert Searcher(MEMORY).go(won, Limits(turn_ms=100)).move == (4, 0)
    with pytest.raises(ValueError, match="exclude: 36,0 is off the 15x15 board"):
        Searcher(MEMORY).go(won, Limits(turn_ms=100, exclude=[(36, 0)]))
    assert Limits(exclude=((x, x) for x in range(3))).exclude == ((0, 0), (1, 1), (2, 2))  # type: ignore[arg-type]


def test_parameters_are_set_all_or_none() -> None:
    searcher = Searcher(MEMORY)
    before = searcher.parameters
    for wrong in ({"razor": 200, "futility": -1}, {"razor": 200, "futilety": 100}, {"razor": 200, "futility": "x"}):
        with pytest.raises((ValueError, TypeError)):
            searcher.parameters = wrong  # type: ignore[assignment]
        assert searcher.parameters == before


def test_limits_and_infos_are_equal_by_their_values() -> None:
    one, same, other = (Info(1, 2, 3, None, 4, 5, [(7, 7)], (7, 7), line) for line in (1, 1, 2))
    assert one == same != other
    assert one != "an info"
    assert Limits(depth=5, exclude=[(1, 2)]) == Limits(depth=5, exclude=((1, 2),)) != Limits(depth=6)
    first, second = (Searcher(MEMORY).go(board(), Limits(depth=3)) for _ in range(2))
    first.time_ms += 1000  # searches of the same position are equal, even if their times differ
    assert first == second
    first.nodes += 1
    assert first != second


def test_a_millisecond_a_move_takes_no_large_table() -> None:
    """The clock gave such a move 0 ms to aim at, and 0 stood for no limit: the whole memory was taken."""
    tables = []
    for ms in (1, 2, 100):
        searcher = Searcher(256 << 20)
        searcher.go(Board.from_moves("h8i9j10"), Limits(turn_ms=ms))
        tables.append(searcher.table_bytes)
        del searcher
        gc.collect()
    assert tables == [8 << 20] * 3


def test_the_clock_counts_stones_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passes and blocked cells do not count as moves of a game: with them, a game looked older than it was."""
    seen = []

    def spy(
        turn_ms: int | None, match_ms: int | None, left_ms: int | None, stones: int, free: int, increment_ms: int | None
    ) -> tuple[int, int]:
        seen.append(stones)
        return budget(turn_ms, match_ms, left_ms, stones, free, increment_ms)

    monkeypatch.setattr("engine.searcher.budget", spy)
    for passes in ("", "-" * 60 + "*a1*b1"):
        position = Board.from_moves("h8i9j10" + passes)
        Searcher(MEMORY).go(position, Limits(left_ms=60_000, nodes=1))
        list(Searcher(MEMORY).analyse(position, Limits(left_ms=60_000, nodes=1)))
    assert len(seen) >= 4 and set(seen) == {3}
