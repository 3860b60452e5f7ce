"""The rating of a person who solves puzzles.

An answer counts as a game against the puzzle, by the formulas of Glicko: Mark E. Glickman, "Parameter estimation in
large dynamic paired comparison experiments", Applied Statistics 48 (1999), and "The Glicko system",
https://www.glicko.net/glicko/glicko.pdf. A rating has a deviation: the true strength is within twice the deviation with
a chance of 95 %. It shrinks with each answer, and grows with the time without one.
"""

import math
from typing import NamedTuple

from tournaments.board.engines.level_ratings import level_ratings

START = 1500.0
"""The rating before the first answer."""
MOST_DEVIATION, LEAST_DEVIATION = 350.0, 60.0
"""Before the first answer; and after many, so that a rating still follows a person who improves."""
PUZZLE_DEVIATION = 150.0
"""Of a puzzle's rating, which engines made and no people."""
FORGETTING = 365.0
"""Days without an answer after which the deviation has grown from the least to the most."""
FULL_STRENGTH = 3000.0
"""The place of the brain's full strength on this scale, chosen so that START lies among the ratings of the shipped
puzzles of each rule; most of these ratings are lower."""

_Q = math.log(10) / 400
_GROWTH = (MOST_DEVIATION**2 - LEAST_DEVIATION**2) / FORGETTING


class Rating(NamedTuple):
    """A rating and its deviation."""

    value: float
    deviation: float


NEW = Rating(START, MOST_DEVIATION)


def level_rating(level: int) -> float:
    """A level of the brain on the scale of puzzles, from its measured strength in games."""
    return FULL_STRENGTH + level_ratings()[level].rating


def rested(rating: Rating, days: float) -> Rating:
    """The rating after this number of days without an answer."""
    deviation = math.sqrt(rating.deviation**2 + _GROWTH * max(0.0, days))
    return Rating(rating.value, min(MOST_DEVIATION, deviation))


def expected(rating: Rating, puzzle: float) -> float:
    """The chance that a person with this rating solves a puzzle of that rating."""
    return 1 / (1 + 10 ** (-weight_of(PUZZLE_DEVIATION) * (rating.value - puzzle) / 400))


def answered(rating: Rating, puzzle: float, is_right: bool) -> Rating:
    """The rating after an answer to a puzzle of that rating."""
    weight, chance = weight_of(PUZZLE_DEVIATION), expected(rating, puzzle)
    information = (_Q * weight) ** 2 * chance * (1 - chance)
    variance = 1 / (1 / rating.deviation**2 + information)
    value = rating.value + _Q * variance * weight * (is_right - chance)
    return Rating(value, max(LEAST_DEVIATION, math.sqrt(variance)))


def weight_of(deviation: float) -> float:
    """Glicko's g: how much a result against an opponent with this deviation counts."""
    return 1 / math.sqrt(1 + 3 * (_Q * deviation / math.pi) ** 2)
