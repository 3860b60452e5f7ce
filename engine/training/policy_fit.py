"""The fit of a policy to nodes of searches: the numbers of engine/policy.h as real ones, their gradient, and rounding.

The points of a policy are fitted as a choice, like the tables of pattern codes (tune.py): a softmax over the moves of a
node, so that the first one is likely to be one of those that cut. The tables, the history and the counter-move add the
same points as in the search. Adam finds the minimum, in batches of nodes.
"""

from __future__ import annotations

import time
from array import array
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.constants import (
    LINE_PATTERNS,
    POLICY_DISTANCES,
    POLICY_FEATURE_LIMIT,
    POLICY_LAYER_SHIFT,
    POLICY_POINTS_SHIFT,
    POLICY_STONES,
    POLICY_WIDTH,
    POLICY_WORTH_LIMIT,
)
from engine.training.cuts import CELL, CUTS, LOOKED_AT
from engine.training.progress import Progress
from engine.weights.policies import BASE_LIMIT, NEARNESS_LIMIT, ROW_LIMIT, SHAPES, TABLE_LIMIT, PolicyFile

Reals = npt.NDArray[np.float32]

ORDER_UNIT = 24.0  # ordering points in which a move is e times as likely, as in tune.py
ROWS = LINE_PATTERNS * LINE_PATTERNS
CELLS = 24  # of a node, at most: engine/training/cuts.pyx
FEATURE_UNIT = 64  # integers of the table in a feature of 1
WORTH_UNIT = ORDER_UNIT * (1 << POLICY_POINTS_SHIFT) / FEATURE_UNIT  # ... of a worth of 1
LAYER_UNIT = WORTH_UNIT * (1 << POLICY_LAYER_SHIFT) / FEATURE_UNIT
FEATURE_MOST = POLICY_FEATURE_LIMIT / FEATURE_UNIT
WORTH_MOST = POLICY_WORTH_LIMIT / WORTH_UNIT
MEAN_KEPT, SQUARE_KEPT = 0.9, 0.999  # Adam's usual ones
TIMED_BATCHES = 4  # enough to tell how fast a fit is
BELOW = 0.1  # the part of a gradient that passes below 0, so that a feature can come back

RECORD = np.dtype(
    [("points", "<i2"), ("bonus", "i1"), ("flags", "u1"), ("rows", "u1", 4), ("near", "u1", POLICY_STONES)]
)
if RECORD.itemsize != CELL.size:
    raise ValueError("RECORD does not describe a CELL of cuts.pyx")


class Nodes(NamedTuple):
    """n nodes with up to CELLS moves each."""

    base: Reals  # [n, CELLS] the score of each move without a policy, in units of ORDER_UNIT; -inf in unused places
    cuts: npt.NDArray[np.bool_]  # [n, CELLS]
    looked_at: npt.NDArray[np.bool_]  # [n, CELLS]
    rows: npt.NDArray[np.uint8]  # [n, CELLS, 4] row of the table in each direction
    near: npt.NDArray[np.uint8]  # [n, CELLS, POLICY_STONES] kind of the distance from each of the last stones

    def part(self, chosen: npt.NDArray[Any]) -> Nodes:
        return Nodes(*(column[chosen] for column in self))


class Weights(NamedTuple):
    """The numbers of a policy, in units of 1."""

    table: Reals  # [ROWS, POLICY_WIDTH]
    layer: Reals  # [POLICY_WIDTH, POLICY_WIDTH]
    base: Reals  # [POLICY_WIDTH]
    nearness: Reals  # [POLICY_STONES, POLICY_DISTANCES]


def nodes_of(found: list[bytes]) -> Nodes:
    """The nodes that a sampler collected; in each, at least one move must cut."""
    shape = len(found), CELLS
    base = np.full(shape, -np.inf, np.float32)
    flags = np.zeros(shape, np.uint8)
    rows = np.zeros((*shape, 4), np.uint8)
    near = np.zeros((*shape, POLICY_STONES), np.uint8)
    for number, cells in enumerate(np.frombuffer(node, RECORD) for node in found):
        at = number, slice(len(cells))
        base[at] = (cells["points"].astype(np.float32) + cells["bonus"]) / ORDER_UNIT
        flags[at] = cells["flags"]
        rows[at] = (cells["rows"] & 15) * LINE_PATTERNS + (cells["rows"] >> 4)
        near[at] = cells["near"]
    return Nodes(base, flags & CUTS > 0, flags & LOOKED_AT > 0, rows, near)


