"""`tengen book measure`: how good the records of a store are.

Positions drawn at random are searched again, and the best moves and the scores are compared.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from math import exp
from pathlib import Path
from typing import NamedTuple

from engine.board import Board
from engine.constants import MATE, MATE_BOUND
from engine.knowledge.following import walk
from engine.knowledge.position import Cell, Position
from engine.knowledge.record import EXACT, Record
from engine.knowledge.store import Store
from engine.limits import Limits
from engine.notation import format_moves, parse_moves
from engine.training.book import searcher, table_bytes
from engine.training.book_tree import BETWEEN_TELLS
from engine.training.progress import Progress, new_parser, plural, quantity
from engine.training.rules import add_rule_flag, add_size_flag
from engine.training.work import add_flags, check_flags, open_workers, run_command

NAME = "tengen book measure"
COUNT, NODES = 1000, 1_000_000
NEAR, FAR = 30, 100  # centipoints
SHARE_SCALE = 150.0  # centipoints in which the odds of the share grow by e, as the tables of a store show it


class Again(NamedTuple):
    """The result of a new search of a position.

    score: of its best move; own: of the move of the record, the same number if it is the best move; is_same: whether it
    is, or one that a symmetry makes equal.
    """

    score: int
    own: int
    is_same: bool


def search_again(moves: str, width: int, height: int, rule: int, best: Cell, nodes: int) -> Again:
    """Searches the position after these moves, and if another move than `best` is found, also that after `best`."""
    board = Board.from_moves(moves, width, height, rule)
    position, engine = Position.of(board), searcher(table_bytes(nodes))
    engine.clear()
    info = engine.go(board, Limits(nodes=nodes))
    if position.after(info.move).key == position.after(best).key:
        return Again(info.score, info.score, True)
    board.play(*best)
    if board.winner() is not None:
        return Again(info.score, MATE - 1, False)  # another five
    if board.is_full():
        return Again(info.score, 0, False)
    engine.clear()
    return Again(info.score, -engine.go(board, Limits(nodes=nodes)).score, False)


def draw(
    store: Store, start: Position, count: int, seed: int, tell: Callable[[int], object] = lambda read: None
) -> tuple[list[tuple[list[Cell], Record]], int]:
    """Searched records that known moves lead to from a position, drawn at random, and the number of all of them.

    With each comes one way to its position. Records without a best move are left out. tell: is called with the number
    of positions read, now and then.
    """
    chance, met = random.Random(seed), 0
    drawn: list[tuple[list[Cell], Record]] = []
    for read, (moves, _, known) in enumerate(walk(store, start), 1):
        if read % BETWEEN_TELLS == 0:
            tell(read)
        record = known.entry.record if known.entry is not None else None
        if record is None or record.kind != EXACT or record.is_set or record.best is None:
            continue
        met += 1
        if len(drawn) < count:
            drawn.append((moves, record))
        elif (place := chance.randrange(met)) < count:
            drawn[place] = moves, record
    return drawn, met


def sentences(records: Sequence[Record], found: Sequence[Again]) -> list[str]:
    """The result of the comparison of the records with the new searches."""

    def share(count: int) -> str:
        return f"{100 * count / len(found):.1f} %"

    same = sum(again.is_same for again in found)
    near = sum(not again.is_same and again.own >= again.score - NEAR for again in found)
    mates = sum(abs(again.score) >= MATE_BOUND for again in found)
    differences = [abs(record.score - again.score) for record, again in zip(records, found, strict=True)]
    shares = [abs(win_share(r.score) - win_share(again.score)) for r, again in zip(records, found, strict=True)]
    return [
        f"best move: the same in {share(same)}, another one that is worse by {NEAR} centipoints at most in "
        f"{share(near)}, a worse one in {share(len(found) - same - near)}",
        f"score: within {NEAR} centipoints in {share(sum(each <= NEAR for each in differences))}, within {FAR} in "
        f"{share(sum(each <= FAR for each in differences))}; the share differs by "
        f"{100 * sum(shares) / len(found):.1f} points on average; {share(mates)} are proved now",
    ]


def win_share(score: int) -> float:
    """The share that a score in centipoints stands for: 1 for a proved win, 0 for a proved loss.

    >>> win_share(0), win_share(-29_990)
    (0.5, 0.0)
    """
    if abs(score) >= MATE_BOUND:
        return float(score > 0)
    return 1 / (1 + exp(-score / SHARE_SCALE))


def new_measure_parser() -> argparse.ArgumentParser:
    """The parser of the command."""
    parser = new_parser(
        NAME,
        "Searches positions of a store again, drawn at random from those that known moves lead to, and tells how often "
        "the best move and the score agree with the records. 1000 positions with 1,000,000 nodes take about half an "
        "hour of a core.",
        "tengen book measure opening.book",
        "tengen book measure renju.book --rule renju --moves h8i9 --count 100",
    )
    parser.add_argument("store", type=Path, metavar="STORE", help="file of a store, or a shard")
    parser.add_argument("--moves", default="", help="the positions after these moves (default: from the empty board)")
    add_rule_flag(parser, "rule")
    add_size_flag(parser)
    parser.add_argument("--count", type=int, default=COUNT, help="number of positions (default: %(default)s)")
    parser.add_argument("--nodes", type=int, default=NODES, help="nodes of each new search (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="each seed draws other positions (default: %(default)s)")
    add_flags(parser)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """`tengen book measure`: how good the records of a store are; see the help."""
    parser = new_measure_parser()
    options = parser.parse_args(arguments)
    if options.count < 1 or options.nodes < 1:
        parser.error("--count and --nodes are at least 1")
    check_flags(parser, options)

    def work() -> None:
        size, rule = options.size, options.rule
        start = parse_moves(options.moves, size, size)
        with Store(options.store, is_read_only=True) as store:
            place = Position.from_moves(format_moves(start, size), size, size, rule)
            with Progress(store.count(), "positions read", unit="second") as progress:
                drawn, met = draw(store, place, options.count, options.seed, progress.show)
        if not drawn:
            raise ValueError(f"no known move leads from there to a searched position in {options.store}")
        tasks = [
            (format_moves([*start, *moves], size), size, size, rule, record.best, options.nodes)
            for moves, record in drawn
        ]
        found: list[Again] = []
        try:
            with open_workers(options) as workers, Progress(len(tasks), plural(len(tasks), "position")) as progress:
                for again in workers.in_order(search_again, tasks):
                    found.append(again)
                    progress.show(len(found))
        finally:
            if found:  # of a run that was stopped too
                number = quantity(met, "searched position")
                print(f"{len(found)} of {number}, searched again with {options.nodes:,} nodes")
                for sentence in sentences([record for _, record in drawn[: len(found)]], found):
                    print(sentence)

    return run_command(NAME, work, goes_on=False)
