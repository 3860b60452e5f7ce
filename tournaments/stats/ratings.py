"""Ratings of any number of players from all their games, on the Elo scale of elo.py.

The model is the logistic one of a match between two: with ratings r in units of 400 / ln 10 Elo, player i is expected
to score 1 / (1 + exp(r_j - r_i)) a game against player j, a draw being half a point. That is the model of Bradley and
Terry with draws as half a win and half a loss; with these ratings the expected points of every player equal its scored
points. So two players differ by the Elo that the score of their match shows. Every opening is played with both colours,
so the advantage of the first move cancels out and is not part of the model.

The prior: before the games a rating is normally distributed about 0 with a standard deviation of PRIOR_ELO. It keeps a
player that has won every game at a finite rating, groups that never met at comparable ones, and moves a difference
that the games do determine by less than a hundredth of its margin.

Margins count pairs, not games, as in elo.py: the difference between a pair's points and the expected points is one
observation.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tournaments.stats.elo import Z95, Pentanomial, score_of, superiority
from tournaments.stats.match_score import MatchScore

ELO_PER_UNIT = 400.0 / math.log(10.0)
PRIOR_ELO = 1000.0
_ENOUGH = 5  # observations beyond the number of ratings from which on their spread is used

Duels = Mapping[tuple[int, int], MatchScore]
"""The games between (first, second), by player number, counted from the first player's view."""


@dataclass(frozen=True)
class Ratings:
    """Elo ratings with the half-widths of their 95 % intervals, by player number, relative to the mean or the anchor.

    `covariance` is that of the ratings, in Elo squared; `pairs` are the observations (see `MatchScore`) of each player.
    """

    elo: tuple[float, ...]
    margin: tuple[float, ...]
    covariance: npt.NDArray[np.float64]
    pairs: tuple[int, ...]

    def superiority(self, first: int, second: int) -> float:
        """The probability, 0..1, that `first` is stronger than `second`: the `superiority` of the expected score."""
        c = self.covariance
        variance = c[first, first] + c[second, second] - 2 * c[first, second]
        if first == second or variance <= 0.0:
            return 0.5
        score = score_of(self.elo[first] - self.elo[second])
        deviation = math.sqrt(variance) / ELO_PER_UNIT * score * (1.0 - score)
        return superiority(score, deviation, min(self.pairs[first], self.pairs[second]))


def rate(
    players: int,
    duels: Duels,
    prior_elo: float | None = PRIOR_ELO,
    anchor: tuple[int, float] | None = None,
) -> Ratings:
    """Fits the model. `anchor` fixes one player's rating; without one the mean is 0.

    prior_elo: the prior's standard deviation. None leaves the prior out; then raises ValueError if the games do not
    determine the ratings.
    """
    games = [(*pair, match_score) for pair, match_score in duels.items() if match_score.games]
    for first, second, _ in games:
        if not (0 <= first < players and 0 <= second < players):
            raise ValueError(f"there is no player {max(first, second)}")
    precision = np.zeros(players) if prior_elo is None else np.full(players, (ELO_PER_UNIT / prior_elo) ** 2)
    # Games determine differences only: without a prior, a penalty on the sum holds the mean at 0.
    level = np.ones((players, players))
    values = np.zeros(players)
    for _ in range(200):
        gradient, curvature = _derivatives(values, games)
        gradient = gradient - precision * values - values.sum()
        curvature = curvature + np.diag(precision) + level
        try:
            step = np.linalg.solve(curvature, gradient)
        except np.linalg.LinAlgError:
            raise ValueError("the games do not determine the ratings") from None
        # Newton's method overshoots only far from the maximum; short steps prevent that.
        values = values + step * min(1.0, 2.0 / max(1e-12, float(np.abs(step).max())))
        if float(np.abs(values).max()) > 50.0:
            raise ValueError("the games do not determine the ratings")
        if float(np.abs(step).max()) < 1e-10:
            break
    inverse = np.linalg.inv(_derivatives(values, games)[1] + np.diag(precision) + level)
    covariance = inverse @ (_spread(values, games) + np.diag(precision)) @ inverse
    shift = np.eye(players)
    if anchor is None:
        shift -= 1.0 / players
    else:
        shift[:, anchor[0]] -= 1.0
    elo = ELO_PER_UNIT * (shift @ values) + (0.0 if anchor is None else anchor[1])
    in_elo = ELO_PER_UNIT**2 * (shift @ covariance @ shift.T)
    pairs = [0] * players
    for first, second, match_score in games:
        for player in (first, second):
            pairs[player] += match_score.observations
    return Ratings(
        elo=tuple(float(value) for value in elo),
        margin=tuple(float(value) for value in Z95 * np.sqrt(np.maximum(0.0, np.diag(in_elo)))),
        covariance=in_elo,
        pairs=tuple(pairs),
    )


_Games = list[tuple[int, int, MatchScore]]


def _expected(values: npt.NDArray[np.float64], first: int, second: int) -> float:
    """The expected points of the first player in a game."""
    return 1.0 / (1.0 + math.exp(values[second] - values[first]))


def _derivatives(
    values: npt.NDArray[np.float64], games: _Games
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The gradient of the log likelihood and its curvature (minus the matrix of second derivatives)."""
    gradient = np.zeros(values.size)
    curvature = np.zeros((values.size, values.size))
    for first, second, match_score in games:
        share = _expected(values, first, second)
        slope = match_score.points - match_score.games * share
        gradient[first] += slope
        gradient[second] -= slope
        _add(curvature, first, second, match_score.games * share * (1.0 - share))
    return gradient, curvature


def _spread(values: npt.NDArray[np.float64], games: _Games) -> npt.NDArray[np.float64]:
    """The covariance of the gradient, estimated from the pairs.

    The estimate is too small if there are few pairs, or if all pairs had the same result, between two players or
    overall; then the variance of independent games, by the model, is used if it is greater. A single game is treated
    like a pair with the same result twice, so a game whose pair is not complete does not contradict a tournament of
    draws.
    """
    spread = np.zeros((values.size, values.size))
    observations = sum(match_score.observations for _, _, match_score in games)
    classes = [sum(counts) for counts in zip(*(_by_points(match_score) for _, _, match_score in games), strict=True)]
    are_doubtful = observations - values.size + 1 < _ENOUGH or observations in classes
    for first, second, match_score in games:
        share = _expected(values, first, second)
        seen = sum(count * (half / 2 - 2 * share) ** 2 for half, count in enumerate(match_score.pairs))
        seen += sum(count * (half / 2 - share) ** 2 for half, count in enumerate(match_score.singles))
        is_sweep = match_score.points in (0, match_score.games)
        are_equal = match_score.observations in _by_points(match_score) and match_score.observations >= _ENOUGH
        if are_doubtful or is_sweep or are_equal:
            seen = max(seen, match_score.games * share * (1.0 - share))
        _add(spread, first, second, seen)
    return spread


def _by_points(match_score: MatchScore) -> Pentanomial:
    """The observations by the first player's points, those of a single game counted twice."""
    loss, half, one, three_halves, two = match_score.pairs
    lost, drawn, won = match_score.singles
    return (loss + lost, half, one + drawn, three_halves, two + won)


def _add(matrix: npt.NDArray[np.float64], first: int, second: int, value: float) -> None:
    """Adds the terms of the difference between two players."""
    matrix[first, first] += value
    matrix[second, second] += value
    matrix[first, second] -= value
    matrix[second, first] -= value
