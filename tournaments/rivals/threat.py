"""A rival for Tengen: threats first.

Alpha-beta, two plies deeper each time, over few moves: if a five, a four or a three is on the board, it looks only at
moves that make or stop it. The value of a board is that of its stones' shapes, less near the edge, and a score loses a
tenth with every ply, so that it wins early and loses late. Near the root it also looks for a win by fours alone. Among
equal moves it chooses at random.

    python -m tournaments.rivals.threat --depth 6 --seed 1
"""

import math
import random
import sys
from collections.abc import Sequence

from tournaments.rivals.budget import Budget, OutOfTime
from tournaments.rivals.forcing import Forcing
from tournaments.rivals.line_board import LineBoard
from tournaments.rivals.protocol import Rival, format_score, make_parser, positive, serve
from tournaments.rivals.shapes import Shape, learn_shapes
from tournaments.rules.referee import Board, Cell

WIN = 10_000_000.0
DISCOUNT = 0.9
OTHERS = 12
"""The number of moves that are looked at if there is no threat."""
EDGE = 2
"""The number of rows along the edge that count half."""
THREATS = ((9, True, 0.3), (7, False, 0.03))
"""At the root and one ply below it: the plies of the search for continuous threats, whether it uses threes, and the
share of the remaining time that it gets."""
REMEMBERED = 200_000
"""The largest number of scored boards that are kept."""


class Threat:
    """Searches `depth` plies deep; `seed` decides between equal moves, None for a new choice each time."""

    def __init__(self, depth: int = 6, seed: int | None = None) -> None:
        self.depth = depth
        self._random = random.Random(seed)
        self._position = LineBoard(Board())
        self._budget = Budget()
        self._scored: dict[int, float] = {}

    def choose(self, board: Board, colour: int, budget: Budget) -> tuple[Cell, str]:
        """The move, and the finished depth and score; see `protocol.Chooser`."""
        self._position = LineBoard(board)
        self._budget = budget
        self._scored.clear()
        moves = self.generate(colour)
        score, finished, equals = 0.0, 0, moves[:1]
        try:
            line = self._by_threats(colour, 0) if len(moves) > 1 else []
            if line:
                return line[0], f"depth {len(line)} ev {format_score(WIN, len(line))} by threats"
            for depth in range(2, self.depth + 1, 2):
                best = -2 * WIN
                scored: list[tuple[float, Cell]] = []
                for cell in moves:
                    # The window leaves room for equals, so that a value equal to the best is exact, not only a bound.
                    value = self._value(cell, colour, depth, -2 * WIN, 1 - best, 0)
                    scored.append((value, cell))
                    best = max(best, value)
                scored.sort(key=lambda entry: -entry[0])
                moves = [cell for _, cell in scored]
                equals = [cell for value, cell in scored if value == best]
                score, finished = best, depth
                if len(moves) == 1 or abs(score) > WIN / 4:
                    break
        except OutOfTime:
            pass
        plies = round(math.log(abs(score) / WIN, DISCOUNT)) if abs(score) > WIN / 4 else None
        return self._random.choice(equals), f"depth {finished} ev {format_score(score, plies)}"

    def generate(self, colour: int) -> list[Cell]:
        """The moves worth a look, threats first: fives, live fours, a four, threes, then the rest up to a limit."""
        position = self._position
        ranked = position.ranked(colour)
        own = {cell: position.shapes(*cell, colour) for cell in ranked}
        theirs = {cell: position.shapes(*cell, 1 - colour) for cell in ranked}
        for shapes in (own, theirs):
            fives = [cell for cell in ranked if Shape.FIVE in shapes[cell]]
            if fives:
                return fives[:1]
        own_fours = [cell for cell in ranked if Shape.LIVE_FOUR in own[cell]]
        if own_fours:
            return own_fours[:1]
        fours = [cell for cell in ranked if Shape.BLOCKED_FOUR in own[cell]]
        their_fours = [cell for cell in ranked if Shape.LIVE_FOUR in theirs[cell] or _is_double(theirs[cell])]
        doubles = [cell for cell in ranked if _is_double(own[cell])]
        if their_fours:
            # Against their open three: a cell where it grows, a four of our own, or in time a cell beside it.
            beside = [cell for cell in ranked if Shape.BLOCKED_FOUR in theirs[cell]]
            return _distinct(doubles, their_fours, fours, beside)[:OTHERS]
        threes = [cell for cell in ranked if Shape.LIVE_THREE in own[cell] or Shape.LIVE_THREE in theirs[cell]]
        if doubles:
            return _distinct(doubles, fours[:1], threes)[:OTHERS]
        return _distinct(fours[:1], threes, ranked)[:OTHERS]

    def evaluate(self, colour: int) -> float:
        """The value of the stones of `colour` in all their lines, less the opponent's."""
        position = self._position
        score = self._scored.get(position.key)
        if score is None:
            board = position.board
            score = 0.0
            for x, y, side in board.stones:
                is_inside = EDGE <= x < board.width - EDGE and EDGE <= y < board.height - EDGE
                points = position.points(x, y, side) / (1 if is_inside else 2)
                score += points if side == 0 else -points
            if len(self._scored) >= REMEMBERED:
                self._scored.clear()
            self._scored[position.key] = score
        return score if colour == 0 else -score

    def _by_threats(self, colour: int, ply: int) -> list[Cell]:
        """A win by continuous threats, its moves in order; empty if none was found in time."""
        plies, threes, share = THREATS[ply]
        try:
            return Forcing(self._position, self._budget.part(share), answers=3, threes=threes).find(colour, plies)
        except OutOfTime:
            return []

    def _value(self, cell: Cell, colour: int, depth: int, alpha: float, beta: float, ply: int) -> float:
        """The value of `cell` for `colour`, `depth` plies deep with this move; alpha and beta are the opponent's.

        Exact when -beta < value < -alpha. It is the discounted value of the position that the move leads to.
        """
        self._budget.tick()
        position = self._position
        if position.place(*cell, colour):
            value = WIN
        elif depth == 1:
            value = self.evaluate(colour)
        else:
            value = -self._negamax(1 - colour, depth - 1, alpha / DISCOUNT, beta / DISCOUNT, ply + 1)
        position.undo()
        return value * DISCOUNT

    def _negamax(self, colour: int, depth: int, alpha: float, beta: float, ply: int) -> float:
        """The best value for `colour` to move, within alpha..beta; 0 if no cell is left."""
        line = self._by_threats(colour, ply) if ply < len(THREATS) else []
        if line:
            return WIN * DISCOUNT ** len(line)
        best = -2 * WIN
        for cell in self.generate(colour):
            best = max(best, self._value(cell, colour, depth, -beta, -max(alpha, best), ply))
            if best >= beta:
                break
        return best if best > -2 * WIN else 0.0


def _is_double(shapes: Sequence[int]) -> bool:
    """True for two threes or better in different lines."""
    return sum(shape >= Shape.LIVE_THREE for shape in shapes) >= 2


def _distinct(*groups: Sequence[Cell]) -> list[Cell]:
    """All cells of the groups, each only at its first place."""
    return list(dict.fromkeys(cell for group in groups for cell in group))


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves a manager on stdin and stdout until END or the end of input."""
    parser = make_parser("threat", __doc__)
    parser.add_argument("--depth", type=positive, default=6, help="plies to search (%(default)s)")
    parser.add_argument("--seed", type=int, default=None, help="decides between equal moves (anew each time)")
    options = parser.parse_args(arguments)
    learn_shapes()
    return serve(Rival("threat", Threat(options.depth, options.seed).choose))


if __name__ == "__main__":
    sys.exit(main())
