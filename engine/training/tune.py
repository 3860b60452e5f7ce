"""Fits the evaluation and the move ordering to games of the engine against itself.

The evaluation is linear: a weight for every pattern code and for every mask of threats. Logistic regression fits it to
a mixture of the game's result and the search's score. The ordering is fitted as a choice: a softmax over the moves of
nodes that failed high (cuts.pyx), so that the first move is likely to be one of those that cut. There is one fit for
sides with a free choice, and one for sides that must stop a live four. L-BFGS (scipy) finds the minimum. A pull towards
the old weights keeps the weights of rare codes near them. The method is Texel tuning, as Rapfi applies it to pattern
codes.
"""

from __future__ import annotations

import argparse
import random
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.board import Board
from engine.constants import PATTERN_CODES as CODES
from engine.constants import THREAT_MASKS as THREATS
from engine.limits import Limits
from engine.searcher import Searcher
from engine.training.cuts import CutSampler
from engine.training.features import orderings, sparse, tables_of
from engine.training.progress import Progress, new_parser
from engine.training.scores import SCALE, Floats, cross_entropy, sigmoid
from engine.training.selfplay import Record, read_records
from engine.training.work import Workers, add_flags, check_flags, open_workers, run_command
from engine.weights import origin, save_tables

if TYPE_CHECKING:
    from scipy import sparse as sp  # imported only where it is needed, so that the help works without it

ORDER_UNIT = 24.0  # ordering points in which a move is e times as likely
TABLE_BYTES = 8 << 20
PLOTTED = (".png", ".svg")
HELD_OUT = 10  # every tenth game is kept out of the fit
VALUE_PULL = 0.002  # strength of the pull towards the old weights, per weight in units of SCALE
THREAT_PULL = 0.002
ORDER_PULL = 0.005
VALUE_ITERATIONS, ORDER_ITERATIONS = 400, 300  # of a fit, at most

Node = tuple[bool, int, list[int], list[int], list[int], list[bool]]  # see engine.training.cuts
Curve = list[tuple[float, float]]  # mean loss after each iteration, on the games fitted to and on those held out


class Positions(NamedTuple):
    """The inputs of the evaluation in n positions, from the side to move."""

    codes: sp.csr_matrix  # [n, 2 * CODES] how often over two plies, halved; minus for the other side
    threats: npt.NDArray[np.int64]  # [n] column of the threat table: mask, + THREATS for white to move
    targets: Floats  # [n] expected score of the side to move, 0..1
    is_held_out: npt.NDArray[np.bool_]


class Choices(NamedTuple):
    """The inputs of the ordering in n nodes: all moves, one node's after another's."""

    own: npt.NDArray[np.int64]  # [m] own code, + CODES for white to move
    other: npt.NDArray[np.int64]  # [m] the other side's code, + CODES when the other side is white
    bonus: Floats  # [m] what history and counter-moves add, in units of ORDER_UNIT
    cuts: npt.NDArray[np.bool_]  # [m] whether the move cuts
    first: npt.NDArray[np.int64]  # [n] where each node's moves begin
    is_held_out: npt.NDArray[np.bool_]


def expected(score: int) -> float:
    """The expected score that a search score stands for."""
    return float(sigmoid(score / SCALE))


def collect(records: list[Record], share: float) -> Positions:
    """Replays the games. share: how much of a target is the game's result, the rest being the search's score."""
    from scipy import sparse as sp

    # Arrays, for 10,000 games make a hundred million numbers.
    indices, counts, rows = array("i"), array("i"), array("q", [0])
    threats, targets, held = array("i"), array("d"), array("b")
    with Progress(len(records), "games read") as progress:
        for number, record in enumerate(records, 1):
            board = Board(record.width, record.height, record.rule)
            for ply, (x, y) in enumerate(record.moves):
                if ply >= record.opening:
                    side = board.side_to_move
                    sign = 1 if side == 0 else -1
                    score = record.scores[ply - record.opening]
                    found = sparse(board)
                    if found is not None:
                        result = record.result if side == 0 else 1 - record.result
                        indices.extend(found[0])
                        counts.extend(
                            sign * n if i < CODES else -sign * n for i, n in zip(found[0], found[1], strict=True)
                        )
                        rows.append(len(indices))
                        threats.append(found[2] + THREATS * side)
                        targets.append(share * result + (1 - share) * expected(score))
                        held.append(record.number % HELD_OUT == 0)
                board.play(x, y)
            if number % 100 == 0 or number == len(records):
                progress.show(number)
    codes = sp.csr_matrix(
        (np.array(counts, dtype=np.float64) / 2, np.array(indices), np.array(rows)), shape=(len(targets), 2 * CODES)
    )
    return Positions(codes, np.array(threats), np.array(targets), np.array(held, dtype=bool))


