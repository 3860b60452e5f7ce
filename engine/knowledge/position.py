"""A position of the store: rule, size of the board, stones and the side to move, the same for all its symmetries.

The key of a position is the least of its images. An image is a number of 96 bits: the exclusive or of one number for
rule, size and side to move, and one for the colour and the cell of each stone after a symmetry. So a move changes each
image by one exclusive or. The symmetry with the least image turns the position to its canonical orientation, in which a
record names its best move and a note its stones. If several symmetries have the least image, the position is
symmetrical, and all moves that these symmetries exchange are one move.

The numbers are those of splitmix64, so other programs can compute them (README.md, "The format").
"""

from __future__ import annotations

from functools import cache
from operator import xor

from engine.checks import shown, whole_number
from engine.knowledge.keys import Sieve, Stones
from engine.notation import format_moves, parse_history
from engine.rules import rule_number

TYPE_CHECKING = False  # type checkers read it as true; importing typing costs milliseconds
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    class BoardLike(Protocol):
        """The part of an `engine.Board` that `Position.of` reads."""

        @property
        def width(self) -> int: ...
        @property
        def height(self) -> int: ...
        @property
        def rule(self) -> int: ...
        @property
        def side_to_move(self) -> int: ...
        @property
        def empty_cells(self) -> int: ...
        def stones(self) -> list[tuple[tuple[int, int], int]]: ...


Cell = tuple[int, int]

SMALLEST, LARGEST = 5, 22
KEY_BYTES = 12
NO_CELL = 0xFFFF  # in the place of a cell's number
_MASK = (1 << 64) - 1
_SEED = 0x74656E67656E  # "tengen"
_sizes: dict[tuple[int, int], _Size] = {}
_changes: dict[tuple[int, int, int], int] = {}


def mixed(number: int) -> int:
    """The number of 64 bits that splitmix64 makes from a state, which is any whole number."""
    word = (number + 0x9E3779B97F4A7C15) & _MASK
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & _MASK
    return word ^ (word >> 31)


def _number(*parts: int) -> int:
    """96 bits that depend on the parts and their order."""
    word = _SEED
    for part in parts:
        word = mixed(word ^ part)
    return word << 32 | mixed(word) >> 32


@cache
def _start(rule: int, width: int, height: int, side_to_move: int) -> int:
    """The number of the empty board in every symmetry."""
    return _number(3, rule, width, height, side_to_move)


def _change_of_side(rule: int, width: int, height: int) -> int:
    """The exclusive or of the images of a position with one side and with the other side to move."""
    change = _changes.get((rule, width, height))
    if change is None:
        one, other = (_start(rule, width, height, side) for side in (0, 1))
        change = _changes[rule, width, height] = one ^ other
    return change


class _Size:
    """The symmetries of a board size: the cell to which each cell goes, and the number of a stone there."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        cells = [(x, y) for y in range(height) for x in range(width)]
        last_x, last_y = width - 1, height - 1
        turns = [
            [(x, y) for x, y in cells],
            [(last_x - x, y) for x, y in cells],
            [(x, last_y - y) for x, y in cells],
            [(last_x - x, last_y - y) for x, y in cells],
        ]
        if width == height:
            turns += [[(y, x) for x, y in turn] for turn in turns]
        self.turned = [[y * width + x for x, y in turn] for turn in turns]
        """For each symmetry and each cell's number, y * width + x, the number of the cell to which it goes."""
        self.back = [[0] * len(cells) for _ in turns]
        """The inverse of `turned`."""
        for turn, back in zip(self.turned, self.back, strict=True):
            for cell, goal in enumerate(turn):
                back[goal] = cell
        stones = [[_number(colour + 1, x, y) for x, y in cells] for colour in (0, 1)]
        self.stones = [
            [tuple(numbers[turn[cell]] for turn in self.turned) for cell in range(len(cells))] for numbers in stones
        ]
        """For each colour and cell, the number of a stone there in every symmetry."""
        self.key_tables = [Stones(numbers) for numbers in self.stones]
        """For each colour the same, for the keys after all moves."""


def _size_of(width: int, height: int) -> _Size:
    size = _sizes.get((width, height))
    if size is None:
        size = _sizes[width, height] = _Size(width, height)
    return size


