"""Statistics of a match between two players: Elo by the logistic model, intervals, likelihood of superiority.

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
    """The expected share of the points, 0..1."""
    return 1.0 / (1.0 + math.exp(-elo * math.log(10.0) / 400.0))


def elo_of(score: float) -> float:
    """The inverse of `score_of`; infinite for 0 and 1."""
    if score <= 0.0 or score >= 1.0:
        return math.copysign(math.inf, score - 0.5)
    return 400.0 * math.log10(score / (1.0 - score))


@dataclass(frozen=True)
class PairStatistics:
    """Statistics of pairs of games, seen from the first player.

    elo: difference and half-width of its 95 % interval, the mean of its two arms; None if the pairs are too few (fewer
    than five) or the interval reaches a score of 0 or 1. normalised: the same in normalised Elo, which measures the
    score in standard deviations of a game, and so does not depend on the share of draws. superiority: the probability,
    0..1, that the first player is the better one; see `superiority`.
    """

    pairs: int
    score: float
    elo: tuple[float, float] | None
    normalised: tuple[float, float] | None
    superiority: float


def pair_statistics(counts: Pentanomial) -> PairStatistics:
    """The statistics of a pentanomial, as in fastchess: by the normal approximation to the mean of the pairs.

    In simulated matches of 10 pairs and more, 93 % to 98 % of the intervals contain the true value.
    """
    pairs = sum(counts)
    if not pairs:
        return PairStatistics(0, 0.0, None, None, 0.5)
    score = sum(count * value for count, value in zip(counts, PAIR_SCORES, strict=True)) / pairs
    variance = sum(count * (value - score) ** 2 for count, value in zip(counts, PAIR_SCORES, strict=True)) / pairs
    deviation = math.sqrt(variance / pairs)
    elo = _interval(score, Z95 * deviation) if pairs >= 5 else None
    if elo is None:
        return PairStatistics(pairs, score, None, None, superiority(score, deviation, pairs))
    # The mean of two independent games has half the variance of one, so a game's deviation is sqrt(2) times a pair's.
    per_score = NELO_PER_T / math.sqrt(2.0 * variance)
    normalised = ((score - 0.5) * per_score, Z95 * deviation * per_score)
    return PairStatistics(pairs, score, elo, normalised, superiority(score, deviation, pairs))


def superiority(score: float, deviation: float, pairs: int) -> float:
    """The likelihood of superiority (LOS), 0..1: the probability that the true score is above 1/2.

    By the normal approximation, as in fastchess, from a score and its standard deviation. It is limited to the value
    for pairs that all have the same result, 1 - 0.5 ** (pairs + 1), which a flat prior on the frequency of a result
    gives.
    """
    if score == 0.5:
        return 0.5
    most = 1.0 - 0.5 ** (pairs + 1)
    if deviation == 0.0:
        return most if score > 0.5 else 1.0 - most
    return min(most, max(1.0 - most, NormalDist().cdf((score - 0.5) / deviation)))


def _interval(score: float, margin: float) -> tuple[float, float] | None:
    low, high = score - margin, score + margin
    if margin == 0.0 or low <= 0.0 or high >= 1.0:
        return None
    return elo_of(score), (elo_of(high) - elo_of(low)) / 2
