"""The page of a trained network, one HTML file: learning curve, losses and calibration as tables and pictures."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure

from engine.training.examples import Examples
from engine.training.losses import TrainResult, score_targets
from engine.training.outputs import whole_file
from engine.training.scores import PHASES, SCALE, Floats, cross_entropy, entropy, phase_name, sigmoid

BINS = 20
COLOURS = ("#667085", "#c2650a", "#1f6feb")
PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1d2126; }}
table {{ border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }}
th, td {{ padding: .3rem .7rem; text-align: right; border-bottom: 1px solid #dfdcd5; white-space: nowrap; }}
th:first-child, td:first-child {{ text-align: left; }}
th {{ color: #4a525b; font-size: .85rem; }}
svg {{ max-width: 100%; height: auto; }}
pre {{ background: #f6f5f2; padding: .75rem; overflow: auto; font-size: .85rem; white-space: pre-wrap; }}
p {{ color: #4a525b; max-width: 45rem; }}
</style>
<h1>{title}</h1>
{body}
</html>
"""


def write_report(path: Path, outcome: TrainResult, examples: Examples) -> None:
    """Writes the page of a network. Raises OSError when it cannot."""
    held = np.flatnonzero(examples.held)
    card = outcome.network.card
    parts = [
        f"<p>There are {len(examples.held) - len(held):,} positions to train on, and {len(held):,} of other games held "
        "out. All figures except one curve are for those held out. Losses are in nats; less is better.</p>",
        "<h2>Losses</h2>",
        losses_table(outcome),
        "<p>KL: from the targets, search scores with a share of the results. KL-s: from the scores alone. NLL: of the "
        "result, of the games' own positions. The entropy that any evaluation leaves is taken off the first two: 0 is "
        "perfect.</p>",
        "<h2>Learning</h2>",
        learning_picture(outcome),
        "<h2>Calibration</h2>",
        calibration_picture(outcome, examples, held),
        calibration_table(outcome),
        "<p>Scale: the factor with which the evaluation would fit the search's scores best. Slope: of the search's "
        "score on the evaluation, where both are within 1,000 centipoints. Both are 1 when it is calibrated. Spread: "
        "the evaluation's standard deviation there.</p>",
        "<h2>Where the loss is</h2>",
        phases_picture(outcome, examples, held),
        "<h2>Data</h2>",
        table(
            ["folder", "positions", "games", "board", "nodes", "engine"],
            [
                [
                    source["folder"],
                    f"{source['positions']:,}",
                    f"{source['games']:,}",
                    f"{source['width']} x {source['height']}",
                    source["nodes"],
                    source["engine"],
                ]
                for source in card["data"]
            ],
        ),
        "<h2>Card</h2>",
        f"<pre>{escape(json.dumps(card, indent=1, sort_keys=True))}</pre>",
    ]
    title = f"Network of rule {card['rule']}"
    with whole_file(path) as file:
        file.write(PAGE.format(title=title, body="\n".join(parts)).encode())


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = ["<table><tr>" + "".join(f"<th>{escape(name)}" for name in head)]
    lines += ["<tr>" + "".join(f"<td>{escape(str(value))}" for value in row) for row in rows]
    return "\n".join([*lines, "</table>"])


def losses_table(outcome: TrainResult) -> str:
    return table(
        ["", "KL", "KL-s", "NLL"], [[name, *(f"{value:.4f}" for value in row)] for name, row in outcome.losses.items()]
    )


def calibration_table(outcome: TrainResult) -> str:
    return table(
        ["", "stones", "positions", "scale", "slope", "spread"],
        [
            [
                name,
                phase_name(part.stones),
                f"{part.positions:,}",
                f"{part.scale:.2f}",
                f"{part.slope:.2f}",
                f"{part.spread:.0f}",
            ]
            for name, row in outcome.calibrations.items()
            for part in row
            if part.positions
        ],
    )


def picture(figure: Any) -> str:
    """A figure as an SVG element, the same one each time."""
    buffer = io.StringIO()
    with rc_context({"svg.hashsalt": "tengen", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]


def new_figure(columns: int) -> tuple[Any, Any]:
    figure = Figure(figsize=(4.6 * columns, 3.6), layout="constrained")
    return figure, figure.subplots(1, columns)


def learning_picture(outcome: TrainResult) -> str:
    figure, axes = new_figure(2)
    visits = [point.visits / 1e6 for point in outcome.curve]
    for number, panel in enumerate(axes):
        # The first steps are off the scale of the last ones.
        first = 0 if number == 0 else len(visits) // 3
        panel.plot(
            visits[first:], [point.trained for point in outcome.curve[first:]], color=COLOURS[1], label="trained on"
        )
        panel.plot(visits[first:], [point.held for point in outcome.curve[first:]], color=COLOURS[2], label="held out")
        panel.set(
            title="all of it" if number == 0 else "the last two thirds",
            xlabel="million positions looked at",
            ylabel="KL, nats",
        )
        panel.grid(alpha=0.3)
        panel.legend()
    return picture(figure)


def calibration_picture(outcome: TrainResult, examples: Examples, held: Any) -> str:
    figure, axes = new_figure(2)
    edges = np.linspace(0, 1, BINS + 1)
    wanted = score_targets(examples)[held], examples.result[held].astype(np.float64)
    for panel, target, title in zip(axes, wanted, ("the search's score", "the game's result"), strict=True):
        panel.plot([0, 1], [0, 1], color="#b4bdc8", linewidth=1)
        for (name, row), colour in zip(outcome.evaluations.items(), COLOURS, strict=True):
            p = sigmoid(row / SCALE)
            there = np.clip(np.digitize(p, edges) - 1, 0, BINS - 1)
            count = np.bincount(there, minlength=BINS)
            known = count > 0
            means = [np.bincount(there, values, minlength=BINS)[known] / count[known] for values in (p, target)]
            panel.plot(*means, ".-", label=name, color=colour, linewidth=1)
        panel.set(title=title, xlabel="probability of a win, by the evaluation", ylabel="result")
        panel.grid(alpha=0.3)
        panel.legend()
    return picture(figure)


def mean_in(values: Floats, there: Any) -> float:
    return float(values[there].mean()) if there.any() else 0.0


def phases_picture(outcome: TrainResult, examples: Examples, held: Any) -> str:
    """KL-s by stones, and by where the position comes from."""
    figure, axes = new_figure(2)
    stones, beside = examples.stones[held], examples.beside[held]
    target = score_targets(examples)[held]
    groups = [
        [(phase_name(phase), (stones >= phase[0]) & (stones <= phase[1])) for phase in PHASES],
        [("of games", ~beside), ("beside games", beside)],
    ]
    for panel, group, title in zip(axes, groups, ("by stones", "by where it comes from"), strict=True):
        for number, ((name, row), colour) in enumerate(zip(outcome.evaluations.items(), COLOURS, strict=True)):
            loss = cross_entropy(row / SCALE, target) - entropy(target)
            panel.bar(
                np.arange(len(group)) + 0.27 * (number - 1),
                [mean_in(loss, there) for _, there in group],
                width=0.25,
                label=name,
                color=colour,
            )
        panel.set_xticks(range(len(group)), [name for name, _ in group])
        panel.set(title=title, ylabel="KL-s, nats")
        panel.grid(alpha=0.3, axis="y")
        panel.legend()
    return picture(figure)
