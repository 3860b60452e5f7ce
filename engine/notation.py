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
DIGITS = "0123456789"
# Marks that occur in the history of a board, but not in a plain list of moves.
PASS, BLOCK = "-", "*"


def format_move(x: int, y: int, height: int) -> str:
    """The name of the cell in column `x` from the left and row `y` from the top, both from 0.

    >>> format_move(7, 7, 15), format_move(0, 14, 15), format_move(0, 0, 15)
    ('h8', 'a1', 'a15')

    Raises ValueError for a cell that no board of this height has: columns have one of 26 letters. Raises TypeError
    for numbers that are not whole.
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


def parse_moves(text: str, width: int, height: int) -> list[tuple[int, int]]:
    """The cells (x, y) that `text` names, for a board of this size; "" names none. The inverse of `format_moves`.

    >>> parse_moves("h8i9", 15, 15)
    [(7, 7), (8, 6)]
    >>> parse_moves("h8i16", 15, 15)
    Traceback (most recent call last):
    ValueError: move 2, i16, is off the 15x15 board

    Raises ValueError, naming the move at fault, for a cell off the board and for anything but small letters and ASCII
    digits, and for a board of more than 26 columns. A cell may be named twice.
    """
    moves = []
    for number, (mark, x, y) in enumerate(parse_history(text, width, height), 1):
        if mark:
            raise ValueError(f"move {number}: {mark!r} is not a cell: moves are letters and numbers such as h8i9")
        moves.append((x, y))
    return moves


def parse_history(text: str, width: int, height: int) -> Iterator[tuple[str, int, int]]:
    """What `Board.moves_text` writes, entry by entry as (mark, x, y).

    The mark is "" for a stone, BLOCK for a blocked cell and PASS for a pass, whose cell is (-1, -1).

    >>> list(parse_history("h8-*a1", 15, 15))
    [('', 7, 7), ('-', -1, -1), ('*', 0, 14)]

    Raises ValueError as `parse_moves` does.
    """
    if not isinstance(text, str):
        raise TypeError(f"moves are text such as h8i9, not {shown(text)}")
    width, height = whole_number("width", width, 1, len(LETTERS)), whole_number("height", height, 1)
    at = number = 0
    while at < len(text):
        number += 1
        mark = text[at] if text[at] in PASS + BLOCK else ""
        at += len(mark)
        if mark == PASS:
            yield mark, -1, -1
            continue
        end = at + 1
        while end < len(text) and text[end] in DIGITS:
            end += 1
        name = text[at:end]
        if not name or name[0] not in LETTERS or len(name) == 1:
            wrong = f"{text[at : at + 2]!r} is not a cell" if name else "the cell is missing"
            raise ValueError(f"move {number}: {wrong}: moves are letters and numbers such as h8i9")
        x, row = LETTERS.index(name[0]), name[1:].lstrip("0")
        # No board has a hundred rows, and Python refuses to read numbers of thousands of digits.
        y = height - int(row or 0) if len(row) < 3 else -1
        if not (x < width and 0 <= y < height):
            short = name if len(name) < 12 else name[:9] + "..."
            raise ValueError(f"move {number}, {short}, is off the {width}x{height} board")
        yield mark, x, y
        at = end
