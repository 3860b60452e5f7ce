"""Pictures of a position: text for a terminal, and SVG for notebooks and files.

Both are pure functions of their arguments, without knowledge of the rules. Columns have letters from the left and rows
numbers from the bottom (see notation.py); a cell is (x, y), both from 0, y from the top. `stones` are pairs of a cell
and a colour, 0 black and 1 white, in the order in which they were played. A board has 1 to 26 columns and 1 to 99 rows.
Cells off the board and other numbers out of range raise ValueError, numbers that are not whole TypeError.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from engine.checks import whole_number
from engine.notation import LETTERS, format_move

Cell = tuple[int, int]
Stone = tuple[Cell, int]

# Every sign has a contrast of at least 3:1 with its background; a test computes it.
WOOD = "#eed09a"
LINE = "#5f4621"
AXIS = "#3d2c12"
STONES = ("#111111", "#ffffff")
EDGE = "#333333"
LABEL = "#0b3a75"
FOUL = "#a00000"
BLOCKED = "#4a3f33"

# Lengths of the drawing, in its own units.
STEP = 32
LEFT, TOP, RIGHT, BOTTOM = 46, 26, 26, 46
MOST_ROWS = 99  # their numbers have two digits

NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\x7f-\x9f]")


def text_board(
    width: int, height: int, stones: Sequence[Stone], *, last: Cell | None = None, blocked: Iterable[Cell] = ()
) -> str:
    """The position in ASCII, `height` + 1 lines without a newline at the end.

    ``x`` black, ``o`` white, ``#`` blocked, ``.`` empty; `last` is the cell to put in parentheses.

    >>> print(text_board(5, 5, [((2, 2), 0), ((3, 1), 1)], last=(3, 1)))
     5  . . . . .
     4  . . .(o).
     3  . . x . .
     2  . . . . .
     1  . . . . .
        a b c d e
    """
    check_size(width, height)
    rows = [["."] * width for _ in range(height)]
    for (x, y), colour in stones:
        check(width, height, x, y)
        rows[y][x] = "xo"[whole_number("colour", colour, 0, 1)]
    for x, y in blocked:
        check(width, height, x, y)
        rows[y][x] = "#"
    if last is not None:
        check(width, height, *last)
    lines = []
    for y, row in enumerate(rows):
        line = " " + " ".join(row)
        if last is not None and last[1] == y:
            at = 2 * last[0]
            line = f"{line[:at]}({line[at + 1]}){line[at + 3 :]}"
        lines.append(f"{height - y:2} {line}")
    return "\n".join([*lines, "    " + " ".join(LETTERS[:width])])


def svg_board(
    width: int,
    height: int,
    stones: Sequence[Stone],
    *,
    first_number: int | None = 1,
    last: Cell | None = None,
    labels: Mapping[Cell, str] | None = None,
    fills: Mapping[Cell, str] | None = None,
    forbidden: Iterable[Cell] = (),
    blocked: Iterable[Cell] = (),
    title: str | None = None,
    cell_px: int = 30,
) -> str:
    """The position as one SVG element, the same text for the same arguments.

    first_number: the number on the first stone, from which the others count on; None for stones without numbers. last:
    the stone to mark, by a ring around its number or by a dot. labels: a short text by cell; on a stone it takes the
    place of the number. fills: the colour behind a label, by cell, such as "#ffffff". forbidden: cells with a cross;
    blocked: cells that are filled. title: the text for screen readers and tooltips, by default the size, the number of
    stones and the last one. cell_px: pixels from one line to the next, at least 1; the drawing can be scaled without
    loss.
    """
    check_size(width, height)
    whole_number("cell_px", cell_px, 1)
    for _, colour in stones:
        whole_number("colour", colour, 0, 1)
    if first_number is not None:
        whole_number("first_number", first_number)
    labels, fills = labels or {}, fills or {}
    if last is not None:
        check(width, height, *last)
    if title is None:
        title = f"Gomoku board {width}x{height}, {len(stones)} stone{'' if len(stones) == 1 else 's'}"
        if last is not None:
            title += f", the last on {format_move(*last, height)}"
    full_width = LEFT + (width - 1) * STEP + RIGHT
    full_height = TOP + (height - 1) * STEP + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full_width} {full_height}"'
        f' width="{full_width * cell_px // STEP}" height="{full_height * cell_px // STEP}" role="img"'
        f' font-family="Helvetica, Arial, sans-serif" text-anchor="middle">',
        f"<title>{clean(title)}</title>",
        f'<rect width="{full_width}" height="{full_height}" fill="{WOOD}"/>',
        *grid(width, height),
    ]
    occupied = {cell for cell, _ in stones}
    numbers = {} if first_number is None else {cell: str(first_number + i) for i, (cell, _) in enumerate(stones)}
    for x, y in blocked:
        at_x, at_y = centre(width, height, x, y)
        parts.append(f'<rect x="{at_x - 12}" y="{at_y - 12}" width="24" height="24" fill="{BLOCKED}"/>')
    for x, y in forbidden:
        at_x, at_y = centre(width, height, x, y)
        parts.append(f'<path d="M{at_x - 7} {at_y - 7}l14 14m0 -14l-14 14" stroke="{FOUL}" stroke-width="3"/>')
    for (x, y), colour in stones:
        at_x, at_y = centre(width, height, x, y)
        parts.append(f'<circle cx="{at_x}" cy="{at_y}" r="14.5" fill="{STONES[colour]}" stroke="{EDGE}"/>')
        written = labels.get((x, y), numbers.get((x, y), ""))
        if (x, y) == last:
            sign = STONES[1 - colour]
            style = f'r="12" fill="none" stroke="{sign}" stroke-width="3"' if written else f'r="5" fill="{sign}"'
            parts.append(f'<circle cx="{at_x}" cy="{at_y}" {style}/>')
        if written:
            parts.append(lettering(at_x, at_y, written, STONES[1 - colour], 19 if (x, y) == last else 26))
    for (x, y), written in labels.items():
        if (x, y) not in occupied:
            at_x, at_y = centre(width, height, x, y)
            # Without it the board's lines would run through the letters, and line ends would look like signs.
            x0, half, fill = at_x - STEP // 2, STEP // 2 if (x, y) in fills else 11, clean(fills.get((x, y), WOOD))
            parts.append(f'<rect x="{x0}" y="{at_y - half}" width="{STEP}" height="{2 * half}" fill="{fill}"/>')
            parts.append(lettering(at_x, at_y, written, LABEL, 28))
    return "\n".join([*parts, "</svg>"]) + "\n"


def grid(width: int, height: int) -> list[str]:
    """The lines, the points on the fourth lines and in the middle, and the letters and numbers of the axes."""
    right, bottom = LEFT + (width - 1) * STEP, TOP + (height - 1) * STEP
    across = "".join(f"M{LEFT} {TOP + y * STEP}H{right}" for y in range(height))
    down = "".join(f"M{LEFT + x * STEP} {TOP}V{bottom}" for x in range(width))
    parts = [f'<path d="{across}{down}" fill="none" stroke="{LINE}"/>']
    dots = {(x, y) for x in (3, width - 4) for y in (3, height - 4)} if min(width, height) >= 9 else set()
    if width % 2 and height % 2:
        dots.add((width // 2, height // 2))
    parts += [f'<circle cx="{LEFT + x * STEP}" cy="{TOP + y * STEP}" r="3.5" fill="{LINE}"/>' for x, y in sorted(dots)]
    parts.append(f'<g font-size="13" fill="{AXIS}">')
    parts += [f'<text x="{LEFT + x * STEP}" y="{bottom + 34}">{LETTERS[x].upper()}</text>' for x in range(width)]
    parts += [f'<text x="{LEFT - 28}" y="{TOP + y * STEP + 5}">{height - y}</text>' for y in range(height)]
    return [*parts, "</g>"]


def lettering(x: int, y: int, text: str, colour: str, room: int) -> str:
    """Text around a point, as large as `room` units of width allow."""
    size = min(15, max(6, room * 10 // (7 * max(len(text), 1))))
    baseline = y + size * 36 // 100
    return f'<text x="{x}" y="{baseline}" font-size="{size}" font-weight="bold" fill="{colour}">{clean(text)}</text>'


def centre(width: int, height: int, x: int, y: int) -> Cell:
    """The place of a cell in the drawing. Raises ValueError for a cell off the board."""
    check(width, height, x, y)
    return LEFT + x * STEP, TOP + y * STEP


def check_size(width: int, height: int) -> None:
    """Raises ValueError for a board that has no letters or no room for its numbers."""
    whole_number("width", width, 1, len(LETTERS))
    whole_number("height", height, 1, MOST_ROWS)


def check(width: int, height: int, x: int, y: int) -> None:
    """Raises ValueError for a cell off the board."""
    if not (0 <= whole_number("x", x) < width and 0 <= whole_number("y", y) < height):
        raise ValueError(f"{x},{y} is off the {width}x{height} board")


def clean(text: str) -> str:
    """Text for XML: characters that XML forbids, such as control characters, become U+FFFD."""
    return escape(NOT_XML.sub("\ufffd", text))
