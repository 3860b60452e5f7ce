"""Readers of a setting's value, from the text of a flag or from a TOML value.

Each raises ValueError with a description of valid values, in words that follow "is not".
"""

import contextlib
import re
from collections.abc import Callable, Mapping
from typing import Any

from tournaments.files.text import is_printable

MOST = 10**9
"""The largest whole number that a setting takes."""


def is_name(text: str) -> bool:
    """True for text that can name a brain: not empty, one line, without spaces at its ends."""
    return bool(text) and text == text.strip() and is_printable(text)


def to_text(value: Any) -> str:
    """Returns a text of one line, not blank; a whole number is taken for its digits."""
    text = str(value)
    if isinstance(value, bool) or not isinstance(value, str | int) or not text.strip() or not is_printable(text):
        raise ValueError("a text of one line")
    return text


def to_flag(value: Any) -> bool:
    """Returns a truth value: true or yes, false or no."""
    known = {"yes": True, "true": True, "no": False, "false": False}
    if isinstance(value, bool):
        return value
    if not isinstance(value, str) or value.lower() not in known:
        raise ValueError("true or false")
    return known[value.lower()]


def to_whole(least: int) -> Callable[[Any], int]:
    """Returns a reader of whole numbers from least to MOST."""

    def read(value: Any) -> int:
        """Returns the whole number that a text or a value holds."""
        number = value
        # int() alone also takes underscores and the digits of other scripts.
        if isinstance(value, str) and re.fullmatch("[+-]?[0-9]+", value.strip()):
            with contextlib.suppress(ValueError):
                number = int(value)
        if type(number) is not int or number < least:
            raise ValueError(f"a whole number of at least {least}")
        if number > MOST:
            raise ValueError(f"a whole number from {least} to {MOST}")
        return number

    return read


def to_number(least: float, most: float, what: str) -> Callable[[Any], float]:
    """Returns a reader of numbers from least to most; what names such a number, as in "a time in seconds"."""

    def read(value: Any) -> float:
        """Returns the number that a text or a value holds."""
        try:
            number = float(value) if not isinstance(value, bool) else least - 1
        except (OverflowError, TypeError, ValueError):
            number = least - 1
        if not least <= number <= most:
            raise ValueError(f"{what} from {least:.12g} to {most:.12g}")
        return number

    return read


def to_choice(*names: str) -> Callable[[Any], str]:
    """Returns a reader of one of these names."""

    def read(value: Any) -> str:
        """Returns the name if it is one of the choices."""
        if value not in names:
            raise ValueError(f"one of {', '.join(names)}")
        return str(value)

    return read


def to_hypotheses(value: Any) -> tuple[float, float]:
    """Returns the two hypotheses of a sequential test, ELO0 and ELO1, in Elo."""
    try:
        elo0, elo1 = (float(number) for number in (value.split() if isinstance(value, str) else value))
    except (OverflowError, TypeError, ValueError):
        raise ValueError("two numbers, ELO0 and ELO1") from None
    return elo0, elo1


_ADDRESS = re.compile(r"((tcp|tls|ws|wss)://)?(\[[0-9A-Fa-f:.]+\]|[^\s/:\[\]]+):([0-9]{1,5})")


def to_address(value: Any) -> str:
    """Returns the address of a scheduler, such as tcp://host:8786; the protocol in front may be left out."""
    found = _ADDRESS.fullmatch(value) if isinstance(value, str) else None
    if found is None or int(found[4]) > 65535:
        raise ValueError("an address such as tcp://host:8786")
    return str(value)


def to_info(value: Any) -> tuple[tuple[str, str], ...]:
    """Returns the keys and values of the INFO commands that a brain gets, in their order."""
    if not isinstance(value, Mapping):
        raise ValueError("a table of INFO keys and values")
    pairs = [(str(key), str(item)) for key, item in value.items()]
    if not all(text.strip() and is_printable(text) for pair in pairs for text in pair):
        raise ValueError("a table of INFO keys and values, each of one line")
    return tuple((key.strip(), item.strip()) for key, item in pairs)


def to_environment(value: Any) -> tuple[tuple[str, str], ...]:
    """Returns the names and values of the environment variables that a brain gets."""
    if not isinstance(value, Mapping):
        raise ValueError("a table of environment variables")
    pairs = tuple((str(key), str(item)) for key, item in value.items())
    if not all(name and is_printable(name) and "=" not in name and "\0" not in text for name, text in pairs):
        raise ValueError("a table of environment variables, each a name without = and its value")
    return pairs


def to_anchor(value: Any) -> tuple[str, float]:
    """Returns a brain's name and its fixed rating in Elo, from "NAME=ELO" or from a pair."""
    try:
        name, elo = value.rpartition("=")[::2] if isinstance(value, str) else value
        found = str(name), float(elo)
    except (OverflowError, TypeError, ValueError):
        raise ValueError("NAME=ELO") from None
    if not is_name(found[0]) or not abs(found[1]) <= 1e5:
        raise ValueError("NAME=ELO")
    return found


def to_patterns(value: Any) -> tuple[str, ...]:
    """Returns patterns of file names, from a list or from text with blanks between them."""
    patterns = value.split() if isinstance(value, str) else value
    if not isinstance(patterns, list | tuple) or not all(map(_is_pattern, patterns)):
        raise ValueError("a list of patterns of file names")
    return tuple(patterns)


def to_names(value: Any) -> tuple[str, ...]:
    """Returns the names of brains, from a list or from text with blanks between them."""
    names = value.split() if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) and is_name(name) for name in names):
        raise ValueError("a list of brains' names")
    return tuple(names)


def _is_pattern(text: Any) -> bool:
    return isinstance(text, str) and bool(text.strip()) and is_printable(text)


to_seconds = to_number(0, 1e6, "a time in seconds")
to_score = to_number(0, 1e12, "a score")
to_chance = to_number(0.0001, 0.4999, "a probability")
