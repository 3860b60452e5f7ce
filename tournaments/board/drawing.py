"""A game's board as lines of text: letters from the left below it, numbers from the bottom at its sides.

Plain, for pipes, files and terminals without colours: X is Black, O is White, the last stone stands in brackets, and
cells that renju forbids Black are marked with a star. In colour the stones are discs on wood.
"""

from tournaments.board.game import Game
from tournaments.rules.referee import BLACK, WHITE, Cell

PLAIN, COLOUR = "plain", "colour"

_PLAIN_MARKS = {BLACK: "X", WHITE: "O"}
_WOOD, _INK, _BLACK, _WHITE, _RED, _OFF = (
    "\x1b[48;5;179m", "\x1b[38;5;94m", "\x1b[38;5;16m", "\x1b[38;5;231m", "\x1b[38;5;124m", "\x1b[0m")  # fmt: skip


def draw(game: Game, style: str = PLAIN) -> list[str]:
    """The lines of the board, without line ends."""
    width, height = game.settings.width, game.settings.height
    letters = "   " + " ".join(chr(ord("A") + x) for x in range(width))
    rows = [_row(game, y, style) for y in range(height)]
    return [*(f"{height - y:2}{row}{height - y}" for y, row in enumerate(rows)), letters]


def _row(game: Game, y: int, style: str) -> str:
    last = game.moves[-1].cell if game.moves else None
    forbidden = game.forbidden()
    cells = [(x, y) for x in range(game.settings.width)]
    if style == PLAIN:
        marks = [_PLAIN_MARKS.get(game.board.cell(*cell), "*" if cell in forbidden else ".") for cell in cells]
        brackets = [_bracket(place, cells, last) for place in range(len(cells) + 1)]
        return "".join(map("".join, zip(brackets, [*marks, ""], strict=True)))
    painted = [_disc(game.board.cell(*cell), cell == last, cell in forbidden) for cell in cells]
    return f"{_WOOD} {' '.join(painted)} {_OFF}"


def _bracket(place: int, cells: list[Cell], last: Cell | None) -> str:
    """What stands before the cell at that place: a blank, or a bracket around the last stone."""
    if place < len(cells) and cells[place] == last:
        return "("
    return ")" if place > 0 and cells[place - 1] == last else " "


def _disc(colour: int, is_last: bool, is_forbidden: bool) -> str:
    if colour == BLACK:
        return f"{_BLACK}{'◉' if is_last else '●'}"
    if colour == WHITE:
        return f"{_WHITE}{'◉' if is_last else '●'}"
    return f"{_RED}\u00d7" if is_forbidden else f"{_INK}·"
