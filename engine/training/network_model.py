"""The network in torch, as it is trained: in floats, but rounded and clamped wherever the engine's integers are.

Gradients go through rounding as if it were not there. A forward pass so computes what the engine does, up to the
rounding of its sums (and the last floor to whole centipoints).
"""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from engine.constants import (
    LINE_PATTERNS,
    NETWORK_FEATURE_LIMIT,
    NETWORK_HIDDEN_LIMIT,
    NETWORK_INPUT_LIMIT,
    NETWORK_INPUTS,
    NETWORK_SEEN,
    NETWORK_SEEN_SHIFT,
    NETWORK_SUM_SHIFT,
    NETWORK_WIDTH,
    NETWORK_WINDOW,
    NETWORK_WINDOW_SHIFT,
    THREAT_MASKS,
)
from engine.network import patterns_signature
from engine.training.examples import views_of
from engine.training.network_scores import (
    ONE,
    OUTPUT_BIAS_ONE,
    OUTPUT_ONE,
    TABLE_ONE,
    WEIGHT_ONE,
    WIDE_ROWS,
    widen,
    windows_of,
)
from engine.training.network_sums import Cells
from engine.weights.networks import ROW_LIMITS, TABLE_LIMIT, NetworkFile

# Divisors of sums: the engine's shift, and for sums of features the change from the table's unit to the layers'.
SUM_DIVISOR = (ONE << NETWORK_SUM_SHIFT) / TABLE_ONE
WINDOW_DIVISOR = (ONE << NETWORK_WINDOW_SHIFT) / TABLE_ONE
SEEN_DIVISOR = 1 << NETWORK_SEEN_SHIFT
LEAK = 0.1  # of the gradient, where a neuron is at 0
LARGEST = 32_767  # of the integers of 16 bits
ROWS = LINE_PATTERNS * LINE_PATTERNS
LAYERS_RATE = 0.25  # of the learning rate, for the layers: at the table's they lose their neurons
ROUNDING = 64  # the most that rounding can add to a row's sum of weights


class Rounded(torch.autograd.Function):
    """A weight rounded to whole units of 1 / one."""

    @staticmethod
    def forward(ctx: Any, weight: Tensor, one: int) -> Tensor:
        return torch.round(weight * one) / one

    @staticmethod
    def backward(ctx: Any, above: Tensor) -> tuple[Tensor, None]:
        return above, None


class Floored(torch.autograd.Function):
    """A value cut down to whole units of 1 / ONE, between 0 and `most` of them.

    Below 0 a share of the gradient goes on, above the most nothing: without it two of three neurons of a long run end
    at 0 in every position, and stay there.
    """

    @staticmethod
    def forward(ctx: Any, value: Tensor, most: int) -> Tensor:
        ctx.save_for_backward(value)
        ctx.most = most
        return torch.floor(value * ONE).clamp_(0, most) / ONE

    @staticmethod
    def backward(ctx: Any, above: Tensor) -> tuple[Tensor, None]:
        (value,) = ctx.saved_tensors
        inside = torch.ops.aten.hardtanh_backward(above, value, 0, (ctx.most + 1) / ONE)
        return inside + LEAK * above * (value <= 0), None


class Sums(torch.autograd.Function):
    """The sums of the chosen positions' cell features, of the file's table."""

    @staticmethod
    def forward(ctx: Any, table: Tensor, cells: Cells, chosen: npt.NDArray[np.int64]) -> Tensor:
        ctx.given = cells, chosen, widen(table.detach().numpy())
        return torch.from_numpy(cells.forward(chosen, ctx.given[2], NETWORK_FEATURE_LIMIT / TABLE_ONE))

    @staticmethod
    def backward(ctx: Any, above: Tensor) -> tuple[Tensor, None, None]:
        cells, chosen, table = ctx.given
        gradient = cells.backward(chosen, table, NETWORK_FEATURE_LIMIT / TABLE_ONE, above.contiguous().numpy())
        return torch.from_numpy(np.ascontiguousarray(gradient[:, WIDE_ROWS])), None, None


