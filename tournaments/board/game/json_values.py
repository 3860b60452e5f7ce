"""Values of games and studies, as JSON of a library's file has them: each function raises ValueError in one sentence.

The file is read without the schemas of board/messages, because a game in a terminal needs no pydantic.
"""

from collections.abc import Collection, Mapping
from typing import Any

from tournaments.files.text import one_line
from tournaments.rules.referee import Cell, Rule

_LONGEST_KEY = 60


def read_object(raw: object, fault: str) -> Mapping[str, Any]:
    """A JSON object; `fault` is the sentence for anything else."""
    if not isinstance(raw, Mapping):
        raise ValueError(fault)
    return raw


def check_keys(found: Mapping[str, Any], known: Collection[str], what: str) -> None:
    """Refuses a key that is not known."""
    for key in found:
        if key not in known:
            raise ValueError(f"{what} cannot have '{one_line(str(key))[:_LONGEST_KEY]}'")


def read_list(raw: object, most: int, fault: str) -> list[Any]:
    """A list of up to `most` entries, an empty one for null; `fault` is the sentence for anything else."""
    if raw is None:
        return []
    if not isinstance(raw, list) or len(raw) > most:
        raise ValueError(fault)
    return raw


def check_whole(value: object, least: int, most: int, what: str) -> int:
    """A whole number in range."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{what} is a whole number from {least} to {most}")
    return value


def check_seconds(value: object, least: float, most: float, what: str) -> float:
    """A number of seconds in range."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{what} is a number of seconds from {least:g} to {most:g}")
    return float(value)


def check_text(value: object, most: int, what: str) -> str:
    """A text of up to `most` letters."""
    if not isinstance(value, str) or len(value) > most:
        raise ValueError(f"{what} is a text of up to {most} letters")
    return value


def check_rule(value: object) -> Rule:
    """A rule by its number."""
    if not isinstance(value, int) or isinstance(value, bool) or value not in list(Rule):
        known = ", ".join(str(int(rule)) for rule in Rule)
        raise ValueError(f"the rule is one of {known}, as Gomocup numbers them")
    return Rule(value)


def read_cell(raw: object) -> Cell:
    """A cell, [x, y], of any board."""
    if not isinstance(raw, list | tuple) or len(raw) != 2:
        raise ValueError("a cell is two numbers, [x, y]")
    if any(not isinstance(value, int) or isinstance(value, bool) for value in raw):
        raise ValueError("a cell is two whole numbers, [x, y]")
    return raw[0], raw[1]


def check_on_board(cell: Cell, width: int, height: int) -> None:
    """Refuses a cell that is off the board."""
    if not (0 <= cell[0] < width and 0 <= cell[1] < height):
        raise ValueError(f"a cell is off the {width}x{height} board")


def parse_cell(raw: object, width: int, height: int) -> Cell:
    """A cell of the board, [x, y]."""
    cell = read_cell(raw)
    check_on_board(cell, width, height)
    return cell
