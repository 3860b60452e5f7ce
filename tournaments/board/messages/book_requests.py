"""The requests about the store of openings."""

from typing import Annotated, Literal

from pydantic import Field

from tournaments.board.messages.parts import MOST_CELLS
from tournaments.board.messages.request import FileId, PositionRequest, Request
from tournaments.rules.referee import Rule

LONGEST_TEXT = 20_000
LONGEST_TITLE = 2_000
LONGEST_LINE = 200
LONGEST_MARK = 10
MOST_DEPTH = 500
"""Letters of a note's text, of its title, of a text on a stone, and of a label or a mark; moves of a line in an export.

A file that was imported may have longer titles and texts on stones than the page lets one type: they can be shortened,
and such a change can be undone.
"""

_Title = Annotated[str, Field(max_length=LONGEST_TITLE)]
_Line = Annotated[str, Field(max_length=LONGEST_LINE)]
_Mark = Annotated[str, Field(max_length=LONGEST_MARK)]


class BookRequest(PositionRequest):
    """All that the store of openings has on a position, and on the moves from it."""

    type: Literal["book"]


class WriteBookRequest(PositionRequest):
    """Writes notes on a position; an empty text removes a note, and a note that is not named stays.

    label: a judgement of the last move, such as w; mark: of the last stone; board_text: a text on that.
    """

    type: Literal["book_write"]
    title: _Title | None = None
    text: Annotated[str, Field(max_length=LONGEST_TEXT)] | None = None
    label: _Mark | None = None
    mark: _Mark | None = None
    board_text: _Line | None = None

    def notes(self) -> dict[str, str]:
        """The notes to write, by the names that a store has for them."""
        named = {
            "title": self.title,
            "text": self.text,
            "label": self.label,
            "mark": self.mark,
            "board text": self.board_text,
        }
        return {name: text for name, text in named.items() if text is not None}


class ImportBookRequest(Request):
    """Adds a file that was sent by HTTP to the store. `rule`: of games and positions that do not name theirs."""

    type: Literal["book_import"]
    file: FileId
    rule: Rule | None = None


class ExportBookRequest(PositionRequest):
    """Writes the store as a file, which is then fetched by HTTP. The formats of other programs have the positions of
    one rule, and SGF those that follow the position, up to `depth` moves after it."""

    type: Literal["book_export"]
    format: Literal["book", "shard", "lib", "db", "sgf"]
    depth: Annotated[int, Field(ge=0, le=MOST_DEPTH)] | None = None


class StopBookRequest(Request):
    """Stops the client's import or export."""

    type: Literal["book_stop"]


class MarkLineRequest(PositionRequest):
    """The moves of one side in this line are the owner's own, and are trained. The first `start` stones were set up."""

    type: Literal["line_mark"]
    colour: Annotated[int, Field(ge=0, le=1)]
    start: Annotated[int, Field(ge=0, le=MOST_CELLS)] = 0


class DropLineRequest(PositionRequest):
    """The moves of this line are not trained any more, as far as no other line has them."""

    type: Literal["line_drop"]
    start: Annotated[int, Field(ge=0, le=MOST_CELLS)] = 0
