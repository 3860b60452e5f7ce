"""The score of a match between two players as it grows: games, and pairs of games."""

from dataclasses import dataclass, field, replace
from typing import Self

from tournaments.stats.elo import Pentanomial, pair_statistics


@dataclass
class MatchScore:
    """Finished games as the first player sees them; a pair counts when both its games are there."""

    wins: int = 0
    losses: int = 0
    draws: int = 0
    _half: dict[int, float] = field(default_factory=dict)
    _pairs: list[int] = field(default_factory=lambda: [0] * 5)

    @property
    def games(self) -> int:
        """How many games have finished."""
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        """What the first player got: wins and half of the draws."""
        return self.wins + self.draws / 2

    @property
    def pairs(self) -> Pentanomial:
        """The complete pairs, by the first player's points."""
        return (self._pairs[0], self._pairs[1], self._pairs[2], self._pairs[3], self._pairs[4])

    @property
    def singles(self) -> tuple[int, int, int]:
        """The games without the other one of their pair: how many gave the first player 0, 1/2 and 1 point."""
        points = list(self._half.values())
        return (points.count(0.0), points.count(0.5), points.count(1.0))

    @property
    def observations(self) -> int:
        """How many independent observations there are: complete pairs, and single games."""
        return sum(self._pairs) + len(self._half)

    def copy(self) -> Self:
        """The same score, to be counted on without changing this one."""
        return replace(self, _half=dict(self._half), _pairs=list(self._pairs))

    def add(self, pair: int, points: float) -> bool:
        """Counts a game of a pair, in which the first player got 0, 0.5 or 1. True when that completes the pair."""
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
        """The score line: wins - losses - draws, share of the points, games, and Elo where the complete pairs can tell.

        Elo and its 95 % interval are those of fastchess; see `pair_statistics`.
        """
        share = self.points / self.games if self.games else 0.0
        counts = f"{self.wins} - {self.losses} - {self.draws}"
        line = f"Score of {first} vs {second}: {counts} [{share:.3f}] {self.games}"
        elo = pair_statistics(self.pairs).elo
        return line if elo is None else f"{line}, Elo {elo[0]:+.1f} +/- {elo[1]:.1f}"
