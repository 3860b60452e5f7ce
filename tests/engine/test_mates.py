"""Wins that must be found: foul traps of renju, which selective searches overlook."""
from __future__ import annotations

import pytest
from positions import set_up

from engine import WHITE, Board, Limits, Searcher
from engine.notation import parse_moves

MEMORY = 1 << 20

# Random renju positions, White to move: a search without reductions proves a win, one that reduces and prunes what
# leaves Black a four that only a foul would stop did not within 20,000 nodes.
FOUL_TRAPS = (
    "k7k6k9m9l10i7j5h6l6i6j8m5n8",
    "j8h8i8i7g7i9j7i6g6k6h9l7h7f5h6e6k7i10j6",
    "h9g5f7g6e9i7e7k5h8i10k6f6i6h11k9e8j8j5k11",
    "e9g9e6j6f6i9f5e7h7f7f8i11g8k6e5g6h9g7f10",
    "h9g11h7g9j7e7j5i9g6f7e6k7i5k9g7i10e5k5j8",
    "f7i7f8i10g6i11h7g10g8e8e7j7h6h8e11k6i8f5i5",
    "f8g6f11j6h11e6e8j8h6h9i10h5e7h10i9j10f5g9k8",
    "i10k8j10j7k9h9i8i9j9h11f8e8f9j6i7",
    "g8h10e10g9i8i10g10f9h7j6e5k10i7g6f5",
)


def board_of(rule: int, moves: str, size: int = 15) -> Board:
    """The board after moves in letters and numbers, a1 at the top left."""
    board = Board(size, size, rule)
    for cell in parse_moves(moves):
        board.play(*cell)
    return board


# ---- Foul traps -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", FOUL_TRAPS)
def test_a_foul_trap_is_found_by_a_selective_search(moves: str) -> None:
    info = Searcher(MEMORY).go(board_of(4, moves), Limits(nodes=20_000))
    assert info.mate is not None and info.mate > 0


@pytest.mark.parametrize(
    ("moves", "key", "mate"),
    [
        ("g10g9j9h9h8i9j8k9h7k6i7", "l5", 5),
        ("i10l11k10h10g9j10j9f9g8h9h8i9j8f8h7i6h6", "i5", 7),
    ],
)
def test_a_quiet_move_that_leaves_only_fouls_is_no_late_move(moves: str, key: str, mate: int) -> None:
    info = Searcher(MEMORY).go(board_of(4, moves), Limits(nodes=20_000))
    assert (info.move, info.mate) == (parse_moves(key)[0], mate)
    assert info.nodes < 10_000


def test_a_four_that_only_a_foul_stops_is_played_at_once() -> None:
    """Without a search the claim of a win comes with the move that wins."""
    board = set_up(4, """
        ....o.....
        ....o.....
        ....o.....
        ..........
        .xxx.xxx..
        ....x.....
        ..........
        ..........
        ..........
        ..........""", side=WHITE)
    info = Searcher(MEMORY).go(board, Limits(turn_ms=0))
    assert (info.move, info.mate) == ((4, 3), 3)