class Model(nn.Module):
    """The weights of a rule's network in floats. A new one's output is 0 everywhere."""

    def __init__(self, rule: int, seed: int) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)

        def random(*shape: int, scale: float) -> nn.Parameter:
            return nn.Parameter(torch.randn(*shape, generator=generator) * scale)

        self.rule = rule
        self.views = views_of(rule)
        self.table = random(self.views, ROWS, NETWORK_WIDTH, scale=0.1)
        self.mask = nn.Parameter(torch.zeros(self.views * THREAT_MASKS, NETWORK_WIDTH))
        self.window = random(NETWORK_WINDOW, NETWORK_SEEN, scale=(2 / NETWORK_SEEN) ** 0.5)
        self.window_bias = nn.Parameter(torch.zeros(NETWORK_WINDOW))
        self.first = random(NETWORK_WIDTH, NETWORK_INPUTS, scale=(2 / NETWORK_INPUTS) ** 0.5)
        self.second = random(NETWORK_WIDTH, NETWORK_WIDTH, scale=(2 / NETWORK_WIDTH) ** 0.5)
        self.second_bias = nn.Parameter(torch.zeros(NETWORK_WIDTH))
        self.output = nn.Parameter(torch.zeros(NETWORK_WIDTH))
        self.output_bias = nn.Parameter(torch.zeros(1))

    def forward(self, cells: Cells, chosen: npt.NDArray[np.int64], masks: Tensor) -> Tensor:
        """The logits of the chosen positions, [chosen]. masks: int64 [chosen], rows of `mask`."""
        sums = Sums.apply(Rounded.apply(self.table, TABLE_ONE), cells, chosen)
        bias = Rounded.apply(self.window_bias, ONE * WEIGHT_ONE)
        x = Floored.apply(windows_of(sums[:, :-1]) / WINDOW_DIVISOR, LARGEST)
        x = Floored.apply(bias + x @ Rounded.apply(self.window, WEIGHT_ONE).T, NETWORK_HIDDEN_LIMIT)
        seen = Floored.apply(x.sum(dim=(1, 2)) / SEEN_DIVISOR, NETWORK_INPUT_LIMIT)
        x = Floored.apply(torch.hstack([sums[:, :-1].sum(dim=1), sums[:, -1]]) / SUM_DIVISOR, NETWORK_INPUT_LIMIT)
        x = torch.hstack([x, seen])
        bias = Rounded.apply(nn.functional.embedding(masks, self.mask), ONE)
        x = Floored.apply(bias + x @ Rounded.apply(self.first, WEIGHT_ONE).T, NETWORK_HIDDEN_LIMIT)
        bias = Rounded.apply(self.second_bias, ONE * WEIGHT_ONE)
        x = Floored.apply(bias + x @ Rounded.apply(self.second, WEIGHT_ONE).T, NETWORK_HIDDEN_LIMIT)
        return x @ Rounded.apply(self.output, OUTPUT_ONE) + Rounded.apply(self.output_bias, OUTPUT_BIAS_ONE)

    def groups(self) -> list[dict[str, Any]]:
        """The weights in two groups for the optimiser, each with its share of the learning rate."""
        return [
            {"params": [self.table, self.mask], "share": 1.0},
            {
                "params": [
                    self.window,
                    self.window_bias,
                    self.first,
                    self.second,
                    self.second_bias,
                    self.output,
                    self.output_bias,
                ],
                "share": LAYERS_RATE,
            },
        ]

    @torch.no_grad()
    def clamp(self) -> None:
        """Brings the weights back to where their integers can be, and no sum of products leaves 32 bits."""
        self.table.clamp_(-TABLE_LIMIT / TABLE_ONE, TABLE_LIMIT / TABLE_ONE)
        self.mask.clamp_(-LARGEST / ONE, LARGEST / ONE)
        self.window_bias.clamp_(-4000, 4000)
        self.second_bias.clamp_(-4000, 4000)
        self.output_bias.clamp_(-2500, 2500)
        for name, one in (
            ("window", WEIGHT_ONE),
            ("first", WEIGHT_ONE),
            ("second", WEIGHT_ONE),
            ("output", OUTPUT_ONE),
        ):
            weight, (_, most) = getattr(self, name), ROW_LIMITS[name]
            weight.clamp_(-LARGEST / one, LARGEST / one)
            total = weight.abs().sum(dim=-1, keepdim=True)
            weight.mul_(((most - ROUNDING) / one / total.clamp(min=1e-9)).clamp(max=1))

    @torch.no_grad()
    def to_network(self, card: dict[str, Any]) -> NetworkFile:
        """The integers, with a card that is given the rule, the views and the patterns."""
        self.clamp()

        def integers(weight: Tensor, one: int, code: str) -> array[int]:
            units: npt.NDArray[np.float64] = weight.double().numpy() * one
            return array(code, np.rint(units).astype(int).ravel().tolist())

        return NetworkFile(
            {**card, "rule": self.rule, "views": self.views, "patterns": patterns_signature(self.rule)},
            integers(self.table, TABLE_ONE, "h"),
            integers(self.mask, ONE, "h"),
            integers(self.window, WEIGHT_ONE, "h"),
            integers(self.window_bias, ONE * WEIGHT_ONE, "i"),
            integers(self.first, WEIGHT_ONE, "h"),
            integers(self.second, WEIGHT_ONE, "h"),
            integers(self.second_bias, ONE * WEIGHT_ONE, "i"),
            integers(self.output, OUTPUT_ONE, "h"),
            integers(self.output_bias, OUTPUT_BIAS_ONE, "i"),
        )

    @torch.no_grad()
    def load(self, network: NetworkFile) -> None:
        """Takes the weights of a network, which may be another rule's; a view of one is both of ours.

        Raises ValueError for a network of two views when ours has one.
        """
        if network.views > self.views:
            raise ValueError(f"a network of rule {network.rule} has a table a colour, one of rule {self.rule} has not")

        def fill(weight: Tensor, integers: array[int], one: int) -> None:
            units = torch.tensor(integers.tolist(), dtype=torch.float64)
            weight.copy_((units / one).repeat(weight.numel() // len(units)).reshape(weight.shape))

        fill(self.table, network.table, TABLE_ONE)
        fill(self.mask, network.mask, ONE)
        fill(self.first, network.first, WEIGHT_ONE)
        if any(network.window):  # else neurons of chance, which nothing listens to: those at 0 learn nothing
            fill(self.window, network.window, WEIGHT_ONE)
            fill(self.window_bias, network.window_bias, ONE * WEIGHT_ONE)
        fill(self.second, network.second, WEIGHT_ONE)
        fill(self.second_bias, network.second_bias, ONE * WEIGHT_ONE)
        fill(self.output, network.output, OUTPUT_ONE)
        fill(self.output_bias, network.output_bias, OUTPUT_BIAS_ONE)
