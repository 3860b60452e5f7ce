"""The scores of a network's integers for many positions at once, the very numbers that the engine computes."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from engine.training.examples import Examples
from engine.weights.networks import INPUTS, PATTERNS, SEEN, THREAT_MASKS, WIDTH, WINDOW, NetworkFile

Ints = npt.NDArray[np.int64]

TABLE_ONE = 64           # 1.0 in the table, as an integer
ONE = 128                # 1.0 in what goes from layer to layer, and in the mask's rows
WEIGHT_ONE = 1024        # 1.0 in the weights of a layer
MOST_FEATURE = 511       # of a cell, as an integer
SIDE = 5                 # regions of the board in a row
MOST_SUM = 8191          # of what goes into the first layer
MOST_HIDDEN = 4095       # of what comes out of a layer
OUTPUT_ONE = 1600        # 1.0 of the logit in the last layer's weights
OUTPUT_BIAS_ONE = 204_800
EVAL_LIMIT = 6000        # as in types.pxd
POSITIONS_A_BATCH = 16_384

# Where the rows of a network's table lie in one of 256: 16 * own pattern + other pattern.
WIDE_ROWS = np.array([16 * own + other for own in range(PATTERNS) for other in range(PATTERNS)])


def widen(table: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """[views, 196, 32] as [views, 256, 32], which a cell's bytes index."""
    wide = np.zeros((len(table), 256, WIDTH), dtype=np.float32)
    wide[:, WIDE_ROWS] = table
    return wide


def windows_of(regions: Any) -> Any:
    """The sums [n, 25, 32] of regions as those [n, 4, 4, 16] that are seen of windows of two by two regions."""
    square = regions[..., :SEEN].reshape(-1, SIDE, SIDE, SEEN)
    rows = square[:, 1:] + square[:, :-1]
    return rows[:, :, 1:] + rows[:, :, :-1]


def network_scores(network: NetworkFile, examples: Examples, chosen: Ints) -> Ints:
    """The network's scores of the chosen positions in centipoints, not yet clamped."""
    table = widen(np.array(network.table).reshape(network.views, -1, WIDTH))
    mask = np.array(network.mask, dtype=np.int64).reshape(network.views * THREAT_MASKS, WIDTH)
    window = np.array(network.window, dtype=np.int64).reshape(WINDOW, SEEN)
    window_bias = np.array(network.window_bias, dtype=np.int64)
    first = np.array(network.first, dtype=np.int64).reshape(WIDTH, INPUTS)
    second = np.array(network.second, dtype=np.int64).reshape(WIDTH, WIDTH)
    second_bias, output = np.array(network.second_bias, dtype=np.int64), np.array(network.output, dtype=np.int64)
    found = np.empty(len(chosen), dtype=np.int64)
    for at in range(0, len(chosen), POSITIONS_A_BATCH):
        part = np.ascontiguousarray(chosen[at : at + POSITIONS_A_BATCH])
        # At most 484 cells of at most 511: floats of 24 bits hold these sums exactly.
        sums: Ints = examples.cells.forward(part, table, MOST_FEATURE).astype(np.int64)
        seen: Ints = np.clip((window_bias + (windows_of(sums[:, :-1]) >> 2) @ window.T) >> 10, 0, MOST_HIDDEN)
        both: Ints = np.hstack([sums[:, :-1].sum(axis=1), sums[:, -1]])
        x: Ints = np.hstack([np.minimum(both >> 3, MOST_SUM), seen.sum(axis=(1, 2)) >> 3])
        x = np.clip(((mask[examples.mask[part]] << 10) + x @ first.T) >> 10, 0, MOST_HIDDEN)
        x = np.clip((second_bias + x @ second.T) >> 10, 0, MOST_HIDDEN)
        found[at : at + POSITIONS_A_BATCH] = (network.output_bias[0] + x @ output) >> 10
    return found


def evaluations(network: NetworkFile, examples: Examples, chosen: Ints) -> npt.NDArray[np.float64]:
    """What the engine's evaluation of the chosen positions is with the network, in centipoints."""
    scores = np.clip(network_scores(network, examples, chosen), -network.card["limit"], network.card["limit"])
    if network.card["base"] == "classical":
        scores = scores + examples.classical[chosen].astype(np.int64)
    return np.clip(scores, -EVAL_LIMIT, EVAL_LIMIT).astype(np.float64)
