"""Tunes the margins of the search by playing: simultaneous perturbation stochastic approximation (SPSA).

Each step moves all parameters at once, every one up or down at random, plays a pair of games (one opening, colours
swapped) between the two opposite points, and takes a small step towards the winner. After J. Spall, with the gains that
Fishtest uses: c shrinks with the 0.101th power of the step, a with the 0.602th.

The first line of the history file records the run's settings (see runs.py); every other line is a step,

    step wins theta...

(wins: games won less games lost by the point that was moved up, -2 to 2; theta: the parameters before the step), so
that a stopped run can continue; a step that was being played when the run was killed is played again. The direction in
which a parameter moves in a step depends on the seed and the step alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from engine.checks import shown
from engine.search import PARAMETERS
from engine.searcher import Searcher
from engine.training.match import play_both_colours
from engine.training.openings import even_stones
from engine.training.progress import Progress, help_first, new_parser
from engine.training.rules import add_rule_flag, add_size_flag
from engine.training.runs import engine_signature, open_run
from engine.training.selfplay import TABLE_BYTES
from engine.training.work import Workers, add_flags, check_flags, open_workers, run_command

OPENING_NODES = 10_000
C_POWER, A_POWER = 0.101, 0.602
C_SHARE = 1 / 20  # of a parameter's range: how far it is moved at the end of a run
A_OFFSET = 0.1  # of the steps of a run: keeps the first steps small

Values = dict[str, int]


class Run(NamedTuple):
    """The settings of a run; with the same settings and history the next step is the same."""

    rule: int
    size: int
    nodes: int
    seed: int
    steps: int
    rate: float  # step per won game at the end of a run, as a share of c


def play_pair(first: Values, second: Values, seed: str, run: Run) -> int:
    """Games won less games lost by `first` in two games from one opening, each colour once: -2 to 2."""
    opening = even_stones(random.Random(seed), Searcher(TABLE_BYTES), run.size, run.size, run.rule, OPENING_NODES)

    def searcher(values: Values) -> Searcher:
        made = Searcher(TABLE_BYTES)
        made.parameters = values
        return made

    return (
        play_both_colours(opening, run.rule, run.size, run.nodes, lambda: searcher(first), lambda: searcher(second)) - 2
    )


class Spsa:
    """The state of a run: the parameters tuned, where they are, and the step.

    names: a subset of PARAMETERS; the others keep their values.
    """

    def __init__(self, run: Run, names: Sequence[str]) -> None:
        known = {name: (value, least, greatest) for name, value, least, greatest in PARAMETERS}
        for name in names:
            if name not in known:
                raise ValueError(f"there is no search parameter '{name}'")
        self.run = run
        self.names = list(names)
        self.theta = [float(known[name][0]) for name in names]
        self.least = [known[name][1] for name in names]
        self.greatest = [known[name][2] for name in names]
        self.answered: set[int] = set()
        self.done = 0  # steps answered

    def signs(self, step: int) -> list[int]:
        """Which way each parameter moves in a step: 1 or -1."""
        rng = random.Random(f"{self.run.seed}/{step}/signs")
        return [rng.choice((-1, 1)) for _ in self.names]

    def gains(self, step: int) -> list[tuple[float, float]]:
        """(c, move) of each parameter: how far it is moved to be tried, and how far for a game won."""
        run, gains = self.run, []
        offset = A_OFFSET * run.steps
        for least, greatest in zip(self.least, self.greatest, strict=True):
            end = (greatest - least) * C_SHARE
            c = end * (run.steps / (step + 1)) ** C_POWER
            a = run.rate * end * end * ((offset + run.steps) / (offset + step + 1)) ** A_POWER
            gains.append((c, a / c))
        return gains

    def points(self, step: int) -> tuple[Values, Values]:
        """The two points that a step compares. Fractions are rounded up or down at random, so that they count."""
        rng = random.Random(f"{self.run.seed}/{step}/fractions")
        up, down = {}, {}
        for name, theta, least, greatest, sign, (c, _) in zip(
            self.names, self.theta, self.least, self.greatest, self.signs(step), self.gains(step), strict=True
        ):
            fraction = rng.random()
            up[name] = int(min(max(theta + sign * c, least), greatest) + fraction)
            down[name] = int(min(max(theta - sign * c, least), greatest) + fraction)
        return up, down

    def take(self, step: int, wins: int) -> None:
        """Moves towards the winner of a step."""
        for i, (sign, (_, move)) in enumerate(zip(self.signs(step), self.gains(step), strict=True)):
            self.theta[i] = min(max(self.theta[i] + move * wins * sign, self.least[i]), self.greatest[i])
        self.answered.add(step)
        self.done += 1


def resume(spsa: Spsa, path: Path, lines: Sequence[str]) -> None:
    """Takes the steps of a history, whose lines these are after the first. ValueError names file and line."""
    for number, line in enumerate(lines, 2):
        try:
            step, wins = map(int, line.split()[:2])
        except ValueError:
            raise ValueError(f"{path}, line {number}: not a step, {shown(line)}") from None
        if step in spsa.answered:
            raise ValueError(f"{path}, line {number}: step {step} is there twice")
        spsa.take(step, wins)


def tune(path: Path, run: Run, names: Sequence[str], workers: Workers) -> Spsa:
    """Plays the steps that are missing; progress goes to stderr, the history to `path`.

    Raises ValueError when the file belongs to another run; WorkersLost, see `Workers.in_order`.
    """
    spsa = Spsa(run, names)
    start_values = {name: value for name, value, _, _ in PARAMETERS}
    parameters = {
        **run._asdict(),
        "names": spsa.names,
        "start": [start_values[name] for name in names],
        "engine": engine_signature(),
    }
    file, lines = open_run(path, "tune --search", parameters)
    with file:
        resume(spsa, path, lines)
        missing = [step for step in range(run.steps) if step not in spsa.answered]

        def tasks() -> Iterator[tuple[Values, Values, str, Run]]:
            for step in missing:
                yield *spsa.points(step), f"{run.seed}/{step}", run

        with Progress(run.steps, "steps", spsa.done) as progress:
            for number, wins in workers.as_done(play_pair, tasks()):
                step = missing[number]
                print(step, wins, *(f"{theta:.2f}" for theta in spsa.theta), file=file, flush=True)
                spsa.take(step, wins)
                progress.show(spsa.done)
    return spsa


def main(arguments: list[str] | None = None) -> int:
    """`tengen tune --search`."""
    parser = new_parser(
        "tengen tune --search",
        "Tunes the margins of the search by playing (SPSA). Each step changes all parameters a little, plays two games "
        "between the engines with opposite changes, and moves the parameters towards the winner. The time left is "
        "shown during the run; the same command continues a run that was stopped. At the end it prints each parameter "
        "with its old and new value.",
        "tengen tune --search history.txt --steps 5000 --nodes 8000",
        "tengen tune --search history.txt --only futility,razor --steps 500",
    )
    parser.add_argument(
        "--search",
        type=Path,
        required=True,
        metavar="HISTORY",
        help="file to write the steps to; if it exists, its run is continued",
    )
    parser.add_argument(
        "--steps", type=int, default=5000, help="steps in all, each a pair of games (default: %(default)s)"
    )
    add_rule_flag(parser, "rule of the games")
    add_size_flag(parser)
    parser.add_argument("--nodes", type=int, default=8000, help="nodes of the search of a move (default: %(default)s)")
    parser.add_argument(
        "--rate",
        type=float,
        default=0.02,
        help="how far the last step moves a parameter for a game won, as a share of the change that "
        "was tried (default: %(default)s)",
    )
    parser.add_argument(
        "--only",
        default="",
        metavar="NAMES",
        help="names of the parameters to tune, separated by commas (default: all)",
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="a whole number; each seed gives other games (default: %(default)s)"
    )
    add_flags(parser)
    help_first(parser, arguments)
    options = parser.parse_args(arguments)
    if options.steps < 1 or options.nodes < 1:
        parser.error("--steps and --nodes are at least 1")
    check_flags(parser, options)
    names = options.only.split(",") if options.only else [entry[0] for entry in PARAMETERS]
    run = Run(options.rule, options.size, options.nodes, options.seed, options.steps, options.rate)

    def work() -> None:
        with open_workers(options) as workers:
            spsa = tune(options.search, run, names, workers)
        before = {name: value for name, value, _, _ in PARAMETERS}
        for name, theta in zip(spsa.names, spsa.theta, strict=True):
            print(f"{name:24} {before[name]:5} -> {theta:8.2f}")

    return run_command("tengen tune --search", work)
