"""The referee: five rule sets in obvious, slow Python, written from their wording, sharing no code with the engine.

Rules are numbered as Gomocup does (`Rule`). Colours are BLACK = 0 and WHITE = 1, Black moves first. A cell is (x, y),
x = column 0..width-1 and y = row 0..height-1 counted from the top-left corner.

Renju follows the RIF's wording (Rules of Renju, 9.1 to 9.3), Black's restrictions only:

- a *five* is exactly five in an unbroken row; it wins at once, even if the same move also makes a foul;
- an *overline* is an unbroken row of six or more;
- a *four* is four stones in a line that one more stone turns into a five; a *straight four* is an unbroken row of four
  that can become a five at either end;
- a *three* is three stones that one more stone, which is itself no foul and no five, turns into a straight four;
- a move that makes an overline, two fours or two threes is a foul, and loses.

The third definition leans on the last, and so does the code: `find_foul` asks `_makes_three`, which asks `find_foul`
about the stone that would complete the straight four. The recursion ends because every step fills an empty cell.
"""

from collections.abc import Iterator
from enum import Enum, IntEnum

BLACK = 0
WHITE = 1
EMPTY = -1
BLOCKED = 2
COLOUR_NAMES = ("Black", "White")

MIN_SIZE = 5
MAX_SIZE = 22

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))

Cell = tuple[int, int]


class Rule(IntEnum):
    """The rules, which differ in the rows that win; the values are Gomocup's `INFO rule` numbers.

    FREESTYLE: five or more. STANDARD: exactly five. RENJU: exactly five for Black, who also has fouls; five or more for
    White. CARO: six or more, or exactly five unless opponent stones stand at both its ends. STANDARD_CARO: exactly
    five, unless opponent stones stand at both its ends. The edge of the board never blocks in caro.
    """

    FREESTYLE = 0
    STANDARD = 1
    RENJU = 4
    CARO = 8
    STANDARD_CARO = 9

    @property
    def title(self) -> str:
        """The rule's name as the command line spells it, such as "standard-caro"."""
        return self.name.lower().replace("_", "-")


class Foul(Enum):
    """The moves that are forbidden to Black in renju."""

    OVERLINE = "overline"
    DOUBLE_FOUR = "double-four"
    DOUBLE_THREE = "double-three"

    @property
    def with_article(self) -> str:
        """As a sentence has it: "an overline", "a double-four"."""
        return f"{'an' if self is Foul.OVERLINE else 'a'} {self.value}"


def parse_rule(text: str) -> Rule:
    """The rule called `text`: a name (any case) or a Gomocup number. Raises ValueError in one sentence otherwise."""
    wanted = text.strip().lower().replace("_", "-")
    for rule in Rule:
        if wanted in (rule.title, str(int(rule))):
            return rule
    known = ", ".join(f"{rule.title} ({int(rule)})" for rule in Rule)
    raise ValueError(f"unknown rule '{text}': choose one of {known}")


def check_size(width: int, height: int) -> None:
    """Raises ValueError in one sentence unless both sides are within MIN_SIZE..MAX_SIZE."""
    if not (MIN_SIZE <= width <= MAX_SIZE and MIN_SIZE <= height <= MAX_SIZE):
        raise ValueError(f"a board of {width}x{height} is not possible: each side must be {MIN_SIZE} to {MAX_SIZE}")


