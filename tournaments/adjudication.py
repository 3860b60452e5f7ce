"""When the manager ends a sound game early, if it was asked to."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.ending import Ending
from tournaments.thought import Thought


@dataclass(frozen=True)
class Adjudication:
    """What ends a game early; None and False, the defaults, end nothing.

    draw_after: the game is drawn when so many stones are on the board. win_score: a side has won when for its last
    `win_moves` moves it has said a score of at least this, and the other side, for its last `win_moves` moves, at most
    minus this; forced wins and losses count as any score. draw_score: the game is drawn when both sides, for their last
    `draw_moves` moves each, have said scores between minus this and this. Scores are in the brains' own units.
    proves_wins: the side to move has won when it has a proved victory by continuous fours, see vcf.py.
    """

    draw_after: int | None = None
    win_score: float | None = None
    win_moves: int = 4
    draw_score: float | None = None
    draw_moves: int = 10
    proves_wins: bool = False

    def judge(self, stones: int, thoughts: Sequence[Thought], mover: int) -> tuple[Ending, int | None] | None:
        """The verdict when there are `stones` on the board and `mover` has just moved; None to play on.

        `thoughts` are those of the moves that brains have made, in turn, the mover's last.
        """
        if self.win_score is not None and len(thoughts) >= 2 * self.win_moves:
            values = [_value(thought) for thought in thoughts[-2 * self.win_moves :]]
            for winner, own, other in ((mover, values[1::2], values[::2]), (1 - mover, values[::2], values[1::2])):
                if all(value >= self.win_score for value in own) and all(value <= -self.win_score for value in other):
                    return Ending.AGREED_WIN, winner
        if self.draw_score is not None and len(thoughts) >= 2 * self.draw_moves:
            last = thoughts[-2 * self.draw_moves :]
            if all(abs(_value(thought)) <= self.draw_score for thought in last):
                return Ending.AGREED_DRAW, None
        if self.draw_after is not None and stones >= self.draw_after:
            return Ending.LONG_GAME, None
        return None


def _value(thought: Thought) -> float:
    """The score, a forced result being infinite; silence is no number and agrees with nothing."""
    if thought.mate is not None:
        return math.copysign(math.inf, thought.mate)
    return math.nan if thought.score is None else thought.score
