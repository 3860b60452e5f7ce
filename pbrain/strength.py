"""Weaker play that still looks like a person's: fewer positions are looked at, and now and then the second best is good
enough. Fives and fours, its own and the opponent's, are never missed at any level.
"""
from __future__ import annotations

from pbrain.settings import FULL_STRENGTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random
    from types import ModuleType

    from engine import Board, Info
    from pbrain.thinker import Allowance, Point, Thinker

LEAST_NODES = 16
DOUBLING = 8  # points of strength that double the positions looked at: from 16 to some 80,000
SLIPS = 0.5  # how often a beginner plays what is only nearly the best
SLIP_CHOICES = 3


def node_limit(strength: int) -> int:
    """Positions that a search of this strength visits at most."""
    return int(LEAST_NODES * 2 ** (strength / DOUBLING))


def slip_margin(strength: int) -> int:
    """What a slip may cost, in centipoints."""
    return 4 * (FULL_STRENGTH - strength)


def is_forced(board: Board, engine: ModuleType) -> bool:
    """Whether someone can make a five or a live four next: no moment for a slip."""
    wins = slice(engine.CLASS_LIVE_FOUR, engine.CLASS_FIVE + 1)
    return any(count for colour in (0, 1) for count in board.classes(colour)[wins])


def choose(
    thinker: Thinker, board: Board, strength: int, exclude: Iterable[Point], chance: Random, allowance: Allowance
) -> Info:
    """A move of the given strength, 0 to 99."""
    exclude = list(exclude)
    if is_forced(board, thinker.engine()) or chance.random() >= SLIPS * (1 - strength / FULL_STRENGTH):
        return thinker.go(board, allowance.limits(allowance.depth), exclude)
    lines = thinker.best_lines(board, SLIP_CHOICES, allowance, exclude)
    good_enough = [
        info for info in lines if info.score >= lines[0].score - slip_margin(strength) and info.mate == lines[0].mate
    ]
    return chance.choice(good_enough or lines[:1])
