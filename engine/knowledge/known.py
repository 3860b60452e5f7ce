"""The data of a store on a position: a record with its source, counts of games, and notes."""

from __future__ import annotations

from engine.knowledge.merging import Counts
from engine.knowledge.record import Record, Source


class Entry:
    """A record that was found, and its source."""

    __slots__ = ("record", "source")

    def __init__(self, record: Record, source: Source) -> None:
        self.record, self.source = record, source

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entry) and (self.record, self.source) == (other.record, other.source)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Entry({self.record!r}, {self.source!r})"


class Known:
    """All that a store has on a position.

    entry: the record and its source, or None; games: that Black won, drawn, that White won; notes: texts by their
    names.
    """

    __slots__ = ("entry", "games", "notes")

    def __init__(self, entry: Entry | None, games: Counts, notes: dict[str, str]) -> None:
        self.entry, self.games, self.notes = entry, games, notes

    def __bool__(self) -> bool:
        return self.entry is not None or any(self.games) or bool(self.notes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Known({self.entry!r}, {self.games!r}, {self.notes!r})"
