"""The ratings of a tournament's players after more and more of its games, for a graph."""

import time
from collections import deque
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tournaments.stats.match_score import MatchScore
from tournaments.stats.ratings import rate
from tournaments.stats.results import GameRow, PairingRow, points_of

MOST_POINTS = 40
"""How many points a graph has at most, without the newest ratings: then every second one is left out."""


class RatingPoint(NamedTuple):
    """The ratings and the half-widths of their 95 % intervals, by player number, after this number of `games`."""

    games: int
    elo: tuple[float, ...]
    margin: tuple[float, ...]


class RatingHistory:
    """The points of the graph, one after every `step` games, in the order in which the games ended."""

    def __init__(self, players: int, anchor: tuple[int, float] | None = None) -> None:
        self.points: list[RatingPoint] = []
        self.step = 1
        self._players = players
        self._anchor = anchor
        self._known: set[int] = set()
        self._waiting: deque[GameRow] = deque()
        self._scores: dict[tuple[int, int], MatchScore] = {}
        self._counted = 0

    def add(self, games: Iterable[GameRow]) -> None:
        """Takes the games that it does not know yet; `grow` rates them."""
        new = [game for game in games if game.number not in self._known]
        self._known.update(game.number for game in new)
        self._waiting.extend(sorted(new, key=lambda game: game.finished))
        while len(self._known) > MOST_POINTS * self.step:
            self.step *= 2
        self.points = [point for point in self.points if point.games % self.step == 0]

    def grow(self, pairings: Mapping[int, PairingRow], seconds: float) -> bool:
        """Rates after the games that wait, for about this time. True if there are new points."""
        end, before = time.monotonic() + seconds, len(self.points)
        while self._waiting and time.monotonic() < end:
            game = self._waiting.popleft()
            pair = pairings[game.pairing]
            score = self._scores.setdefault((pair.first, pair.second), MatchScore())
            score.add(game.pairing, points_of(game, pair.first))
            self._counted += 1
            if self._counted % self.step == 0:
                found = rate(self._players, self._scores, anchor=self._anchor)
                self.points.append(RatingPoint(self._counted, found.elo, found.margin))
        return len(self.points) > before
