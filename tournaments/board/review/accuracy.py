"""How well each side played in the parts of a game, as the page shows it too: see page/review/accuracy.js."""

from collections.abc import Sequence
from typing import NamedTuple

from tournaments.board.review.game_review import Reviewed


class Phase(NamedTuple):
    """A part of a game: its name in the catalogue, and the numbers of its first and last move, None for the last of
    the game."""

    name: str
    first: int
    last: int | None

    def moves_of(self, moves: Sequence[Reviewed]) -> list[Reviewed]:
        """Those of the moves that belong to this part."""
        return [move for move in moves if self.first <= move.ply + 1 and (self.last is None or move.ply < self.last)]


WHOLE = Phase("whole", 1, None)
PHASES = (Phase("opening", 1, 10), Phase("middle", 11, 30), Phase("end", 31, None))


def phases_of(moves: Sequence[Reviewed]) -> list[Phase]:
    """The parts that a game with these moves has, and the whole game at last."""
    return [*(phase for phase in PHASES if phase.moves_of(moves)), WHOLE]


def accuracy_of(moves: Sequence[Reviewed], colour: int, phase: Phase) -> float | None:
    """The share of its chances that a side kept, on average of its moves whose chances are known; None for none."""
    known = [
        move.loss
        for move in phase.moves_of(moves)
        if move.colour == colour and move.before is not None and move.after is not None
    ]
    return 1 - sum(known) / len(known) if known else None
