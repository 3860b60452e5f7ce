"""Moves as people write and paste them: a letter for the column, a number for the row, a1 at the bottom left.

h8 is the centre of a 15x15 board, and the letter i is used. Inside the library a cell is (x, y), both from 0, with y
from the top. So the number is `height - y`, and reading or writing text needs the board's height: the same text names
other cells on a board of another height.
"""

from __future__ import annotations

from engine.checks import shown, whole_number

TYPE_CHECKING = False  # type checkers read it as true; importing typing costs milliseconds
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LETTERS = "abcdefghijklmnopqrstuvwxyz"
CAPITALS = LETTERS.upper()
DIGITS = "0123456789"
BETWEEN = " \t\r\n,;"
"""The signs that may separate moves."""
# Marks that occur in the history of a board, but not in a plain list of moves.
PASS, BLOCK = "-", "*"


def format_move(x: int, y: int, height: int) -> str:
    """The name of the cell in column `x` from the left and row `y` from the top, both from 0.

    >>> format_move(7, 7, 15), format_move(0, 14, 15), format_move(0, 0, 15)
    ('h8', 'a1', 'a15')

    Raises ValueError for a cell that does not exist on a board of this height: columns have one of 26 letters. Raises
    TypeError for numbers that are not whole.
    """
    x, y, height = whole_number("x", x), whole_number("y", y), whole_number("height", height)
    if not (0 <= x < len(LETTERS) and 0 <= y < height):
        raise ValueError(f"{x},{y} is on no board of height {height}")
    return f"{LETTERS[x]}{height - y}"


def format_moves(moves: Iterable[tuple[int, int]], height: int) -> str:
    """The names of cells one after another, as `format_move` writes them.

    >>> format_moves([(7, 7), (8, 6)], 15)
    'h8i9'
    """
    return "".join(format_move(x, y, height) for x, y in moves)


def name_position(black: Iterable[tuple[int, int]], white: Iterable[tuple[int, int]], height: int) -> str:
    """A position in a sentence, by its stones.

    >>> name_position([(7, 7)], [(8, 6)], 15), name_position([(7, 7)], [], 15), name_position([], [], 15)
    ('the position with black h8 and white i9', 'the position with black h8 and white nothing', 'the empty board')
    """
    of_black, of_white = format_moves(black, height), format_moves(white, height)
    if not of_black and not of_white:
        return "the empty board"
    return f"the position with black {of_black or 'nothing'} and white {of_white or 'nothing'}"


def parse_moves(text: str, width: int, height: int) -> list[tuple[int, int]]:
    """The cells (x, y) that `text` names, for a board of this size; "" names none. The inverse of `format_moves`.

    >>> parse_moves("h8i9", 15, 15), parse_moves("H8, i9", 15, 15)
    ([(7, 7), (8, 6)], [(7, 7), (8, 6)])
    >>> parse_moves("h8i16", 15, 15)
    Traceback (most recent call last):
    ValueError: move 2, i16, is off the 15x15 board

    Letters of either case are read; blanks, commas, semicolons and line breaks may stand between moves. Raises
    ValueError, naming the move at fault, for a cell off the board and for anything else in the text, and for a board
    of more than 26 columns. A cell may be named twice.
    """
    moves = []
    for number, (mark, x, y) in enumerate(parse_history(text, width, height), 1):
        if mark:
            raise ValueError(f"move {number}: {mark!r} is not a cell: moves are letters and numbers such as h8i9")
        moves.append((x, y))
    return moves


def parse_history(text: str, width: int, height: int) -> Iterator[tuple[str, int, int]]:
    """The entries of what `Board.moves_text` writes, each as (mark, x, y).

    The mark is "" for a stone, BLOCK for a blocked cell and PASS for a pass, whose cell is (-1, -1).

    >>> list(parse_history("h8-*a1", 15, 15))
    [('', 7, 7), ('-', -1, -1), ('*', 0, 14)]

    Raises ValueError as `parse_moves` does.
    """
    if not isinstance(text, str):
        raise TypeError(f"moves are text such as h8i9, not {shown(text)}")
    width, height = whole_number("width", width, 1, len(LETTERS)), whole_number("height", height, 1)
    at = number = 0
    while True:
        while at < len(text) and text[at] in BETWEEN:
            at += 1
        if at == len(text):
            return
        number += 1
        mark = text[at] if text[at] in PASS + BLOCK else ""
        at += len(mark)
        if mark == PASS:
            yield mark, -1, -1
            continue
        x, y, end = _cell_at(text, at, width, height)
        if end == at:
            wrong = f"{text[at : at + 2]!r} is not a cell" if at < len(text) else "the cell is missing"
            raise ValueError(f"move {number}: {wrong}: moves are letters and numbers such as h8i9")
        if y < 0:
            raise ValueError(f"move {number}, {_short(text[at:end])}, is off the {width}x{height} board")
        yield mark, x, y
        at = end


def _cell_at(text: str, at: int, width: int, height: int) -> tuple[int, int, int]:
    """The cell (x, y) whose name begins at this place of a text, and where the name ends.

    (-1, -1, at) if no name begins there, (-1, -1, end) for a cell off the board.
    """
    end = at + 1
    while end < len(text) and text[end] in DIGITS:
        end += 1
    name = text[at:end]
    # By hand and not with lower(), which makes ASCII letters of others.
    x = -1 if len(name) < 2 else LETTERS.find(name[0]) if name[0] in LETTERS else CAPITALS.find(name[0])
    if x < 0:
        return -1, -1, at
    row = name[1:].lstrip("0")
    # No board has a hundred rows, and Python refuses to read numbers of thousands of digits.
    y = height - int(row or 0) if len(row) < 3 else -1
    return (x, y, end) if x < width and 0 <= y < height else (-1, -1, end)


def _short(name: str) -> str:
    return name if len(name) < 12 else name[:9] + "..."


def read_cell(x: object, y: object, width: int, height: int) -> tuple[int, int]:
    """The cell that a caller of `Board` gives: two whole numbers, or in `x` alone a name or a pair.

    >>> read_cell("h8", None, 15, 15), read_cell((7, 7), None, 15, 15), read_cell(7, 7, 15, 15)
    ((7, 7), (7, 7), (7, 7))
    >>> read_cell("h16", None, 15, 15)
    Traceback (most recent call last):
    ValueError: h16 is off the 15x15 board

    Raises ValueError for a name that is not one of a cell of this board, TypeError for anything else. Numbers may be
    those of a cell off the board.
    """
    if y is None:
        if isinstance(x, str):
            name = x.strip(BETWEEN)
            column, row, end = _cell_at(name, 0, width, height)
            if end == 0 or end < len(name):
                raise ValueError(f"a cell is a letter and a number such as h8, not {shown(x)}")
            if row < 0:
                raise ValueError(f"{_short(name)} is off the {width}x{height} board")
            return column, row
        if not isinstance(x, tuple | list) or len(x) != 2:
            raise TypeError(f"a cell is a name such as 'h8' or two whole numbers, not {shown(x)}")
        x, y = x
    return whole_number("x", x), whole_number("y", y)