def first_weights(seed: int) -> Weights:
    """Weights to begin with, which order the moves nearly as the tables do."""
    rng = np.random.default_rng(seed)

    def normal(mean: float, spread: float, *shape: int) -> Reals:
        return rng.normal(mean, spread, shape).astype(np.float32)

    return Weights(
        normal(0.1, 0.2, ROWS, POLICY_WIDTH),
        np.zeros((POLICY_WIDTH, POLICY_WIDTH), np.float32),
        normal(0, 0.1, POLICY_WIDTH),
        np.zeros((POLICY_STONES, POLICY_DISTANCES), np.float32),
    )


class Pass(NamedTuple):
    """The steps from the moves of some nodes to their order, which the gradient needs."""

    cells: npt.NDArray[np.int64]  # [m] the moves that are looked at, numbers in [n * CELLS]
    near: npt.NDArray[np.uint8]  # [m, POLICY_STONES]
    looks: Any  # [m, ROWS] how often each cell has each row, sparse
    gather: Any  # [n, m] 1 where a cell is of a node, sparse
    raw: Reals  # [m, POLICY_WIDTH] features before they are limited
    features: Reals
    sums: Reals  # [n, POLICY_WIDTH] of the features
    free_worth: Reals  # [n, POLICY_WIDTH] before it is limited
    worth: Reals
    logits: Reals  # [n, CELLS]


def forward(weights: Weights, nodes: Nodes) -> Pass:
    """The scores of the moves of some nodes with a policy, as logits; -inf in unused places."""
    from scipy import sparse as sp

    cells = np.flatnonzero(nodes.looked_at)
    of_node = cells // CELLS
    rows = nodes.rows.reshape(-1, 4)[cells]
    near = nodes.near.reshape(-1, POLICY_STONES)[cells]
    looks = sp.csr_matrix(
        (np.ones(rows.size, np.float32), rows.ravel().astype(np.int32), np.arange(0, rows.size + 1, 4)),
        shape=(len(cells), ROWS),
    )
    ends = np.searchsorted(of_node, np.arange(len(nodes.base) + 1))
    gather = sp.csr_matrix(
        (np.ones(len(cells), np.float32), np.arange(len(cells)), ends), shape=(len(nodes.base), len(cells))
    )
    raw = looks @ weights.table
    features = np.clip(raw, 0, FEATURE_MOST)
    sums = gather @ features
    free_worth = weights.base + sums @ weights.layer.T
    worth = np.clip(free_worth, -WORTH_MOST, WORTH_MOST)
    points = np.einsum("ij,ij->i", features, worth[of_node])
    for stone in range(POLICY_STONES):
        points += weights.nearness[stone][near[:, stone]]
    logits = nodes.base.copy()
    logits.ravel()[cells] += points
    return Pass(cells, near, looks, gather, raw, features, sums, free_worth, worth, logits)


def loss_and_gradient(weights: Weights, nodes: Nodes) -> tuple[float, Weights]:
    """The mean loss of the nodes: -ln of the probability of a move that cuts; and its gradient."""
    done = forward(weights, nodes)
    chance, good, losses = shares(done.logits, nodes.cuts)
    error = ((chance - good) / len(nodes.base)).ravel()[done.cells]
    of_node = done.cells // CELLS
    worth_gradient = done.gather @ (done.features * error[:, None])
    worth_gradient *= np.abs(done.free_worth) < WORTH_MOST
    sums_gradient = worth_gradient @ weights.layer
    feature_gradient = error[:, None] * done.worth[of_node] + sums_gradient[of_node]
    feature_gradient *= np.where(done.raw <= 0, BELOW, done.raw < FEATURE_MOST).astype(np.float32)
    nearness = [np.bincount(done.near[:, stone], error, POLICY_DISTANCES) for stone in range(POLICY_STONES)]
    return float(losses.mean()), Weights(
        done.looks.T @ feature_gradient,
        worth_gradient.T @ done.sums,
        worth_gradient.sum(0),
        np.stack(nearness).astype(np.float32),
    )


def shares(logits: Reals, cuts: npt.NDArray[np.bool_]) -> tuple[Reals, Reals, Reals]:
    """Each move's share among all moves of its node, and among those that cut; each node's loss."""
    powers = np.exp(logits - logits.max(1, keepdims=True))
    good = np.where(cuts, powers, 0)
    total, good_total = powers.sum(1), np.maximum(good.sum(1), 1e-30)
    return powers / total[:, None], good / good_total[:, None], np.log(total) - np.log(good_total)


