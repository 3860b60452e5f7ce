"""Elo differences from a match score, by the logistic model: score = 1 / (1 + 10 ** (-difference / 400))."""

import math


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
    margin = 1.959964 * math.sqrt(variance / games)
    low, high = score - margin, score + margin
    if low <= 0.0 or high >= 1.0 or not 0.0 < score < 1.0:
        return None
    return _elo(score), (_elo(high) - _elo(low)) / 2


def _elo(score: float) -> float:
    return 400.0 * math.log10(score / (1.0 - score))
