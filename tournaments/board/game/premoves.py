"""Moves in advance: a player chooses one while the opponent is to move, and it is played at once when its turn comes.

A premove is for one turn, that after the opponent's next stone. It is dropped if the game takes another course.
"""

from dataclasses import dataclass

from tournaments.board.game.actions import Play
from tournaments.board.game.facts import GameFacts
from tournaments.board.game.refusal import Refused
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import Cell


@dataclass(frozen=True)
class Premove:
    """A move of a seat on `cell`, to be played when `ply` stones lie on the board."""

    seat: int
    cell: Cell
    ply: int

    def waits(self, game: GameFacts) -> bool:
        """Whether its turn may still come: the opponent has not moved, and nothing was taken back."""
        return game.phase == "play" and game.mover != self.seat and len(game.moves) == self.ply - 1

    def action(self, game: GameFacts) -> Play | None:
        """The move, if its turn has come; None if the game has taken another course."""
        is_turn = game.phase == "play" and game.mover == self.seat and len(game.moves) == self.ply
        return Play((self.seat,), cell=self.cell, ply=self.ply) if is_turn and game.kind(self.seat) != "brain" else None


def choose_premove(game: GameFacts, seat: int, cell: Cell) -> Premove:
    """The premove of a seat on that cell. Raises Refused at the seat's own turn, and for a cell off the board or with a
    stone; whether the cell is forbidden is known at its turn."""
    if game.is_over:
        raise Refused("refused.over")
    if game.phase != "play" or game.mover == seat or game.is_missing_somebody:
        raise Refused("refused.premove")
    width, height = game.settings.width, game.settings.height
    if cell[0] >= width or cell[1] >= height:
        raise Refused("refused.off_board", width=width, height=height)
    if cell in game.cells:
        raise Refused("refused.taken", cell=format_cell(*cell, height))
    return Premove(seat, cell, len(game.moves) + 1)
