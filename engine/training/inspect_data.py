"""Statistics of labelled positions: where they come from, their scores, and how well scores predict results.

Scores are compared with results on the positions of games alone; for positions from inside searches the game's result
says less. A
position is a duplicate when another one has the same stones and the same side to move, up to the board's symmetries.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.constants import MATE_BOUND
from engine.training.label import Labels, read_parts
from engine.training.outputs import check_output, whole_file
from engine.training.progress import new_parser
from engine.training.scores import PHASES, SCALE, Floats, is_proved, phase_name, phases_of, sigmoid
from engine.whole_file import sentence_of

BINS = 10  # of expected scores, in a calibration
CHUNK = 1 << 16  # positions whose keys are computed at once


class ResultBins(NamedTuple):
    """How scores and results agree in a phase: the bins that hold any position."""

    expected: Floats  # [k] mean expected score that the search scores stand for
    result: Floats  # [k] mean result
    positions: npt.NDArray[np.int64]
    slope: float  # the factor that makes scores predict results best; nan if unknown


def stones_of(labels: Labels) -> npt.NDArray[np.int64]:
    return np.diff(labels.starts)


def expected_of(labels: Labels) -> Floats:
    """The expected score of the side to move that each search score stands for, 0..1."""
    return sigmoid(labels.score / SCALE)


def symmetries(width: int, height: int) -> npt.NDArray[np.int64]:
    """[8 or 4, cells] where each cell goes; four if the board is not square."""
    cells = np.arange(width * height).reshape(height, width)
    found = [cells, cells[::-1], cells[:, ::-1], cells[::-1, ::-1]]
    if width == height:
        found += [each.T for each in found]
    return np.array([each.ravel() for each in found])


def position_keys(labels: Labels) -> npt.NDArray[np.uint64]:
    """[n] equal for positions with the same stones, up to symmetry. (The side to move follows from their number.)"""
    cells = labels.width * labels.height
    rng = np.random.default_rng(1)
    salts = rng.integers(1, 1 << 63, (2, cells), dtype=np.uint64)
    goes = symmetries(labels.width, labels.height)
    keys = np.empty(len(labels.score), np.uint64)
    for at in range(0, len(keys), CHUNK):
        starts = labels.starts[at : at + CHUNK + 1]
        moves = labels.moves[starts[0] : starts[-1]].astype(np.int64)
        lengths = np.diff(starts)
        colour = (np.arange(len(moves)) - np.repeat(starts[:-1] - starts[0], lengths)) & 1
        for number, where in enumerate(goes):
            total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(salts[colour, where[moves]], dtype=np.uint64)])
            found = total[starts[1:] - starts[0]] - total[starts[:-1] - starts[0]]
            part = keys[at : at + CHUNK]
            part[:] = found if number == 0 else np.minimum(part, found)
    return keys


def duplicates(labels: Labels) -> int:
    """The number of positions that are there already in the same data."""
    return len(labels.score) - len(np.unique(position_keys(labels)))


def slope_of(scores: Floats, results: Floats) -> float:
    """The factor on scores, in units of SCALE, that makes results likeliest: logistic regression by Newton's method.

    nan when there is none: without scores other than 0, and when the scores tell all results apart.
    """
    slope = 1.0
    for _ in range(30):
        chance = sigmoid(slope * scores)
        curvature = float(np.sum(chance * (1 - chance) * scores * scores))
        if curvature <= 1e-9:
            break
        step = float(np.sum((results - chance) * scores)) / curvature
        slope += max(min(step, 1.0), -1.0)
        if abs(step) <= 1e-6:
            return slope
    return float("nan")


def bin_results(labels: Labels, phase: int) -> ResultBins:
    """Scores against results, of positions of games without a proved score, in a phase."""
    chosen = (phases_of(stones_of(labels)) == phase) & (labels.beside == 0) & ~is_proved(labels.score)
    expected, results = expected_of(labels)[chosen], labels.result[chosen] / 2
    bins = np.minimum((expected * BINS).astype(np.int64), BINS - 1)
    count = np.bincount(bins, minlength=BINS)
    some = count > 0
    means = [np.bincount(bins, values, BINS)[some] / count[some] for values in (expected, results)]
    return ResultBins(
        means[0], means[1], count[some], slope_of(labels.score[chosen].astype(np.float64) / SCALE, results)
    )


def describe(labels: Labels) -> str:
    """A table by phase and origin, and figures about all positions."""
    proved = is_proved(labels.score)
    phases, expected, stones = phases_of(stones_of(labels)), expected_of(labels), stones_of(labels)
    rows = [
        (f"{name} stones", phases == phase, f"{bin_results(labels, phase).slope:.2f}")
        for phase, name in enumerate([phase_name(phase) for phase in PHASES])
    ]
    rows += [
        ("of games", labels.beside == 0, ""),
        ("below them", labels.beside > 0, ""),
        ("all", np.ones(len(proved), bool), ""),
    ]
    lines = [f"{'':<20}{'positions':>10}{'proved':>9}{'lost':>7}{'drawn':>7}{'won':>7}{'score':>12}{'slope':>7}"]
    for name, chosen, slope in rows:
        if not chosen.any():
            lines.append(f"{name:<20}{0:>10}")
            continue
        lost, drawn, won = np.bincount(labels.result[chosen], minlength=3) / chosen.sum()
        spread = f"{expected[chosen].mean():.2f} +-{expected[chosen].std():.2f}"
        lines.append(
            f"{name:<20}{chosen.sum():>10}{proved[chosen].mean():>9.1%}{lost:>7.0%}{drawn:>7.0%}{won:>7.0%}"
            f"{spread:>12}{slope:>7}"
        )
    games, twice = len(np.unique(labels.game)), duplicates(labels)
    low, middle, high = np.percentile(stones, (5, 50, 95))
    plies = np.bincount(labels.beside)[1:] / max((labels.beside > 0).sum(), 1)
    return "\n".join(
        [
            f"rule {labels.rule}, {labels.width}x{labels.height}: {len(proved)} positions of {games} games",
            *lines,
            f"stones: {middle:.0f}, nine in ten between {low:.0f} and {high:.0f}",
            f"duplicates: {twice} ({twice / len(proved):.2%})",
            "plies below a game: "
            + (", ".join(f"{number} {share:.0%}" for number, share in enumerate(plies[:6], 1)) or "none"),
            "lost, drawn, won: the game, for the side to move. "
            "score: the expected result by the search, mean and spread.",
            "slope: the factor that makes the scores of games predict the results best; 1 is ideal.",
        ]
    )


def plot(labels: Labels, path: Path) -> None:
    """Draws the same statistics, in the format of the file name's ending."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(13, 7.5), layout="constrained")
    (scores, stones, below), (results, proofs, calibration) = figure.subplots(2, 3)
    proved = is_proved(labels.score)
    for name, chosen in (("of games", labels.beside == 0), ("below them", labels.beside > 0)):
        for axes, values, high in (
            (scores, expected_of(labels)[chosen & ~proved], 1),
            (stones, stones_of(labels)[chosen], labels.width * labels.height),
        ):
            if len(values):
                axes.hist(values, 50, range=(0, high), density=True, histtype="step", label=name)
    scores.set(title="scores that are not proved", xlabel="expected result", ylabel="density")
    stones.set(title="lengths", xlabel="stones", ylabel="density")
    plies = np.bincount(labels.beside)
    below.bar(range(len(plies)), plies, log=True)
    below.xaxis.set_major_locator(MaxNLocator(integer=True))
    below.set(title="origin", xlabel="plies below a position of a game", ylabel="positions")
    phases, names = phases_of(stones_of(labels)), [phase_name(phase) for phase in PHASES]
    bottom = np.zeros(len(names))
    for value, name in enumerate(("lost", "drawn", "won")):
        share = np.array(
            [
                np.mean(labels.result[phases == phase] == value) if (phases == phase).any() else 0.0
                for phase in range(len(names))
            ]
        )
        results.bar(names, share, bottom=bottom, label=name)
        bottom += share
    results.set(title="results, for the side to move", xlabel="stones", ylabel="share")
    for offset, sign, name in ((-0.2, -1, "lost"), (0.2, 1, "won")):
        share = np.array(
            [
                np.mean(sign * labels.score[phases == phase] >= MATE_BOUND) if (phases == phase).any() else 0.0
                for phase in range(len(names))
            ]
        )
        proofs.bar(np.arange(len(names)) + offset, share, 0.4, label=name)
    proofs.set(title="proved scores", xlabel="stones", ylabel="share", xticks=range(len(names)), xticklabels=names)
    calibration.plot([0, 1], [0, 1], color="grey", linewidth=1)
    for phase, name in enumerate(names):
        found = bin_results(labels, phase)
        if len(found.positions):
            calibration.plot(
                found.expected, found.result, marker="o", markersize=3, label=f"{name} stones, slope {found.slope:.2f}"
            )
    calibration.set(title="results against scores, positions of games", xlabel="expected result", ylabel="mean result")
    for axes in (scores, stones, proofs, calibration):
        if axes.get_legend_handles_labels()[1]:
            axes.legend()
    results.legend(loc="lower center", ncols=3)
    with whole_file(path) as file:
        figure.savefig(file, format=path.suffix[1:] or "png")


