"""The server's messages about the store of openings, as types: see answers.py."""

from typing import Literal

from typing_extensions import TypedDict

from tournaments.board.messages.position_answers import CellJson


class BookRecord(TypedDict):
    """The result of a search, or of a person: `score` in centipoints or `mate` in plies; `win` is the share, 0 to 1.

    kind: the score is at least or at most that, was searched, proved, or set by a person. In a move they are for the
    side that makes the move, and `best` is null.
    """

    kind: Literal["least", "most", "searched", "proved", "set"]
    score: int | None
    mate: int | None
    win: float
    depth: int
    nodes: int
    best: CellJson | None
    source: str


class BookNotes(TypedDict):
    """Texts that people wrote, "" for none: a line, a longer text, a judgement such as w, a mark on the last stone, and
    a short text on it."""

    title: str
    text: str
    label: str
    mark: str
    board_text: str


class BookMove(TypedDict):
    """A known move, with all that the store has on the position after it.

    same: the cells that symmetries make equal; games: those that Black won, that were drawn, and that White won.
    """

    cell: CellJson
    same: list[CellJson]
    record: BookRecord | None
    games: list[int]
    notes: BookNotes


class Book(TypedDict):
    """All that the store has on a position; `moves` are the known moves, the best first, and `own` the moves of the
    owner's own lines.

    why: the reason if nothing is known. The store is empty, has no position of this rule and size, or not this one.
    """

    type: Literal["book"]
    record: BookRecord | None
    games: list[int]
    notes: BookNotes
    moves: list[BookMove]
    own: list[CellJson]
    symmetries: int
    why: Literal["", "empty", "board", "position"]


class BookKept(TypedDict):
    """The result of an analysis was added to the store; `stored` records are new, or better than those before."""

    type: Literal["book_kept"]
    stored: int


class BookProgress(TypedDict):
    """How many positions the import or export that was asked for by `request` has done."""

    type: Literal["book_progress"]
    request: int | str | None
    done: int


class BookImported(TypedDict):
    """A file was added to the store.

    positions: of trees and libraries; games: that are counted; records: that are new or better, out of `of_records`;
    skipped: the number of parts that were left out, and `fault` a sentence about the first of them.
    """

    type: Literal["book_imported"]
    positions: int
    games: int
    records: int
    of_records: int
    skipped: int
    fault: str


class BookExported(TypedDict):
    """The store was written as a file with `count` positions, which is at /files/FILE now."""

    type: Literal["book_exported"]
    file: str
    name: str
    count: int


class LineMarked(TypedDict):
    """A line is trained: the number of its positions, and how many are new or have a new answer."""

    type: Literal["line_marked"]
    positions: int
    new: int


class LineDropped(TypedDict):
    """The number of positions of a line that are not trained any more."""

    type: Literal["line_dropped"]
    positions: int
