"""Opening rules as data: who places the first stones and where, who chooses a colour, which fifth moves are offered.

    free          the player of Black moves first
    swap          the first player places three stones, and the second one chooses a colour
    swap2         the same, but the second player may also place two more stones, and the first one then chooses
    rif           three stones of the first player; the second one chooses a colour; White places the fourth stone,
                  Black offers two fifth moves, and White takes one of them
    yamaguchi     as rif, but the first player also declares how many fifth moves Black will offer
    soosorv-8     as rif, but with the fourth stone White declares one to eight fifth moves; then the other player
                  chooses a colour
    taraguchi-10  after each of the first five stones, which lie in larger and larger squares, the other player
                  chooses a colour; in place of the fifth stone Black may offer ten fifth moves anywhere

The last four are openings of renju on 15 x 15 cells: the first stone lies in the centre, the second within the central
3 x 3 cells, the third within 5 x 5, and no two of the offered fifth moves are the same by a symmetry of the board.
White places the sixth stone. Sources: the Renju International Federation's list of opening rules (renju.net), and for
taraguchi-10 "Taraguchi-N" in Wikipedia's "Taraguchi opening rule".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from tournaments.rules.openings import symmetries
from tournaments.rules.referee import BLACK, WHITE, Cell

MORE, TEN = "more", "ten"
COLOURS = ("black", "white")
"""The choices of a colour, by the number of the colour that the chooser takes."""

RENJU_OPENINGS = ("rif", "yamaguchi", "soosorv-8", "taraguchi-10")
RENJU_SIZE = 15
FIFTH = 4  # the index of the fifth stone
MOST_DECLARED = 12  # of yamaguchi, whose text has no limit; hardly any position has more fifth moves that are even


class By(Enum):
    """The player who acts. COLOUR has the colour of the next stone; OTHER did not place the last one."""

    FIRST = "first"
    SECOND = "second"
    COLOUR = "colour"
    OTHER = "other"
    BLACK = "black"
    WHITE = "white"


@dataclass(frozen=True)
class Place:
    """Stones until `stones` lie on the board. `sides`: the sides of the central squares that the last of them lie in,
    the first stone's first; none of them: anywhere."""

    stones: int
    by: By
    sides: tuple[int, ...] = ()

    def side(self, stones: int) -> int | None:
        """The side of the central square for the next stone, with `stones` on the board; None: anywhere."""
        return self.sides[stones - (self.stones - len(self.sides))] if self.sides else None


@dataclass(frozen=True)
class Choose:
    """One of some words. Each leads to steps of its own before the rest; a colour is what the chooser takes."""

    by: By
    options: Mapping[str, tuple["Step", ...]]


@dataclass(frozen=True)
class Declare:
    """A number of fifth moves to be offered, from 1 to `most`."""

    by: By
    most: int


@dataclass(frozen=True)
class Offer:
    """Black offers fifth moves, as many as `count`, or as were declared, and White takes one of them."""

    count: int | None = None


Step = Place | Choose | Declare | Offer


def _colour(by: By) -> Choose:
    return Choose(by, {"black": (), "white": ()})


_THREE = Place(3, By.FIRST)
_RENJU_THREE = Place(3, By.FIRST, (1, 3, 5))
_FOURTH = Place(4, By.COLOUR)
_FIFTH = (Place(5, By.COLOUR, (9,)), _colour(By.OTHER))

OPENING_RULES: Mapping[str, tuple[Step, ...]] = {
    "free": (),
    "swap": (_THREE, _colour(By.SECOND)),
    "swap2": (
        _THREE,
        Choose(By.SECOND, {"black": (), "white": (), MORE: (Place(5, By.SECOND), _colour(By.FIRST))}),
    ),
    "rif": (_RENJU_THREE, _colour(By.SECOND), _FOURTH, Offer(2)),
    "yamaguchi": (_RENJU_THREE, Declare(By.FIRST, MOST_DECLARED), _colour(By.SECOND), _FOURTH, Offer()),
    "soosorv-8": (_RENJU_THREE, _colour(By.SECOND), _FOURTH, Declare(By.WHITE, 8), _colour(By.BLACK), Offer()),
    "taraguchi-10": (
        Place(1, By.COLOUR, (1,)),
        _colour(By.OTHER),
        Place(2, By.COLOUR, (3,)),
        _colour(By.OTHER),
        Place(3, By.COLOUR, (5,)),
        _colour(By.OTHER),
        Place(4, By.COLOUR, (7,)),
        Choose(By.OTHER, {"black": _FIFTH, "white": _FIFTH, TEN: (Offer(10),)}),
    ),
}


