"""The shapes of stones in a line, for all five rules, and their values.

A line is a string as its owner sees it: X own stone, O the opponent's, . empty, # the edge or a blocked cell.
A shape is defined by the shapes that one more stone can make of it, so that gaps count as well as rows:

    FIVE                          wins
    LIVE_FOUR, BLOCKED_FOUR       becomes a five at two cells or more, at one
    LIVE_THREE, BLOCKED_THREE     becomes a live four, a blocked four
    LIVE_TWO, BLOCKED_TWO         becomes a live three, a blocked three
    LIVE_ONE, BLOCKED_ONE         becomes a live two, a blocked two
"""

from enum import IntEnum
from functools import cache, lru_cache
from typing import NamedTuple

from tournaments.rules.referee import BLACK, WHITE, Rule

REACH = 5
"""How many cells on each side of a stone decide its shape: four for the five, one for an overline or a closed end."""


class Shape(IntEnum):
    """The best shape that the stones of one line make with a given stone, in rising order."""

    NONE = 0
    BLOCKED_ONE = 1
    LIVE_ONE = 2
    BLOCKED_TWO = 3
    LIVE_TWO = 4
    BLOCKED_THREE = 5
    LIVE_THREE = 6
    BLOCKED_FOUR = 7
    LIVE_FOUR = 8
    FIVE = 9


SCORES = (0, 1, 10, 10, 100, 100, 1_000, 10_000, 100_000, 1_000_000)
"""The value of a shape, indexed by `Shape`."""


class FiveRule(NamedTuple):
    """The meaning of a five for one colour: do six or more count, and do five between two opponent stones?"""

    overline: bool
    enclosed: bool


def five_rule(rule: Rule, colour: int) -> FiveRule:
    """The meaning of a five for `colour` under `rule`."""
    overline = rule in (Rule.FREESTYLE, Rule.CARO) or (rule == Rule.RENJU and colour != BLACK)
    return FiveRule(overline, rule not in (Rule.CARO, Rule.STANDARD_CARO))


@lru_cache(maxsize=1 << 16)
def shapes_along(line: str, five: FiveRule) -> bytes:
    """The shape at each place of a line that begins and ends with REACH walls.

    For an X, the shape that contains it; for an empty cell, the shape that an X there would make; else NONE.
    """
    found = bytearray(len(line))
    for place in range(REACH, len(line) - REACH):
        if line[place] in "X.":
            found[place] = _shape(_cut(line[place - REACH : place], line[place + 1 : place + 1 + REACH], five), five)
    return bytes(found)


def learn_shapes() -> None:
    """Computes, for all rules, the shapes that most games begin with, so that turns need not: some 0.1 s once."""
    walls = "#" * REACH
    for rule in Rule:
        for colour in (BLACK, WHITE):
            for place in range(15):
                for mark in "XO":
                    line = f"{'.' * place}{mark}{'.' * (14 - place)}"
                    shapes_along(f"{walls}{line}{walls}", five_rule(rule, colour))


def _cut(before: str, after: str, five: FiveRule) -> str:
    """A stone and its surroundings, without the cells behind a wall or an opponent's stone."""
    if five.enclosed:
        before, after = before.replace("O", "#"), after.replace("O", "#")
    wall = max(before.rfind("#"), before.rfind("O"))
    before = "#" * max(0, wall) + before[max(0, wall) :]
    wall = min(after.find(mark) % (REACH + 1) for mark in "#O")
    return f"{before}X{after[: wall + 1]}{'#' * (REACH - 1 - wall)}"


@cache
def _shape(around: str, five: FiveRule) -> Shape:
    """The shape of the X in the middle of 2 * REACH + 1 cells."""
    reach = around.strip("#O")
    if len(reach) < 5:
        return Shape.NONE
    if "XXXXX" in around and _is_five(around, five):
        return Shape.FIVE
    grown = [
        _shape(f"{around[:place]}X{around[place + 1 :]}", five) for place in range(1, 2 * REACH) if around[place] == "."
    ]
    best = max(grown, default=Shape.NONE)
    if best == Shape.FIVE:
        return Shape.LIVE_FOUR if grown.count(Shape.FIVE) > 1 else Shape.BLOCKED_FOUR
    return Shape(max(0, best - 2))


def _is_five(around: str, five: FiveRule) -> bool:
    """True when the row through the middle wins."""
    first = last = REACH
    while first > 0 and around[first - 1] == "X":
        first -= 1
    while last < 2 * REACH and around[last + 1] == "X":
        last += 1
    length = last - first + 1
    if length != 5:
        return length > 5 and five.overline
    return five.enclosed or around[first - 1] != "O" or around[last + 1] != "O"


# A pattern, its value if its owner is to move, and its value if the opponent is to move.
PATTERNS = (
    ("XXXXX", 1_000_000, 1_000_000),
    (".XXXX.", 0, 100_000),
    ("XXXX.", 500_000, 1_500),
    (".XXXX", 500_000, 1_500),
    ("XXX.X", 500_000, 2_000),
    ("XX.XX", 500_000, 2_000),
    ("X.XXX", 500_000, 2_000),
    (".XXX..", 15_000, 800),
    ("..XXX.", 15_000, 800),
    (".XX.X.", 25_000, 1_400),
    (".X.XX.", 25_000, 1_400),
    ("XXX..", 250, 150),
    ("..XXX", 250, 150),
    ("XX.X.", 250, 150),
    (".X.XX", 250, 150),
    ("X..XX", 250, 150),
    ("XX..X", 250, 150),
    ("X.X.X", 250, 150),
    ("..XX..", 200, 120),
    (".X.X.", 150, 90),
    (".X..X.", 100, 60),
    ("XX...", 30, 20),
    ("...XX", 30, 20),
    ("...X..", 10, 6),
    ("..X...", 10, 6),
)


@lru_cache(maxsize=1 << 16)
def pattern_worth(line: str) -> tuple[int, int]:
    """The values of the line's patterns for X: when X is to move, and when X must wait."""
    if "X" not in line:
        return 0, 0
    counts = [(line.count(pattern), to_move, waiting) for pattern, to_move, waiting in PATTERNS]
    return sum(count * to_move for count, to_move, _ in counts), sum(count * waiting for count, _, waiting in counts)