class Fit(NamedTuple):
    """The settings of a fit."""

    epochs: int
    batch: int
    rate: float
    seed: int


def fit_speed(found: list[bytes], settings: Fit) -> float:
    """The nodes that a fit goes through in a second, about. The first batch is not timed: scipy is loaded with it."""
    weights, nodes = first_weights(settings.seed), nodes_of(found[: settings.batch])
    loss_and_gradient(weights, nodes)
    start = time.monotonic()
    for _ in range(TIMED_BATCHES):
        loss_and_gradient(weights, nodes)
    return TIMED_BATCHES * len(nodes.base) / max(time.monotonic() - start, 1e-6)


def fit(train: Nodes, test: Nodes, settings: Fit) -> Weights:
    """Weights that order the moves of `train` well. Progress goes to stderr, with the loss on `test`."""
    rng = np.random.default_rng(settings.seed)
    weights = first_weights(settings.seed)
    means, squares = ([np.zeros_like(table) for table in weights] for _ in range(2))
    count = len(train.base)
    batch = min(settings.batch, count)
    steps = settings.epochs * (count // batch)
    step = 0
    with Progress(steps, "steps", unit="second") as progress:
        for _ in range(settings.epochs):
            order = rng.permutation(count)
            for at in range(0, count - batch + 1, batch):
                _, gradient = loss_and_gradient(weights, train.part(order[at : at + batch]))
                step += 1
                rate = settings.rate / 2 * (1 + np.cos(np.pi * step / steps))  # falls to 0
                for table, mean, square, slope in zip(weights, means, squares, gradient, strict=True):
                    mean += (1 - MEAN_KEPT) * (slope - mean)
                    square += (1 - SQUARE_KEPT) * (slope * slope - square)
                    size = np.sqrt(square / (1 - SQUARE_KEPT**step)) + 1e-8
                    table -= rate * mean / (1 - MEAN_KEPT**step) / size
                if step % 50 == 0:
                    progress.show(step)
            progress.show(step, f", loss held out {measure(weights, test)[0]:.3f}")
    return weights


def measure(weights: Weights | None, nodes: Nodes) -> tuple[float, float]:
    """The mean loss of the nodes, and how often the first move cuts; None: without a policy."""
    losses, hits = 0.0, 0
    for start in range(0, len(nodes.base), 4096):
        part = nodes.part(np.arange(start, min(start + 4096, len(nodes.base))))
        logits = part.base if weights is None else forward(weights, part).logits
        losses += float(shares(logits, part.cuts)[2].sum())
        hits += int(np.count_nonzero(part.cuts[np.arange(len(logits)), logits.argmax(1)]))
    return losses / len(nodes.base), hits / len(nodes.base)


def line_of(train: Nodes, test: Nodes, weights: Weights) -> str:
    """A line on the gain of a policy on the nodes held out."""
    before, after = measure(None, test), measure(weights, test)
    return (
        f"{len(train.base)} nodes, held out {len(test.base)}: loss {before[0]:.3f} -> {after[0]:.3f}, the first move "
        f"cuts in {before[1]:.1%} -> {after[1]:.1%}"
    )


def rounded(weights: Weights, card: dict[str, Any]) -> tuple[PolicyFile, Weights]:
    """A policy of whole numbers within the limits of its file, and the weights that these stand for."""

    def whole(table: Reals, unit: float, limit: int) -> npt.NDArray[np.int64]:
        return np.clip(np.rint(table.astype(np.float64) * unit), -limit, limit).astype(np.int64)

    # A row that is too long is shortened, by a little more than the rounding can add.
    longest = max(float(np.abs(weights.layer).sum(1).max()) * LAYER_UNIT, 1.0)
    layer = weights.layer * np.float32(min(1, (ROW_LIMIT - POLICY_WIDTH) / longest))
    units = FEATURE_UNIT, LAYER_UNIT, WORTH_UNIT, ORDER_UNIT
    limits = TABLE_LIMIT, 32_767, BASE_LIMIT, NEARNESS_LIMIT
    tables = [
        whole(table, unit, limit)
        for table, unit, limit in zip(weights._replace(layer=layer), units, limits, strict=True)
    ]
    policy = PolicyFile(
        card, *(array(code, table.ravel().tolist()) for (_, code, _), table in zip(SHAPES, tables, strict=True))
    )
    return policy, Weights(*((table / unit).astype(np.float32) for table, unit in zip(tables, units, strict=True)))
