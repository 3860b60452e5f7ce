"""The store of openings at the board: what it has on a position and on the moves from it, as the page shows it.

The positions that come with the package are read beside those of the user's own store.

The page and the terminal see a score from the side that moves, with its share of wins.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from engine.knowledge import shipped as shipped_file
from engine.knowledge.boards import Board
from engine.knowledge.known import Known
from engine.knowledge.position import Position
from engine.knowledge.record import LOWER, PROVED, UPPER, Record, Source
from engine.knowledge.store import Store
from engine.knowledge.store_file import StoreError
from tournaments.brains.search_info import win_rate
from tournaments.rules.referee import Cell

PATIENCE = 5.0
"""Seconds that a change waits for another program that writes to the store."""

NOTES = ("title", "text", "label", "mark", "board text")
EMPTY, OTHER_BOARD, UNKNOWN = "empty", "board", "position"
"""Why nothing is known of a position: the store is empty, has no position of the rule and size, or not this one."""

_KINDS = {UPPER: "most", LOWER: "least", PROVED: "proved"}
_TURNED = {UPPER: LOWER, LOWER: UPPER}


class Move(NamedTuple):
    """A known move: the cells that symmetries of the position make equal, and all that is known after it."""

    cells: list[Cell]
    known: Known


class Found(NamedTuple):
    """All that the store has on a position; `moves` are the known moves, the best first; `why`: see EMPTY."""

    known: Known
    moves: list[Move]
    symmetries: int
    why: str


NOTHING = Known(None, (0, 0, 0), {})


class OpeningBook:
    """The store in a file, which is made by the first change. For one thread.

    with_shipped: whether the positions that come with the package are read too. Methods raise StoreError, in one
    sentence, for a file that cannot be read or written.
    """

    def __init__(self, path: Path, with_shipped: bool = False) -> None:
        self.path, self._with_shipped = path, with_shipped
        self._store: Store | None = None
        self._boards: set[Board] = set()

    def close(self) -> None:
        """Closes the file; a later question opens it again."""
        if self._store is not None:
            self._store.close()
        self._store, self._boards = None, set()

    def look(self, position: Position) -> Found:
        """All that the store has on a position and on the moves from it."""
        store = self._reader()
        if store is None:
            return Found(NOTHING, [], position.symmetries, EMPTY)
        known = store.look(position)
        moves = sorted((Move(*move) for move in store.moves(position)), key=_order)
        why = "" if known or moves else self._why_unknown(store, position)
        return Found(known, moves, position.symmetries, why)

    def _why_unknown(self, store: Store, position: Position) -> str:
        board = position.rule, position.width, position.height
        if board not in self._boards:
            self._boards = store.boards()  # reads all notes, so they are not asked for each time
        if board in self._boards:
            return UNKNOWN
        return OTHER_BOARD if self._boards or next(store.entries(), None) is not None else EMPTY

    def best_line(self, position: Position, most: int) -> list[Cell]:
        """The best known moves from a position, one after the other; at most that number."""
        line: list[Cell] = []
        store = self._reader()
        while store is not None and len(line) < most:
            moves = [Move(*move) for move in store.moves(position)]
            scored = [move for move in moves if move.known.entry is not None]
            if not scored:
                break
            cell = min(scored, key=_order).cells[0]
            line.append(cell)
            position = position.after(cell)
        return line

    def write_notes(self, position: Position, notes: Mapping[str, str]) -> None:
        """Writes notes of a position by their names; an empty text removes a note."""
        with Store(self.path, patience=PATIENCE) as store:
            store.write_notes((position, name, text) for name, text in notes.items())

    def keep(self, records: Iterable[tuple[Position, Record]], source: Source) -> int:
        """Adds records; returns how many are new or better than those of the store."""
        with Store(self.path, patience=PATIENCE) as store:
            return store.add(records, source)

    def _reader(self) -> Store | None:
        """The store to read, None without a file. A file that was made or replaced since is opened."""
        own = self.path
        if self._store is not None and (not self._store.is_in_place or (self._store.path != own and own.exists())):
            self.close()
        if self._store is None and own.exists():
            self._store = Store(own, is_read_only=True, patience=PATIENCE, also=self._shipped())
        elif self._store is None:
            self._store = next(map(Store, self._shipped()), None)
        return self._store

    def _shipped(self) -> list[Path]:
        """The package's positions, if they are wanted: a damaged file of the package must not hide the user's own."""
        with suppress(StoreError):
            if self._with_shipped:
                Store(shipped_file.SHIPPED).close()
                return [Path(shipped_file.SHIPPED)]
        return []


def position_of(width: int, height: int, rule: int, moves: Sequence[Cell]) -> Position:
    """The position after these stones, Black's first."""
    return Position(width, height, rule, moves[::2], moves[1::2], len(moves) % 2)


def _order(move: Move) -> tuple[bool, int, int, Cell]:
    """The best move for the side to move first; those without a score last, by their games."""
    entry = move.known.entry
    score = entry.record.score if entry is not None else 0
    return entry is None, score, -sum(move.known.games), move.cells[0]


# As the page has it


def found_to_json(found: Found) -> dict[str, Any]:
    """All that the store has on a position, as it is sent."""
    return {
        **_known_to_json(found.known, is_after=False),
        "moves": [
            {
                "cell": list(move.cells[0]),
                "same": [list(cell) for cell in move.cells[1:]],
                **_known_to_json(move.known, is_after=True),
            }
            for move in found.moves
        ],
        "symmetries": found.symmetries,
        "why": found.why,
    }


def _known_to_json(known: Known, is_after: bool) -> dict[str, Any]:
    entry, notes = known.entry, known.notes
    return {
        "record": None if entry is None else {**_record_to_json(entry.record, is_after), "source": entry.source.name},
        "games": list(known.games),
        "notes": {name.replace(" ", "_"): notes.get(name, "") for name in NOTES},
    }


def _record_to_json(record: Record, is_after: bool) -> dict[str, Any]:
    """A record as its position's side to move sees it or, `is_after`, as the side that has just moved."""
    score, mate, kind = record.score, record.mate, record.kind
    if is_after:
        score, kind = -score, _TURNED.get(kind, kind)
        # The move itself is a ply more for its side: the loss of the other side in n plies is a win in n + 1.
        mate = None if mate is None else 1 - mate if mate < 0 else -mate - 1
    win = win_rate(score, None)
    assert win is not None, "a score has a share"
    return {
        "kind": "set" if record.is_set else _KINDS.get(kind, "searched"),
        "score": None if mate is not None else score,
        "mate": mate,
        "win": round(win, 4),
        "depth": record.depth,
        "nodes": record.nodes,
        "best": None if record.best is None or is_after else list(record.best),
    }
