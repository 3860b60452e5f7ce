"""A game's board as lines of text: letters from the left below it, numbers from the bottom at its sides.

Plain, for pipes, files and terminals without colours: X is Black, O is White, and cells that renju forbids Black are
marked with a star. In colour a black and a white circle stand on wood, and a cross on forbidden cells. In both the last
stone is in brackets.
"""

import shutil
import textwrap

from tournaments.board.game.game import Game
from tournaments.files.text import printable_lines
from tournaments.rules.referee import BLACK, EMPTY, WHITE, Cell

PLAIN, COLOUR = "plain", "colour"
FORBIDDEN = 3

_PLAIN_MARKS = {BLACK: "X", WHITE: "O", EMPTY: ".", FORBIDDEN: "*"}
_WOOD, _INK, _RESET = "\x1b[48;5;137m", "\x1b[38;5;236m", "\x1b[0m"
_COLOURED_MARKS = {
    BLACK: f"\x1b[38;5;16m\u25cf{_INK}",
    WHITE: f"\x1b[38;5;231m\u25cb{_INK}",
    EMPTY: "\u00b7",
    FORBIDDEN: f"\x1b[38;5;88m\u00d7{_INK}",
}


def draw(game: Game, style: str = PLAIN) -> list[str]:
    """The lines of the board, without line ends."""
    width, height = game.settings.width, game.settings.height
    letters = "   " + " ".join(chr(ord("A") + x) for x in range(width))
    rows = [_row(game, y, style) for y in range(height)]
    return [*(f"{height - y:2}{row}{height - y}" for y, row in enumerate(rows)), letters]


def column_of(x: int) -> int:
    """In which column of a line the cell's mark stands, from 0; its line is that of its y."""
    return 3 + 2 * x


def _row(game: Game, y: int, style: str) -> str:
    last = game.moves[-1].cell if game.moves else None
    forbidden = game.forbidden()
    cells = [(x, y) for x in range(game.settings.width)]
    known = _PLAIN_MARKS if style == PLAIN else _COLOURED_MARKS
    marks = [known[FORBIDDEN if cell in forbidden else game.board.cell(*cell)] for cell in cells]
    brackets = [_bracket(place, cells, last) for place in range(len(cells) + 1)]
    text = "".join(map("".join, zip(brackets, [*marks, ""], strict=True)))
    return text if style == PLAIN else f"{_WOOD}{_INK}{text}{_RESET}"


def _bracket(place: int, cells: list[Cell], last: Cell | None) -> str:
    """The letter before the cell at that place: a blank, or a bracket around the last stone."""
    if place < len(cells) and cells[place] == last:
        return "("
    return ")" if place > 0 and cells[place - 1] == last else " "


def wrapped(text: str) -> str:
    """The text made safe for a terminal, with lines that are too long for it cut between words."""
    columns = shutil.get_terminal_size().columns
    lines = printable_lines(text).split("\n")
    return "\n".join(part for line in lines for part in textwrap.wrap(line, columns) or [""])
