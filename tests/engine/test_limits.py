"""Limits of a search that allow only a part of its first ply, or exclude the best cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from positions import set_up
from test_search import MEMORY, is_sound, opening, searched

from engine import Board, Info, Limits, Searcher

if TYPE_CHECKING:
    from collections.abc import Callable


def test_without_a_finished_iteration_depth_is_zero_and_the_score_static() -> None:
    """A limit or a stop within the first ply: no more is claimed than a move at once would claim."""
    board = opening()
    at_once = Searcher(MEMORY).go(board, Limits(turn_ms=0))
    assert at_once.depth == at_once.nodes == 0 and at_once.score != 0
    for nodes in (1, 2, 20):
        info = Searcher(MEMORY).go(board, Limits(nodes=nodes))
        assert (info.depth, info.score, info.mate) == (0, at_once.score, None)
        assert 0 < info.nodes <= nodes + nodes // 4 + 2  # each of the two solvers looks at one position at least
        assert info.pv == [info.move]
    searcher = Searcher(MEMORY)
    searcher.arm()
    searcher.stop()
    info = searcher.go(board, Limits())
    assert (info.depth, info.score) == (0, at_once.score)
    assert Searcher(MEMORY).go(board, Limits(nodes=1_000)).depth > 0


def test_excluded_cells_are_passed_over() -> None:
    board = opening()
    best = searched(board, depth=4).move
    info = searched_without(board, [best])
    assert info.move != best
    is_sound(board, info)
    # Even the block of a five can be excluded.
    block = set_up(0, "......... xoooo.... ......... ..x.x.... ......... ......... ......... ......... .........")
    assert searched_without(block, [(5, 1)]).move != (5, 1)
    # Where nothing else is left they are played all the same.
    full = set_up(0, "xxoox ooxxo xxoox ooxxo xxoo.")
    assert searched_without(full, [(4, 4)]).move == (4, 4)


def test_a_win_that_only_an_excluded_cell_brings_is_not_claimed() -> None:
    """Black has one five, at l8, or an open four at k8: without them no other move is a win for certain."""
    for moves, cells in (("h8a1i8c1j8e1k8g8", [(11, 7)]), ("h8c5i8c6j8c7", [(6, 7), (10, 7)])):
        board = Board.from_moves(moves)
        for limits in (Limits(turn_ms=0, exclude=cells), Limits(nodes=2, exclude=cells)):
            info = Searcher(MEMORY).go(board, limits)
            assert info.move not in cells and info.mate is None and info.depth == 0
    board = Board.from_moves("h8a1i8c1j8e1k8g8")
    lines = list(Searcher(MEMORY).analyse(board, Limits(nodes=100), lines=2))
    assert lines[-2].pv[0] == (11, 7) and lines[-2].mate == 1 and lines[-1].mate is None


def test_without_any_cell_to_play_what_is_claimed_is_true_all_the_same() -> None:
    """Nothing is left to play but excluded cells: the move is then that of a move at once, and so is its score."""
    everything = [(x, y) for x in range(15) for y in range(15)]
    for moves, cells, mate in (("h8c5i8c6j8c7k8c8", [(6, 7), (11, 7)], 1), ("h8c5i8c6j8c7", [(6, 7), (10, 7)], 3)):
        info = searched_without(Board.from_moves(moves), everything)
        assert info.move in cells and info.mate == mate


def test_a_limit_of_more_nodes_than_can_be_counted_is_none() -> None:
    board = opening()
    few, many = (Searcher(MEMORY).go(board, Limits(depth=3, nodes=nodes)) for nodes in (1 << 60, 1 << 64))
    assert (many.move, many.score) == (few.move, few.score)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_searcher_is_left_alone_while_it_searches(threads: int) -> None:
    """Each of these takes from the search what it stands on; refused, the search goes on as if nothing had been."""
    searcher = Searcher(MEMORY)
    searcher.threads = threads
    board = opening()
    other = Board(9, rule=4)
    attempts: list[Callable[[], object]] = [
        searcher.clear,
        searcher.arm,
        lambda: searcher.resize(MEMORY),
        lambda: setattr(searcher, "threads", 3),
        lambda: setattr(searcher, "plain", True),
        lambda: setattr(searcher, "parameters", {}),
        lambda: searcher.go(other, Limits(depth=1)),
        lambda: list(searcher.analyse(other, Limits(depth=1))),
    ]
    refused = 0

    def meddle(info: Info) -> None:
        nonlocal refused
        for attempt in attempts:
            with pytest.raises(RuntimeError, match="this searcher is searching"):
                attempt()
            refused += 1

    info = searcher.go(board, Limits(depth=4), meddle)
    assert refused and info.depth == 4
    is_sound(board, info)
    searcher.clear()  # and afterwards it may be changed again, also after an exception

    def fail(info: Info) -> None:
        raise KeyError

    with pytest.raises(KeyError):
        searcher.go(board, Limits(depth=4), fail)
    searcher.resize(MEMORY)
    assert searcher.go(other, Limits(depth=1)).move == (4, 4)


def searched_without(board: Board, cells: list[tuple[int, int]]) -> Info:
    return Searcher(MEMORY).go(board, Limits(depth=4, exclude=cells))
