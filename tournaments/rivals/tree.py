"""A rival for Tengen: the decision tree, four plies deep.

It tries its moves in the 9x9 squares around the last two stones. It assumes that the opponent answers each with its
single best reply, so that only its own moves branch: move, reply, move, reply. The board after that is scored by runs
of one to five stones with two, one or no open ends. If every move seems lost, it looks at the whole board instead.

    python -m tournaments.rivals.tree --depth 4 --width 8
"""

import re
import sys
from collections.abc import Iterable, Sequence
from functools import cache

from tournaments.rivals.budget import Budget, OutOfTime
from tournaments.rivals.line_board import LineBoard
from tournaments.rivals.protocol import Rival, format_score, make_parser, positive, serve
from tournaments.rules.referee import Board, Cell, Rule

WIN = 10_000_000
AREA = 4
"""The distance from the middle of the square to its edge."""

# Values of a run of one to four stones with no, one and two open ends, if the opponent or its owner is to move.
WAITING = ((0, 0, 0), (0, 1, 4), (0, 10, 60), (0, 120, 1_000), (0, 2_000, 100_000))
TO_MOVE = ((0, 0, 0), (0, 1, 6), (0, 15, 120), (0, 300, 15_000), (0, 300_000, 300_000))
FIVE = 1_000_000

_RUN = re.compile("X+")


@cache
def runs_worth(line: str, overlines: bool) -> tuple[int, int]:
    """The values of the line's runs of X for X to move, and waiting; `overlines`: six count as five."""
    to_move = waiting = 0
    for run in _RUN.finditer(line):
        first, end = run.span()
        if end - first >= 5:
            five = FIVE if overlines or end - first == 5 else 0
            to_move, waiting = to_move + five, waiting + five
        else:
            ends = (line[first - 1] == ".") + (line[end] == ".")
            to_move, waiting = to_move + TO_MOVE[end - first][ends], waiting + WAITING[end - first][ends]
    return to_move, waiting


class Tree:
    """Looks `depth` plies ahead, an even number, with at most `width` own moves at each step after the first."""

    def __init__(self, depth: int = 4, width: int = 8) -> None:
        self.depth = depth
        self.width = width
        self._position = LineBoard(Board())
        self._budget = Budget()

    def choose(self, board: Board, colour: int, budget: Budget) -> tuple[Cell, str]:
        """The best move found, how many moves were tried to the end, and its score; see `protocol.Chooser`."""
        overlines = board.rule in (Rule.FREESTYLE, Rule.CARO)
        position = self._position = LineBoard(board, lambda line: runs_worth(line, overlines))
        self._budget = budget
        area = position.near(((x, y) for x, y, _ in board.stones[-2:]), AREA)
        moves = self._sorted((cell for cell in area if position.is_legal(*cell, colour)), colour)
        score, move, tried = self._best(moves, colour, self.depth)
        if score <= -WIN // 2 or not moves:
            rest = [cell for cell in position.everywhere(colour) if cell not in moves]
            wider = self._best(self._sorted(rest, colour), colour, self.depth)
            tried += wider[2]
            if wider[0] > score or move is None:
                score, move = wider[:2]
        assert move is not None
        # A win of its own comes with an odd ply, after `self.depth - d` others; a loss with the reply that follows.
        plies = self.depth - (abs(score) - WIN) + (1 if score > 0 else 2) if abs(score) >= WIN else None
        return move, f"depth {self.depth if tried else 0} ev {format_score(score, plies)} moves {tried}"

    def _best(self, moves: Sequence[Cell], colour: int, depth: int) -> tuple[int, Cell | None, int]:
        """The best score and its move among `moves`, and how many the budget allowed; the first move if none."""
        best, choice, tried = -2 * WIN, moves[0] if moves else None, 0
        stones = len(self._position.board.stones)
        try:
            for cell in moves:
                value = self._value(cell, colour, depth)
                tried += 1
                if value > best:
                    best, choice = value, cell
        except OutOfTime:
            self._position.unwind(stones)
        return best if tried else 0 if moves else -2 * WIN, choice, tried

    def _value(self, cell: Cell, colour: int, depth: int) -> int:
        """The value for `colour` after `cell`, the best reply, and so on for `depth` plies; early wins count more."""
        self._budget.tick()
        position = self._position
        value = WIN + depth if position.place(*cell, colour) else self._answered(colour, depth)
        position.undo()
        return value

    def _answered(self, colour: int, depth: int) -> int:
        """The value after the opponent's single best reply to the move just made."""
        position = self._position
        replies = self._area()
        if not replies:
            return position.evaluate(colour)
        x, y = max(replies, key=lambda reply: position.gain(reply[0], reply[1], 1 - colour))
        if position.place(x, y, 1 - colour):
            value = -WIN - depth
        elif depth <= 2:
            value = position.evaluate(colour)
        else:
            following = self._sorted(self._area(), colour)[: self.width]
            values = [self._value(cell, colour, depth - 2) for cell in following]
            value = max(values, default=position.evaluate(colour))
        position.undo()
        return value

    def _area(self) -> list[Cell]:
        """The empty cells of the squares around the last two stones."""
        return self._position.near(((x, y) for x, y, _ in self._position.board.stones[-2:]), AREA)

    def _sorted(self, cells: Iterable[Cell], colour: int) -> list[Cell]:
        """The cells, those with the greatest gain first: the gain for the owner, or the opponent's loss."""
        position = self._position
        gains = {cell: position.gain(*cell, colour) + position.gain(*cell, 1 - colour) for cell in cells}
        return sorted(gains, key=lambda cell: (-gains[cell], position.from_centre(cell)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves a manager on stdin and stdout until END or the end of input."""
    parser = make_parser("tree", __doc__)
    parser.add_argument("--depth", type=positive, default=4, help="plies to look ahead (%(default)s)")
    parser.add_argument("--width", type=positive, default=8, help="own moves tried at the third ply (%(default)s)")
    options = parser.parse_args(arguments)
    return serve(Rival("tree", Tree(options.depth, options.width).choose))


if __name__ == "__main__":
    sys.exit(main())
