"""How hard a puzzle is: what the brain's levels solve, and the rating that follows from it."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from functools import cache

import engine
from engine import Board
from pbrain.levels import LEVELS, choose
from pbrain.thinker import Allowance, Thinker
from tournaments.board.engines.level_ratings import level_ratings
from tournaments.board.puzzles.puzzle import MOST_RATING
from tournaments.board.puzzles.rating import START, level_rating
from tournaments.rules.referee import Cell

ASKED = 4
"""How often each level is asked."""
FULL_NODES = 30_000
"""For the level of full strength, which has no limit of its own: three times as many as the level below it."""
TABLE_BYTES = 1 << 20
SPREAD = 400.0
"""The standard deviation of the ratings of puzzles, assumed before any level has tried one."""


@cache
def _thinker() -> Thinker:
    """One for each process: its table is cleared before each answer."""
    thinker = Thinker(lambda: engine)
    thinker.allot(0, TABLE_BYTES)
    return thinker


def solved_by_levels(board: Board, move: Cell, seed: int) -> tuple[int, ...]:
    """How many of ASKED tries each level finds the move in, level 1 first."""
    thinker = _thinker()

    def build(unseen: Iterable[Cell]) -> Board:
        copy = board.copy()
        for cell in unseen:
            copy.block(*cell)
        return copy

    counts = []
    for level in LEVELS:
        allowance = Allowance(lambda: 0.0, None, nodes=level.nodes)
        right = 0
        for number in range(ASKED):
            thinker.forget()
            chance = random.Random(f"{seed}/{board.key}/{level.nodes}/{number}")
            right += choose(thinker, build, level, (), chance, allowance).move == move
        counts.append(right)
    thinker.forget()
    full = thinker.go(board, {"nodes": FULL_NODES}).move == move
    return (*counts, ASKED * full)


def rate(solved: Sequence[int]) -> int:
    """The most probable rating of a puzzle, from the number of solved tries of each level, out of ASKED. Ratings are
    spread around START, and a solver with the same rating solves half of the tries, by Elo's formula."""
    ratings = [level_rating(level) for level in sorted(level_ratings())]

    def likelihood(rating: int) -> float:
        total = -((rating - START) ** 2) / (2 * SPREAD**2)
        for level, count in zip(ratings, solved, strict=True):
            chance = 1 / (1 + 10 ** ((rating - level) / 400))
            total += count * math.log(chance) + (ASKED - count) * math.log(1 - chance)
        return total

    return max(range(0, MOST_RATING + 1, 10), key=likelihood)
