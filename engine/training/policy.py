"""Fits a policy of the order of moves to cut nodes of searches: `tengen tune --policy`.

The searches begin in positions of games. At some of the nodes that fail high, where the side to move is free and the
table has no move, every move is tried (cuts.pyx), and the policy learns to put those first that cut (policy_fit.py).

The nodes go into a file, whose first line records the run's settings (see runs.py); every other line is a search,

    number nodes

(nodes: those where some moves cut and some do not; before each, a byte has the number of its moves; all compressed, as
base64), so that a stopped run can continue. The settings of the run and the number of a search determine its nodes.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import zlib
from pathlib import Path

from engine.checks import shown
from engine.limits import Limits
from engine.network import patterns_signature
from engine.training.cuts import CELL, CUTS, CutSampler
from engine.training.evaluation import Evaluation, new_searcher
from engine.training.outputs import check_output, naming, only_run
from engine.training.policy_fit import Fit, fit, line_of, nodes_of, rounded
from engine.training.progress import Progress, help_first, new_parser
from engine.training.runs import engine_signature, open_run
from engine.training.selfplay import Record, read_records
from engine.training.tune import HELD_OUT, TABLE_BYTES, check_moves, needs, position_of, rule_of
from engine.training.work import Workers, add_flags, check_flags, open_workers, run_command
from engine.weights.policies import write_policy


def find_nodes(record: Record, number: int, nodes: int, every: int, evaluation: Evaluation | None = None) -> str:
    """The nodes of a search of `nodes` from a position of a game, which `number` chooses, as text for a line.

    evaluation: None for the package's.
    """
    sampler = CutSampler(every, for_policy=True)
    sampler.watch(new_searcher(evaluation, TABLE_BYTES), position_of(record, number), Limits(nodes=nodes))
    parts = [bytes([len(node) // CELL.size]) + node for node in sampler.nodes if tells(node)]
    return base64.b64encode(zlib.compress(b"".join(parts))).decode("ascii")


def tells(node: bytes) -> bool:
    """Whether one order of the moves is better than another: some cut, and some do not."""
    return len({flags & CUTS for _, _, flags, *_ in CELL.iter_unpack(node)}) > 1


def read_nodes(text: str) -> list[bytes]:
    """The nodes of a line. Raises ValueError for another text."""
    try:
        data = zlib.decompress(base64.b64decode(text, validate=True))
    except zlib.error as error:
        raise ValueError(str(error)) from None
    found = []
    while data:
        length = 1 + data[0] * CELL.size
        if len(data) < length or length == 1:
            raise ValueError("ends within a node")
        found.append(data[1:length])
        data = data[length:]
    return found


def collect_nodes(
    path: Path,
    records: list[Record],
    searches: int,
    nodes: int,
    every: int,
    workers: Workers,
    evaluation: Evaluation | None = None,
) -> tuple[list[bytes], list[bytes]]:
    """The nodes of the searches 0..searches-1, those fitted to and those held out; `path` keeps them.

    evaluation: of the searches, None for the package's. Progress goes to stderr. Raises ValueError when the file
    belongs to another run; WorkersLost, see `Workers.in_order`.
    """
    games = hashlib.sha256("".join(f"{record}\n" for record in records).encode()).hexdigest()[:8]
    parameters: dict[str, object] = {"engine": engine_signature(), "games": games, "nodes": nodes, "every": every}
    if evaluation is not None:
        parameters["network"] = evaluation.title()
    file, lines = open_run(path, "tune --policy", parameters)
    found: dict[int, list[bytes]] = {}
    with file:
        for at, line in enumerate(lines, 2):
            try:
                name, text = line.split()
                found[int(name)] = read_nodes(text)
            except ValueError:
                raise ValueError(f"{path}, line {at}: not a search, {shown(line)}") from None
        missing = [number for number in range(searches) if number not in found]
        tasks = ((records[number % len(records)], number, nodes, every, evaluation) for number in missing)
        there = searches - len(missing)
        with Progress(searches, "searches", there) as progress:
            for count, (at, text) in enumerate(workers.as_done(find_nodes, tasks, ahead=1), 1):
                print(missing[at], text, file=file, flush=True)
                found[missing[at]] = read_nodes(text)
                if count % 20 == 0 or count == len(missing):
                    progress.show(there + count)
    fitted: list[bytes] = []
    held_out: list[bytes] = []
    for number in range(searches):  # the order in which they were found does not count
        is_held_out = records[number % len(records)].number % HELD_OUT == 0
        (held_out if is_held_out else fitted).extend(found[number])
    return fitted, held_out


def too_few(found: tuple[list[bytes], list[bytes]]) -> str:
    """The sentence on nodes that are too few for a fit, "" for enough."""
    return "" if all(found) else f"{len(found[0])} nodes to fit to and {len(found[1])} held out are too few"


def fit_policy(rule: int, found: tuple[list[bytes], list[bytes]], settings: Fit, command: str, output: Path) -> str:
    """Fits a policy to the nodes that `collect_nodes` found, and writes it; a line on its gain.

    command: how the nodes were found, for the card. Raises ValueError without nodes, OSError if it cannot be written.
    """
    if fault := too_few(found):
        raise ValueError(fault)
    train, test = map(nodes_of, found)
    weights = fit(train, test, settings)
    card = {
        "rule": rule,
        "patterns": patterns_signature(rule),
        "command": f"{command}; {settings.epochs} epochs in batches of {settings.batch}, rate {settings.rate:g}, seed "
        f"{settings.seed}",
        "engine": engine_signature(),
    }
    policy, whole = rounded(weights, card)
    line = line_of(train, test, whole)
    policy.card["losses"] = line
    with naming(output):
        write_policy(output, policy)
    return line


def work(options: argparse.Namespace) -> None:
    """Does what the command is about; its exceptions are those of `run_command`."""
    needs("scipy")
    files = [("a file of games", path) for path in options.games] + [("--policy", options.policy)]
    check_output("--output", options.output, [], files)
    records = [record for path in options.games for record in read_records(path)]
    check_moves(records)
    rule = rule_of(records)
    with only_run(options.output):
        with open_workers(options) as workers:
            found = collect_nodes(options.policy, records, options.searches, options.nodes, options.every, workers)
        settings = Fit(options.epochs, options.batch, options.rate, options.seed)
        command = (
            f"tengen tune --policy, {len(records)} games, {options.searches} searches of {options.nodes} nodes, one "
            f"cut in {options.every}"
        )
        print(fit_policy(rule, found, settings, command, options.output))
        print(f"wrote {options.output}")


def main(arguments: list[str] | None = None) -> int:
    """`tengen tune --policy`."""
    parser = new_parser(
        "tengen tune --policy",
        "Fits a policy, which orders the moves that the tables of pattern codes rate nearly the same. Positions of "
        "the games are searched; at some nodes every move is tried, and the policy learns to put those first that end "
        "the search of the node. The time left is shown during the run; the same command continues a run that was "
        "stopped. It needs the package scipy. The default takes some 10 minutes on two cores.",
        "tengen tune --policy nodes.txt games.txt --output freestyle.policy",
        "tengen tune --policy nodes.txt games.txt more-games.txt --output freestyle.policy --epochs 20",
    )
    parser.add_argument(
        "--policy",
        type=Path,
        required=True,
        metavar="NODES",
        help="file to write the nodes to; if it exists, its run is continued",
    )
    parser.add_argument("games", nargs="+", type=Path, help="files that `tengen selfplay` wrote, all of one rule")
    parser.add_argument("--output", type=Path, required=True, help="file to write the policy to")
    parser.add_argument(
        "--searches", type=int, default=40_000, help="number of positions that are searched (default: %(default)s)"
    )
    parser.add_argument(
        "--nodes", type=int, default=10_000, help="nodes of each of these searches (default: %(default)s)"
    )
    parser.add_argument(
        "--every",
        type=int,
        default=8,
        metavar="N",
        help="learn from every Nth node where a move ended the search (default: %(default)s)",
    )
    parser.add_argument(
        "--epochs", type=int, default=12, help="how often the fit goes through the nodes (default: %(default)s)"
    )
    parser.add_argument("--batch", type=int, default=256, help="nodes of a step of the fit (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=0.01, help="length of the first steps (default: %(default)s)")
    parser.add_argument(
        "--seed", type=int, default=1, help="a whole number; each seed begins elsewhere (default: %(default)s)"
    )
    add_flags(parser)
    help_first(parser, arguments)
    options = parser.parse_args(arguments)
    if not (
        min(options.searches, options.nodes, options.every, options.epochs, options.batch) >= 1
        and 0 < options.rate <= 1
        and options.seed >= 0
    ):
        parser.error(
            "--searches, --nodes, --every, --epochs and --batch are at least 1, --rate is above 0 and at most 1, "
            "--seed is at least 0"
        )
    check_flags(parser, options)
    return run_command("tengen tune --policy", lambda: work(options))
