"""A rival for Tengen: the killer, which looks for a forced win before it looks at anything else.

First a search of forcing moves - five, live four, four, live three - up to sixteen plies deep, in which the defender
answers with its best cell. If that finds a kill, it is played. If not, alpha-beta with ten candidates a node, two plies
deeper each time up to six. Its MESSAGE tells if a kill was found.

    python -m tournaments.rivals.kill --depth 6 --kill-depth 16
"""

import sys
from collections.abc import Sequence

from tournaments.rivals.budget import Budget, OutOfTime
from tournaments.rivals.deepening import WIN, deepen
from tournaments.rivals.forcing import Forcing
from tournaments.rivals.line_board import LineBoard
from tournaments.rivals.protocol import Rival, format_score, make_parser, positive, serve
from tournaments.rivals.shapes import learn_shapes
from tournaments.rules.notation import format_pos
from tournaments.rules.referee import Board, Cell

CANDIDATES = 10
KILL_SHARE = 0.4
"""The part of its time that the search for a kill may take."""


class Kill:
    """Searches `depth` plies deep, `kill_depth` plies for a kill."""

    def __init__(self, depth: int = 6, kill_depth: int = 16) -> None:
        self.depth = depth
        self.kill_depth = kill_depth
        self._position = LineBoard(Board())
        self._budget = Budget()

    def choose(self, board: Board, colour: int, budget: Budget) -> tuple[Cell, str]:
        """The move, and the depth, the score and the result of the search for a kill; see `protocol.Chooser`."""
        position = self._position = LineBoard(board)
        self._budget = budget
        moves = position.ranked(colour)[:CANDIDATES]
        try:
            line = Forcing(position, budget.part(KILL_SHARE)).find(colour, self.kill_depth)
        except OutOfTime:
            line = []
        if line:
            return line[0], (
                f"depth {len(line)} ev {format_score(WIN, len(line))} "
                f"kill found {format_pos(tuple(line), board.height)}"
            )

        def value(cell: Cell, depth: int, alpha: int, beta: int) -> int:
            return self._value(cell, colour, depth, alpha, beta, 0)

        moves, said = deepen(moves, range(2, self.depth + 1, 2), value)
        return moves[0], f"{said} no kill found"

    def _value(self, cell: Cell, colour: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The value of `cell` for `colour`, `depth` plies deep with this move; alpha and beta are the opponent's.

        Exact when -beta < value < -alpha. A win is worth WIN less the plies to it from the root.
        """
        self._budget.tick()
        position = self._position
        if position.place(*cell, colour):
            value = WIN - ply - 1
        elif depth == 1:
            value = -position.evaluate(1 - colour)
        else:
            value = -self._negamax(1 - colour, depth - 1, alpha, beta, ply + 1)
        position.undo()
        return value

    def _negamax(self, colour: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The best value for `colour` to move, within alpha..beta; 0 if no cell is left."""
        best = -2 * WIN
        for cell in self._position.ranked(colour)[:CANDIDATES]:
            best = max(best, self._value(cell, colour, depth, -beta, -max(alpha, best), ply))
            if best >= beta:
                break
        return best if best > -2 * WIN else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves a manager on stdin and stdout until END or the end of input."""
    parser = make_parser("kill", __doc__)
    parser.add_argument("--depth", type=positive, default=6, help="plies to search (%(default)s)")
    parser.add_argument("--kill-depth", type=positive, default=16, help="plies to search for a kill (%(default)s)")
    options = parser.parse_args(arguments)
    learn_shapes()
    return serve(Rival("kill", Kill(options.depth, options.kill_depth).choose))


if __name__ == "__main__":
    sys.exit(main())
