"""`tengen openings --measured`: openings whose balance two long searches have measured, in a file that says how.

A candidate is a balanced opening, as `tengen openings` finds them. One search scores it for the side to move, another
one for the other side after the best move; both scores must be near to even. No two openings of a file are the same by
symmetry. The candidates are numbered, and each depends on its number and the seed alone, so a run that was stopped goes
on where it was, with any number of processes.

The file is one of openings. Its first line records the settings, and a comment before each opening has its figures.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import NamedTuple

from engine.board import Board
from engine.knowledge.position import Position
from engine.limits import Limits
from engine.notation import format_moves, parse_moves
from engine.searcher import Searcher
from engine.training.openings import CHECK_NODES, find_opening
from engine.training.progress import Progress, plural, quantity
from engine.training.runs import engine_signature, open_run
from engine.training.work import Workers

NODES, EVEN = 5_000_000, 40
STAGES = (16, 1.5), (4, 1.25), (1, 1.0)
"""The searches of a candidate: the divisor of the nodes, and the largest score that passes, in units of the limit."""
TABLE_BYTES = 128 << 20
AHEAD = 100
"""Candidates for each worker that may be measured before an earlier one is done: some take a hundred times as long."""
COLOURS = "Black", "White"
FIGURES = re.compile(r"# (\d+): ")


class Measured(NamedTuple):
    """A measured opening: its moves; the score for the side to move and the depth of that search; the best move there;
    and the score for the other side after it, with its depth."""

    moves: str
    score: int
    depth: int
    best: str
    reply_score: int
    reply_depth: int

    def describe(self, number: int) -> str:
        """The line of its figures."""
        position = len(re.findall("[a-z]", self.moves))
        mover, other = COLOURS[position % 2], COLOURS[1 - position % 2]
        return (
            f"# {number}: {self.score:+d} for {mover} in depth {self.depth}; after {self.best} {self.reply_score:+d} "
            f"for {other} in depth {self.reply_depth}"
        )


@cache
def searcher() -> Searcher:
    """The one searcher of a process."""
    return Searcher(TABLE_BYTES)


def measure(number: int, seed: int, width: int, height: int, rule: int, nodes: int, even: int) -> Measured | None:
    """The opening of a candidate, None if it is not even.

    nodes: of each of the two searches; even: the largest score, for either side, in centipoints.
    """
    chance, engine = random.Random(f"{seed} {number}"), searcher()
    engine.clear()
    stones = find_opening(chance, engine, width, height, rule, min(CHECK_NODES, nodes), 2 * even)
    if stones is None:
        return None
    board = Board(width, height, rule)
    for cell in stones:
        board.play(*cell)
    for part, most in STAGES:
        engine.clear()
        info = engine.go(board, Limits(nodes=max(nodes // part, 1)))
        if info.mate is not None or abs(info.score) > even * most:
            return None
    board.play(*info.move)
    engine.clear()
    reply = engine.go(board, Limits(nodes=nodes))
    if reply.mate is not None or abs(reply.score) > even:
        return None
    moves, best = format_moves(stones, height), format_moves([info.move], height)
    return Measured(moves, info.score, info.depth, best, reply.score, reply.depth)


def read_run(lines: Sequence[str], width: int, height: int, rule: int) -> tuple[set[bytes], int]:
    """The keys of the openings of a file, and the number of the candidate to go on with. Raises ValueError."""
    keys, following, number = set(), 0, 0
    for line in lines:
        figures = FIGURES.match(line)
        if figures is not None:
            number = int(figures[1])
        elif not line.startswith("#") and line.strip():
            moves = format_moves(parse_moves(line.strip(), width, height), height)
            keys.add(Position.from_moves(moves, width, height, rule).key)
            following = number + 1
    return keys, following


def run(
    path: Path, wanted: int, rule: int, size: int, seed: int, nodes: int, even: int, workers: Workers
) -> tuple[int, int]:
    """Adds openings to a file until it has as many as wanted. Returns how many it has, and the candidates of this run.

    Raises ValueError for the file of a run with other settings, and WorkersLost.
    """
    parameters = {"engine": engine_signature(), "rule": rule, "size": size, "seed": seed, "nodes": nodes, "even": even}
    file, lines = open_run(path, "openings", parameters)
    tried = 0
    with file:
        keys, following = read_run(lines, size, size, rule)

        def tasks() -> Iterator[tuple[int, ...]]:
            for number in count(following):
                if len(keys) >= wanted:
                    return
                yield number, seed, size, size, rule, nodes, even

        with Progress(wanted, plural(wanted, "opening"), min(len(keys), wanted)) as progress:
            results = workers.in_order(measure, tasks(), AHEAD)
            for number, found in enumerate(results, following):
                tried += 1
                key = Position.from_moves(found.moves, size, size, rule).key if found is not None else None
                if found is not None and key is not None and key not in keys and len(keys) < wanted:
                    keys.add(key)
                    figures = found.describe(number)
                    # If the last run was stopped between these two lines, the file ends with the first one.
                    file.write(("" if lines[-1:] == [figures] else f"{figures}\n") + f"{found.moves}\n")
                    file.flush()
                    os.fsync(file.fileno())
                progress.show(len(keys), f", {quantity(tried, 'candidate')}")
                if len(keys) >= wanted:
                    results.close()
                    break
    return len(keys), tried