def main(arguments: Sequence[str] | None = None) -> int:
    """`tengen data`."""
    parser = new_parser(
        "tengen data",
        "Shows statistics of the positions that `tengen label` wrote.",
        "tengen data inspect labels",
        "tengen data inspect labels --plot plots.png",
    )
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=argparse.ArgumentParser
    )
    inspect = commands.add_parser(
        "inspect",
        help="show statistics of positions",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Shows statistics of labelled positions: where they come from, their scores and\n"
        "results, how well scores predict results, and the number of duplicates.",
        epilog="Examples:\n  tengen data inspect labels\n  tengen data inspect labels-a labels-b --plot labels.svg",
    )
    inspect.add_argument(
        "folders", type=Path, nargs="+", help="folders that `tengen label` wrote, of one rule and board size"
    )
    inspect.add_argument(
        "--plot",
        type=Path,
        metavar="FILE",
        help="also draw the statistics into this file, .png or .svg (default: not drawn)",
    )
    options = parser.parse_args(arguments)
    try:
        if options.plot is not None:
            check_output("--plot", options.plot, options.folders, [])
        labels = read_parts(options.folders)
        if not len(labels.score):
            raise ValueError(f"there are no positions in {', '.join(map(str, options.folders))}")
        print(describe(labels))
        if options.plot is not None:
            plot(labels, options.plot)
    except (ValueError, OSError) as error:
        print(f"tengen data inspect: {sentence_of(error)}", file=sys.stderr)
        return 2
    return 0
