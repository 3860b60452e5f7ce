"""Matches without brains as processes: pairs of games with swapped colours and a fixed number of nodes a move.

The first line of a match's file records its settings (see runs.py); every other line is a pair,

    number half-points

(half-points: 0 to 4, won by the first player in both games, a draw counts as one), so that a stopped match can
continue. A pair is a function of the match and its number alone.

A sequential test may end a match before all pairs are played. It looks at the pairs in the order of their numbers, so
its verdict depends on the match alone: not on the number of processes, nor on where a match was stopped.
"""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from engine import MAX_SIZE, MIN_SIZE
from engine.board import Board
from engine.checks import shown
from engine.searcher import Searcher
from engine.training.evaluation import CLASSICAL, NO_POLICY, PACKAGE, Evaluation, find_player, new_searcher
from engine.training.openings import even_stones
from engine.training.progress import Progress, help_first, new_parser
from engine.training.rules import add_rule_flag, add_size_flag
from engine.training.runs import engine_signature, open_run
from engine.training.selfplay import TABLE_BYTES, play_out
from engine.training.work import Workers, add_flags, check_flags, open_workers, run_command

LONGEST = 150  # stones; the game is drawn then
Z95 = 1.96  # two-sided 95 % of the normal distribution

# The exit statuses of a sequential test that accepts H0, and of one that all pairs have not decided: those of `tengen
# match`.
EXIT_H0 = 3
EXIT_UNDECIDED = 4

Maker = Callable[[], Searcher]
Pentanomial = tuple[int, int, int, int, int]


class Sprt(Protocol):
    """A sequential test of the pentanomial. `tournaments.stats.sprt.Sprt` is one; `tengen` hands it over."""

    def verdict(self, counts: Pentanomial, /) -> str | None:
        """Return "H0" or "H1" once the test has ended, None before."""

    def describe(self, counts: Pentanomial, /) -> str:
        """The state of the test in one line."""


class Match(NamedTuple):
    """The settings of a match."""

    first: Evaluation
    second: Evaluation
    rule: int
    size: int
    nodes: int
    seed: str  # of the openings


def play_both_colours(
    opening: Sequence[tuple[int, int]], rule: int, size: int, nodes: int, first: Maker, second: Maker
) -> int:
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
    """The half-points of a pair. The classical evaluation always judges whether its opening is even."""
    judge = new_searcher(Evaluation(match.rule, CLASSICAL, CLASSICAL), TABLE_BYTES)
    opening = even_stones(
        random.Random(f"{match.seed}/{number}"), judge, match.size, match.size, match.rule, match.nodes
    )
    return play_both_colours(
        opening,
        match.rule,
        match.size,
        match.nodes,
        lambda: new_searcher(match.first, TABLE_BYTES),
        lambda: new_searcher(match.second, TABLE_BYTES),
    )


def play_match(path: Path, match: Match, pairs: int, workers: Workers, sprt: Sprt | None = None) -> Pentanomial:
    """Plays the pairs 0..pairs-1 that the file lacks; how many gave 0, 1, 2, 3 and 4 half-points: the pentanomial.

    With a sequential test no more pairs are played once it has a verdict, and the pentanomial is that of the pairs up
    to the one that decided it. Progress goes to stderr. Raises ValueError for the file of another match; WorkersLost,
    see `Workers.in_order`.
    """
    parameters = {
        "engine": engine_signature(),
        "first": match.first.title(),
        "second": match.second.title(),
        "rule": match.rule,
        "size": match.size,
        "nodes": match.nodes,
        "seed": match.seed,
    }
    file, lines = open_run(path, "match", parameters)
    with file:
        found: dict[int, int] = {}
        for at, line in enumerate(lines, 2):
            try:
                number, half_points = map(int, line.split())
                found[number] = range(5)[half_points]
            except (ValueError, IndexError):
                raise ValueError(f"{path}, line {at}: not a pair, {shown(line)}") from None
        counts = (0, 0, 0, 0, 0)
        missing = (number for number in range(pairs) if number not in found)
        results = workers.in_order(play_pair, ((number, match) for number in missing))
        there = sum(number < pairs for number in found)
        # Closing the results drops the pairs that have not begun when the test has ended.
        with Progress(pairs, "pairs", there) as progress, contextlib.closing(results):
            for number in range(pairs):
                is_new = number not in found
                if is_new:
                    found[number] = next(results)
                    print(number, found[number], file=file, flush=True)
                counts = add_pair(counts, found[number])
                if is_new:
                    progress.show(sum(number < pairs for number in found), f", {describe(counts)}")
                if sprt is not None and sprt.verdict(counts):
                    break
    return counts


