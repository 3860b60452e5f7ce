"""A record: the score of a position with its depth, and the best move, in ten bytes; and the source of records."""

from __future__ import annotations

from collections.abc import Iterable
from struct import Struct

from engine.checks import MOST_NODES, shown, whole_number
from engine.constants import MATE, MATE_BOUND
from engine.knowledge.position import NO_CELL, Cell, Position

UPPER, LOWER, EXACT, PROVED = 1, 2, 3, 4
"""The kinds of a score: at most this, at least this, this by a search, and proved."""
KIND_NAMES = {UPPER: "at most", LOWER: "at least", EXACT: "searched", PROVED: "proved"}
DEEPEST = 255
SET_BY_PERSON = 1  # the one flag of the last byte
RECORD = Struct(">hBBHBHB")  # score, depth, kind, best move, nodes as a logarithm, number of the source, flags
RECORD_BYTES = RECORD.size
MOST_SOURCES = 1 << 16
LATEST_SOURCE = (1 << 62) - 1


class Source:
    """The source of records: one run of a program, or one person's edits in one file.

    name: a program or a person, such as "tengen book build"; engine: the engine and its limits, such as "2a83c444,
    10000 nodes", "" if there was no search; made: the time of its beginning, in seconds since 1970; origin: a text that
    distinguishes two sources that are otherwise equal, such as the checksum of the imported file. Two sources are the
    same if all four are equal. Each file has its own numbers for its sources.
    """

    __slots__ = ("engine", "made", "name", "origin")

    def __init__(self, name: str, engine: str = "", made: int = 0, origin: str = "") -> None:
        for what, value in (("name", name), ("engine", engine), ("origin", origin)):
            if not isinstance(value, str):
                raise TypeError(f"the {what} of a source is text, not {shown(value)}")
        self.name, self.engine, self.origin = name, engine, origin
        self.made = whole_number("made", made, 0, LATEST_SOURCE)

    def as_tuple(self) -> tuple[int, str, str, str]:
        """The order of sources: later ones are greater."""
        return self.made, self.name, self.engine, self.origin

    def among(self, others: Iterable[Source]) -> Source:
        """The one of the others with the same name, engine and origin, but any time; without one, this source."""
        same = (other for other in others if other.origin and other.as_tuple()[1:] == self.as_tuple()[1:])
        return next(same, self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Source) and self.as_tuple() == other.as_tuple()

    def __hash__(self) -> int:
        return hash(self.as_tuple())

    def __repr__(self) -> str:
        return f"Source({self.name!r}, {self.engine!r}, {self.made}, {self.origin!r})"


