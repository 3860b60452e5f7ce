"""The ratings of the levels of Tengen's brain, as `tengen ladder --levels` has measured them."""

import functools
import json
from importlib import resources
from typing import NamedTuple


class Rating(NamedTuple):
    """Elo relative to full strength, 0 or less, and the half-width of the 95 % interval."""

    rating: int
    error: int


@functools.cache
def level_ratings() -> dict[int, Rating]:
    """The rating of every level, by its number."""
    file = resources.files("tournaments.board").joinpath("page", "levels.json")
    found = json.loads(file.read_text(encoding="utf-8"))
    return {row["level"]: Rating(row["rating"], row["error"]) for row in found["levels"]}


def below_full_strength(level: int) -> int:
    """How many Elo a level is below full strength, to the nearest 50."""
    return round(-level_ratings()[level].rating / 50) * 50
