"""The ratings after more and more games, for a graph."""

import random

from tournaments.rules.ending import Ending
from tournaments.stats.rating_history import MOST_POINTS, RatingHistory
from tournaments.stats.results import GameRow, PairingRow, PlayerRow
from tournaments.stats.standings import rank

PLAYERS = [PlayerRow(number, f"p{number}", "", "") for number in range(3)]
PAIRINGS = [PairingRow(number, str(number), 1, *((0, 1), (1, 2), (0, 2))[number % 3], 1, "", 2) for number in range(60)]


def games(count: int) -> list[GameRow]:
    """Two games a pair, with random results; they end in the order of their numbers."""
    chance = random.Random(3)
    found = []
    for number in range(1, count + 1):
        pairing = PAIRINGS[(number - 1) // 2]
        seats = (pairing.first, pairing.second)[:: 1 if number % 2 else -1]
        winner = chance.choice((0, 1, None))
        found.append(
            GameRow(
                number, pairing.number, 1, *seats, winner, Ending.FIVE, "", 0, 0.0, float(number), 0.1, 0.1, 0, 0, ""
            )
        )
    return found


def test_a_point_is_the_table_after_so_many_games() -> None:
    played, known = games(30), {pairing.number: pairing for pairing in PAIRINGS}
    history = RatingHistory(3)
    history.add(reversed(played[:20]))  # the order of reading does not count
    assert history.grow(known, 60.0) and not history.grow(known, 60.0)
    assert [point.games for point in history.points] == list(range(1, 21)) and history.step == 1
    table = rank(PLAYERS, PAIRINGS, played[:13]).ratings
    assert (history.points[12].elo, history.points[12].margin) == (table.elo, table.margin)
    history.add(played)  # those that are known too
    assert history.grow(known, 60.0) and history.points[-1].elo == rank(PLAYERS, PAIRINGS, played).ratings.elo


def test_a_long_tournament_has_fewer_points_and_rates_them_little_by_little() -> None:
    known = {pairing.number: pairing for pairing in PAIRINGS}
    history = RatingHistory(3)
    history.add(games(MOST_POINTS))
    history.grow(known, 60.0)
    assert len(history.points) == MOST_POINTS
    history.add(games(120))
    assert history.step == 4 and [point.games for point in history.points] == list(range(4, MOST_POINTS + 1, 4))
    rounds = 0
    while history.grow(known, 0.001) or history.points[-1].games < 120:
        rounds += 1
    assert rounds > 1 and [point.games for point in history.points] == list(range(4, 121, 4))
