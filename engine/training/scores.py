"""The meaning of scores in training: probabilities of a win, losses in nats, and the phases of a game.

A score s in centipoints stands for the probability sigmoid(s / SCALE) of a win; a draw counts as half a win.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from engine.constants import MATE_BOUND

Floats = npt.NDArray[np.float64]

SCALE = 200.0  # centipoints in which the odds grow by e
PHASES = ((0, 14), (15, 29), (30, 59), (60, 10_000))
"""The stones on the board, first and last number, of each phase of a game."""


def sigmoid(logits: npt.ArrayLike) -> Floats:
    """The probabilities of logits of any shape; beyond +-60 they count as that."""
    return np.asarray(1 / (1 + np.exp(-np.clip(np.asarray(logits, dtype=np.float64), -60, 60))))


def cross_entropy(logits: Floats, targets: Floats) -> Floats:
    """Of each prediction, in nats; stable for logits of any size."""
    return np.maximum(logits, 0) - logits * targets + np.log1p(np.exp(-np.abs(logits)))


def entropy(targets: Floats) -> Floats:
    """Of each probability, in nats: the least cross entropy that a prediction of it can have."""
    known = np.clip(targets, 1e-9, 1 - 1e-9)
    return np.asarray(-known * np.log(known) - (1 - known) * np.log(1 - known))


def is_proved(scores: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Whether each score is a proved win or loss."""
    return np.abs(scores.astype(np.int64)) >= MATE_BOUND


def phases_of(stones: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The number of each position's phase in PHASES, by the stones on the board."""
    return np.searchsorted([last for _, last in PHASES], stones)


def phase_name(phase: tuple[int, int]) -> str:
    """A phase as its stones, for tables."""
    return f"{phase[0]} and more" if phase == PHASES[-1] else f"{phase[0]} to {phase[1]}"