def add_pair(counts: Pentanomial, half_points: int) -> Pentanomial:
    """The pentanomial with one pair more."""
    zero, one, two, three, four = (count + (number == half_points) for number, count in enumerate(counts))
    return zero, one, two, three, four


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
    """The score in percent with its 95 % interval, and as Elo where that has ends.

    If all pairs ended with the same result, or there is only one, their spread is unknown: then there is no interval.
    """
    score, margin = score_of(pentanomial)
    if margin == 0:
        pairs = sum(pentanomial)
        return f"{100 * score:.1f} % ({pairs} pair{'s' * (pairs > 1)} with one result, too few for an interval)"
    text = f"{100 * score:.1f} +- {100 * margin:.1f} %"
    low, high = score - margin, score + margin
    if 0 < low < high < 1:
        elo, least, most = (400 * math.log10(share / (1 - share)) for share in (score, low, high))
        text += f" ({elo:+.0f} +- {(most - least) / 2:.0f} Elo)"
    return text


def main(arguments: list[str] | None = None, make_sprt: Callable[[float, float], Sprt] | None = None) -> int:
    """`tengen train --match`; the exit status: 0, or with a sequential test 3 for H0 and 4 for no decision.

    make_sprt: makes the test of --sprt from its two hypotheses in Elo; the flag is refused without it.
    """
    parser = new_parser(
        "tengen train --match",
        "Lets two networks play pairs of games from even openings, with colours swapped and a fixed number of nodes a "
        "move, so that speed does not count. The time left is shown during the match; the same command continues a "
        "match that was stopped.",
        "tengen train --match pairs.txt my.network package --rule freestyle",
        "tengen train --match pairs.txt my.network package --rule 0 --pairs 2000 --sprt 0 10",
        note="The exit status is 0, also when the test of --sprt accepts H1; 3 when it accepts H0; 4 when all pairs "
        "are played and it is not decided.",
    )
    kind = f"FILE|{CLASSICAL}|{PACKAGE}|{NO_POLICY}"
    parser.add_argument(
        "--match",
        type=Path,
        required=True,
        metavar="HISTORY",
        help="file to write the results to; if it exists, its match is continued",
    )
    parser.add_argument(
        "first",
        metavar="A",
        help=f"the first player, {kind}: the network in a file, the classical evaluation, the network that Tengen has "
        "for the rule, or that network without the policy that orders the moves; a file NAME.policy is a policy, for "
        "the network that Tengen has",
    )
    parser.add_argument("second", metavar="B", help="the second player, in the same way")
    add_rule_flag(parser, "rule of the networks", is_required=True)
    add_size_flag(parser)
    parser.add_argument(
        "--nodes", type=int, default=10_000, help="nodes of the search of a move (default: %(default)s)"
    )
    parser.add_argument(
        "--pairs", type=int, default=100, help="pairs of games to play, with --sprt at most (default: %(default)s)"
    )
    parser.add_argument(
        "--sprt",
        type=float,
        nargs=2,
        metavar=("ELO0", "ELO1"),
        help="stop as soon as a sequential test decides whether A is ELO0 stronger (H0) or ELO1 (H1), "
        "with error probabilities of 5 %% (default: play all pairs)",
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="a whole number; each seed gives other openings (default: %(default)s)"
    )
    add_flags(parser)
    help_first(parser, arguments)
    options = parser.parse_args(arguments)
    if not MIN_SIZE <= options.size <= MAX_SIZE:
        parser.error(f"--size is from {MIN_SIZE} to {MAX_SIZE}")
    if options.nodes < 1 or options.pairs < 1:
        parser.error("--nodes and --pairs are at least 1")
    check_flags(parser, options)
    sprt = None
    if options.sprt is not None:
        if make_sprt is None:
            parser.error("--sprt needs the test of `tengen train --match`")
        try:
            sprt = make_sprt(*options.sprt)
        except ValueError as error:
            parser.error(str(error))
    status = 0

    def work() -> None:
        nonlocal status
        first, second = (find_player(source, options.rule) for source in (options.first, options.second))
        match = Match(first, second, options.rule, options.size, options.nodes, str(options.seed))
        with open_workers(options) as workers:
            pentanomial = play_match(options.match, match, options.pairs, workers, sprt)
        print(
            f"{options.first} against {options.second}: {describe(pentanomial)}, "
            f"pairs by half points {'-'.join(map(str, pentanomial))}"
        )
        if sprt is not None:
            verdict = sprt.verdict(pentanomial)
            print(sprt.describe(pentanomial) + ("" if verdict else ", not decided"))
            status = {"H1": 0, "H0": EXIT_H0}.get(verdict or "", EXIT_UNDECIDED)

    return run_command("tengen train --match", work) or status
