"""The benchmark: fixed positions, fixed depth, one thread, and a signature that every build must reproduce."""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Callable
from itertools import count

from engine.board import Board
from engine.board_probe import make_and_undo
from engine.limits import Limits
from engine.network import network_problem
from engine.policy import policy_problem
from engine.rules import RULES
from engine.searcher import Searcher

# (rule, size, moves as letter and number, Black first, a1 at the bottom left)
POSITIONS = (
    (0, 15, "h8i9"),
    (0, 15, "h8g9f10g8g7"),
    (0, 15, "h8i7g9i9i8g6j7k8h7h9"),
    (0, 20, "j11k10l11k12m10k9"),
    (0, 20, "k11l10m11l12j10k9k12l9"),
    (1, 15, "h8h9j10i9f9"),
    (1, 15, "h8g7i7g9g8f8i10j9i9i8"),
    (1, 20, "k11l10j10k9i11l12m11"),
    (4, 15, "h8h7h10i6i10i7g7g8j5i9"),
    (4, 15, "h8i7i9g9h10j8h6g7"),
)
DEFAULT_DEPTH = 14
TABLE_BYTES = 16 << 20
PAIRS = 40_000
ROUNDS = 5


def board_of(rule: int, size: int, text: str) -> Board:
    """The board of a bench position."""
    return Board.from_moves(text, size, size, rule)


def measure_pairs() -> float:
    """Make and undo pairs a second over the bench positions: the best of a few rounds, because noise only adds time."""
    boards = [board_of(*position) for position in POSITIONS]
    best = 0.0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        made = sum(make_and_undo(board, PAIRS) for board in boards)
        best = max(best, made / (time.perf_counter() - start))
    return best


def signature(
    depth: int, evaluator: str = "network", show: Callable[[], object] = lambda: None
) -> tuple[str, int, float, list[dict[str, object]]]:
    """Search every position `depth` plies deep with a fresh table and an evaluator, "network" or "classical".

    show: is called after each position. Returns the signature (eight hex digits over scores, moves and the nodes that
    led to them), the number of all nodes, the seconds they took, and the searcher's statistics of each position.
    """
    digest = hashlib.sha256()
    nodes, seconds, statistics = 0, 0.0, []
    for position in POSITIONS:
        searcher = Searcher(TABLE_BYTES)
        searcher.evaluator = evaluator
        start = time.perf_counter()
        info = searcher.go(board_of(*position), Limits(depth=depth))
        seconds += time.perf_counter() - start
        counters = searcher.statistics
        is_solved = info.depth == info.mate  # by a solver: else its nodes led nowhere, and stay out of the signature
        counted = info.nodes if is_solved else counters["nodes"]
        nodes += info.nodes
        digest.update(f"{counted} {info.score} {info.move}\n".encode())
        statistics.append(counters)
        show()
    return digest.hexdigest()[:8], nodes, seconds, statistics


def print_statistics(statistics: list[dict[str, object]], milliseconds: int) -> None:
    """How well moves were ordered in the fixed-depth searches, and how deep each position goes in a given time."""
    cuts = sum(s["cuts"] for s in statistics)  # type: ignore[misc]
    at = [sum(s["cuts_at"][i] for s in statistics) for i in range(8)]  # type: ignore[index]
    total = sum(s["nodes"] for s in statistics)  # type: ignore[misc]
    print(
        "Cut by move     : "
        + (
            f"first {at[0] / cuts:.2%}, by the second {sum(at[:2]) / cuts:.2%}, "
            f"by the fourth {sum(at[:4]) / cuts:.2%}, by the seventh {sum(at[:7]) / cuts:.2%}"
            if cuts
            else "no move cut, the search was too shallow"
        )
    )
    for name in ("quiescence", "table_cuts", "static_wins"):
        share = sum(s[name] for s in statistics) / total  # type: ignore[misc]
        print(f"{name.replace('_', ' '):16}: {share:.1%} of nodes")
    print(f"In {milliseconds} ms:")
    for rule, size, text in POSITIONS:
        info = Searcher().go(board_of(rule, size, text), Limits(turn_ms=milliseconds))
        print(
            f"  rule {rule} {size:2} {text:24} depth {info.depth:2}-{info.selective_depth:<3} score {info.score:6} "
            f"nodes {info.nodes}"
        )


def main(arguments: list[str] | None = None) -> int:
    """`tengen bench`."""
    parser = argparse.ArgumentParser(
        prog="tengen bench",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=f"Searches {len(POSITIONS)} fixed positions to a fixed depth with one thread, once with\n"
        "the classical evaluation and once with the network. Prints the speed, and a\n"
        "signature that all builds of the same engine share. Takes a few seconds.",
        epilog="Examples:\n  tengen bench\n  tengen bench --depth 12 --stats --time 500",
    )
    parser.add_argument(
        "--depth",
        type=int,
        default=DEFAULT_DEPTH,
        help="depth of each search in plies, 1 to 60; each further ply takes longer than the last "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--stats",
        action="store_true",
        help="also print how well moves were ordered, and the depth reached in a fixed time",
    )
    parser.add_argument(
        "--time",
        type=int,
        default=1000,
        metavar="MS",
        help="with --stats: that time for each position, in milliseconds (default: %(default)s)",
    )
    options = parser.parse_args(arguments)
    if not 1 <= options.depth <= 60:
        parser.error(f"--depth is 1 to 60, not {options.depth}")
    if options.time < 1:
        parser.error(f"--time is at least 1, not {options.time}")
    problems = [problem for rule in RULES if (problem := network_problem(rule) or policy_problem(rule))]
    if problems:
        print(f"tengen bench: {problems[0]}", file=sys.stderr)
        return 2
    pairs = measure_pairs()
    searches = count(1)

    def show() -> None:
        if options.depth > DEFAULT_DEPTH:  # which can take minutes
            print(f"\r{next(searches)} of {2 * len(POSITIONS)} searches ", end="", file=sys.stderr, flush=True)

    classical, classical_nodes, classical_seconds, _ = signature(options.depth, "classical", show)
    code, nodes, seconds, statistics = signature(options.depth, "network", show)
    if options.depth > DEFAULT_DEPTH:
        print(file=sys.stderr)
    print(f"Make+undo/second: {pairs:.0f}")
    print(f"Nodes           : {nodes}, classical {classical_nodes}")
    print(f"Nodes/second    : {nodes / seconds:.0f}, classical {classical_nodes / classical_seconds:.0f}")
    print(f"Seconds         : {seconds:.2f}, classical {classical_seconds:.2f}")
    if options.stats:
        print_statistics(statistics, options.time)
    print(f"Classical: {classical}")
    print(f"Bench: {code}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
