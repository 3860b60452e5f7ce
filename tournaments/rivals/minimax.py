"""A rival for Tengen: the depth-limited minimax that a hobbyist writes.

Alpha-beta with iterative deepening, candidates within two cells of a stone, a history heuristic, and an evaluation that
adds up a table of live and blocked patterns over all lines. It plays the same move in the same position whenever the
budget does not cut its search short.

    python -m tournaments.rivals.minimax --depth 2
"""

import sys
from collections.abc import Sequence

from tournaments.rivals.budget import Budget
from tournaments.rivals.deepening import WIN, deepen
from tournaments.rivals.line_board import LineBoard
from tournaments.rivals.protocol import Rival, make_parser, positive, serve
from tournaments.rules.referee import Board, Cell


class Minimax:
    """Searches every candidate `depth` plies deep."""

    def __init__(self, depth: int = 2) -> None:
        self.depth = depth
        self._position = LineBoard(Board())
        self._budget = Budget()
        self._history: dict[tuple[int, Cell], int] = {}

    def choose(self, board: Board, colour: int, budget: Budget) -> tuple[Cell, str]:
        """The move, and the finished depth (0: only a first look) and score; see `protocol.Chooser`."""
        position = self._position = LineBoard(board)
        self._budget = budget
        self._history.clear()
        moves = self._sorted(position.candidates(colour), colour)
        candidates = set(moves)

        def value(cell: Cell, depth: int, alpha: int, beta: int) -> int:
            return self._value(cell, colour, depth, alpha, beta, candidates, depth)

        moves, said = deepen(moves, range(1, self.depth + 1), value)
        return moves[0], said

    def _value(
        self, cell: Cell, colour: int, depth: int, alpha: int, beta: int, candidates: set[Cell], total: int
    ) -> int:
        """The value of `cell` for `colour`, searched `depth` plies of `total` deep with this move.

        Exact when -beta < value < -alpha; alpha and beta are the opponent's. A win is worth WIN less the plies to it.
        """
        self._budget.tick()
        position = self._position
        if position.place(*cell, colour):
            position.undo()
            return WIN - (total - depth) - 1
        if depth == 1:
            value = -position.evaluate(1 - colour)
        else:
            following = (candidates - {cell}) | set(position.near([cell]))
            value = -self._negamax(1 - colour, depth - 1, alpha, beta, following, total)
        position.undo()
        return value

    def _negamax(self, colour: int, depth: int, alpha: int, beta: int, candidates: set[Cell], total: int) -> int:
        """The best value for `colour` to move, within alpha..beta; 0 if no cell is left. Fouls pass for moves."""
        history = self._history
        order = sorted(candidates, key=lambda cell: (-history.get((colour, cell), 0), cell))
        best = -WIN * 2
        for cell in order:
            value = self._value(cell, colour, depth, -beta, -max(alpha, best), candidates, total)
            if value > best:
                best = value
                if best >= beta:
                    history[colour, cell] = history.get((colour, cell), 0) + depth * depth
                    break
        return best if order else 0

    def _sorted(self, cells: Sequence[Cell], colour: int) -> list[Cell]:
        """The cells, the best after one ply first."""
        position = self._position
        looks = {}
        for cell in cells:
            won = position.place(*cell, colour)
            looks[cell] = WIN if won else -position.evaluate(1 - colour)
            position.undo()
        return sorted(cells, key=lambda cell: (-looks[cell], position.from_centre(cell)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves a manager on stdin and stdout until END or the end of input."""
    parser = make_parser("minimax", __doc__)
    parser.add_argument("--depth", type=positive, default=2, help="plies to search (%(default)s)")
    return serve(Rival("minimax", Minimax(parser.parse_args(arguments).depth).choose))


if __name__ == "__main__":
    sys.exit(main())
