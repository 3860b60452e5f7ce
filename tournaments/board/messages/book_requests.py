"""The requests about the store of openings."""

from typing import Annotated, Literal

from pydantic import Field

from tournaments.board.messages.request import PositionRequest

LONGEST_TEXT = 20_000
LONGEST_LINE = 200
LONGEST_MARK = 10
"""Letters of a note's text, of its title and label, and of a text on a stone."""

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
    title: _Line | None = None
    text: Annotated[str, Field(max_length=LONGEST_TEXT)] | None = None
    label: _Mark | None = None
    mark: _Mark | None = None
    board_text: _Mark | None = None

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
