"""Ends games early by the settings of the group Early ends."""

import math
from collections.abc import Sequence

from tournaments.brains.search_info import SearchInfo
from tournaments.rules.ending import Ending
from tournaments.setup.game_rules import Adjudication


def judge(
    adjudication: Adjudication, stones: int, infos: Sequence[SearchInfo], mover: int
) -> tuple[Ending, int | None] | None:
    """The verdict after a move of `mover`, with `stones` on the board; None if the game goes on.

    `infos` belong to the moves that brains have made, in turn, the mover's last.
    """
    if adjudication.win_score is not None and len(infos) >= 2 * adjudication.win_moves:
        values = [_value(info) for info in infos[-2 * adjudication.win_moves :]]
        for winner, own, other in ((mover, values[1::2], values[::2]), (1 - mover, values[::2], values[1::2])):
            least = adjudication.win_score
            if all(value >= least for value in own) and all(value <= -least for value in other):
                return Ending.AGREED_WIN, winner
    if adjudication.draw_score is not None and len(infos) >= 2 * adjudication.draw_moves:
        last = infos[-2 * adjudication.draw_moves :]
        if all(abs(_value(info)) <= adjudication.draw_score for info in last):
            return Ending.AGREED_DRAW, None
    if adjudication.draw_after is not None and stones >= adjudication.draw_after:
        return Ending.LONG_GAME, None
    return None


def _value(info: SearchInfo) -> float:
    """The score, infinite for a forced win or loss; NaN without a score, so that every comparison is false."""
    if info.mate is not None:
        return math.copysign(math.inf, info.mate)
    return math.nan if info.score is None else info.score
