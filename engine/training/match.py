"""Matches within the process: pairs of games from one opening, colours swapped, at a number of nodes a move.

A match's file says in its first line what it is made of (see runs.py); every other line is a pair,

    number half-points

(half-points: 0 to 4, what the first player made of both games, a draw counted as one), so that a match that was stopped
goes on where it was. A pair is a function of the match and its number alone.
"""
from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from engine import MAX_SIZE, MIN_SIZE, RULES
from engine.board import Board
from engine.searcher import Searcher
from engine.training.evaluation import CLASSICAL, PACKAGE, Evaluation, find_evaluation, new_searcher
from engine.training.openings import even_stones
from engine.training.runs import engine_signature, open_run
from engine.training.selfplay import TABLE_BYTES, play_out
from engine.training.work import Workers, add_flags, check_flags, open_workers, run_command

LONGEST = 150            # stones; who has not won by then has drawn
Z95 = 1.96               # two-sided 95 % of the normal distribution

Maker = Callable[[], Searcher]


class Match(NamedTuple):
    """What a match is made of."""

    first: Evaluation
    second: Evaluation
    rule: int
    size: int
    nodes: int
    seed: str                # of the openings


def play_both_colours(opening: Sequence[tuple[int, int]], rule: int, size: int, nodes: int, first: Maker,
                      second: Maker) -> int:
    """The half-points, 0 to 4, that `first` makes in two games from one opening, each colour once."""
    half_points = 0.0
    for colour in (0, 1):
        sides = [first(), second()] if colour == 0 else [second(), first()]
        board = Board(size, size, rule)
        for stone in opening:
            board.play(*stone)
        result, _, _ = play_out(board, sides, nodes, LONGEST)
        half_points += 2 * (result if colour == 0 else 1 - result)
    return round(half_points)


def play_pair(number: int, match: Match) -> int:
    """The half-points of a pair. The classical evaluation finds its opening even, whoever plays."""
    judge = new_searcher(Evaluation(match.rule, CLASSICAL, CLASSICAL), TABLE_BYTES)
    opening = even_stones(random.Random(f"{match.seed}/{number}"), judge, match.size, match.size, match.rule,
                          match.nodes)
    return play_both_colours(opening, match.rule, match.size, match.nodes,
                             lambda: new_searcher(match.first, TABLE_BYTES),
                             lambda: new_searcher(match.second, TABLE_BYTES))


def play_match(path: Path, match: Match, pairs: int, workers: Workers) -> list[int]:
    """Plays the pairs 0..pairs-1 that the file lacks; how many gave 0, 1, 2, 3 and 4 half-points: the pentanomial.

    Progress goes to stderr. Raises ValueError for the file of another match; WorkersLost, see `Workers.in_order`.
    """
    parameters = {"engine": engine_signature(), "first": match.first.name, "second": match.second.name,
                  "rule": match.rule, "size": match.size, "nodes": match.nodes, "seed": match.seed}
    file, lines = open_run(path, "match", parameters)
    with file:
        found: dict[int, int] = {}
        for at, line in enumerate(lines, 2):
            try:
                number, half_points = map(int, line.split())
                found[number] = range(5)[half_points]
            except (ValueError, IndexError):
                raise ValueError(f"{path}, line {at}: no pair, '{line[:40]}'") from None
        missing = [number for number in range(pairs) if number not in found]
        results = workers.in_order(play_pair, ((number, match) for number in missing))
        for number, half_points in zip(missing, results, strict=True):
            print(number, half_points, file=file, flush=True)
            found[number] = half_points
            print(f"\r{len(found)} of {pairs} pairs, {describe(count_pairs(found, pairs))} ", end="", file=sys.stderr,
                  flush=True)
    print(file=sys.stderr)
    return count_pairs(found, pairs)


def count_pairs(found: dict[int, int], pairs: int) -> list[int]:
    """The pentanomial of the pairs below `pairs`."""
    results = [half_points for number, half_points in found.items() if number < pairs]
    return [results.count(half_points) for half_points in range(5)]


def score_of(pentanomial: Sequence[int]) -> tuple[float, float]:
    """The first player's share of the points, 0..1, and the half-width of its 95 % interval, by pairs.

    A pair's games are not independent, so it is the spread of the pairs that counts. (0.5, 0.5) without any.
    """
    pairs = sum(pentanomial)
    if not pairs:
        return 0.5, 0.5
    score = sum(count * half_points / 4 for half_points, count in enumerate(pentanomial)) / pairs
    variance = sum(count * (half_points / 4 - score) ** 2 for half_points, count in enumerate(pentanomial)) / pairs
    return score, Z95 * math.sqrt(variance / pairs)


def describe(pentanomial: Sequence[int]) -> str:
    """The score in percent with its 95 % interval, and as Elo where that has ends."""
    score, margin = score_of(pentanomial)
    text = f"{100 * score:.1f} +- {100 * margin:.1f} %"
    low, high = score - margin, score + margin
    if 0 < low < high < 1:
        elo, least, most = (400 * math.log10(share / (1 - share)) for share in (score, low, high))
        text += f" ({elo:+.0f} +- {(most - least) / 2:.0f} Elo)"
    return text


def main(arguments: list[str] | None = None) -> int:
    """`tengen train --match`."""
    parser = argparse.ArgumentParser(prog="tengen train --match",
                                     description="Two networks play pairs of games from even openings, colours "
                                                 "swapped, at a number of positions a move: of no matter how fast.")
    kind = f"FILE|{CLASSICAL}|{PACKAGE}"
    parser.add_argument("--match", type=Path, required=True, metavar="HISTORY",
                        help="file of the pairs played; a match that was stopped goes on where it left off")
    parser.add_argument("first", metavar="A", help=f"what plays: {kind}, the last what the package has for the rule")
    parser.add_argument("second", metavar="B", help="and against whom")
    parser.add_argument("--rule", type=int, required=True, choices=RULES, help="of the networks")
    parser.add_argument("--size", type=int, default=15, help=f"cells a side, {MIN_SIZE} to {MAX_SIZE} (%(default)s)")
    parser.add_argument("--nodes", type=int, default=10_000, help="positions a move (%(default)s)")
    parser.add_argument("--pairs", type=int, default=100, help="of games (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other openings (%(default)s)")
    add_flags(parser)
    options = parser.parse_args(arguments)
    if not MIN_SIZE <= options.size <= MAX_SIZE:
        parser.error(f"--size is from {MIN_SIZE} to {MAX_SIZE}")
    if options.nodes < 1 or options.pairs < 1:
        parser.error("--nodes and --pairs are at least 1")
    check_flags(parser, options)

    def work() -> None:
        first, second = (find_evaluation(None if source == PACKAGE else source, options.rule)
                         for source in (options.first, options.second))
        match = Match(first, second, options.rule, options.size, options.nodes, str(options.seed))
        with open_workers(options) as workers:
            pentanomial = play_match(options.match, match, options.pairs, workers)
        print(f"{options.first} against {options.second}: {describe(pentanomial)}, "
              f"pairs by half points {'-'.join(map(str, pentanomial))}")

    return run_command("tengen train --match", work)
