"""The ways a game can end, and how to say so."""

from enum import Enum

from tournaments.rules.referee import BLACK, COLOUR_NAMES

END_NORMAL = 0
END_TIMEOUT = 15
END_ERROR = -2
"""End codes, as Piskvork writes them: the position or the manager decided, a clock did, or another fault."""


class Ending(Enum):
    """Why a game is over; the value is the phrase that completes "A wins by ...", "A loses by ..." or "draw by ...".

    The first three follow from the rules, the next four are verdicts of the manager that the user asked for; every
    other member names what the loser did.
    """

    FIVE = "five"
    FULL_BOARD = "full board"
    FOUL = "foul"
    PROVED_WIN = "proved victory by continuous fours"
    AGREED_WIN = "agreement of scores"
    AGREED_DRAW = "agreement of level scores"
    LONG_GAME = "length of the game"
    OCCUPIED = "a move on an occupied point"
    OFF_BOARD = "a move off the board"
    GARBAGE = "an answer that is not a move"
    UNASKED = "an answer without a request"
    REFUSED = "refusing the board"
    CRASH = "crash"
    FLOOD = "flooding its output"
    MEMORY = "using too much memory"
    PROCESSES = "starting too many processes"
    STARTUP_TIMEOUT = "start-up time"
    TURN_TIMEOUT = "turn time"
    MATCH_TIMEOUT = "match time"

    @property
    def is_timeout(self) -> bool:
        """True when a clock decided."""
        return self in (Ending.STARTUP_TIMEOUT, Ending.TURN_TIMEOUT, Ending.MATCH_TIMEOUT)

    @property
    def is_by_rule(self) -> bool:
        """True when the position decided, False when the manager did or a brain misbehaved."""
        return self in (Ending.FIVE, Ending.FULL_BOARD, Ending.FOUL)

    @property
    def is_adjudicated(self) -> bool:
        """True when the manager cut a sound game short."""
        return self in (Ending.PROVED_WIN, Ending.AGREED_WIN, Ending.AGREED_DRAW, Ending.LONG_GAME)

    @property
    def is_fault(self) -> bool:
        """True when a brain misbehaved: neither the rules nor the manager ended the game."""
        return not self.is_by_rule and not self.is_adjudicated

    @property
    def end_code(self) -> int:
        """The ending as records have it: END_NORMAL, END_TIMEOUT or END_ERROR."""
        return END_TIMEOUT if self.is_timeout else END_ERROR if self.is_fault else END_NORMAL


def format_result(winner: int | None) -> str:
    """Black's points, then White's: "1-0" when Black (0) won, "0-1" when White (1) did, "1/2-1/2" for a draw (None)."""
    return "1/2-1/2" if winner is None else "1-0" if winner == BLACK else "0-1"


def points_for(colour: int, winner: int | None) -> float:
    """What that side of a game got: 1, 0.5 or 0."""
    return 0.5 if winner is None else float(winner == colour)


def describe_ending(names: tuple[str, str], ending: Ending, winner: int | None, detail: str) -> str:
    """How a game between (Black, White) ended: names the winner of a win, and the loser of everything that loses."""
    particulars = f" ({detail})" if detail else ""
    if winner is None:
        return f"draw by {ending.value}{particulars}"
    if ending is Ending.FIVE or ending.is_adjudicated:
        return f"{names[winner]} wins by {ending.value}{particulars}"
    loser = 1 - winner
    return f"{names[loser]} ({COLOUR_NAMES[loser]}) loses by {ending.value}{particulars}"
