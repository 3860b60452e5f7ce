"""Iterative deepening at the root: the moves in ever better order, and the values of the last whole iteration."""

from collections.abc import Callable, Iterable, Sequence

from tournaments.rivals.budget import OutOfTime
from tournaments.rivals.protocol import format_score
from tournaments.rules.referee import Cell

WIN = 10_000_000
"""The score of a win, from which the plies to it are taken."""

Value = Callable[[Cell, int, int, int], int]
"""(cell, depth, alpha, beta) to the value of that cell for the side to move, `depth` plies deep; alpha and beta are the
opponent's, and the value is exact when -beta < value < -alpha."""


def deepen(moves: Sequence[Cell], depths: Iterable[int], value: Value) -> tuple[list[Cell], str]:
    """The moves, the best first, and the finished depth and score in words.

    Each depth takes the moves in the order of the depth before. A depth that the budget interrupts is dropped, and a
    proved win or loss ends the deepening. Depth 0 means that not even the first depth was finished.
    """
    order = list(moves)
    score, finished = 0, 0
    try:
        for depth in depths:
            scored: list[tuple[int, Cell]] = []
            best = -2 * WIN
            for cell in order:
                scored.append((value(cell, depth, -2 * WIN, -best), cell))
                best = max(best, scored[-1][0])
            # Stable: moves that were cut off, and equal moves, keep their places.
            scored.sort(key=lambda entry: -entry[0])
            order = [cell for _, cell in scored]
            score, finished = best, depth
            if abs(score) > WIN // 2:
                break
    except OutOfTime:
        pass
    plies = WIN - abs(score) if abs(score) > WIN // 2 else None
    return order, f"depth {finished} ev {format_score(score, plies)}"
