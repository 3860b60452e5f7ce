"""The ways a game can end."""

from enum import Enum


class Ending(Enum):
    """Why a game is over; the value is the phrase that completes "A wins by ..." or "A loses by ...".

    The first two need no fault; every other member names what the loser did.
    """

    FIVE = "five"
    FULL_BOARD = "full board"
    FOUL = "foul"
    OCCUPIED = "a move on an occupied point"
    OFF_BOARD = "a move off the board"
    GARBAGE = "an answer that is no move"
    UNASKED = "an answer that nobody asked for"
    REFUSED = "refusing the board"
    CRASH = "crash"
    STARTUP_TIMEOUT = "start-up time"
    TURN_TIMEOUT = "turn time"
    MATCH_TIMEOUT = "match time"

    @property
    def is_timeout(self) -> bool:
        """True when a clock decided."""
        return self in (Ending.STARTUP_TIMEOUT, Ending.TURN_TIMEOUT, Ending.MATCH_TIMEOUT)

    @property
    def is_by_rule(self) -> bool:
        """True when the position decided, False when a brain misbehaved."""
        return self in (Ending.FIVE, Ending.FULL_BOARD, Ending.FOUL)
