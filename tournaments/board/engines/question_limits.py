"""How long a brain may think about one question, and at what level: the same for the page and the terminal."""

from dataclasses import dataclass

from tournaments.board.game.events import LEVELS, Seat
from tournaments.brains.limits import BrainLimits

FULL_STRENGTH = 100
"""The value of INFO strength without a level."""

TURN = 2.0
NODES_TURN = 60.0
"""Seconds for a move without any limit, and for a move that only its nodes limit."""

_TOLERANCE = 5.0  # seconds: a late answer does no harm, but a brain that never answers must be noticed
_OUTPUT = 64 << 20


@dataclass(frozen=True)
class QuestionLimits:
    """The limits of one answer: a level from 1 to 10, seconds, nodes, plies of depth; None for no such limit.

    threads: how many search. memory: in bytes, None for the usual size.
    """

    level: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    threads: int = 1
    memory: int | None = None

    @property
    def turn(self) -> float:
        """The seconds that the brain has."""
        return self.seconds or (NODES_TURN if self.nodes else TURN)

    def information(self, has_levels: bool) -> list[tuple[str, str]]:
        """INFO keys and values. A brain with levels is told all of them, because it may know others from before."""
        information = [("max_node", str(self.nodes or 0))] if has_levels or self.nodes else []
        if has_levels:
            information.append(("strength", str(FULL_STRENGTH if self.level is None else strength_of(self.level))))
        return information


def limits_of(seat: Seat) -> QuestionLimits:
    """The limits of the brain in that seat."""
    return QuestionLimits(seat.level, None if seat.turn_ms is None else seat.turn_ms / 1000, seat.nodes)


def brain_limits(turn: float, memory: int) -> BrainLimits:
    """The limits of a brain that has `turn` seconds for its answer, and `memory` bytes."""
    return BrainLimits(turn=turn, tolerance=_TOLERANCE, memory=memory, output=_OUTPUT)


def strength_of(level: int) -> int:
    """The value of INFO strength for a level of 1 to 10."""
    return FULL_STRENGTH * level // LEVELS[-1]
