"""Openings: the first stones of a game, Black's first, in the two notations of the gomoku world, and their symmetries.

An opening is a tuple of cells (x, y). "Offset" notation counts from the cell (width // 2, height // 2), as in
`8,-3, 6,-4, 5,-4`; "pos" notation names cells from the top-left corner, as in `h8i9`: letter a is x 0, number 1 is y 0.
An openings file holds one opening a line in either notation; empty lines and lines that begin with # are skipped.
"""

import re
from importlib import resources
from pathlib import Path

from tournaments.referee import BLACK, Board, Cell, find_foul, is_win

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


def symmetries(opening: Opening, width: int, height: int) -> list[Opening]:
    """The opening turned and mirrored in every way that fits the board: eight on a square, four on a rectangle.

    The first is the opening itself. Openings with a symmetry of their own appear more than once.
    """
    turned = [opening]
    if width == height:
        turned.append(tuple((y, x) for x, y in opening))
    return [
        tuple((width - 1 - x if flip_x else x, height - 1 - y if flip_y else y) for x, y in stones)
        for flip_x, flip_y in ((False, False), (True, True), (True, False), (False, True))
        for stones in turned
    ]


def check_opening(opening: Opening, width: int, height: int, rule: int) -> None:
    """Raises ValueError when the game would be over before a brain moves: a five, a foul of Black or a full board."""
    board = Board(width, height, rule)
    for index, (x, y) in enumerate(opening):
        foul = find_foul(board, x, y) if board.side_to_move == BLACK else None
        if foul is not None:
            raise ValueError(f"stone {index + 1} ({format_cell(x, y)}) is a {foul.value} in {board.rule.title}")
        board.place(x, y)
        if is_win(board, x, y):
            raise ValueError(f"stone {index + 1} ({format_cell(x, y)}) already wins the game")
    if board.is_full():
        raise ValueError("the opening fills the board")


def load_openings(path: Path, width: int, height: int, rule: int) -> list[Opening]:
    """Every opening of a file, in its order.

    Raises ValueError, naming the file and (where one is at fault) the line, for a file that cannot be read or holds no
    opening and for a line that is no playable opening on this board.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ValueError(f"cannot read openings file {path}: {error.strerror or error}") from None
    openings = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            opening = parse_opening(line, width, height)
            check_opening(opening, width, height, rule)
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
        openings.append(opening)
    if not openings:
        raise ValueError(f"openings file {path} holds no opening")
    return openings


def shipped_openings(width: int, height: int, rule: int) -> list[Opening]:
    """The openings that come with Tengen and fit this board, never none: a tiny board is opened by the empty one."""
    text = resources.files("tournaments").joinpath("openings", "quiet.txt").read_text(encoding="utf-8")
    fitting = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        try:
            opening = parse_opening(line, width, height)
            check_opening(opening, width, height, rule)
        except ValueError:
            continue
        fitting.append(opening)
    return fitting or [()]
