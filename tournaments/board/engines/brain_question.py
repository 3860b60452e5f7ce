"""Questions to a brain in a game at the board, and the meaning of its answers: the same for page and terminal."""

import time
from dataclasses import dataclass
from typing import Protocol

from tournaments.board.engines.brain_registry import HOUSE_BRAIN
from tournaments.board.engines.position import Position, position_of
from tournaments.board.engines.question_limits import QuestionLimits, limits_of
from tournaments.board.engines.renju_opening import CanSurvey, Opening
from tournaments.board.game.actions import Action, PlaceOpening, Play
from tournaments.board.game.events import Seat
from tournaments.board.game.facts import GameFacts
from tournaments.board.game.opening_rules import RENJU_OPENINGS
from tournaments.rules.referee import Cell

HINT = Seat("brain", HOUSE_BRAIN, turn_ms=1000)
"""The brain that gives hints, with its time for one."""


class CanAnswer(CanSurvey, Protocol):
    """A brain that has been started with the board of the question."""

    def propose(self, moves: tuple[Cell, ...]) -> tuple[Cell, ...]:
        """The stones that it places in swap2 after these, none if it takes Black."""


@dataclass(frozen=True)
class BrainQuestion:
    """The brain `who`, in that seat, is to act in `position`. `is_opening`: it is asked by SWAP2BOARD, otherwise for a
    move; `renju`: an opening of renju waits for it."""

    seat: int
    who: Seat
    position: Position
    is_opening: bool
    renju: Opening | None = None

    @property
    def brain(self) -> str:
        """The brain's name."""
        assert self.who.brain is not None, "a person is not asked"
        return self.who.brain

    @property
    def limits(self) -> QuestionLimits:
        """The limits of the answer."""
        return limits_of(self.who)

    def ask(self, brain: CanAnswer) -> Action:
        """Asks the brain, and returns what it does. Raises BrainFailure."""
        cells = self.position.moves
        if self.renju is not None:
            return self.renju.answer(brain)
        if self.is_opening:
            began = time.monotonic()
            placed, seconds = brain.propose(cells), time.monotonic() - began
            return PlaceOpening((self.seat,), cells=placed, ply=len(cells), ms=round(1000 * seconds))
        answer = brain.play(cells)
        ms = round(1000 * answer.seconds)
        return Play((self.seat,), cell=answer.move, ply=len(cells), ms=ms, info=answer.info)


def question_of(game: GameFacts) -> BrainQuestion | None:
    """The question to the brain whose turn it is; None if a person is to act, or the game is paused."""
    seat, stage = game.mover, game.stage
    if seat is None or game.is_paused or game.kind(seat) != "brain":
        return None
    if stage is not None and game.settings.opening in RENJU_OPENINGS:
        declared = next((int(choice) for choice in game.choices if choice.isdecimal()), 0)
        renju = Opening(stage, game.cells, game.fifth_moves, game.settings.width, declared)
        return BrainQuestion(seat, game.seats[seat], position_of(game), is_opening=False, renju=renju)
    # If a person has begun to place the stones of an opening, the brain goes on with moves.
    is_opening = stage is not None and (not game.moves or bool(stage.choices))
    return BrainQuestion(seat, game.seats[seat], position_of(game), is_opening)


def hint_question(game: GameFacts) -> BrainQuestion:
    """The question to our brain for a hint to the side to move."""
    return BrainQuestion(game.seat_of(game.to_move), HINT, position_of(game), is_opening=False)
