"""A position that an engine is asked about."""

from dataclasses import dataclass

from tournaments.board.game.facts import GameFacts
from tournaments.board.game.set_up import check_set_up
from tournaments.rules.notation import Opening
from tournaments.rules.referee import Rule


@dataclass(frozen=True)
class Position:
    """Stones in the order played, Black's first; the side to move is the one that did not place the last."""

    width: int
    height: int
    rule: Rule
    moves: Opening

    def check(self) -> None:
        """Raises Refused for stones that cannot lie so, or if the game is over."""
        check_set_up(self.width, self.height, self.rule, self.moves)

    @property
    def to_move(self) -> int:
        """The colour of the side to move."""
        return len(self.moves) % 2


def position_of(game: GameFacts) -> Position:
    """The game's position, as a question to a brain has it."""
    return Position(game.settings.width, game.settings.height, game.settings.rule, game.cells)
