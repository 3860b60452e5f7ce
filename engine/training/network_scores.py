"""The scores of a network's integers for many positions at once, the very numbers that the engine computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from engine.constants import (
    EVAL_LIMIT,
    LINE_PATTERNS,
    NETWORK_FEATURE_LIMIT,
    NETWORK_HIDDEN_LIMIT,
    NETWORK_INPUT_LIMIT,
    NETWORK_INPUTS,
    NETWORK_LAYER_SHIFT,
    NETWORK_ROWS,
    NETWORK_SEEN,
    NETWORK_SEEN_SHIFT,
    NETWORK_SIDE,
    NETWORK_SUM_SHIFT,
    NETWORK_WIDTH,
    NETWORK_WINDOW,
    NETWORK_WINDOW_SHIFT,
    THREAT_MASKS,
)
from engine.training.examples import Examples
from engine.weights.networks import NetworkFile

Ints = npt.NDArray[np.int64]

TABLE_ONE = 64  # 1.0 in the table, as an integer
ONE = 128  # 1.0 in what goes from layer to layer, and in the mask's rows
WEIGHT_ONE = 1 << NETWORK_LAYER_SHIFT  # 1.0 in the weights of a layer
OUTPUT_ONE = 1600  # 1.0 of the logit in the last layer's weights
OUTPUT_BIAS_ONE = OUTPUT_ONE * ONE
POSITIONS_A_BATCH = 16_384

# Where the rows of a network's table lie in one of NETWORK_ROWS: 16 * own pattern + other pattern.
WIDE_ROWS = np.array([16 * own + other for own in range(LINE_PATTERNS) for other in range(LINE_PATTERNS)])


def widen(table: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """A table of the file's rows as one of NETWORK_ROWS, which a cell's bytes index."""
    wide = np.zeros((len(table), NETWORK_ROWS, NETWORK_WIDTH), dtype=np.float32)
    wide[:, WIDE_ROWS] = table
    return wide


def windows_of(regions: Any) -> Any:
    """The sums [n, regions, channels] as those that are seen of windows of two by two regions, [n, y, x, channels]."""
    square = regions[..., :NETWORK_SEEN].reshape(-1, NETWORK_SIDE, NETWORK_SIDE, NETWORK_SEEN)
    rows = square[:, 1:] + square[:, :-1]
    return rows[:, :, 1:] + rows[:, :, :-1]


def hidden(sums: Ints) -> Ints:
    """The outputs of a layer's neurons, from their sums of weights times inputs."""
    return np.asarray(np.clip(sums >> NETWORK_LAYER_SHIFT, 0, NETWORK_HIDDEN_LIMIT))


def network_scores(network: NetworkFile, examples: Examples, chosen: Ints) -> Ints:
    """The network's scores of the chosen positions in centipoints, not yet clamped."""
    table = widen(np.array(network.table).reshape(network.views, -1, NETWORK_WIDTH))
    mask = np.array(network.mask, dtype=np.int64).reshape(network.views * THREAT_MASKS, NETWORK_WIDTH)
    window = np.array(network.window, dtype=np.int64).reshape(NETWORK_WINDOW, NETWORK_SEEN)
    window_bias = np.array(network.window_bias, dtype=np.int64)
    first = np.array(network.first, dtype=np.int64).reshape(NETWORK_WIDTH, NETWORK_INPUTS)
    second = np.array(network.second, dtype=np.int64).reshape(NETWORK_WIDTH, NETWORK_WIDTH)
    second_bias, output = np.array(network.second_bias, dtype=np.int64), np.array(network.output, dtype=np.int64)
    found = np.empty(len(chosen), dtype=np.int64)
    for at in range(0, len(chosen), POSITIONS_A_BATCH):
        part = np.ascontiguousarray(chosen[at : at + POSITIONS_A_BATCH])
        # At most 484 cells of at most 511: floats of 24 bits hold these sums exactly.
        sums: Ints = examples.cells.forward(part, table, NETWORK_FEATURE_LIMIT).astype(np.int64)
        seen: Ints = hidden(window_bias + (windows_of(sums[:, :-1]) >> NETWORK_WINDOW_SHIFT) @ window.T)
        both: Ints = np.hstack([sums[:, :-1].sum(axis=1), sums[:, -1]])
        x: Ints = np.hstack(
            [np.minimum(both >> NETWORK_SUM_SHIFT, NETWORK_INPUT_LIMIT), seen.sum(axis=(1, 2)) >> NETWORK_SEEN_SHIFT]
        )
        x = hidden((mask[examples.mask[part]] << NETWORK_LAYER_SHIFT) + x @ first.T)
        x = hidden(second_bias + x @ second.T)
        found[at : at + POSITIONS_A_BATCH] = (network.output_bias[0] + x @ output) >> NETWORK_LAYER_SHIFT
    return found


def evaluations(network: NetworkFile, examples: Examples, chosen: Ints) -> npt.NDArray[np.float64]:
    """The engine's evaluation of the chosen positions with the network, in centipoints."""
    scores = np.clip(network_scores(network, examples, chosen), -network.card["limit"], network.card["limit"])
    if network.card["base"] == "classical":
        scores = scores + examples.classical[chosen].astype(np.int64)
    return np.clip(scores, -EVAL_LIMIT, EVAL_LIMIT).astype(np.float64)
