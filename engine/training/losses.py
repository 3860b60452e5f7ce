"""The targets of an evaluation and the distance from them: losses and calibration, all in nats."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.training.examples import Examples
from engine.training.scores import PHASES, SCALE, Floats, cross_entropy, entropy, is_proved, sigmoid
from engine.weights.networks import NetworkFile

Chosen = npt.NDArray[np.int64]

PROVED = 0.97  # target of a proved win: below 1, because the network cannot prove it


class Losses(NamedTuple):
    """Of some evaluation, on some positions."""

    divergence: float  # cross entropy against the targets less the targets' own
    score_divergence: float  # the same against the search's score alone
    result: float  # cross entropy against the result, of the positions of games alone; 0 without any


def score_targets(examples: Examples) -> Floats:
    """The search's scores as probabilities of a win."""
    proved = np.where(examples.score > 0, PROVED, 1 - PROVED)
    return np.where(is_proved(examples.score), proved, sigmoid(examples.score / SCALE))


class Shares(NamedTuple):
    """Of the game's result in what is predicted; the rest is the score. Proved scores have none of it."""

    searched: float  # of positions of games that have a label; half of it for positions from inside searches
    own: float  # of positions that have the game's own score


def blended_targets(examples: Examples, of_result: Shares) -> Floats:
    """The search's scores as probabilities of a win, with a share of the game's result."""
    searched = np.where(examples.beside, of_result.searched / 2, of_result.searched)
    shares = np.where(is_proved(examples.score), 0, np.where(examples.own, of_result.own, searched))
    return np.asarray(shares * examples.result + (1 - shares) * score_targets(examples))


def losses_of(evaluation: Floats, examples: Examples, chosen: Chosen, of_result: Shares) -> Losses:
    """Of an evaluation in centipoints of the chosen positions."""
    logits = evaluation / SCALE
    targets, scores = blended_targets(examples, of_result)[chosen], score_targets(examples)[chosen]
    played = ~examples.beside[chosen]
    results = cross_entropy(logits[played], examples.result[chosen[played]].astype(np.float64))
    return Losses(
        float((cross_entropy(logits, targets) - entropy(targets)).mean()),
        float((cross_entropy(logits, scores) - entropy(scores)).mean()),
        float(results.mean()) if len(results) else 0.0,
    )


def best_scale(evaluation: Floats, targets: Floats) -> float:
    """The factor of an evaluation in centipoints that fits the targets best: 1 for one that is calibrated.

    Newton's method in one unknown; the loss is convex. 0 without positions.
    """
    factor = 1.0
    logits = evaluation / SCALE
    for _ in range(50):
        p = sigmoid(factor * logits)
        slope, bend = float(((p - targets) * logits).sum()), float((p * (1 - p) * logits**2).sum())
        if bend < 1e-9:
            return 0.0
        step = min(max(slope / bend, -0.5), 0.5)
        factor -= step
        if abs(step) < 1e-7:
            break
    return factor


class Calibration(NamedTuple):
    """Of an evaluation in one phase of the game: slopes are 1, offsets 0 for one that is calibrated."""

    stones: tuple[int, int]  # of the phase
    positions: int
    scale: float  # the factor with which it would fit the search's scores best
    slope: float  # of the search's score on the evaluation, where neither is proved nor beyond 1,000
    spread: float  # standard deviation of the evaluation there, centipoints


class Point(NamedTuple):
    """A point of the learning curve: divergences from the targets, in nats."""

    visits: int
    trained: float
    held: float


class TrainResult(NamedTuple):
    """A trained network, and how good it is on the positions held out."""

    network: NetworkFile
    curve: list[Point]
    losses: dict[str, Losses]
    calibrations: dict[str, list[Calibration]]
    evaluations: dict[str, Floats]  # in centipoints, of the positions held out


def calibrate(evaluation: Floats, examples: Examples, chosen: Chosen) -> list[Calibration]:
    """Of an evaluation of the chosen positions, in each phase."""
    found = []
    scores, targets = examples.score[chosen].astype(np.float64), score_targets(examples)[chosen]
    for first, last in PHASES:
        there = (examples.stones[chosen] >= first) & (examples.stones[chosen] <= last)
        plain = there & (np.abs(scores) <= 1000) & (np.abs(evaluation) <= 1000)
        x, y = evaluation[plain], scores[plain]
        spread = float(x.std()) if len(x) else 0.0
        slope = float(((x - x.mean()) * (y - y.mean())).mean() / spread**2) if spread > 1e-9 else 0.0
        found.append(
            Calibration((first, last), int(there.sum()), best_scale(evaluation[there], targets[there]), slope, spread)
        )
    return found
