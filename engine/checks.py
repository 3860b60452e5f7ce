"""Checks of the numbers that a caller gives: all public methods of the engine use them, with the same messages.

C would take a float as a whole number, and cut off a number that does not fit. So no public method declares its numbers
as C types: they come as objects and go through `whole_number` first.
"""

from __future__ import annotations

from _operator import index  # as operator.index, which would load another module

MOST_NODES, MOST_MS = 1 << 62, 1 << 40  # C can store them, and no search reaches them: larger limits count as these
SMALLEST_TABLE, LARGEST_TABLE = 1 << 16, 1 << 46  # bytes: always granted, and more than any machine has
MOST_SHOWN = 40  # characters of a wrong value in a message


def whole_number(name: str, value: object, least: int | None = None, greatest: int | None = None) -> int:
    """The value as an int, if it is a whole number from `least` to `greatest`; None if that end is open.

    >>> whole_number("depth", 5, 1)
    5
    >>> whole_number("depth", -5, 1)
    Traceback (most recent call last):
    ValueError: depth is at least 1, not -5
    >>> whole_number("colour", 2, 0, 1)
    Traceback (most recent call last):
    ValueError: colour is 0 or 1, not 2
    >>> whole_number("nodes", 100.7, 1)
    Traceback (most recent call last):
    TypeError: nodes is a whole number, not 100.7

    Raises TypeError for a value of another kind, ValueError for a number out of range; both name the argument.
    """
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {shown(value)}") from None
    if (least is not None and number < least) or (greatest is not None and number > greatest):
        if greatest is None or least is None:
            allowed = f"at least {least}" if greatest is None else f"at most {greatest}"
        else:
            allowed = f"{least} or {greatest}" if greatest == least + 1 else f"{least} to {greatest}"
        raise ValueError(f"{name} is {allowed}, not {shown(number)}")
    return number


def table_bytes(memory_bytes: object) -> int:
    """The bytes that a search's table may take, from those asked for, which are at least 1."""
    return min(max(whole_number("memory_bytes", memory_bytes, 1), SMALLEST_TABLE), LARGEST_TABLE)


def cells(name: str, value: object) -> tuple[tuple[int, int], ...]:
    """The value as a tuple of cells (x, y), on any board. Raises TypeError for anything else, naming the argument.

    >>> cells("exclude", [[7, 7]])
    ((7, 7),)
    >>> cells("exclude", "h8")
    Traceback (most recent call last):
    TypeError: exclude is a sequence of cells (x, y), not 'h8'
    """
    try:
        return tuple((index(x), index(y)) for x, y in value)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise TypeError(f"{name} is a sequence of cells (x, y), not {shown(value)}") from None


def shown(value: object) -> str:
    """A wrong value for a message, shortened if it is long."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to write thousands of digits
        return "a number of thousands of digits"
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."
