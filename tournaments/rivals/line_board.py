"""A board for a rival's search: the referee's, and every line as a string, which each move updates."""

import random
from collections.abc import Callable, Iterable
from functools import cache

from tournaments.rivals.shapes import REACH, SCORES, Shape, five_rule, pattern_worth, shapes_along
from tournaments.rules.referee import BLACK, EMPTY, Board, Cell, Rule, is_forbidden, is_win

Worth = Callable[[str], tuple[int, int]]
"""The value of a line of letters for X: when X is to move, and when X must wait."""

_SWAP = str.maketrans("XO", "OX")


@cache
def _geometry(width: int, height: int) -> tuple[tuple[int, ...], dict[Cell, tuple[tuple[int, int], ...]]]:
    """The length of every line of five cells or more, and for each cell the lines through it with its place in them.

    Places count the REACH walls that stand at both ends of a line.
    """
    groups: dict[tuple[str, int], list[Cell]] = {}
    for y in range(height):
        for x in range(width):
            for line in (("-", y), ("|", x), ("\\", x - y), ("/", x + y)):
                groups.setdefault(line, []).append((x, y))
    lines = [cells for cells in groups.values() if len(cells) >= 5]
    places: dict[Cell, list[tuple[int, int]]] = {}
    for index, cells in enumerate(lines):
        for place, cell in enumerate(cells):
            places.setdefault(cell, []).append((index, REACH + place))
    return tuple(map(len, lines)), {cell: tuple(found) for cell, found in places.items()}


