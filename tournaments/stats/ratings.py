"""Ratings of any number of players from all their games: Bradley-Terry with draws and the advantage of the first move.

With ratings r in units of 400 / ln 10 Elo, an advantage b of Black's and a drawishness v, a game between Black i and
White j is won with probability exp(d/2) / z, lost with exp(-d/2) / z and drawn with v / z, where d = r_i - r_j + b and
z is the sum of the three numerators: R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties" (1970),
with the order effect of Davidson and Beaver (1977). The likelihood is concave; Newton's method finds its top, and the
curvature there gives the intervals.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from tournaments.stats.elo import Z95

ELO_PER_UNIT = 400.0 / math.log(10.0)
PRIOR_ELO = 1000.0

Result = tuple[int, int, int | None]
"""Black's number, White's number, and the winner's colour (0 Black, 1 White, None for a draw)."""


@dataclass(frozen=True)
class Ratings:
    """Elo ratings with the half-widths of their 95 % intervals, by player number, relative to the mean or the anchor.

    first_move: Black's advantage in Elo and its margin, None when there are no games. draw_share: the share of draws to
    be expected between equal players without that advantage. `covariance` is that of the ratings, in Elo squared.
    """

    elo: tuple[float, ...]
    margin: tuple[float, ...]
    first_move: tuple[float, float] | None
    draw_share: float
    covariance: npt.NDArray[np.float64]

    def superiority(self, first: int, second: int) -> float:
        """The probability, 0..1, that `first` is stronger than `second`."""
        c = self.covariance
        variance = c[first, first] + c[second, second] - 2 * c[first, second]
        if first == second or variance <= 0.0:
            return 0.5
        return NormalDist().cdf((self.elo[first] - self.elo[second]) / math.sqrt(variance))


def rate(
    players: int,
    results: Iterable[Result],
    prior_elo: float | None = PRIOR_ELO,
    anchor: tuple[int, float] | None = None,
) -> Ratings:
    """Fits the model. `anchor` fixes one player's rating; without one the mean is 0.

    prior_elo: before the games, each rating (and Black's advantage) is taken to be normally distributed with this
    standard deviation; it keeps a player that has won every game at a finite rating, and groups that never met at
    comparable ones. None leaves it out: then raises ValueError where the games do not determine the ratings.
    """
    games = _count(players, results)
    has_draws = any(draws for _, draws, _ in games.values())
    size = players + 1 + has_draws
    values = np.zeros(size)
    precision = np.zeros(size)
    if prior_elo is not None:
        precision[: players + 1] = (ELO_PER_UNIT / prior_elo) ** 2
        precision[players + 1 :] = 1e-2
    # Games tell differences only: unless a prior settles it, the common level is held at 0 by a penalty on the sum.
    level = np.zeros(size)
    level[:players] = 1.0
    curvature = np.zeros((size, size))
    for _ in range(100):
        gradient, curvature = _derivatives(values, players, games)
        gradient = gradient - precision * values - level * values[:players].sum()
        curvature = curvature + np.diag(precision) + np.outer(level, level)
        try:
            step = np.linalg.solve(curvature, gradient)
        except np.linalg.LinAlgError:
            raise ValueError("the games do not determine the ratings") from None
        # Newton's method overshoots only far from the top; short steps keep it in the model's range there.
        values = values + step * min(1.0, 2.0 / max(1e-12, float(np.abs(step).max())))
        if float(np.abs(values).max()) > 50.0:
            raise ValueError("the games do not determine the ratings")
        if float(np.abs(step).max()) < 1e-10:
            break
    covariance = np.linalg.inv(curvature)
    shift = np.eye(players)
    if anchor is None:
        shift -= 1.0 / players
    else:
        shift[:, anchor[0]] -= 1.0
    elo = ELO_PER_UNIT * (shift @ values[:players]) + (0.0 if anchor is None else anchor[1])
    spread = ELO_PER_UNIT**2 * (shift @ covariance[:players, :players] @ shift.T)
    margins = Z95 * np.sqrt(np.maximum(0.0, np.diag(spread)))
    tie = math.exp(values[players + 1]) if has_draws else 0.0
    advantage = Z95 * math.sqrt(covariance[players, players])
    return Ratings(
        elo=tuple(float(value) for value in elo),
        margin=tuple(float(value) for value in margins),
        first_move=(ELO_PER_UNIT * float(values[players]), ELO_PER_UNIT * advantage) if games else None,
        draw_share=tie / (2.0 + tie),
        covariance=spread,
    )


_Counts = dict[tuple[int, int], tuple[int, int, int]]


def _count(players: int, results: Iterable[Result]) -> _Counts:
    """Black's wins, draws and losses for each (Black, White)."""
    games: dict[tuple[int, int], list[int]] = {}
    for black, white, winner in results:
        if not (0 <= black < players and 0 <= white < players):
            raise ValueError(f"there is no player {max(black, white)}")
        games.setdefault((black, white), [0, 0, 0])[1 if winner is None else 0 if winner == 0 else 2] += 1
    return {pair: (wins, draws, losses) for pair, (wins, draws, losses) in games.items()}


def _derivatives(
    values: npt.NDArray[np.float64], players: int, games: _Counts
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The gradient of the log likelihood and its curvature (minus the matrix of second derivatives)."""
    gradient = np.zeros(values.size)
    curvature = np.zeros((values.size, values.size))
    has_draws = values.size > players + 1
    tie = math.exp(values[players + 1]) if has_draws else 0.0
    for (black, white), (wins, draws, losses) in games.items():
        total = wins + draws + losses
        half = (values[black] - values[white] + values[players]) / 2.0
        up, down = math.exp(half), math.exp(-half)
        z = up + down + tie
        won, lost, drawn = up / z, down / z, tie / z
        along: Sequence[tuple[int, float]] = ((black, 1.0), (white, -1.0), (players, 1.0))
        slope = (wins - losses - total * (won - lost)) / 2.0
        bend = total * (won + lost - (won - lost) ** 2) / 4.0
        for i, sign in along:
            gradient[i] += sign * slope
            for j, other in along:
                curvature[i, j] += sign * other * bend
            if has_draws:
                cross = -sign * total * drawn * (won - lost) / 2.0
                curvature[i, players + 1] += cross
                curvature[players + 1, i] += cross
        if has_draws:
            gradient[players + 1] += draws - total * drawn
            curvature[players + 1, players + 1] += total * drawn * (1.0 - drawn)
    return gradient, curvature
