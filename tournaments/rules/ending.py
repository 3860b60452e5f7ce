"""The ways in which a game can end, and their sentences."""

from enum import Enum

from tournaments.rules.referee import BLACK, COLOUR_NAMES

END_NORMAL = 0
END_TIMEOUT = 15
END_ERROR = -2
"""End codes, as Piskvork writes them: decided by the position or the manager, by a clock, or by another fault."""


class Ending(Enum):
    """Why a game is over; the value is a short name for lists, which also completes "A wins by ..." and "draw by ...".

    The first three follow from the rules; the next four are decisions of the manager, which settings ask for; every
    other member is a fault of the loser, and FAULTS has the words that complete "A loses: ...".
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

    def describe_fault(self, detail: str) -> str:
        """The fault as a clause about the brain, "it ...", with the particulars if there are any."""
        clause = FAULTS.get(self, self.value)
        return f"{clause} ({detail})" if detail else clause

    @property
    def is_timeout(self) -> bool:
        """True if a clock decided the game."""
        return self in (Ending.STARTUP_TIMEOUT, Ending.TURN_TIMEOUT, Ending.MATCH_TIMEOUT)

    @property
    def is_by_rule(self) -> bool:
        """True if the position decided the game, False if the manager or a fault did."""
        return self in (Ending.FIVE, Ending.FULL_BOARD, Ending.FOUL)

    @property
    def is_adjudicated(self) -> bool:
        """True if the manager ended the game early, without a fault."""
        return self in (Ending.PROVED_WIN, Ending.AGREED_WIN, Ending.AGREED_DRAW, Ending.LONG_GAME)

    @property
    def is_fault(self) -> bool:
        """True if a fault of a brain ended the game."""
        return not self.is_by_rule and not self.is_adjudicated

    @property
    def end_code(self) -> int:
        """The end code of records: END_NORMAL, END_TIMEOUT or END_ERROR."""
        return END_TIMEOUT if self.is_timeout else END_ERROR if self.is_fault else END_NORMAL


FAULTS = {
    Ending.OCCUPIED: "it moved to an occupied point",
    Ending.OFF_BOARD: "it moved off the board",
    Ending.GARBAGE: "its answer is not a move",
    Ending.UNASKED: "it answered without a request",
    Ending.REFUSED: "it refused the board",
    Ending.CRASH: "its program ended",
    Ending.FLOOD: "it wrote too much output",
    Ending.MEMORY: "it used too much memory",
    Ending.PROCESSES: "it started too many processes",
    Ending.STARTUP_TIMEOUT: "its start-up time ran out",
    Ending.TURN_TIMEOUT: "its turn time ran out",
    Ending.MATCH_TIMEOUT: "its match time ran out",
}
"""The faults of a brain that lost a game by one, as clauses about the brain."""


def format_result(winner: int | None) -> str:
    """Black's points, then White's: "1-0" when Black (0) won, "0-1" when White (1) did, "1/2-1/2" for a draw (None)."""
    return "1/2-1/2" if winner is None else "1-0" if winner == BLACK else "0-1"


def points_for(colour: int, winner: int | None) -> float:
    """The points of that side of a game: 1, 0.5 or 0."""
    return 0.5 if winner is None else float(winner == colour)


def describe_ending(names: tuple[str, str], ending: Ending, winner: int | None, detail: str) -> str:
    """The end of a game between (Black, White) as a sentence, with the winner of a win or the loser of a fault."""
    particulars = f" ({detail})" if detail else ""
    if winner is None:
        return f"draw by {ending.value}{particulars}"
    if ending is Ending.FIVE or ending.is_adjudicated:
        return f"{names[winner]} wins by {ending.value}{particulars}"
    loser = 1 - winner
    who = f"{names[loser]} ({COLOUR_NAMES[loser]})"
    return f"{who} loses: {ending.describe_fault(detail)}" if ending.is_fault else f"{who} loses by a foul{particulars}"
