"""What a match between two players shows: Elo differences by the logistic model, intervals, likelihood of superiority.

score = 1 / (1 + 10 ** (-difference / 400)). Games of one opening, played with both colours, are not independent: the
opening's own bias makes one player win the first and lose the second. So pairs are counted, not games, in the five
classes of their points (0, 1/2, 1, 3/2, 2 for the first player): the pentanomial of fishtest and OpenBench.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

Z95 = 1.959963984540054  # two-sided 95 % of the normal distribution
NELO_PER_T = 800.0 / math.log(10.0)  # normalised Elo of a score that lies one standard deviation of a game from 1/2

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)

Pentanomial = tuple[int, int, int, int, int]
"""How many pairs gave the first player 0, 1/2, 1, 3/2 and 2 points."""


def score_of(elo: float) -> float:
    """The share of the points to be expected, 0..1."""
    return 1.0 / (1.0 + math.exp(-elo * math.log(10.0) / 400.0))


def elo_of(score: float) -> float:
    """The inverse of `score_of`; infinite for 0 and 1."""
    if score <= 0.0 or score >= 1.0:
        return math.copysign(math.inf, score - 0.5)
    return 400.0 * math.log10(score / (1.0 - score))


def elo_difference(wins: int, losses: int, draws: int) -> tuple[float, float] | None:
    """The Elo difference that the score shows, and the half-width of its 95 % interval.

    The interval takes the games as independent, and is the mean of its two arms. None where no figure means anything:
    fewer than ten games, or an interval that reaches a score of 0 or 1.
    """
    games = wins + losses + draws
    if games < 10:
        return None
    score = (wins + draws / 2) / games
    variance = (wins * (1 - score) ** 2 + losses * score**2 + draws * (0.5 - score) ** 2) / games
    return _interval(score, variance, games)


@dataclass(frozen=True)
class PairStatistics:
    """What pairs of games show about the first player.

    elo: difference and half-width of its 95 % interval, None where the pairs cannot tell (fewer than five, or an
    interval that reaches 0 or 1). normalised: the same in normalised Elo, which measures the score in standard
    deviations of a game and so does not depend on how drawish the games are. superiority: the probability, 0..1, that
    the first player is the better one, given a flat prior.
    """

    pairs: int
    score: float
    elo: tuple[float, float] | None
    normalised: tuple[float, float] | None
    superiority: float


def pair_statistics(counts: Pentanomial) -> PairStatistics:
    """The statistics of a pentanomial, by the normal approximation to the mean of the pairs."""
    pairs = sum(counts)
    if not pairs:
        return PairStatistics(0, 0.0, None, None, 0.5)
    score = sum(count * value for count, value in zip(counts, PAIR_SCORES, strict=True)) / pairs
    variance = sum(count * (value - score) ** 2 for count, value in zip(counts, PAIR_SCORES, strict=True)) / pairs
    if variance == 0.0:
        # All pairs went alike: how surely more than half of them would, by the same flat prior.
        surely = 1.0 - 0.5 ** (pairs + 1)
        superiority = 0.5 if score == 0.5 else surely if score > 0.5 else 1.0 - surely
        return PairStatistics(pairs, score, None, None, superiority)
    elo = _interval(score, variance, pairs) if pairs >= 5 else None
    # The mean of two independent games has half the variance of one, so a game's deviation is sqrt(2) times a pair's.
    per_score = NELO_PER_T / math.sqrt(2.0 * variance)
    margin = Z95 * math.sqrt(variance / pairs)
    superiority = NormalDist().cdf((score - 0.5) / math.sqrt(variance / pairs))
    normalised = None if elo is None else ((score - 0.5) * per_score, margin * per_score)
    return PairStatistics(pairs, score, elo, normalised, superiority)


def _interval(score: float, variance: float, count: int) -> tuple[float, float] | None:
    margin = Z95 * math.sqrt(variance / count)
    low, high = score - margin, score + margin
    if low <= 0.0 or high >= 1.0 or not 0.0 < score < 1.0:
        return None
    return elo_of(score), (elo_of(high) - elo_of(low)) / 2
