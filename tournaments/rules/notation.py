"""Cells and openings as text. An opening is the first stones of a game, Black's first, in either of two notations.

An opening is a tuple of cells (x, y). "Offset" notation counts from the cell (width // 2, height // 2), as in
`8,-3, 6,-4, 5,-4`; "pos" notation names cells from the top-left corner, as in `h8i9`: letter a is x 0, number 1 is y 0.
"""

import re

from tournaments.rules.referee import Cell

Opening = tuple[Cell, ...]

_OFFSETS = re.compile(r"\s*[+-]?\d+\s*,\s*[+-]?\d+\s*(,\s*[+-]?\d+\s*,\s*[+-]?\d+\s*)*,?\s*")
_CELLS = re.compile(r"(\s*[A-Za-z]\d{1,2}\s*)+")


def format_cell(x: int, y: int) -> str:
    """The cell as people name it: "h8" is x 7, y 7."""
    return f"{chr(ord('a') + x)}{y + 1}"


def parse_opening(text: str, width: int, height: int) -> Opening:
    """Reads either notation for a board of this size.

    Raises ValueError, naming the text or the stone that is at fault, when the notation is neither of the two, when a
    stone is off the board and when two stones share a cell.
    """
    if _CELLS.fullmatch(text):
        names = re.findall(r"[A-Za-z]\d+", text)
        cells = [(ord(name[0].lower()) - ord("a"), int(name[1:]) - 1) for name in names]
    elif _OFFSETS.fullmatch(text):
        numbers = [int(number) for number in re.findall(r"[+-]?\d+", text)]
        names = [f"{dx},{dy}" for dx, dy in zip(numbers[::2], numbers[1::2], strict=True)]
        cells = [(width // 2 + dx, height // 2 + dy) for dx, dy in zip(numbers[::2], numbers[1::2], strict=True)]
    else:
        raise ValueError(f"'{text.strip()}' is no opening: write offsets such as '0,0, 1,-1' or cells such as 'h8i7'")
    for index, (x, y) in enumerate(cells):
        if not (0 <= x < width and 0 <= y < height):
            raise ValueError(f"stone {index + 1} ({names[index]}) is off the {width}x{height} board")
        if (x, y) in cells[:index]:
            raise ValueError(f"stone {index + 1} ({names[index]}) stands on an earlier stone")
    return tuple(cells)


def format_offset(opening: Opening, width: int, height: int) -> str:
    """The opening in offset notation, with a comma and a space between stones."""
    return ", ".join(f"{x - width // 2},{y - height // 2}" for x, y in opening)


def format_pos(opening: Opening) -> str:
    """The opening in pos notation."""
    return "".join(format_cell(x, y) for x, y in opening)


def format_mate(plies: int) -> str:
    """A win (plies > 0) or a loss in so many plies: "+M5", "-M4"."""
    return f"{'-' if plies < 0 else '+'}M{abs(plies)}"