class Record:
    """The record of one position, seen from its side to move.

    score: centipoints; MATE - n for a win that is proved in n plies, n - MATE for a loss in n, 0 for a proved draw;
    kind: UPPER, LOWER, EXACT or PROVED; depth: plies of the search, 0 to 255, or what stands for the searches of a tree
    below; best: the best move as a cell (x, y) of the position, None if it is not known; nodes: the positions that the
    searches looked at, rounded to about a tenth, 0 if not known; is_set: whether a person set the record.
    """

    __slots__ = ("best", "depth", "is_set", "kind", "nodes", "score")

    def __init__(
        self,
        score: int,
        kind: int = EXACT,
        depth: int = 0,
        best: Cell | None = None,
        nodes: int = 0,
        is_set: bool = False,
    ) -> None:
        """Raises TypeError and ValueError, in one sentence. A depth over 255 counts as 255."""
        self.score = whole_number("score", score, -MATE, MATE)
        self.kind = whole_number("kind", kind, UPPER, PROVED)
        self.depth = min(whole_number("depth", depth, 0), DEEPEST)
        self.nodes = min(whole_number("nodes", nodes, 0), MOST_NODES)
        self.best, self.is_set = best, bool(is_set)
        if self.kind == PROVED and 0 < abs(score) < MATE_BOUND:
            raise ValueError(f"a proved score is 0, or {MATE_BOUND} and more for a win or a loss, not {score}")

    @classmethod
    def of_mate(cls, mate: int, depth: int = 0, best: Cell | None = None, nodes: int = 0) -> Record:
        """The record of a win that is proved in `mate` plies, or of a loss in -`mate`."""
        return cls(MATE - mate if mate > 0 else -MATE - mate, PROVED, depth, best, nodes)

    @property
    def mate(self) -> int | None:
        """Plies to a proved win, negative plies to a proved loss, None if neither is proved."""
        if self.kind != PROVED or not self.score:
            return None
        return MATE - self.score if self.score > 0 else -MATE - self.score

    @property
    def is_lost(self) -> bool:
        """Whether the score is a loss by force, proved or searched."""
        return self.score <= -MATE_BOUND

    def pack(self, position: Position, source: int) -> bytes:
        """The ten bytes of the record, with the number of its source in the file.

        Raises ValueError if the best move is not on an empty cell of the position's board.
        """
        best = NO_CELL
        if self.best is not None:
            x, y = self.best
            if not (0 <= x < position.width and 0 <= y < position.height) or self.best in (
                position.black | position.white
            ):
                raise ValueError(f"the best move {shown(x)},{shown(y)} is not on an empty cell of {position}")
            best = position.to_canonical(self.best)
        return RECORD.pack(
            self.score,
            self.depth,
            self.kind,
            best,
            packed_nodes(self.nodes),
            source,
            SET_BY_PERSON if self.is_set else 0,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            "Record("
            + ", ".join(
                f"{name}={getattr(self, name)!r}" for name in ("score", "kind", "depth", "best", "nodes", "is_set")
            )
            + ")"
        )


def unpack(packed: bytes, position: Position) -> Record | None:
    """The record in ten bytes. None if they are not a record of this position: then the file is damaged."""
    if not is_record(packed):
        return None
    score, depth, kind, best, nodes, _, flags = RECORD.unpack(packed)
    cell = None if best == NO_CELL else position.from_canonical(best)
    if cell is None and best != NO_CELL:
        return None
    return Record(score, kind, depth, cell, unpacked_nodes(nodes), bool(flags & SET_BY_PERSON))


def is_record(packed: object) -> bool:
    """Whether these bytes can be a record of some position."""
    if not isinstance(packed, bytes) or len(packed) != RECORD_BYTES:
        return False
    score: int
    kind: int
    score, _, kind, *_ = RECORD.unpack(packed)
    is_won = MATE_BOUND <= abs(score) <= MATE
    return UPPER <= kind <= PROVED and abs(score) <= MATE and (is_won or score == 0 or kind != PROVED)


def source_of(packed: bytes) -> int:
    """The number of the record's source in its file."""
    return packed[7] << 8 | packed[8]


def from_source(packed: bytes, number: int) -> bytes:
    """The record with the number of another source."""
    return packed[:7] + number.to_bytes(2, "big") + packed[9:]


def is_set_or_has(packed: bytes, least: int) -> bool:
    """Whether a person set the record in ten bytes, or its logarithm of nodes (`packed_nodes`) is at least that."""
    *_, nodes, _, flags = RECORD.unpack(packed)
    return bool(flags & SET_BY_PERSON) or nodes >= least


def packed_nodes(nodes: int) -> int:
    """A number of nodes as a logarithm, four steps to a doubling, from 1 for one node; 0 for a number not known.

    >>> packed_nodes(10000), unpacked_nodes(packed_nodes(10000))
    (54, 9742)
    """
    if not nodes:
        return 0
    power = nodes.bit_length() - 1
    fourth = nodes**4
    step = sum(fourth >= 1 << 4 * power + part for part in (1, 2, 3))
    # Rounds to the nearest step: the border is half a step above the lower step, here in its eighth power.
    step += nodes**8 >= 1 << 8 * power + 2 * step + 1
    return min(4 * power + step + 1, 255)


def unpacked_nodes(packed: int) -> int:
    """The number of nodes of a logarithm, rounded."""
    return round(2 ** ((packed - 1) / 4)) if packed else 0
