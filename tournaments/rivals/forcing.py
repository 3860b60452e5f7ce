"""The search for a forced win: the attacker only makes moves that must be answered, so the tree stays thin."""

from tournaments.rivals.budget import Budget
from tournaments.rivals.line_board import LineBoard
from tournaments.rivals.shapes import SCORES, Shape
from tournaments.rules.referee import Cell

_WIDTH = 8
"""How many forcing moves are tried at each step, the strongest first."""


class Forcing:
    """Looks for wins by fives, live fours, fours and, if `threes`, live threes.

    A four has one answer that matters. Against a live three the defender may use its `answers` best cells, so that a
    win by threes is proved only if these are the right ones.
    """

    def __init__(self, position: LineBoard, budget: Budget, answers: int = 1, threes: bool = True) -> None:
        self._position = position
        self._budget = budget
        self._answers = answers
        self._least = Shape.LIVE_THREE if threes else Shape.BLOCKED_FOUR

    def find(self, colour: int, plies: int) -> list[Cell]:
        """A win for `colour`, to move, within `plies`, as the moves of both sides; empty when there is none.

        Shorter wins are found first. Raises OutOfTime, with the position unchanged.
        """
        stones = len(self._position.board.stones)
        try:
            for limit in range(1, plies + 1, 2):
                line = self._attack(colour, limit)
                if line:
                    return line
        finally:
            self._position.unwind(stones)
        return []

    def _attack(self, colour: int, plies: int) -> list[Cell]:
        """The winning line, or nothing."""
        self._budget.tick()
        position = self._position
        forcing: dict[Cell, int] = {}
        threatened: list[Cell] = []
        for x, y in position.near((x, y) for x, y, _ in position.board.stones):
            shapes = position.shapes(x, y, colour)
            strongest = max(shapes, default=0)
            if strongest == Shape.FIVE:
                return [(x, y)]
            if Shape.FIVE in position.shapes(x, y, 1 - colour) and position.is_legal(x, y, 1 - colour):
                threatened.append((x, y))
            if strongest >= self._least:
                forcing[x, y] = sum(SCORES[shape] for shape in shapes)
        if plies < 3:
            return []
        # If the opponent has a four, only a forcing move that also stops it gains time.
        moves = [cell for cell in forcing if not threatened or threatened == [cell]]
        moves.sort(key=lambda cell: (-forcing[cell], cell))
        for cell in moves[:_WIDTH]:
            if not position.is_legal(*cell, colour):
                continue
            position.place(*cell, colour)
            line = self._refute(colour, plies - 1)
            position.undo()
            if line:
                return [cell, *line]
        return []

    def _refute(self, colour: int, plies: int) -> list[Cell]:
        """The line by which `colour` wins after its forcing move, against all allowed answers; empty if one holds."""
        position = self._position
        answers = position.ranked(1 - colour)
        line: list[Cell] = []
        for answer in answers[: 1 if self._must_be(answers, colour) else self._answers]:
            if position.place(*answer, 1 - colour):
                position.undo()
                return []
            line = self._attack(colour, plies - 1)
            position.undo()
            if not line:
                return []
            line = [answer, *line]
        return line

    def _must_be(self, answers: list[Cell], colour: int) -> bool:
        """True when the best answer makes or stops a five."""
        return any(Shape.FIVE in self._position.shapes(*answers[0], side) for side in (colour, 1 - colour))
