"""Teaching in a game against our brain: each move of the person is looked at before the brain answers it.

The proofs come from a process of their own, as the coach's do, but not from the coach's own process: a review may take
minutes, and a game does not wait for it.
"""

import asyncio
import contextlib
from typing import Any

from tournaments.board.engines.brain_registry import HOUSE_BRAIN
from tournaments.board.game.facts import GameFacts
from tournaments.board.game.refusal import Refused
from tournaments.board.review.review_process import ReviewProcess
from tournaments.brains.command import Command
from tournaments.records.record import Record

PATIENCE = 20.0
"""Seconds after which the game goes on without a judgement."""


def may_teach(game: GameFacts) -> bool:
    """Whether a game can teach: a person at this screen against our brain, without clocks."""
    kinds = {seat.kind for seat in game.seats}
    is_ours = all(seat.brain in (None, HOUSE_BRAIN) for seat in game.seats)
    return kinds == {"local", "brain"} and is_ours and game.clocks is None


class Teacher:
    """Judges moves, one at a time."""

    def __init__(self, command: Command) -> None:
        """`command` starts our brain."""
        self._process = ReviewProcess(command)

    def is_due(self, game: GameFacts) -> bool:
        """Whether the last move is to be judged: one of a person, in a game that teaches."""
        if (
            not game.lessons.is_on
            or game.phase != "play"
            or len(game.moves) <= game.opening_plies
            or not may_teach(game)
        ):
            return False
        mover = game.mover
        return mover is not None and game.kind(mover) == "brain"

    async def judge(self, game: GameFacts) -> dict[str, Any] | None:
        """The slip of the last move, see `Slip.to_json`; None without one, or if that cannot be found out."""
        *before, last = game.moves
        settings = game.settings
        moves = tuple((*move.cell, 0) for move in before)
        record = Record(settings.width, settings.height, moves, rule=settings.rule.title.capitalize())
        with contextlib.suppress(TimeoutError, Refused):
            return await asyncio.wait_for(self._process.find_slip(record, settings.rule, last.cell), PATIENCE)
        return None