class Board:
    """Stones on a board, in the order in which they were placed. The functions below apply the rules to it."""

    def __init__(self, width: int = 15, height: int | None = None, rule: int = Rule.FREESTYLE) -> None:
        """An empty board; `height` defaults to `width`. Raises ValueError for an impossible size or rule."""
        self.width = width
        self.height = width if height is None else height
        check_size(self.width, self.height)
        self.rule = Rule(rule)
        self.stones: list[tuple[int, int, int]] = []
        self._blocked = 0
        # Row after row, a wall of BLOCKED above, below and between them, so that no row of stones runs off the board.
        self._stride = self.width + 1
        row = [EMPTY] * self.width + [BLOCKED]
        self._cells = [BLOCKED] * self._stride + row * self.height + [BLOCKED] * self._stride

    @property
    def side_to_move(self) -> int:
        """The colour that did not place the last stone; BLACK on an empty board."""
        return 1 - self.stones[-1][2] if self.stones else BLACK

    def is_on_board(self, x: int, y: int) -> bool:
        """True when (x, y) is a cell of this board."""
        return 0 <= x < self.width and 0 <= y < self.height

    def cell(self, x: int, y: int) -> int:
        """EMPTY, BLACK, WHITE or BLOCKED; a cell off the board is BLOCKED."""
        return self._cells[self._index(x, y)] if 0 <= x < self.width and 0 <= y < self.height else BLOCKED

    def place(self, x: int, y: int, colour: int | None = None) -> None:
        """Puts a stone of `colour` (default: the side to move). Raises ValueError if (x, y) is off the board or taken.

        Renju fouls and stones after a five may be placed: the functions of this module judge them.
        """
        if not self.is_on_board(x, y):
            raise ValueError(f"{x},{y} is off the {self.width}x{self.height} board")
        index = self._index(x, y)
        if self._cells[index] != EMPTY:
            raise ValueError(f"{x},{y} is already taken")
        if colour is None:
            colour = self.side_to_move
        self._cells[index] = colour
        self.stones.append((x, y, colour))

    def block(self, x: int, y: int) -> None:
        """Blocks an empty cell: neither side may use it, and it is not a stone. Raises ValueError if it is taken."""
        if self.cell(x, y) != EMPTY:
            raise ValueError(f"{x},{y} is taken or off the {self.width}x{self.height} board")
        self._cells[self._index(x, y)] = BLOCKED
        self._blocked += 1

    def undo(self) -> None:
        """Takes the last stone back. Raises IndexError if there is none."""
        x, y, _ = self.stones.pop()
        self._cells[self._index(x, y)] = EMPTY

    def is_full(self) -> bool:
        """True when no empty cell is left."""
        return len(self.stones) + self._blocked == self.width * self.height

    def empty_cells(self) -> Iterator[Cell]:
        """Every empty cell, row by row from the top-left."""
        for y in range(self.height):
            for x in range(self.width):
                if self._cells[self._index(x, y)] == EMPTY:
                    yield x, y

    def _index(self, x: int, y: int) -> int:
        return (y + 1) * self._stride + x


def is_win(board: Board, x: int, y: int) -> bool:
    """True when the stone at (x, y) stands in a row that wins under the board's rule; False for an empty cell."""
    colour = board.cell(x, y)
    if colour not in (BLACK, WHITE):
        return False
    cells, stride = board._cells, board._stride
    here = (y + 1) * stride + x
    for direction in DIRECTIONS:
        # Called after every move; most rows are too short, which this test finds fast.
        step = direction[1] * stride + direction[0]
        before, after = here - step, here + step
        while cells[before] == colour:
            before -= step
        while cells[after] == colour:
            after += step
        if (after - before) // step > 5 and _is_five(board, x, y, direction, colour):
            return True
    return False


def winning_row(board: Board, x: int, y: int) -> list[Cell]:
    """The cells, in order, of the first row through the stone at (x, y) that wins; empty if none wins."""
    if is_win(board, x, y):
        colour = board.cell(x, y)
        for dx, dy in DIRECTIONS:
            if _is_five(board, x, y, (dx, dy), colour):
                length, (bx, by), _ = row_through(board, x, y, (dx, dy), colour)
                return [(bx + step * dx, by + step * dy) for step in range(1, length + 1)]
    return []


def would_win(board: Board, x: int, y: int, colour: int) -> bool:
    """True when `colour` wins by playing at the empty cell (x, y). The board is the same afterwards."""
    board.place(x, y, colour)
    won = is_win(board, x, y)
    board.undo()
    return won


def five_points(board: Board, colour: int) -> list[Cell]:
    """The empty cells where `colour` wins by playing next, row by row. Black's five in renju is never a foul."""
    return [(x, y) for x, y in board.empty_cells() if would_win(board, x, y, colour)]


def is_forbidden(board: Board, x: int, y: int) -> bool:
    """True when the rule is renju, (x, y) is empty and Black would commit a foul by playing there."""
    return find_foul(board, x, y) is not None