def find_cuts(record: Record, number: int, nodes: int, every: int) -> list[Node]:
    """One in `every` cut nodes of a search of `nodes` from a position of a game, which `number` chooses."""
    sampler = CutSampler(every)
    sampler.watch(Searcher(TABLE_BYTES), position_of(record, number), Limits(nodes=nodes))
    return sampler.nodes


def check_moves(records: Iterable[Record]) -> None:
    """Raises ValueError for a game without a move after its opening."""
    for record in records:
        if len(record.moves) == record.opening:
            raise ValueError(f"game {record.number} has no move after its opening")


def check_scores(records: Iterable[Record]) -> None:
    """Raises ValueError for a game that has not one score for each move after its opening."""
    for record in records:
        moves = len(record.moves) - record.opening
        if len(record.scores) != moves:
            raise ValueError(
                f"game {record.number} has {moves} moves after its opening and {len(record.scores)} scores"
            )


def position_of(record: Record, number: int) -> Board:
    """A position of a game, which `number` chooses."""
    board = Board(record.width, record.height, record.rule)
    for x, y in record.moves[: random.Random(number).randrange(record.opening, len(record.moves))]:
        board.play(x, y)
    return board


class Nodes:
    """Cut nodes, gathered one by one."""

    def __init__(self) -> None:
        self.own, self.other, self.bonus = array("i"), array("i"), array("d")
        self.cuts, self.first, self.held = array("b"), array("q"), array("b")

    def add(self, node: Node, is_held_out: bool) -> None:
        _, side, own, other, bonus, cuts = node
        self.first.append(len(self.own))
        self.held.append(is_held_out)
        self.own.extend(code + CODES * side for code in own)
        self.other.extend(code + CODES * (1 - side) for code in other)
        self.bonus.extend(points / ORDER_UNIT for points in bonus)
        self.cuts.extend(cuts)

    def choices(self) -> Choices:
        return Choices(
            np.array(self.own),
            np.array(self.other),
            np.array(self.bonus),
            np.array(self.cuts, dtype=bool),
            np.array(self.first),
            np.array(self.held, dtype=bool),
        )


def collect_cuts(
    records: list[Record], searches: int, nodes: int, every: int, workers: Workers
) -> tuple[Choices, Choices]:
    """Searches positions from the games in turn: the choices of sides that are free, and the others.

    The others must stop a live four. nodes: of a search, of whose cut nodes one in `every` is kept. Progress goes to
    stderr.
    """
    free, stops = Nodes(), Nodes()
    chosen = [records[number % len(records)] for number in range(searches)]
    found = workers.in_order(find_cuts, ((record, number, nodes, every) for number, record in enumerate(chosen)))
    with Progress(searches, "searches") as progress:
        for number, (record, sampled) in enumerate(zip(chosen, found, strict=True), 1):
            for node in sampled:
                if any(node[5]) and not all(node[5]):  # else every order is as good
                    (stops if node[0] else free).add(node, record.number % HELD_OUT == 0)
            if number % 100 == 0 or number == searches:
                progress.show(number)
    return free.choices(), stops.choices()


def rule_of(records: list[Record]) -> int:
    """The rule of the games. Raises ValueError when there are none, or of several rules."""
    rules = sorted({record.rule for record in records})
    if not rules:
        raise ValueError("the files hold no games")
    if len(rules) != 1:
        raise ValueError(f"the games must all be of one rule, not of {', '.join(map(str, rules))}")
    return rules[0]


