"""Weaker play that still looks like a person's: the search visits fewer positions, and overlooks cells.

The overlooked cells are drawn once for each move. A cell matters if either side can make a five, a four or a three
there. An overlooked cell that matters is blocked for the search: in every rule the search then sees neither the shape
that a stone there would make nor the one that it would stop. An overlooked quiet cell is only not played. Everything
else is the engine's own search.
"""

from __future__ import annotations

from pbrain.settings import FULL_LEVEL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from random import Random
    from types import ModuleType

    from engine import Board, Info
    from pbrain.thinker import Allowance, Point, Thinker


class Level:
    """The limits of a level: the most positions that a search visits, and the chances that it overlooks a cell.

    five   a cell on which a stone of either side makes a five
    four   ... a live four, or two fours at once
    three  ... another four, or an open three
    quiet  ... none of these

    The chances are those of a straight row near the last two stones; see `chance_to_miss`.
    """

    __slots__ = ("five", "four", "nodes", "quiet", "three")

    def __init__(self, nodes: int, five: float, four: float, three: float, quiet: float) -> None:
        self.nodes = nodes
        self.five = five
        self.four = four
        self.three = three
        self.quiet = quiet

    def basic_chance(self, engine: ModuleType, kind: int) -> float:
        """The chance that a near cell of this pattern class is overlooked."""
        if kind == engine.CLASS_FIVE:
            return self.five
        if kind >= engine.CLASS_LIVE_FOUR:
            return self.four
        return self.three if kind >= engine.CLASS_THREE else self.quiet


# The levels below full strength, 1 first. `tengen ladder --levels` measures what they are worth.
LEVELS = (
    Level(60, 0.015, 0.165, 0.195, 0.14),
    Level(68, 0.011, 0.133, 0.158, 0.11),
    Level(76, 0.007, 0.098, 0.118, 0.075),
    Level(84, 0.004, 0.072, 0.09, 0.054),
    Level(120, 0.0, 0.03, 0.04, 0.02),
    Level(300, 0.0, 0.0, 0.0, 0.0),
    Level(1_000, 0.0, 0.0, 0.0, 0.0),
    Level(3_000, 0.0, 0.0, 0.0, 0.0),
    Level(10_000, 0.0, 0.0, 0.0, 0.0),
)
DIAGONAL = 1.5  # times the chance of a straight row
NEAR = 2  # cells between the last two stones and what is seen best
FAR = 0.25  # of its chance is added for each cell beyond
MOST = 0.9  # no chance is greater

assert len(LEVELS) == FULL_LEVEL - 1


def chance_to_miss(basic: float, distance: int, is_diagonal: bool) -> float:
    """The chance that a cell is overlooked, `distance` cells from the nearer one of the last two stones."""
    return min(MOST, basic * (DIAGONAL if is_diagonal else 1.0) * (1.0 + FAR * max(0, distance - NEAR)))


def lies_diagonally(stones: dict[Point, int], x: int, y: int, colour: int) -> bool:
    """Whether the direction through x,y with the most stones for one five is a diagonal."""
    straight = max(_row(stones, x, y, dx, dy, colour) for dx, dy in ((1, 0), (0, 1)))
    return any(_row(stones, x, y, dx, dy, colour) > straight for dx, dy in ((1, 1), (1, -1)))


def _row(stones: dict[Point, int], x: int, y: int, dx: int, dy: int, colour: int) -> int:
    """The stones of a colour within four cells of x,y on both sides in this direction, up to the first other stone."""
    count = 0
    for step_x, step_y in ((dx, dy), (-dx, -dy)):
        for step in range(1, 5):
            piece = stones.get((x + step * step_x, y + step * step_y))
            if piece == 1 - colour:
                break
            count += piece == colour
    return count


def overlooked(engine: ModuleType, board: Board, level: Level, chance: Random) -> tuple[list[Point], list[Point]]:
    """The cells that are overlooked for this move: those that matter, and the quiet ones."""
    stones = dict(board.stones())
    focus = [move for move in board.moves()[-2:] if move is not None]
    cells: tuple[list[Point], list[Point]] = ([], [])
    for x, y in board.candidates():
        classes = [board.class_at(x, y, colour) for colour in (0, 1)]
        kind = max(classes)
        basic = level.basic_chance(engine, kind)
        if basic == 0.0:
            continue
        distance = min((max(abs(x - at[0]), abs(y - at[1])) for at in focus), default=0)
        is_quiet = kind < engine.CLASS_THREE
        slants = not is_quiet and lies_diagonally(stones, x, y, classes.index(kind))
        if chance.random() < chance_to_miss(basic, distance, slants):
            cells[is_quiet].append((x, y))
    return cells


def choose(
    thinker: Thinker,
    build: Callable[[Iterable[Point]], Board],
    level: Level,
    exclude: Iterable[Point],
    chance: Random,
    allowance: Allowance,
) -> Info:
    """The move of a level. `build` makes the board that has some more cells blocked.

    Score and line are those of the level's own search. It announces a win or a loss only if no overlooked cell could
    refute it; else the score is the static one, of depth 0.
    """
    engine = thinker.engine()
    board = build(())
    legal = board.legal_moves()
    matters, quiet = overlooked(engine, board, level, chance)
    if set(legal) <= {*matters, *quiet, *exclude}:
        matters, quiet = [], []
    fouls: list[Point] = []
    if board.side_to_move == 0:  # with a cell blocked, what is a foul in truth may look like none
        fouls = [(x, y) for x in range(board.width) for y in range(board.height) if board.is_forbidden(x, y)]
    info = thinker.go(build(matters), allowance.limits(allowance.depth), [*exclude, *quiet, *fouls])
    if info.mate is None or is_proved(engine, board, info, matters, quiet):
        return info
    value = board.value if board.side_to_move == 0 else -board.value
    seen: Info = engine.Info(0, 0, value, None, info.nodes, info.time_ms, info.pv, info.move, height=board.height)
    return seen


def is_proved(
    engine: ModuleType, board: Board, info: Info, matters: Collection[Point], quiet: Collection[Point]
) -> bool:
    """Whether a win or a loss that was found with these cells overlooked also holds on the real board."""
    if info.mate == 1 and board.class_at(*info.move, board.side_to_move) == engine.CLASS_FIVE:
        return True
    # A quiet cell that the level does not play could save it; the opponent was allowed it, so a win stands.
    return not matters and (not quiet or (info.mate or 0) > 0)
