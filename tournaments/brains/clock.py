"""A brain's clock: the time that the brain may take for an answer, and the rest of its time for the match.

The clock runs from our question to the brain's answer, and at no other time. An answer may be late by the tolerance;
the match clock pays for that time too. Times are seconds of wall time.
"""

from dataclasses import dataclass

from tournaments.brains.limits import BrainLimits
from tournaments.rules.ending import Ending


@dataclass(frozen=True)
class Turn:
    """The time for one answer: it begins at `began`, and an answer after `deadline` loses the game by `late`."""

    began: float
    deadline: float
    late: Ending


class BrainClock:
    """The clock of one brain for one game.

    left: the rest of the time for the match, None without a limit. used: the time of all answers. slowest: the longest
    time of an answer, even if the answer came too late or never.
    """

    def __init__(self, limits: BrainLimits) -> None:
        self.left = limits.match
        self.used = 0.0
        self.slowest = 0.0
        self._limits = limits

    def begin(self, now: float) -> Turn:
        """The turn that begins now: it has the limit of a turn, or the rest of the match if that is less."""
        limit, late = self._limits.turn, Ending.TURN_TIMEOUT
        if self.left is not None and self.left < limit:
            limit, late = self.left, Ending.MATCH_TIMEOUT
        return Turn(now, now + max(0.0, limit) + self._limits.tolerance, late)

    def note(self, took: float) -> None:
        """The brain has thought so long, whether its answer counts or not."""
        self.slowest = max(self.slowest, took)

    def charge(self, took: float) -> None:
        """The brain has answered after so long: the match clock pays for it, and gets its increment."""
        self.used += took
        if self.left is not None:
            self.left += self._limits.increment - took