def tie(rule: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Which free parameter each weight and each threat uses: the colours share theirs except in renju."""
    codes, threats = np.arange(2 * CODES), np.arange(2 * THREATS)
    return (codes, threats) if rule == 4 else (codes % CODES, threats % THREATS)


@contextmanager
def iterations(most: int, note: Callable[[Floats], None]) -> Iterator[Callable[[Floats], None]]:
    """A function to call after each iteration of a fit: it calls `note`, and shows the progress on stderr."""
    done = count(1)
    with Progress(most, "iterations at most") as progress:

        def noted(x: Floats) -> None:
            note(x)
            progress.show(next(done))

        yield noted


def fit_values(
    data: Positions, rule: int, old: Floats, old_threats: Floats, curve: Curve | None = None
) -> tuple[Floats, Floats, str]:
    """New weights and threats, [2 * CODES] and [2 * THREATS] in centipoints, and a line on the loss held out.

    curve: a list to which the losses after each iteration are added.
    """
    from scipy import sparse as sp
    from scipy.optimize import minimize

    code_map, threat_map = tie(rule)
    width, height = code_map.max() + 1, threat_map.max() + 1
    train = np.flatnonzero(~data.is_held_out)
    test = np.flatnonzero(data.is_held_out)
    fold = sp.csr_matrix((np.ones(2 * CODES), (np.arange(2 * CODES), code_map)), shape=(2 * CODES, width))
    codes = (data.codes @ fold).tocsr()
    threats = threat_map[data.threats]
    prior = (
        np.concatenate(
            [
                np.bincount(code_map, old) / np.bincount(code_map),
                np.bincount(threat_map, old_threats) / np.bincount(threat_map),
            ]
        )
        / SCALE
    )
    pull = np.concatenate([np.full(width, VALUE_PULL), np.full(height, THREAT_PULL)]) * len(train) ** 0.5

    def logits(x: Floats, rows: npt.NDArray[np.int64]) -> Floats:
        return np.asarray(codes[rows] @ x[:width] + x[width:][threats[rows]])

    train_codes, train_threats, train_targets = codes[train], threats[train], data.targets[train]

    def loss(x: Floats) -> tuple[float, Floats]:
        z = np.asarray(train_codes @ x[:width] + x[width:][train_threats])
        error = sigmoid(z) - train_targets
        gradient = np.concatenate([train_codes.T @ error, np.bincount(train_threats, error, minlength=height)])
        away = (x - prior) * SCALE / 20
        return (
            float(cross_entropy(z, train_targets).sum() + 0.5 * (pull * away**2).sum()),
            gradient + pull * away * SCALE / 20,
        )

    # The old weights may be on another scale: the best factor is where the pull is to.
    factors = np.geomspace(0.25, 4, 25)
    prior = prior * min(factors, key=lambda f: cross_entropy(logits(prior * f, train), data.targets[train]).mean())
    before = cross_entropy(logits(prior, test), data.targets[test]).mean()

    def note(x: Floats) -> None:
        if curve is not None:
            curve.append(
                (
                    float(cross_entropy(logits(x, train), train_targets).mean()),
                    float(cross_entropy(logits(x, test), data.targets[test]).mean()),
                )
            )

    note(prior)
    with iterations(VALUE_ITERATIONS, note) as noted:
        best = minimize(
            loss,
            prior.copy(),
            jac=True,
            method="L-BFGS-B",
            callback=noted,
            options={"maxiter": VALUE_ITERATIONS, "maxfun": 500},
        )
    after = cross_entropy(logits(best.x, test), data.targets[test]).mean()
    known = np.clip(data.targets[test], 1e-6, 1 - 1e-6)
    floor = cross_entropy(np.log(known / (1 - known)), known).mean()
    fitted = best.x * SCALE
    line = f"{len(train)} positions, held out {len(test)}: loss {before:.4f} -> {after:.4f} (targets alone {floor:.4f})"
    return fitted[:width][code_map], fitted[width:][threat_map], line


def fit_order(
    data: Choices, rule: int, old_own: Floats, old_other: Floats, curve: Curve | None = None
) -> tuple[Floats, Floats, str]:
    """New ordering tables for own and other code, [2 * CODES] each in points, and a line on the loss held out.

    The loss of a node is -ln of the softmax's probability of a move that cuts. curve: is given the losses after each
    iteration. Raises ValueError when there are no nodes to fit to or none held out.
    """
    from scipy.optimize import minimize

    if data.is_held_out.all() or not data.is_held_out.any():
        raise ValueError(f"{len(data.first)} cut nodes are too few to fit an ordering to")
    code_map, _ = tie(rule)
    width = code_map.max() + 1
    own, other = code_map[data.own], code_map[data.other]
    group = np.zeros(len(own), dtype=np.int64)
    group[data.first[1:]] = 1
    group = np.cumsum(group)
    weight = np.where(data.is_held_out, 0.0, 1.0)
    share = np.bincount(code_map)
    prior = np.concatenate([np.bincount(code_map, old_own) / share, np.bincount(code_map, old_other) / share])
    prior /= ORDER_UNIT
    pull = ORDER_PULL * weight.sum() ** 0.5

    def scores(x: Floats) -> Floats:
        return np.asarray(x[own] + x[width + other] + data.bonus)

    def softmax(x: Floats) -> tuple[Floats, Floats, Floats]:
        # Each move's share among all moves of its node and among those that cut, and each node's loss.
        z = scores(x)
        good = np.where(data.cuts, z, -np.inf)
        total, good_total = (np.logaddexp.reduceat(part, data.first) for part in (z, good))
        return np.exp(z - total[group]), np.exp(good - good_total[group]), total - good_total

    def loss(x: Floats) -> tuple[float, Floats]:
        p, q, losses = softmax(x)
        error = (p - q) * weight[group]
        gradient = np.concatenate([np.bincount(table, error, minlength=width) for table in (own, other)])
        away = x - centre
        return float((losses * weight).sum() + 0.5 * pull * (away**2).sum()), gradient + pull * away

    factors = np.geomspace(0.1, 10, 25)
    centre = prior * min(factors, key=lambda f: softmax(prior * f)[2].mean())

    def note(x: Floats) -> None:
        if curve is not None:
            losses = softmax(x)[2]
            curve.append((float(losses[~data.is_held_out].mean()), float(losses[data.is_held_out].mean())))

    def describe(x: Floats) -> tuple[float, float]:
        # On the nodes held out: the loss, and how often the first move in the order cuts.
        z = scores(x)
        is_best = z == np.maximum.reduceat(z, data.first)[group]
        hits = np.bincount(group, is_best & data.cuts) / np.bincount(group, is_best)
        return float(softmax(x)[2][data.is_held_out].mean()), float(hits[data.is_held_out].mean())

    note(centre)
    with iterations(ORDER_ITERATIONS, note) as noted:
        best = minimize(
            loss,
            centre.copy(),
            jac=True,
            method="L-BFGS-B",
            callback=noted,
            options={"maxiter": ORDER_ITERATIONS, "maxfun": 400},
        )
    before, after = describe(prior), describe(best.x)
    line = (
        f"{int(weight.sum())} nodes, held out {len(weight) - int(weight.sum())}: loss {before[0]:.3f} -> "
        f"{after[0]:.3f}, the first move cuts in {before[1]:.1%} -> {after[1]:.1%}"
    )
    points = best.x * ORDER_UNIT
    return points[:width][code_map], points[width:][code_map], line


def to_int16(values: Floats, limit: int) -> npt.NDArray[np.int16]:
    return np.clip(np.rint(values), -limit, limit).astype("<i2")


def plot(path: Path, curves: dict[str, Curve]) -> None:
    """The losses over the iterations of each fit, side by side, as the kind of picture that the file's name says."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.5 * len(curves), 3.5), layout="constrained")
    for axes, (title, curve) in zip(figure.subplots(1, len(curves)), curves.items(), strict=True):
        for losses, label in zip(zip(*curve, strict=True), ("fitted to", "held out"), strict=True):
            axes.plot(losses, label=label)
        axes.set(title=title, xlabel="iteration", ylabel="loss, nats")
        axes.legend()
    figure.savefig(path)


def main(arguments: list[str] | None = None) -> int:
    """`tengen tune`."""
    parser = new_parser(
        "tengen tune",
        "Fits the weights of the classical evaluation and of the move ordering to self-play games. The evaluation "
        "learns to predict results and search scores; the ordering learns to put moves first that end a search. It "
        "needs the packages scipy and, for --plot, matplotlib. The default number of "
        "searches takes about 10 minutes on one core; each stage shows its time left.",
        "tengen tune games.txt --output freestyle.bin",
        "tengen tune games.txt --only evaluation --output freestyle.bin",
        note="`tengen tune --search HISTORY` tunes the margins of the search instead, and `tengen tune --policy NODES` "
        "fits a policy of the order of moves: see `tengen tune --search --help` and `tengen tune --policy --help`.",
    )
    parser.add_argument("games", nargs="+", type=Path, help="files that `tengen selfplay` wrote, all of one rule")
    parser.add_argument("--output", type=Path, required=True, help="file to write the weights to")
    parser.add_argument(
        "--result-share",
        type=float,
        default=0.5,
        metavar="0..1",
        help="share of the game's result in what the evaluation is to predict; the rest is the "
        "search's score (default: %(default)s)",
    )
    parser.add_argument(
        "--only", choices=("evaluation", "ordering"), help="fit only this and keep the other (default: fit both)"
    )
    parser.add_argument(
        "--searches",
        type=int,
        default=6000,
        help="number of positions that are searched to learn the ordering (default: %(default)s)",
    )
    parser.add_argument(
        "--nodes", type=int, default=30_000, help="nodes of each of these searches (default: %(default)s)"
    )
    parser.add_argument(
        "--every",
        type=int,
        default=48,
        metavar="N",
        help="learn from every Nth node where a move ended the search (default: %(default)s)",
    )
    add_flags(parser)
    parser.add_argument(
        "--plot",
        type=Path,
        metavar="FILE",
        help="also draw the losses of the fit into this file, .png or .svg (default: not drawn)",
    )
    options = parser.parse_args(arguments)
    if min(options.searches, options.nodes, options.every) < 1:
        parser.error("--searches, --nodes and --every are at least 1")
    if not 0 <= options.result_share <= 1:
        parser.error("--result-share is from 0 to 1")
    if options.plot and options.plot.suffix.lower() not in PLOTTED:
        parser.error(f"the name of the --plot file ends in {' or '.join(PLOTTED)}")
    check_flags(parser, options)
    return run_command("tengen tune", lambda: fit(options), goes_on=False)


def needs(name: str) -> None:
    """Raises ModuleNotFoundError without a package that the fit needs."""
    if find_spec(name) is None:
        raise ModuleNotFoundError(f"this needs {name}", name=name)


def check_written(path: Path, games: list[Path]) -> None:
    """Raises ValueError when writing to a path would lose games, OSError when it cannot be written: before the work."""
    if any(path.exists() and game.exists() and path.samefile(game) for game in games):
        raise ValueError(f"{path} is one of the files of games, and would be overwritten")
    is_new = not path.exists()
    path.open("ab").close()
    if is_new:
        path.unlink()


def fit(options: argparse.Namespace) -> None:
    """Does what the command is about. Raises ValueError for what cannot be fitted, OSError as files do, and
    ModuleNotFoundError for a package that it needs."""
    needs("scipy")
    if options.plot:
        needs("matplotlib")
    for path in filter(None, (options.output, options.plot)):
        check_written(path, options.games)
    records = [record for path in options.games for record in read_records(path)]
    check_moves(records)
    if options.only != "ordering":
        check_scores(records)
    rule = rule_of(records)
    curves: dict[str, Curve] = {}
    board = Board(15, 15, rule)
    black, white, black_threats, white_threats = (np.array(table, dtype=float) for table in tables_of(board))
    values, threats = np.concatenate([black, white]), np.concatenate([black_threats, white_threats])
    own, other = (np.array(table, dtype=float).reshape(2, 2 * CODES) for table in orderings(board))
    if options.only != "ordering":
        curves["evaluation"] = []
        values, threats, line = fit_values(
            collect(records, options.result_share), rule, values, threats, curves["evaluation"]
        )
        print("evaluation:", line)
    if options.only != "evaluation":
        with open_workers(options) as workers:
            found = collect_cuts(records, options.searches, options.nodes, options.every, workers)
        for at, name in enumerate(("ordering, free", "ordering, stops")):
            curves[name] = []
            try:
                own[at], other[at], line = fit_order(found[at], rule, own[at], other[at], curves[name])
            except ValueError as error:
                raise ValueError(f"{error}: more --searches, or more games") from None
            print(f"{name}:", line)
    command = f"tengen tune, {len(records)} games of rule {rule}"
    if options.only != "ordering":
        command += f", result share {options.result_share:g}"
    if options.only != "evaluation":
        command += f", {options.searches} searches of {options.nodes} nodes, one cut in {options.every}"
    if options.only:
        command += f", only the {options.only}; before that: {origin(rule)}"
    save_tables(
        options.output,
        command,
        to_int16(values, 2000).tobytes(),
        to_int16(threats, 4000).tobytes(),
        to_int16(own, 2000).tobytes(),
        to_int16(other, 2000).tobytes(),
    )
    print(f"wrote {options.output}")
    if options.plot:
        plot(options.plot, curves)


if __name__ == "__main__":
    sys.exit(main())
