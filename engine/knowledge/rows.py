"""The rows of a store's tables: how new ones are merged into those that are there, within a transaction."""

from __future__ import annotations

from engine.knowledge.merging import later_note, more_games
from engine.knowledge.position import Position

TYPE_CHECKING = False  # type checkers read it as true; importing typing costs milliseconds
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from engine.knowledge.boards import Board

LATEST = (1 << 63) - 1  # time that SQLite can store


def remove(connection: sqlite3.Connection, keys: Sequence[bytes]) -> int:
    """Removes the records with these keys. Returns how many there were."""
    return max(connection.executemany("DELETE FROM entry WHERE key = ?", [(key,) for key in keys]).rowcount, 0)


def merge_entries(connection: sqlite3.Connection, entries: Iterable[tuple[bytes, bytes]]) -> int:
    """Merges records with their keys. Returns how many were stored, because they are new or better."""
    return max(
        connection.executemany(
            "INSERT INTO entry VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET record = excluded.record "
            "WHERE is_better(excluded.record, record)",
            entries,
        ).rowcount,
        0,
    )


def name_boards(connection: sqlite3.Connection, boards: Iterable[Board]) -> None:
    """Stores the empty boards, by which a store knows its boards: records and counts of games have only keys."""
    for rule, width, height in boards:
        empty = Position(width, height, rule)
        connection.execute("INSERT OR IGNORE INTO stones VALUES (?, ?)", (empty.key, empty.to_bytes()))


def merge_games(connection: sqlite3.Connection, rows: Iterable[tuple[bytes, int, int, int, int]]) -> None:
    """Merges counts of games: a key, the number of the source, and the three numbers of games."""
    for key, source, *counts in rows:
        found = connection.execute(
            "SELECT black, drawn, white FROM played WHERE key = ? AND source = ?", (key, source)
        ).fetchone()
        merged = more_games((counts[0], counts[1], counts[2]), found or (0, 0, 0))
        connection.execute("INSERT OR REPLACE INTO played VALUES (?, ?, ?, ?, ?)", (key, source, *merged))


def merge_note(connection: sqlite3.Connection, key: bytes, name: str, value: str, changed: int) -> None:
    """Merges a note with the time of its change: it stays if it is the later one."""
    text, when = later_note((value, changed), note(connection, key, name))
    connection.execute("INSERT OR REPLACE INTO note VALUES (?, ?, ?, ?)", (key, name, text, when))


def write_note(connection: sqlite3.Connection, key: bytes, name: str, value: str, now: int) -> None:
    """Writes a note that comes after the one that is there, also where both are of one millisecond, or the clock was
    set back: its time is later than that of the other one, so that it stays in every later merge too."""
    _, before = note(connection, key, name)
    when = min(max(now, before + 1), LATEST)
    connection.execute("INSERT OR REPLACE INTO note VALUES (?, ?, ?, ?)", (key, name, value, when))


def note(connection: sqlite3.Connection, key: bytes, name: str) -> tuple[str, int]:
    """The text of a note and the time of its change; one that is older than all others if there is none."""
    found = connection.execute("SELECT value, changed FROM note WHERE key = ? AND name = ?", (key, name)).fetchone()
    if found is None or not (isinstance(found[0], str) and isinstance(found[1], int)):  # there the file is damaged
        return "", -1
    return found[0], found[1]