@dataclass(frozen=True)
class Stage:
    """The next step of an opening. The player in the seat `seat` must do one of these things.

    stones: place stones until there is this number on the board; the next one must lie within the central square with
    the side `side`, or anywhere if that is None. choices: choose one of these words. offers: offer fifth moves until
    there is this number. is_taking: take one of the offered fifth moves.
    """

    seat: int
    stones: int = 0
    side: int | None = None
    choices: tuple[str, ...] = ()
    offers: int = 0
    is_taking: bool = False


@dataclass
class Progress:
    """How far an opening has come: its stage, None when it is over; each seat's colour; the seat that placed each
    stone, and the seat that made each choice."""

    stage: Stage | None = None
    colours: list[int] = field(default_factory=lambda: [BLACK, WHITE])
    placers: list[int] = field(default_factory=list)
    choosers: list[int] = field(default_factory=list)

    def seat(self, by: By) -> int:
        """The number of the seat that is meant now."""
        match by:
            case By.FIRST | By.SECOND:
                return 0 if by is By.FIRST else 1
            case By.OTHER:
                return 1 - self.placers[-1]
            case By.COLOUR:
                return self.colours.index(len(self.placers) % 2)
            case By.BLACK | By.WHITE:
                return self.colours.index(BLACK if by is By.BLACK else WHITE)


def follow(opening: str, stones: int, choices: Sequence[str], offered: int = 0) -> Progress:
    """How far an opening has come with these choices made, `stones` on the board and `offered` fifth moves offered."""
    progress, left, declared = Progress(), list(choices), 0
    steps = list(OPENING_RULES[opening])
    while steps:
        step = steps.pop(0)
        match step:
            case Place():
                while len(progress.placers) < step.stones:
                    seat, placed = progress.seat(step.by), len(progress.placers)
                    if placed == stones:
                        progress.stage = Stage(seat, step.stones, step.side(placed))
                        return progress
                    progress.placers.append(seat)
            case Choose():
                seat = progress.seat(step.by)
                if not left:
                    progress.stage = Stage(seat, choices=tuple(step.options))
                    return progress
                choice = left.pop(0)
                progress.choosers.append(seat)
                if choice in COLOURS:
                    mine = COLOURS.index(choice)
                    progress.colours[seat], progress.colours[1 - seat] = mine, 1 - mine
                steps[:0] = step.options[choice]
            case Declare():
                seat = progress.seat(step.by)
                if not left:
                    progress.stage = Stage(seat, choices=tuple(map(str, range(1, step.most + 1))))
                    return progress
                declared = int(left.pop(0))
                progress.choosers.append(seat)
            case Offer():
                count = step.count or declared
                if offered < count:
                    progress.stage = Stage(progress.seat(By.BLACK), offers=count)
                    return progress
                if stones <= FIFTH:
                    progress.stage = Stage(progress.seat(By.WHITE), is_taking=True)
                    return progress
                progress.placers.append(progress.seat(By.BLACK))
    return progress


def is_central(cell: Cell, side: int, width: int, height: int) -> bool:
    """Whether the cell lies within the central square with this side; board and side are odd."""
    return all(abs(2 * place - (size - 1)) < side for place, size in zip(cell, (width, height), strict=True))


def find_equal_offer(position: tuple[Cell, ...], offers: Sequence[Cell], cell: Cell, size: int) -> Cell | None:
    """The offered fifth move that a symmetry of the four stones on a square board makes the same as this one."""
    stones = {(cell, index % 2) for index, cell in enumerate(position)}
    for turned in symmetries((*position, cell), size, size):
        if {(each, index % 2) for index, each in enumerate(turned[:-1])} == stones and turned[-1] in offers:
            return turned[-1]
    return None
