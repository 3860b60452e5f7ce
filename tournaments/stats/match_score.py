"""The score of a running match between two players: games, and pairs of games."""

from dataclasses import dataclass, field, replace
from typing import Self

from tournaments.stats.elo import Pentanomial, pair_statistics


@dataclass
class MatchScore:
    """Finished games, seen from the first player; a pair counts when both of its games are finished."""

    wins: int = 0
    losses: int = 0
    draws: int = 0
    _half: dict[int, float] = field(default_factory=dict)
    _pairs: list[int] = field(default_factory=lambda: [0] * 5)

    @property
    def games(self) -> int:
        """The number of finished games."""
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        """The points of the first player: its wins and half of its draws."""
        return self.wins + self.draws / 2

    @property
    def pairs(self) -> Pentanomial:
        """The complete pairs, by the first player's points."""
        return (self._pairs[0], self._pairs[1], self._pairs[2], self._pairs[3], self._pairs[4])

    @property
    def singles(self) -> tuple[int, int, int]:
        """The games whose pair is not complete: the numbers of those with 0, 1/2 and 1 point for the first player."""
        points = list(self._half.values())
        return (points.count(0.0), points.count(0.5), points.count(1.0))

    @property
    def observations(self) -> int:
        """The number of independent observations: complete pairs, and single games."""
        return sum(self._pairs) + len(self._half)

    def copy(self) -> Self:
        """A copy, which can grow without changing this score."""
        return replace(self, _half=dict(self._half), _pairs=list(self._pairs))

    def add(self, pair: int, points: float) -> bool:
        """Counts a game of a pair, with 0, 0.5 or 1 point for the first player. True if that completes the pair."""
        if points == 0.5:
            self.draws += 1
        elif points:
            self.wins += 1
        else:
            self.losses += 1
        if pair not in self._half:
            self._half[pair] = points
            return False
        self._pairs[round(2 * (self._half.pop(pair) + points))] += 1
        return True

    def describe(self, first: str, second: str) -> str:
        """The score line: wins - losses - draws, share of the points, games, and Elo if there are enough pairs.

        Elo and its 95 % interval are those of fastchess; see `pair_statistics`.
        """
        share = self.points / self.games if self.games else 0.0
        counts = f"{self.wins} - {self.losses} - {self.draws}"
        line = f"Score of {first} vs {second} (W-L-D): {counts} [{share:.3f}] {self.games}"
        elo = pair_statistics(self.pairs).elo
        return line if elo is None else f"{line}, Elo {elo[0]:+.1f} +/- {elo[1]:.1f}"
