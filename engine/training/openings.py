"""Balanced openings: a few random stones, then the move that a search finds most even.

The method is that of Rapfi's opening generator: stones in a small square, a balancing move, and a deeper search that
drops openings that only seemed even.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine.board import Board
from engine.limits import Limits
from engine.moves import generate_moves
from engine.notation import format_moves
from engine.searcher import Searcher

GLANCE_NODES = 1500
CHECK_NODES = 30_000
BALANCING_MOVES = 24
EVEN = 60
STILL_EVEN = 100
STONES_EVEN = 150
TABLE_BYTES = 64 << 20
MOST_FAILURES = 5000  # attempts in a row; more than a board with room ever needs


def random_stones(rng: random.Random, board: Board, wanted: int | None = None) -> list[tuple[int, int]]:
    """Plays random stones in a square of five to nine around a cell near the centre; returns them.

    wanted: their number, None for three to six.
    """
    stones: list[tuple[int, int]] = []
    wanted = wanted or rng.choice((3, 4, 4, 5, 5, 6))
    reach = rng.choice((2, 3, 3, 4))
    room_x, room_y = max(board.width // 2 - 5, 0), max(board.height // 2 - 5, 0)
    centre_x = board.width // 2 + rng.randint(-room_x, room_x)
    centre_y = board.height // 2 + rng.randint(-room_y, room_y)
    while len(stones) < wanted:
        x, y = centre_x + rng.randint(-reach, reach), centre_y + rng.randint(-reach, reach)
        if not (0 <= x < board.width and 0 <= y < board.height) or board.cell(x, y) >= 0:
            continue
        if board.side_to_move == 0 and board.is_forbidden(x, y):
            continue
        board.play(x, y)
        stones.append((x, y))
    return stones


def even_stones(
    rng: random.Random, searcher: Searcher, width: int, height: int, rule: int, nodes: int
) -> list[tuple[int, int]]:
    """Random stones that neither side has won by: a search of `nodes` scores them within STONES_EVEN."""
    while True:
        board = Board(width, height, rule)
        stones = random_stones(rng, board)
        if abs(searcher.go(board, Limits(nodes=nodes)).score) <= STONES_EVEN:
            return stones


def find_opening(
    rng: random.Random,
    searcher: Searcher,
    width: int,
    height: int,
    rule: int,
    nodes: int,
    still_even: int,
    stones_wanted: int | None = None,
) -> list[tuple[int, int]] | None:
    """One attempt at a balanced opening: its moves, or None when no move evens the stones out.

    A last search of `nodes` has to score it within `still_even` centipoints. stones_wanted: their number, None for
    four to seven.
    """
    board = Board(width, height, rule)
    stones = random_stones(rng, board, stones_wanted - 1 if stones_wanted is not None else None)
    if searcher.go(board, Limits(nodes=GLANCE_NODES)).mate is not None:
        return None
    moves = [(x, y) for _, x, y in generate_moves(board)]
    rng.shuffle(moves)
    best: tuple[int, tuple[int, int]] | None = None
    for x, y in moves[:BALANCING_MOVES]:
        board.play(x, y)
        score = abs(searcher.go(board, Limits(nodes=GLANCE_NODES)).score)
        board.undo()
        if best is None or score < best[0]:
            best = score, (x, y)
    if best is None or best[0] > EVEN:
        return None
    board.play(*best[1])
    searcher.clear()  # entries of the short searches can change the score by a hundred
    if abs(searcher.go(board, Limits(nodes=nodes)).score) > still_even:
        return None
    return [*stones, best[1]]


def balanced_openings(
    width: int,
    height: int,
    rule: int,
    seed: int,
    nodes: int = CHECK_NODES,
    still_even: int = STILL_EVEN,
    stones: int | None = None,
) -> Iterator[str]:
    """Distinct balanced openings as `engine.notation` writes them, the same for the same arguments. Raises ValueError
    when it finds no more.

    nodes: of the last search of an opening; still_even: the largest score that it may give, in centipoints; stones: of
    each opening, at least 2, None for four to seven.
    """
    rng = random.Random(seed)
    searcher = Searcher(TABLE_BYTES)
    seen: set[str] = set()
    failures = 0
    while failures < MOST_FAILURES:
        failures += 1
        searcher.clear()
        moves = find_opening(rng, searcher, width, height, rule, nodes, still_even, stones)
        text = format_moves(moves, height) if moves else ""
        if text and text not in seen:
            seen.add(text)
            failures = 0
            yield text
    raise ValueError(f"{MOST_FAILURES} attempts in a row found no further even opening")
