"""`tengen openings`: prints balanced openings, or writes measured ones to a file."""

from __future__ import annotations

import argparse
import contextlib
import sys
from itertools import islice
from pathlib import Path

from engine.board import Board
from engine.training import measured, work
from engine.training.openings import CHECK_NODES, STILL_EVEN, balanced_openings
from engine.training.progress import Progress, new_parser, plural, quantity
from engine.training.rules import add_rule_flag, add_size_flag

STONES = 2, 8  # that an opening may have: with more, random stones could make a five


def new_openings_parser() -> argparse.ArgumentParser:
    """The parser of the command."""
    parser = new_parser(
        "tengen openings",
        "Finds balanced openings and prints one a line, as `tengen match --openings` reads them. An opening is 3 to 6 "
        "random stones and a move that makes the position even; a last search checks that it is. An opening takes "
        "about 0.1 seconds with the default --nodes. With --measured, two long searches measure each opening, and a "
        "file has the openings with their scores; then an opening takes about half a minute of a core.",
        "tengen openings 100 > openings.txt",
        "tengen openings 100 --measured renju.txt --rule renju",
    )
    parser.add_argument("count", type=int, help="number of openings")
    add_rule_flag(parser, "rule of the openings")
    add_size_flag(parser)
    parser.add_argument(
        "--seed", type=int, default=1, help="a whole number; each seed gives other openings (default: %(default)s)"
    )
    parser.add_argument(
        "--nodes",
        type=int,
        help="nodes of the search that checks an opening; use as many as a move of your match takes, "
        f"otherwise some openings are won for one side (default: {CHECK_NODES}, with --measured {measured.NODES})",
    )
    parser.add_argument(
        "--even",
        type=int,
        metavar="CENTIPOINTS",
        help="the largest score, for either side, that this search may give "
        f"(default: {STILL_EVEN}, with --measured {measured.EVEN})",
    )
    parser.add_argument(
        "--stones",
        type=int,
        help=f"number of stones of each opening, {STONES[0]} to {STONES[1]}; the first move of a game of swap2 has 3 "
        "(default: 4 to 7)",
    )
    parser.add_argument(
        "--measured",
        type=Path,
        metavar="FILE",
        help="measure each opening by a search for the side to move and another one after its best move, and write "
        "the openings to this file; if it exists, its run is continued (default: print them, not measured)",
    )
    work.add_flags(parser)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """`tengen openings`: prints one opening a line, or writes measured ones to a file; see the help."""
    parser = new_openings_parser()
    options = parser.parse_args(arguments)
    is_measured = options.measured is not None
    nodes = options.nodes if options.nodes is not None else measured.NODES if is_measured else CHECK_NODES
    even = options.even if options.even is not None else measured.EVEN if is_measured else STILL_EVEN
    if options.count < 0:
        parser.error("the number of openings is at least 0")
    if nodes < 1 or even < 0:
        parser.error("--nodes is at least 1, and --even at least 0")
    work.check_flags(parser, options)
    if options.stones is not None and not STONES[0] <= options.stones <= STONES[1]:
        parser.error(f"--stones is {STONES[0]} to {STONES[1]}")
    if is_measured and options.stones is not None:
        parser.error("--stones is not for --measured, whose openings have 4 to 7 stones")
    if is_measured:
        return work.run_command("tengen openings", lambda: write_measured(options, nodes, even))
    try:
        found = islice(
            balanced_openings(options.size, options.size, options.rule, options.seed, nodes, even, options.stones),
            options.count,
        )
        # On a terminal the openings themselves show how far it has got, and in a file or a pipe for both outputs they
        # would stand within the line that does.
        shows = sys.stderr.isatty() and not sys.stdout.isatty()
        what = plural(options.count, "opening")
        with Progress(options.count, what) if shows else contextlib.nullcontext() as progress:
            for number, opening in enumerate(found, 1):
                print(opening, flush=True)
                if progress:
                    progress.show(number)
    except ValueError as error:
        print(f"tengen openings: {error}", file=sys.stderr)
        return 2
    return 0


def write_measured(options: argparse.Namespace, nodes: int, even: int) -> None:
    """Writes measured openings to the file that the flags name."""
    Board(options.size, options.size, options.rule)  # a board of this size must be possible
    with work.open_workers(options) as workers:
        has, tried = measured.run(
            options.measured, options.count, options.rule, options.size, options.seed, nodes, even, workers
        )
    openings, candidates = quantity(has, "opening"), quantity(tried, "candidate")
    print(f"{options.measured} has {openings}; {candidates} {'was' if tried == 1 else 'were'} measured")
