"""The book: a store of positions, from which the brain plays: the one that the manager named, or the package's own.

This module loads the package of the store, so it is itself loaded only when a book is first asked.
"""

from __future__ import annotations

import os

from engine.knowledge.position import Position
from engine.knowledge.record import EXACT, PROVED, UPPER, Record
from engine.knowledge.store import Store
from pbrain.swap2 import EVEN, PROPOSALS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from engine import Board

    Point = tuple[int, int]

PATIENCE_S = 0.2  # for a program that writes to the file: a move cannot wait
MARGIN = 30  # centipoints that a move may be worse than the score of its position
LONGEST_LINE = 12
SHALLOWER, FEWER_NODES = 2, 4  # plies less, and a part of the nodes: such openings are as good as the best one


class BookMove:
    """The book's answer for a position: its record, and the known line of best play, whose first move is the answer."""

    __slots__ = ("line", "record")

    def __init__(self, record: Record, line: list[Point]) -> None:
        self.record, self.line = record, line


class Book:
    """An open book. store: its file, made if it is missing, unless it is read-only; least_nodes: records with fewer
    nodes do not count, but for proofs, what a person set, and records that do not tell their nodes. All methods raise
    StoreError.
    """

    def __init__(self, path: str, is_read_only: bool = True) -> None:
        self.least_nodes = 0
        self._is_new = not is_read_only and not os.path.lexists(path)
        self.store = Store(path, is_read_only, PATIENCE_S)

    def close(self) -> None:
        """Closes the file. One that was made and has stayed empty is removed."""
        if self._is_new:
            self.store.close_new()
        else:
            self.store.close()

    def replace(self, old: Book) -> None:
        """Closes another book, which was open until now. If it made this book's file, the file counts as made here."""
        if old._is_new and os.path.realpath(old.store.path) == os.path.realpath(self.store.path):
            self._is_new = True
            old.store.close()
        else:
            old.close()

    def look_up(self, board: Board, is_allowed: Callable[[Point], bool]) -> BookMove | None:
        """The move of the book in a position; None if the book has no move there, or only lost ones.

        A lost position is left to the search, which finds the move that holds out longest. is_allowed tells whether a
        move on a free cell may be played.
        """
        position = position_of(board)
        entry = self.store.probe(position) if position is not None else None
        if position is None or entry is None or entry.record.is_lost or not self._counts(entry.record):
            return None
        record, move = entry.record, entry.record.best
        if record.kind == UPPER or move is None or not is_allowed(move):
            move = self._best_known(position, record, is_allowed)
        return BookMove(record, self._line(position, move)) if move is not None else None

    def score(self, board: Board) -> Record | None:
        """The record of a position if its score is exact."""
        position = position_of(board)
        entry = self.store.probe(position) if position is not None else None
        if entry is None or entry.record.kind not in (EXACT, PROVED) or not self._counts(entry.record):
            return None
        return entry.record

    def even_stones(
        self, board: Board, count: int, is_over: Callable[[], bool], dice: Callable[[], Random]
    ) -> tuple[list[Point], Record] | None:
        """The next `count` stones, all of them known moves, after which the score is even.

        If several lines end within EVEN, one of those that were searched deepest is taken by chance. None if no such
        line is known, or was found before `is_over` became true.
        """
        start = position_of(board)
        lines: list[tuple[list[Point], Position]] = [([], start)] if start is not None else []
        found: list[tuple[list[Point], Record]] = []
        for ply in range(1, count + 1):
            longer, met = [], set()
            for line, position in lines:
                if is_over():
                    break
                for cells, known in self.store.moves(position):
                    after = position.after(cells[0])
                    if after.key in met:
                        continue
                    met.add(after.key)
                    longer.append(([*line, cells[0]], after))
                    if ply == count and known.entry is not None and known.entry.record.kind == EXACT:
                        record = known.entry.record
                        if abs(record.score) <= EVEN and self._counts(record, PROPOSALS):
                            found.append(([*line, cells[0]], record))
            lines = longer
        if not found:
            return None
        deepest = max(record.depth for _, record in found)
        deep = [each for each in found if each[1].depth >= deepest - SHALLOWER]
        most = max(record.nodes for _, record in deep)
        return dice().choice([each for each in deep if each[1].nodes * FEWER_NODES >= most])

    def why_not(self, board: Board) -> str:
        """Why the book has no move for a position, for which `look_up` found none; "" if it does not know it."""
        position = position_of(board)
        entry = self.store.probe(position) if position is not None else None
        if entry is None:
            return ""
        if entry.record.is_lost:
            return "the position is lost"
        if not self._counts(entry.record):
            return f"a search of this time sees more than its {entry.record.nodes:,} nodes"
        return "it names no move that may be played"

    def _counts(self, record: Record, searches: int = 1) -> bool:
        """Whether a record is better than a search. searches: the number that share the time."""
        return not record.nodes or record.nodes * searches >= self.least_nodes or record.kind == PROVED or record.is_set

    def _best_known(self, position: Position, record: Record, is_allowed: Callable[[Point], bool]) -> Point | None:
        """The move to the known position with the best score, unless the position itself has a better one."""
        # An upper bound for the other side is a lower bound for the mover. A lower bound for the other side is useless.
        moves = [
            (-known.entry.record.score, cell)
            for cells, known in self.store.moves(position)
            for cell in cells
            if known.entry is not None and known.entry.record.kind in (UPPER, EXACT, PROVED) and is_allowed(cell)
        ]
        best = max(moves, default=None, key=lambda move: move[0])
        return best[1] if best is not None and best[0] >= record.score - MARGIN else None

    def _line(self, position: Position, move: Point) -> list[Point]:
        """The move and the best ones after it, as far as the book names them."""
        line, best = [move], move
        while len(line) < LONGEST_LINE:
            position = position.after(best)
            entry = self.store.probe(position)
            if entry is None or entry.record.best is None:
                break
            best = entry.record.best
            line.append(best)
        return line


def position_of(board: Board) -> Position | None:
    """The position of a board as a store has it; None for a board with blocked cells, which stores do not have."""
    try:
        return Position.of(board)
    except ValueError:
        return None
