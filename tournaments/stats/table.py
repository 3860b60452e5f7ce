"""Tables and lines of text that keep to a width: nothing of them wraps on a terminal."""

import functools
import textwrap
import unicodedata
from collections.abc import Callable, Sequence

GAP = "  "
SHORT_NAME = 16
"""A long name is shortened to this many columns before a further column of the table is left out."""

_SHORTEST_NAME = 5


def text_width(text: str) -> int:
    """The columns of a terminal that a text takes: two for a wide letter, none for a mark on the letter before.

    Measured by rich where it is installed, which knows emoji of several characters too.
    """
    return len(text) if text.isascii() else _measure()(text)


@functools.cache
def _measure() -> Callable[[str], int]:
    try:
        from rich.cells import cell_len
    except ImportError:
        return _own_width
    return cell_len


def _own_width(text: str) -> int:
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def shorten(text: str, width: int) -> str:
    """The text with its middle left out, ".." in its place, if it is wider than `width` columns (at least 2)."""
    if text_width(text) <= width:
        return text
    head, tail = text[: (len(text) + 1) // 2], text[(len(text) + 1) // 2 :]
    while text_width(head) + text_width(tail) > width - 2:
        if text_width(head) > text_width(tail):
            head = head[:-1]
        else:
            tail = tail[1:]
    return f"{head}..{tail}"


def pad(text: str, width: int, is_left: bool) -> str:
    """The text with blanks on one side, so that it takes `width` columns."""
    blanks = " " * (width - text_width(text))
    return text + blanks if is_left else blanks + text


def fit_rows(
    rows: Sequence[Sequence[str]],
    name: int,
    expendable: Sequence[Sequence[int]],
    width: int | None,
    gap: int = 2,
    edge: int = 0,
) -> list[list[str]]:
    """The rows, cut for a table of `width` columns, None for any width. The first row holds the heads.

    `gap` columns part two cells, and `edge` go to both ends of a line together. The cells of the column `name` are
    shortened, and the columns `expendable`, those of a group together and the first group first, are left out if there
    is no room for all. If the width is too small even for the others, lines are longer.
    """
    widths = [max(text_width(row[column]) for row in rows) for column in range(len(rows[0]))]
    shown = list(range(len(widths)))

    def excess(name_width: int) -> int:
        used = sum(name_width if column == name else widths[column] for column in shown)
        return 0 if width is None else used + gap * (len(shown) - 1) + edge - width

    for columns in expendable:
        if excess(min(widths[name], SHORT_NAME)) <= 0:
            break
        shown = [column for column in shown if column not in columns]
    longest = max(_SHORTEST_NAME, widths[name] - max(0, excess(widths[name])))
    return [[shorten(row[column], longest) if column == name else row[column] for column in shown] for row in rows]


def format_rows(rows: Sequence[Sequence[str]], name: str) -> list[str]:
    """The rows as lines of text, GAP between cells; the column with the head `name` stands at the left of its place."""
    widths = [max(text_width(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [pad(cell, width, head == name) for cell, width, head in zip(row, widths, rows[0], strict=True)]
        lines.append(GAP.join(cells).rstrip())
    return lines


def wrap(text: str, width: int | None) -> str:
    """The text, broken between words into lines of at most `width` columns, all but the first indented."""
    if width is None or text_width(text) <= width:
        return text
    return textwrap.fill(text, max(20, width), subsequent_indent="    ", break_on_hyphens=False)
