"""The input and output of a game in a terminal: `Console`, and `LineConsole` for plain lines."""

import sys
from collections.abc import Callable
from typing import Protocol, TextIO

from tournaments.board.game.game import Game
from tournaments.board.terminal.line_reader import LineReader
from tournaments.board.terminal.text_board import PLAIN, draw, wrapped
from tournaments.files.text import printable_lines


class Console(Protocol):
    """The source of commands, and the place for sentences."""

    def read(self, prompt: str, game: Game, has_changed: Callable[[], bool]) -> str | None:
        """The next line, None at the end. "" when `has_changed`, which is called now and then, is true."""

    def write(self, text: str) -> None:
        """Says something; the text may have several lines."""

    def show(self, game: Game) -> None:
        """The board has changed, and a person is about to be asked."""

    def wait(self, game: Game) -> None:
        """A brain is about to move."""

    def draw(self, game: Game) -> None:
        """Draws the board, because a person has asked for it."""

    @property
    def help_key(self) -> str:
        """The catalogue's key of a further text about the use of this console, "" for none."""

    @property
    def is_typed(self) -> bool:
        """Whether a person types the commands and may be asked; otherwise they come from a file or a pipe."""


class LineConsole:
    """Lines from `source`, sentences and boards to `target`; on a terminal with Python's own editing of lines.

    shows_board: draws it after each change. style: see text_board.py.
    """

    help_key = ""

    def __init__(self, source: TextIO, target: TextIO, shows_board: bool = True, style: str = PLAIN) -> None:
        self._source = source
        self._target = target
        self._shows_board = shows_board
        self._style = style
        self._lines = LineReader(source)

    @property
    def is_typed(self) -> bool:
        """See `Console`."""
        return self._source is sys.stdin and self._source.isatty() and self._target.isatty()

    def read(self, prompt: str, game: Game, has_changed: Callable[[], bool]) -> str | None:
        """See `Console`. If the input is not typed, the prompt is a line of its own."""
        is_typed = self.is_typed
        is_alone = game.clocks is None and all(seat.kind != "friend" for seat in game.seats)
        if is_typed and is_alone:
            try:
                return input(prompt)
            except EOFError:
                self.write("")
                return None
        if is_typed:
            self._target.write(prompt)
            self._target.flush()
        else:
            self.write(prompt.rstrip())
        line = self._lines.read(has_changed)
        if is_typed and not line:
            self.write("")
        return line

    def write(self, text: str) -> None:
        """See `Console`."""
        self._put(wrapped(text) if self._target.isatty() else printable_lines(text))

    def show(self, game: Game) -> None:
        """See `Console`."""
        if self._shows_board:
            self.draw(game)

    def wait(self, game: Game) -> None:
        """See `Console`."""

    def draw(self, game: Game) -> None:
        """See `Console`."""
        self._put("\n".join(draw(game, self._style)))

    def _put(self, text: str) -> None:
        self._target.write(f"{text}\n")
        self._target.flush()
