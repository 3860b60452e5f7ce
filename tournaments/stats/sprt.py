"""A sequential test between two hypotheses about the strength of one player against another, on pairs of games.

The generalised sequential probability ratio test (GSPRT) on the pentanomial, as fishtest and fastchess run it: the log
likelihood ratio (LLR) of the counts under the most likely distribution with exactly the strength `elo1` to those under
the most likely one with exactly `elo0`; the test ends when it leaves (lower, upper), Wald's bounds for the two error
probabilities. Sources of the method: M. Van den Bergh, "The GSPRT and its approximations" and "Comments on normalized
Elo" (section 4.1 for the normalised model). A class without a pair counts as 0.001 of one, as in fishtest.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.stats.elo import NELO_PER_T, PAIR_SCORES, Pentanomial, score_of

MODELS = ("logistic", "normalised")
MAX_ELO = 10_000
NOT_DECIDED = "the sequential test is not decided"

_EMPTY = 1e-3


@dataclass(frozen=True)
class Sprt:
    """H0: the first player is `elo0` stronger; H1: it is `elo1` stronger.

    alpha: the probability of accepting H1 when H0 holds; beta: of accepting H0 when H1 holds. model: "logistic" for
    usual Elo, "normalised" for Elo that does not depend on drawishness (see `PairStatistics`).
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "logistic"

    def __post_init__(self) -> None:
        """Raises ValueError, in one sentence, for hypotheses that cannot be tested."""
        if not self.elo0 < self.elo1 or not math.isfinite(self.elo1 - self.elo0):
            raise ValueError(f"a sequential test needs ELO0 < ELO1, not {self.elo0:g} and {self.elo1:g}")
        if max(abs(self.elo0), abs(self.elo1)) > MAX_ELO:
            raise ValueError(
                f"the hypotheses of a sequential test lie between -{MAX_ELO} and {MAX_ELO} Elo, "
                f"not at {self.elo0:g} and {self.elo1:g}"
            )
        if not (0.0 < self.alpha < 0.5 and 0.0 < self.beta < 0.5):
            raise ValueError(f"error probabilities lie between 0 and 0.5, not {self.alpha:g} and {self.beta:g}")
        if self.model not in MODELS:
            raise ValueError(f"unknown Elo model '{self.model}': choose one of {', '.join(MODELS)}")

    @property
    def lower(self) -> float:
        """The test accepts H0 when the LLR is at most this."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """The test accepts H1 when the LLR is at least this."""
        return math.log((1.0 - self.beta) / self.alpha)

    def llr(self, counts: Pentanomial) -> float:
        """The log likelihood ratio of the pairs so far; 0 without any."""
        if not sum(counts):
            return 0.0
        filled = [count or _EMPTY for count in counts]
        total = sum(filled)
        observed = [count / total for count in filled]
        if self.model == "logistic":
            under0, under1 = (_likeliest_with_elo(observed, elo) for elo in (self.elo0, self.elo1))
        else:
            # Per pair, so sqrt(2) times the figure per game.
            t0, t1 = (elo / NELO_PER_T * math.sqrt(2.0) for elo in (self.elo0, self.elo1))
            under0, under1 = _likeliest_with_t(observed, t0), _likeliest_with_t(observed, t1)
        return total * sum(p * math.log(p1 / p0) for p, p0, p1 in zip(observed, under0, under1, strict=True))

    def verdict(self, counts: Pentanomial) -> str | None:
        """Return "H0" or "H1" once a bound is crossed, None before."""
        llr = self.llr(counts)
        return "H1" if llr >= self.upper else "H0" if llr <= self.lower else None

    def describe(self, counts: Pentanomial) -> str:
        """The state of the test in one line."""
        bounds = f"LLR {self.llr(counts):.2f} ({self.lower:.2f}, {self.upper:.2f})"
        pairs = "-".join(map(str, counts))
        verdict = self.verdict(counts)
        unit = "nElo" if self.model == "normalised" else "Elo"
        line = f"SPRT {self.elo0:g} {self.elo1:g} {unit}: {bounds}, pairs {pairs}"
        return f"{line}, {verdict} accepted" if verdict else line


def _likeliest_with_elo(observed: Sequence[float], elo: float) -> list[float]:
    """The distribution over PAIR_SCORES with this logistic Elo under which `observed` is most likely."""
    # The distances from the mean, taken from the nearer end: a mean next to 1 is 1 itself in floating point.
    if elo > 0.0:
        return _tilt(observed, [score - 1.0 + score_of(-elo) for score in PAIR_SCORES])
    return _tilt(observed, [score - score_of(elo) for score in PAIR_SCORES])


def _likeliest_with_t(observed: Sequence[float], t: float) -> list[float]:
    """The one whose mean lies t standard deviations above 1/2, found by linearising that condition again and again.

    The start has at least that t (for t < 0: at most), and so has every step, the deviation being a concave function of
    the distribution; so each linearised condition can be met.
    """
    end = len(PAIR_SCORES) - 1 if t > 0.0 else 0
    rest = 1.0
    while abs(_t_of(found := [rest / 5 + (1.0 - rest) * (place == end) for place in range(5)])) < abs(t):
        rest *= 0.9
    for _ in range(100):
        mean, sigma = _moments(found)
        values = [score - 0.5 - t * sigma * (1.0 + ((mean - score) / sigma) ** 2) / 2.0 for score in PAIR_SCORES]
        before, found = found, _tilt(observed, values)
        if max(abs(new - old) for new, old in zip(found, before, strict=True)) < 1e-9:
            break
    return found


def _moments(distribution: Sequence[float]) -> tuple[float, float]:
    """The mean and the standard deviation of a distribution over PAIR_SCORES."""
    mean = sum(p * score for p, score in zip(distribution, PAIR_SCORES, strict=True))
    return mean, math.sqrt(sum(p * (score - mean) ** 2 for p, score in zip(distribution, PAIR_SCORES, strict=True)))


def _t_of(distribution: Sequence[float]) -> float:
    """How many of its standard deviations the mean lies above 1/2."""
    mean, sigma = _moments(distribution)
    return (mean - 0.5) / sigma


def _tilt(observed: Sequence[float], values: Sequence[float]) -> list[float]:
    """The distribution under which `values` have mean 0 and `observed` is most likely: p / (1 + theta * value).

    theta is the root of sum p * value / (1 + theta * value), which falls in theta wherever it is defined.
    """
    low, high = -1.0 / max(values), -1.0 / min(values)
    for _ in range(200):
        theta = (low + high) / 2.0
        if theta in (low, high):
            break
        if sum(p * value / (1.0 + theta * value) for p, value in zip(observed, values, strict=True)) > 0.0:
            low = theta
        else:
            high = theta
    return [p / (1.0 + theta * value) for p, value in zip(observed, values, strict=True)]
