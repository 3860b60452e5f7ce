"""A rival for Tengen: the table of weights, which looks one ply ahead.

For every cell and each of the four directions it takes the string of stones that a stone there would join, and looks up
the string's length and open ends in a table. It plays the cell with the highest sum for itself plus for the opponent.
With a depth above 1, the value of the opponent's best answer, found in the same way, is subtracted from each move.

    python -m tournaments.rivals.weights --depth 1
"""

import sys
from collections.abc import Sequence

from tournaments.rivals.budget import Budget, OutOfTime
from tournaments.rivals.line_board import LineBoard
from tournaments.rivals.protocol import Rival, make_parser, positive, serve
from tournaments.rules.referee import DIRECTIONS, EMPTY, Board, Cell, would_win

# The value of a string of one to four stones when both its ends are open, and when only one is.
LIVE = (0, 20, 200, 2_000, 20_000)
BLOCKED = (0, 4, 40, 400, 4_000)
FIVE = 200_000


class Weights:
    """Weighs every candidate; `depth` counts the plies looked ahead."""

    def __init__(self, depth: int = 1) -> None:
        self.depth = depth

    def choose(self, board: Board, colour: int, budget: Budget) -> tuple[Cell, str]:
        """The heaviest cell, and the depth and weight; see `protocol.Chooser`."""
        position = LineBoard(board)
        cells = position.candidates(colour)
        looks = {cell: weigh(board, *cell, colour) for cell in cells}
        move = max(cells, key=lambda cell: (looks[cell], -position.from_centre(cell)[0], cell))
        finished = 1
        try:
            for depth in range(2, self.depth + 1):
                worth = {cell: self._worth(position, cell, colour, depth, budget) for cell in cells}
                move = max(cells, key=lambda cell: (worth[cell], looks[cell], cell))
                finished = depth
        except OutOfTime:
            pass
        return move, f"depth {finished} ev {sum(looks[move])}"

    def _worth(self, position: LineBoard, cell: Cell, colour: int, depth: int, budget: Budget) -> int:
        """The weight of a move less that of the opponent's best answer, `depth` plies in all."""
        budget.tick()
        own, both = weigh(position.board, *cell, colour)
        if depth == 1 or own >= FIVE:
            return own + both
        stones = len(position.board.stones)
        position.place(*cell, colour)
        try:
            answers = position.near((x, y) for x, y, _ in position.board.stones)
            best = max((self._worth(position, answer, 1 - colour, depth - 1, budget) for answer in answers), default=0)
        finally:
            position.unwind(stones)
        return own + both - best


def weigh(board: Board, x: int, y: int, colour: int) -> tuple[int, int]:
    """The value of the empty cell for `colour`: first a five of its own, then the whole sum."""
    own = sum(_weight(board, x, y, direction, colour) for direction in DIRECTIONS)
    theirs = sum(_weight(board, x, y, direction, 1 - colour) for direction in DIRECTIONS)
    return own // FIVE * FIVE, own + theirs


def _weight(board: Board, x: int, y: int, direction: Cell, colour: int) -> int:
    """The weight of the string of stones that `colour` would have through (x, y) in this direction."""
    length, is_open = 1, []
    for sign in (1, -1):
        dx, dy = direction[0] * sign, direction[1] * sign
        step = 1
        while board.cell(x + step * dx, y + step * dy) == colour:
            step += 1
        length += step - 1
        is_open.append(board.cell(x + step * dx, y + step * dy) == EMPTY)
    if length >= 5:
        return FIVE if would_win(board, x, y, colour) else 0
    return LIVE[length] if all(is_open) else BLOCKED[length] if any(is_open) else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves a manager on stdin and stdout until END or the end of input."""
    parser = make_parser("weights", __doc__)
    parser.add_argument("--depth", type=positive, default=1, help="plies to look ahead (%(default)s)")
    return serve(Rival("weights", Weights(parser.parse_args(arguments).depth).choose))


if __name__ == "__main__":
    sys.exit(main())