def find_foul(board: Board, x: int, y: int) -> Foul | None:
    """The foul that Black would commit at (x, y); None under other rules, for a taken cell, for a five, or if there
    is no foul."""
    if board.rule != Rule.RENJU or board.cell(x, y) != EMPTY:
        return None
    board.place(x, y, BLACK)
    try:
        if is_win(board, x, y):
            return None
        if any(row_through(board, x, y, direction, BLACK)[0] > 5 for direction in DIRECTIONS):
            return Foul.OVERLINE
        if sum(_count_fours(board, x, y, direction) for direction in DIRECTIONS) >= 2:
            return Foul.DOUBLE_FOUR
        # The same three stones make one three however many ways they grow, and one line never holds two threes.
        if sum(_makes_three(board, x, y, direction) for direction in DIRECTIONS) >= 2:
            return Foul.DOUBLE_THREE
        return None
    finally:
        board.undo()


def row_through(board: Board, x: int, y: int, direction: Cell, colour: int) -> tuple[int, Cell, Cell]:
    """The unbroken row of `colour` through its stone at (x, y): length, the cell before it and the cell after it."""
    dx, dy = direction
    cells, stride = board._cells, board._stride
    here, step = (y + 1) * stride + x, dy * stride + dx
    before = here - step
    while cells[before] == colour:
        before -= step
    after = here + step
    while cells[after] == colour:
        after += step
    back, ahead = (here - before) // step, (after - here) // step
    return back + ahead - 1, (x - back * dx, y - back * dy), (x + ahead * dx, y + ahead * dy)


def _is_five(board: Board, x: int, y: int, direction: Cell, colour: int) -> bool:
    """True when the row of `colour` through (x, y) in this direction wins under the board's rule."""
    length, before, after = row_through(board, x, y, direction, colour)
    if length < 5:
        return False
    if board.rule == Rule.FREESTYLE or (board.rule == Rule.RENJU and colour == WHITE):
        return True
    if length > 5:
        return board.rule == Rule.CARO
    if board.rule in (Rule.CARO, Rule.STANDARD_CARO):
        return not (board.cell(*before) == 1 - colour and board.cell(*after) == 1 - colour)
    return True


def _makes_five(board: Board, x: int, y: int, direction: Cell) -> bool:
    """True when a black stone at the empty cell (x, y) completes exactly five in this direction."""
    if board.cell(x, y) != EMPTY:
        return False
    board.place(x, y, BLACK)
    made = _is_five(board, x, y, direction, BLACK)
    board.undo()
    return made


def _count_fours(board: Board, x: int, y: int, direction: Cell) -> int:
    """How many fours of Black, the stone at (x, y) among their four stones, lie in this direction: 0, 1 or 2.

    A four is known by its stones, so the two fives that a straight four can become are counted once, and the two
    fours of X.XXX.X, which share a line but not their stones, are counted twice.
    """
    dx, dy = direction
    fours: set[tuple[int, ...]] = set()
    for start in range(-4, 1):
        window = range(start, start + 5)
        stones = tuple(i for i in window if board.cell(x + i * dx, y + i * dy) == BLACK)
        gaps = [i for i in window if i not in stones]
        if len(gaps) == 1 and _makes_five(board, x + gaps[0] * dx, y + gaps[0] * dy, direction):
            fours.add(stones)
    return len(fours)


def _makes_three(board: Board, x: int, y: int, direction: Cell) -> bool:
    """True when Black's stone at (x, y) is one of a three in this direction."""
    _, before, after = row_through(board, x, y, direction, BLACK)
    for qx, qy in (before, after):
        if board.cell(qx, qy) != EMPTY:
            continue
        board.place(qx, qy, BLACK)
        straight = _is_straight_four(board, qx, qy, direction)
        five = is_win(board, qx, qy)
        board.undo()
        if straight and not five and not is_forbidden(board, qx, qy):
            return True
    return False


def _is_straight_four(board: Board, x: int, y: int, direction: Cell) -> bool:
    """True when the row through Black's stone at (x, y) has four stones and becomes a five at either end."""
    length, before, after = row_through(board, x, y, direction, BLACK)
    return length == 4 and all(_makes_five(board, *end, direction) for end in (before, after))