class LineBoard:
    """A copy of `board` to play on. In its lines Black's letter is X; for the values each colour sees its own as X.

    `worth` gives the value of a line for `evaluate`: the whole position is the sum over its lines, and a move changes
    four of them. `key` tells boards apart by their stones.
    """

    def __init__(self, board: Board, worth: Worth = pattern_worth) -> None:
        self.board = Board(board.width, board.height, board.rule)
        self.key = 0
        self._worth = worth
        self._five = (five_rule(board.rule, 0), five_rule(board.rule, 1))
        lengths, self._places = _geometry(board.width, board.height)
        walls = "#" * REACH
        # One string a line for each colour, in which its own stones are X.
        self._lines = [[f"{walls}{'.' * length}{walls}" for length in lengths] for _ in range(2)]
        # The result of `shapes_along` for it, None until it is needed.
        self._shapes: list[list[bytes | None]] = [[None] * len(lengths) for _ in range(2)]
        self._totals = [[0, 0], [0, 0]]
        mixer = random.Random(0)
        self._keys = [[[mixer.getrandbits(64) for _ in range(board.width)] for _ in range(board.height)] for _ in "XO"]
        for x, y, colour in board.stones:
            self.place(x, y, colour)
        for y in range(board.height):
            for x in range(board.width):
                if board.cell(x, y) not in (EMPTY, 0, 1):
                    self.board.block(x, y)
                    self._write(x, y, "#")

    def place(self, x: int, y: int, colour: int) -> bool:
        """Puts a stone on an empty cell; True when it wins."""
        self.board.place(x, y, colour)
        self.key ^= self._keys[colour][y][x]
        self._write(x, y, "XO"[colour])
        own = self._lines[colour]
        return any("XXXXX" in own[line] for line, _ in self._places.get((x, y), ())) and is_win(self.board, x, y)

    def undo(self) -> None:
        """Takes the last stone back."""
        x, y, colour = self.board.stones[-1]
        self.board.undo()
        self.key ^= self._keys[colour][y][x]
        self._write(x, y, ".")

    def unwind(self, stones: int) -> None:
        """Takes stones back until no more than `stones` are left."""
        while len(self.board.stones) > stones:
            self.undo()

    def evaluate(self, colour: int) -> int:
        """The value of the position for `colour`, to move: the value of its lines minus that of the opponent's."""
        return self._totals[colour][0] - self._totals[1 - colour][1]

    def gain(self, x: int, y: int, colour: int) -> int:
        """How much a stone of `colour` at this empty cell lowers `evaluate` for the opponent, who is to move."""
        worth, total = self._worth, 0
        own, theirs = self._lines[colour], self._lines[1 - colour]
        for line, place in self._places.get((x, y), ()):
            old = own[line]
            total += worth(f"{old[:place]}X{old[place + 1 :]}")[1] - worth(old)[1]
            old = theirs[line]
            total += worth(old)[0] - worth(f"{old[:place]}O{old[place + 1 :]}")[0]
        return total

    def shapes(self, x: int, y: int, colour: int) -> list[int]:
        """The shapes, one for each line, that a stone of `colour` makes at (x, y), or has if it stands there."""
        known, found = self._shapes[colour], []
        for line, place in self._places.get((x, y), ()):
            shapes = known[line]
            if shapes is None:
                shapes = known[line] = shapes_along(self._lines[colour][line], self._five[colour])
            found.append(shapes[place])
        return found

    def points(self, x: int, y: int, colour: int) -> int:
        """The sum of SCORES over `shapes`."""
        return sum([SCORES[shape] for shape in self.shapes(x, y, colour)])

    def is_legal(self, x: int, y: int, colour: int) -> bool:
        """True unless the move at this empty cell would be a foul. Asks the referee only if a foul is possible."""
        if colour != BLACK or self.board.rule != Rule.RENJU:
            return True
        shapes = self.shapes(x, y, BLACK)
        if Shape.FIVE in shapes:
            return True
        if sum(shape >= Shape.LIVE_THREE for shape in shapes) < 2 and Shape.LIVE_FOUR not in shapes:
            row = [self._lines[BLACK][line][place - REACH :][: 2 * REACH + 1] for line, place in self._places[x, y]]
            if not any("XXXXXX" in f"{around[:REACH]}X{around[REACH + 1 :]}" for around in row):
                return True
        return not is_forbidden(self.board, x, y)

    def near(self, stones: Iterable[Cell], distance: int = 2) -> list[Cell]:
        """The empty cells within `distance` of any of the stones, in a fixed order, without repetition."""
        cell, steps = self.board.cell, range(-distance, distance + 1)
        around = {(x + dx, y + dy) for x, y in stones for dx in steps for dy in steps}
        return sorted([(x, y) for x, y in around if cell(x, y) == EMPTY])

    def candidates(self, colour: int) -> list[Cell]:
        """The legal cells near any stone, in a fixed order.

        If there are none, all legal cells; if Black has only fouls, all empty cells; none on a full board.
        """
        near = self.near((x, y) for x, y, _ in self.board.stones)
        legal = [(x, y) for x, y in near if self.is_legal(x, y, colour)]
        return legal or self.everywhere(colour)

    def everywhere(self, colour: int) -> list[Cell]:
        """All legal cells of the board from the centre outwards; all empty ones if Black has only fouls."""
        empty = sorted(self.board.empty_cells(), key=self.from_centre)
        return [(x, y) for x, y in empty if self.is_legal(x, y, colour)] or empty

    def ranked(self, colour: int) -> list[Cell]:
        """The candidates for `colour`, best first by the shapes of both sides there; its own count a little more."""
        points = self.points
        worth = {(x, y): 5 * points(x, y, colour) + 4 * points(x, y, 1 - colour) for x, y in self.candidates(colour)}
        return sorted(worth, key=lambda cell: (-worth[cell], self.from_centre(cell)))

    def from_centre(self, cell: Cell) -> tuple[int, Cell]:
        """Sorts cells: near the centre of the board first, equals in a fixed order."""
        board = self.board
        return (2 * cell[0] - board.width + 1) ** 2 + (2 * cell[1] - board.height + 1) ** 2, cell

    def _write(self, x: int, y: int, letter: str) -> None:
        worth = self._worth
        for colour, mark in enumerate((letter, letter.translate(_SWAP))):
            lines, shapes, total = self._lines[colour], self._shapes[colour], self._totals[colour]
            for line, place in self._places.get((x, y), ()):
                shapes[line] = None
                old = lines[line]
                new = lines[line] = old[:place] + mark + old[place + 1 :]
                before, now = worth(old), worth(new)
                total[0] += now[0] - before[0]
                total[1] += now[1] - before[1]
