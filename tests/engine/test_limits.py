"""What the limits of a search leave of it: nothing of its first ply, or not the best cell."""
from __future__ import annotations

from positions import set_up
from test_search import MEMORY, is_sound, opening, searched

from engine import Board, Info, Limits, Searcher


def test_without_a_finished_iteration_depth_is_zero_and_the_score_static() -> None:
    """A limit or a stop within the first ply: no more is claimed than a move at once would claim."""
    board = opening()
    at_once = Searcher(MEMORY).go(board, Limits(turn_ms=0))
    assert at_once.depth == at_once.nodes == 0 and at_once.score != 0
    for nodes in (1, 2, 20):
        info = Searcher(MEMORY).go(board, Limits(nodes=nodes))
        assert (info.depth, info.score, info.mate) == (0, at_once.score, None)
        assert 0 < info.nodes <= nodes and info.pv == [info.move]
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
    # Even the block of a five, if that is what is asked.
    block = set_up(0, "......... xoooo.... ......... ..x.x.... ......... ......... ......... ......... .........")
    assert searched_without(block, [(5, 1)]).move != (5, 1)
    # Where nothing else is left they are played all the same.
    full = set_up(0, "xxoox ooxxo xxoox ooxxo xxoo.")
    assert searched_without(full, [(4, 4)]).move == (4, 4)


def searched_without(board: Board, cells: list[tuple[int, int]]) -> Info:
    return Searcher(MEMORY).go(board, Limits(depth=4, exclude=cells))
