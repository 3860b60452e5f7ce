"""The measured ratings of the levels, as the terminal and the page read them."""

import itertools
import json

from tournaments.board.engines.level_ratings import below_full_strength, level_ratings
from tournaments.board.server.assets import read_static
from tournaments.cli.ladder import FIXED_POINTS


def test_every_level_has_a_rating_and_the_last_is_full_strength() -> None:
    ratings = level_ratings()
    assert list(ratings) == list(range(1, 11)) and ratings[10] == (0, 0)
    assert all(low.rating < high.rating for low, high in itertools.pairwise(ratings.values()))
    assert all(rating.error > 0 for level, rating in ratings.items() if level < 10)
    assert below_full_strength(10) == 0
    assert all(abs(below_full_strength(level) + ratings[level].rating) <= 25 for level in ratings)


def test_the_page_has_the_same_ratings_and_those_of_the_rivals() -> None:
    served = read_static("levels.json")
    assert served is not None and served.media.startswith("application/json")
    found = json.loads(served.content)
    assert {row["level"]: (row["rating"], row["error"]) for row in found["levels"]} == level_ratings()
    assert {row["name"] for row in found["rivals"]} == set(FIXED_POINTS)
