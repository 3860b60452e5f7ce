"""The line of the store of openings for a hint in a terminal."""

from pathlib import Path
from typing import NamedTuple

from tournaments.board.openings.book import OpeningBook, position_of
from tournaments.brains.search_info import win_rate
from tournaments.rules.referee import Cell, Rule

MOST_MOVES = 6
"""Moves of a line."""


class BookLine(NamedTuple):
    """The best known moves from a position, and the share of wins of its side to move after the first of them."""

    cells: list[Cell]
    share: float


def find_line(
    path: Path, with_shipped: bool, width: int, height: int, rule: Rule, moves: tuple[Cell, ...]
) -> BookLine | None:
    """The line of the store in that file, and of the package's positions; None if they know no move with a score.

    with_shipped: whether the package's positions count. Raises StoreError.
    """
    book = OpeningBook(path, with_shipped)
    try:
        position = position_of(width, height, int(rule), moves)
        cells = book.best_line(position, MOST_MOVES)
        entry = book.look(position.after(cells[0])).known.entry if cells else None
    finally:
        book.close()
    share = win_rate(-entry.record.score, None) if entry is not None else None
    return None if share is None else BookLine(cells, share)