class Position:
    """A position, which does not change. Cells are (x, y) from 0, y from the top, as everywhere in the engine.

    rule, width, height: as `engine.Board` has them; black, white: frozen sets of cells; side_to_move: 0 for Black, 1
    for White; images: the number of the position in each symmetry, 8 on a square board and 4 on an oblong one. Two
    positions are equal if a symmetry turns one into the other, and then they have the same hash.
    """

    __slots__ = ("black", "height", "images", "rule", "side_to_move", "white", "width")

    def __init__(
        self,
        width: int = 15,
        height: int | None = None,
        rule: int | str = 0,
        black: Iterable[Cell] = (),
        white: Iterable[Cell] = (),
        side_to_move: int | None = None,
    ) -> None:
        """height: as the width unless given; rule: its number or its name; side_to_move: Black unless there are more
        black stones than white ones.

        Raises TypeError and ValueError, in one sentence, for arguments that do not make a position.
        """
        self.width = whole_number("width", width, SMALLEST, LARGEST)
        self.height = whole_number("height", self.width if height is None else height, SMALLEST, LARGEST)
        self.rule = rule_number(rule)
        stones = [*black], [*white]
        for x, y in (*stones[0], *stones[1]):
            if not (0 <= whole_number("x", x) < self.width and 0 <= whole_number("y", y) < self.height):
                raise ValueError(f"the stone at {shown(x)},{shown(y)} is off the {self.width}x{self.height} board")
        self.black, self.white = frozenset(stones[0]), frozenset(stones[1])
        if len(self.black | self.white) != len(stones[0]) + len(stones[1]):
            raise ValueError("two stones are on one cell")
        side = len(self.black) > len(self.white) if side_to_move is None else side_to_move
        self.side_to_move = whole_number("side_to_move", side, 0, 1)
        self.images = self._images()

    @classmethod
    def of(cls, board: BoardLike) -> Position:
        """The position of an `engine.Board`. Raises ValueError for a board with blocked cells, which has no key."""
        stones = board.stones()
        if board.empty_cells + len(stones) != board.width * board.height:
            raise ValueError("a store has no positions with blocked cells")
        black, white = ([cell for cell, colour in stones if colour == wanted] for wanted in (0, 1))
        return cls(board.width, board.height, board.rule, black, white, board.side_to_move)

    @classmethod
    def from_moves(cls, text: str, width: int = 15, height: int | None = None, rule: int | str = 0) -> Position:
        """The position after these moves, which Black begins; "-" is a pass. Raises ValueError, naming the move.

        >>> Position.from_moves("h8i9") == Position.from_moves("h8g7")
        True
        >>> Position.from_moves("h8h8")
        Traceback (most recent call last):
        ValueError: move 2, h8: the cell is taken
        """
        position = cls(width, height, rule)
        for number, (mark, x, y) in enumerate(parse_history(text, position.width, position.height), 1):
            if mark == "*":
                raise ValueError(f"move {number}: a store has no positions with blocked cells")
            if (x, y) in position.black or (x, y) in position.white:
                raise ValueError(f"move {number}, {format_moves([(x, y)], position.height)}: the cell is taken")
            position = position.passed() if mark else position.after((x, y))
        return position

    @property
    def key(self) -> bytes:
        """Twelve bytes, the same for all symmetries of the position."""
        return min(self.images).to_bytes(KEY_BYTES, "big")

    @property
    def symmetries(self) -> int:
        """The number of symmetries that leave the position as it is: at least 1, for the one that changes nothing."""
        return self.images.count(min(self.images))

    def after(self, cell: Cell) -> Position:
        """The position after the side to move has placed a stone on the cell. Raises ValueError if it cannot."""
        x, y = cell
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise ValueError(f"{shown(x)},{shown(y)} is off the {self.width}x{self.height} board")
        if cell in self.black or cell in self.white:
            raise ValueError(f"{format_moves([cell], self.height)} is taken")
        made = Position.__new__(Position)
        made.width, made.height, made.rule = self.width, self.height, self.rule
        made.black = self.black if self.side_to_move else self.black | {cell}
        made.white = self.white | {cell} if self.side_to_move else self.white
        made.side_to_move = 1 - self.side_to_move
        numbers = _size_of(self.width, self.height).stones[self.side_to_move][y * self.width + x]
        made.images = tuple(map(xor, self._images_of_other_side(), numbers))
        return made

    def passed(self) -> Position:
        """The same stones with the other side to move."""
        return Position(self.width, self.height, self.rule, self.black, self.white, 1 - self.side_to_move)

    def before(self, cell: Cell) -> Position:
        """The position before the last move, which was on the cell. Raises ValueError if it cannot have been there."""
        mover = 1 - self.side_to_move
        if cell not in (self.white if mover else self.black):
            raise ValueError(f"the last move was not {format_moves([cell], self.height)}")
        made = Position.__new__(Position)
        made.width, made.height, made.rule = self.width, self.height, self.rule
        made.black = self.black if mover else self.black - {cell}
        made.white = self.white - {cell} if mover else self.white
        made.side_to_move = mover
        numbers = _size_of(self.width, self.height).stones[mover][cell[1] * self.width + cell[0]]
        made.images = tuple(map(xor, self._images_of_other_side(), numbers))
        return made

    def keys_after(self, sieve: Sieve | None = None) -> list[tuple[Cell, bytes]]:
        """The empty cells, from the top left, each with the key of the position after a move there.

        sieve: if given, cells with keys that it lacks are left out.
        """
        table = _size_of(self.width, self.height).key_tables[self.side_to_move]
        taken = {y * self.width + x for x, y in (*self.black, *self.white)}
        return [
            ((number % self.width, number // self.width), key)
            for number, key in table.keys_after(self._images_of_other_side(), taken, sieve)
        ]

    def canonical(self) -> Position:
        """The position in its canonical orientation."""

        def turned(cells: Iterable[Cell]) -> list[Cell]:
            return [
                (number % self.width, number // self.width)
                for number in (size.turned[turn][y * self.width + x] for x, y in cells)
            ]

        size, turn = _size_of(self.width, self.height), self.images.index(min(self.images))
        return Position(self.width, self.height, self.rule, turned(self.black), turned(self.white), self.side_to_move)

    def to_canonical(self, cell: Cell) -> int:
        """The number, y * width + x, of a cell on the board in the canonical orientation.

        Cells that a symmetry of the position exchanges have the same number, the least of their numbers.
        """
        least, (x, y) = min(self.images), cell
        number, turned = y * self.width + x, _size_of(self.width, self.height).turned
        return min(turned[turn][number] for turn, image in enumerate(self.images) if image == least)

    def from_canonical(self, number: int) -> Cell | None:
        """The cell that has this number in the canonical orientation, one of several in a symmetrical position.

        None if the number belongs to no cell, or to a cell with a stone: a record of this position has no such move.
        """
        if not 0 <= number < self.width * self.height:
            return None
        found = _size_of(self.width, self.height).back[self.images.index(min(self.images))][number]
        cell = found % self.width, found // self.width
        return None if cell in self.black or cell in self.white else cell

    def to_bytes(self) -> bytes:
        """The position in its canonical orientation: rule, width, height, side to move, the number of black stones (two
        bytes, as all that follows), and the numbers of the cells with black and with white stones, each from the least.
        """
        turned = _size_of(self.width, self.height).turned[self.images.index(min(self.images))]
        black, white = (sorted(turned[y * self.width + x] for x, y in cells) for cells in (self.black, self.white))
        return bytes((self.rule, self.width, self.height, self.side_to_move)) + b"".join(
            number.to_bytes(2, "big") for number in (len(black), *black, *white)
        )

    @classmethod
    def from_bytes(cls, code: bytes) -> Position:
        """The inverse of `to_bytes`, up to symmetry. Raises ValueError, in one sentence, for other bytes."""
        if len(code) < 6 or len(code) % 2:
            raise ValueError("the stones of a position are cut off")
        rule, width, height, side = code[:4]
        numbers = [int.from_bytes(code[at : at + 2], "big") for at in range(4, len(code), 2)]
        count, cells = numbers[0], [(number % max(width, 1), number // max(width, 1)) for number in numbers[1:]]
        if count > len(cells):
            raise ValueError("the stones of a position are cut off")
        if not (
            SMALLEST <= min(width, height) <= max(width, height) <= LARGEST
            and side <= 1
            and max(numbers[1:], default=0) < width * height
            and len(set(cells)) == len(cells)
        ):
            return cls(width, height, rule, cells[:count], cells[count:], side)  # raises: it says what is wrong
        made = cls.__new__(cls)  # what has been checked here need not be checked stone by stone
        made.width, made.height, made.rule, made.side_to_move = width, height, rule_number(rule), side
        made.black, made.white = frozenset(cells[:count]), frozenset(cells[count:])
        made.images = made._images()
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and min(self.images) == min(other.images)

    def __hash__(self) -> int:
        return hash(min(self.images))

    def __repr__(self) -> str:
        black, white = (format_moves(sorted(cells), self.height) for cells in (self.black, self.white))
        return (
            f"Position({self.width}x{self.height}, rule {self.rule}, black {black or 'none'}, "
            f"white {white or 'none'}, {'White' if self.side_to_move else 'Black'} to move)"
        )

    def _images(self) -> tuple[int, ...]:
        """The number of the position in each symmetry."""
        size = _size_of(self.width, self.height)
        images = [_start(self.rule, self.width, self.height, self.side_to_move)] * len(size.turned)
        for colour, cells in enumerate((self.black, self.white)):
            numbers = size.stones[colour]
            for x, y in cells:
                images = list(map(xor, images, numbers[y * self.width + x]))
        return tuple(images)

    def _images_of_other_side(self) -> tuple[int, ...]:
        """The images of the same stones with the other side to move."""
        change = _change_of_side(self.rule, self.width, self.height)
        return tuple([image ^ change for image in self.images])
