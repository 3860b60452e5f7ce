"""What a brain is asked in a game at the board, and what its answer means there: the same for page and terminal."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.board.engines.position import Position
from tournaments.board.game.actions import Action, PlaceOpening, Play
from tournaments.board.game.events import Seat
from tournaments.board.game.facts import GameFacts
from tournaments.brains.search_info import SearchInfo
from tournaments.rules.referee import Cell


@dataclass(frozen=True)
class BrainQuestion:
    """The brain `who`, in that seat, is to act in `position`. `is_opening`: it is asked by SWAP2BOARD, otherwise for a
    move."""

    seat: int
    who: Seat
    position: Position
    is_opening: bool

    def move(self, cell: Cell, seconds: float, info: SearchInfo) -> Action:
        """The action of a brain that answers with a move."""
        return Play((self.seat,), cell=cell, ply=len(self.position.moves), ms=round(1000 * seconds), info=info)

    def opening(self, cells: Sequence[Cell], seconds: float) -> Action:
        """The action of a brain that answers with stones of an opening, or with none."""
        return PlaceOpening((self.seat,), cells=tuple(cells), ply=len(self.position.moves), ms=round(1000 * seconds))


def question_of(game: GameFacts) -> BrainQuestion | None:
    """What the brain is asked whose turn it is; None where it is no brain's turn, or the game is paused."""
    seat, stage = game.mover, game.stage
    if seat is None or game.is_paused or game.kind(seat) != "brain":
        return None
    settings = game.settings
    position = Position(settings.width, settings.height, settings.rule, game.cells)
    # Where a person has begun to place the stones of an opening, the brain goes on with moves.
    is_opening = stage is not None and (not game.moves or bool(stage.choices))
    return BrainQuestion(seat, game.seats[seat], position, is_opening)
