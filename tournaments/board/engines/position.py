"""A position that an engine is asked about."""

from dataclasses import dataclass

from tournaments.rules.notation import Opening, format_cell
from tournaments.rules.referee import Board, Rule, is_win


@dataclass(frozen=True)
class Position:
    """Stones in the order played, Black's first; the side to move is the one that did not place the last."""

    width: int
    height: int
    rule: Rule
    moves: Opening

    def check(self) -> None:
        """Raises ValueError in one sentence for stones that cannot lie so, or where nobody is to move any more."""
        board = Board(self.width, self.height, self.rule)
        for ply, (x, y) in enumerate(self.moves, start=1):
            try:
                board.place(x, y)
            except ValueError as error:
                raise ValueError(f"stone {ply}: {error}") from None
            if is_win(board, x, y):
                raise ValueError(f"the game is over with stone {ply} ({format_cell(x, y, self.height)})")
        if board.is_full():
            raise ValueError("the board is full")

    @property
    def to_move(self) -> int:
        """The colour of the side to move."""
        return len(self.moves) % 2
