"""Cells and openings as text. An opening is the first stones of a game, Black's first, in either of two notations.

An opening is a tuple of cells (x, y), y counted from the top as everywhere in the code. "Pos" notation names cells by a
letter from the left and a number from the bottom, so that on 20x12 `a1` is (0, 11) and `t12` is (19, 0); files of
c-gomoku-cli count from the top, which `origin` tells. "Offset" notation, that of Gomocup, counts from the cell (width
// 2, height // 2) to the right and down, as in `8,-3, 6,-4, 5,-4`.
"""

import re

from tournaments.rules.referee import Cell

Opening = tuple[Cell, ...]

PASS: Cell = (-1, -1)
"""The cell of a move that places no stone, which is written as "-". No opening has one."""

BOTTOM, TOP = "bottom", "top"
ORIGINS = (BOTTOM, TOP)
"""The row with the number 1: the lowest one, or, in files of c-gomoku-cli, the highest."""

# Whitespace is allowed at only one place between two parts: with two places, a long line with a fault at its end would
# be tried in every division of the whitespace.
_OFFSETS = re.compile(
    r"\s*[+-]?[0-9]{1,9}\s*,\s*[+-]?[0-9]{1,9}\s*(?:,\s*[+-]?[0-9]{1,9}\s*,\s*[+-]?[0-9]{1,9}\s*)*"
    r"(?:,\s*)?"
)
_CELLS = re.compile(r"\s*(?:[A-Za-z][0-9]{1,2}\s*)+")
_CELLS_AND_PASSES = re.compile(r"\s*(?:(?:[A-Za-z][0-9]{1,2}|-)\s*)+")
_CELL = re.compile(r"([A-Za-z])([0-9]{1,2})")
_CELL_OR_PASS = re.compile(r"([A-Za-z]|-)([0-9]{1,2}|(?<=-))")
_NUMBER = re.compile(r"(?<![A-Za-z0-9])[0-9]{1,3}\.(?:\.\.)?\s*(?=[A-Za-z-])")
"""The number of a move, as in `1. h8 2. i9`."""
_SHOWN = 60
"""The most letters of a text in an error message."""


def format_cell(x: int, y: int, height: int, origin: str = BOTTOM) -> str:
    """The cell as people name it: on 15x15, "h8" is x 7, y 7, and "a15" is x 0, y 0; "-" for PASS."""
    if (x, y) == PASS:
        return "-"
    return f"{chr(ord('a') + x)}{y + 1 if origin == TOP else height - y}"


def format_pos(opening: Opening, height: int, origin: str = BOTTOM) -> str:
    """The opening in pos notation."""
    return "".join(format_cell(x, y, height, origin) for x, y in opening)


def parse_opening(text: str, width: int, height: int, origin: str = BOTTOM, may_pass: bool = False) -> Opening:
    """Reads either notation for a board of this size; `origin` is that of cells, offsets have none.

    Between cells there may be commas, semicolons and the numbers of the moves, as people and programs write them.
    may_pass: a "-" between cells is a move without a stone, PASS. Raises ValueError, which names the wrong text or
    stone, if the notation is neither of the two, if a stone is off the board, and if two stones share a cell.
    """
    listed = _as_list(text)
    if (_CELLS_AND_PASSES if may_pass else _CELLS).fullmatch(listed):
        found = _CELL_OR_PASS.findall(listed)
        names = [letter + number for letter, number in found]
        cells = [
            PASS
            if letter == "-"
            else (ord(letter.lower()) - ord("a"), int(number) - 1 if origin == TOP else height - int(number))
            for letter, number in found
        ]
    elif _OFFSETS.fullmatch(text):
        numbers = [int(number) for number in re.findall("[+-]?[0-9]+", text)]
        names = [f"{dx},{dy}" for dx, dy in zip(numbers[::2], numbers[1::2], strict=True)]
        cells = [(width // 2 + dx, height // 2 + dy) for dx, dy in zip(numbers[::2], numbers[1::2], strict=True)]
    else:
        shown = text.strip()
        shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
        what = "a list of moves" if may_pass else "an opening"
        raise ValueError(f"'{shown}' is not {what}: write offsets such as '0,0, 1,-1' or cells such as 'h8i7'")
    for index, (x, y) in enumerate(cells):
        if (x, y) == PASS:
            continue
        if not (0 <= x < width and 0 <= y < height):
            raise ValueError(f"stone {index + 1} ({names[index]}) is off the {width}x{height} board")
        if (x, y) in cells[:index]:
            raise ValueError(f"stone {index + 1} ({names[index]}) stands on an earlier stone")
    return tuple(cells)


def is_list_of_moves(text: str) -> bool:
    """True for a text in either notation, on a board of any size."""
    return bool(_CELLS_AND_PASSES.fullmatch(_as_list(text)) or _OFFSETS.fullmatch(text))


def _as_list(text: str) -> str:
    """The cells of a text without the signs and the numbers between them."""
    return re.sub("[,;]", " ", _NUMBER.sub(" ", text))


def format_offset(opening: Opening, width: int, height: int) -> str:
    """The opening in offset notation, with a comma and a space between stones."""
    return ", ".join(f"{x - width // 2},{y - height // 2}" for x, y in opening)


def format_mate(plies: int) -> str:
    """The plies to a win (above 0) or to a loss (below 0) as text: "+M5", "-M4"."""
    return f"{'-' if plies < 0 else '+'}M{abs(plies)}"


def turn_cells(text: str, height: int) -> str:
    """The text with the number of every cell in it counted from the other end of the board."""
    return re.sub(
        rf"(?<![A-Za-z0-9.])(?:{_CELL.pattern})+(?![A-Za-z0-9.])",
        lambda found: _CELL.sub(lambda cell: f"{cell[1]}{height + 1 - int(cell[2])}", found[0]),
        text,
    )
