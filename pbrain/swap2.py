"""The swap2 opening: three balanced stones, then the choice between a colour, a move and two more stones.

The first side places black, white, black. The other side takes white and plays, takes black, or places a white and a
black stone and leaves the choice of the colour to the first side. White moves next in every case, so a score here is
for white.
"""

from __future__ import annotations

from pbrain.thinker import Trial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random
    from types import ModuleType

    from engine import Board, Info
    from pbrain.thinker import Allowance, Point, Thinker

EVEN = 30  # centipoints: with a score nearer to 0 neither colour is worth taking
PROPOSALS = 48  # openings, or pairs, that are tried
SPREAD = 4  # how far an opening's stones lie from its first, in cells
MIN_FIELD = 12  # least number of trials that the search keeps


def most_even_first(trial: Trial) -> float:
    """The value of a trial that is to be balanced."""
    return -abs(trial.score)


def most_promising(trials: list[Trial]) -> list[Trial]:
    """Two thirds of the trials: a shallow search seldom finds the most balanced one."""
    return trials[: max(MIN_FIELD, len(trials) * 2 // 3)]


def random_openings(chance: Random, width: int, height: int, count: int) -> list[tuple[Point, ...]]:
    """Three stones each, close together, anywhere on the board: openings near the edge are balanced."""
    found: list[tuple[Point, ...]] = []
    while len(found) < count:
        x, y = chance.randrange(width), chance.randrange(height)
        stones = [(x, y)]
        while len(stones) < 3:
            point = x + chance.randint(-SPREAD, SPREAD), y + chance.randint(-SPREAD, SPREAD)
            if 0 <= point[0] < width and 0 <= point[1] < height and point not in stones:
                stones.append(point)
        found.append(tuple(stones))
    return found


def random_pairs(chance: Random, board: Board, engine: ModuleType, count: int) -> list[tuple[Point, ...]]:
    """A stone of the side to move and one of the other side, each near those on the board, none of them a foul."""
    near = [point for point in board.candidates() if board.cell(*point) == -1]
    near = near or [(x, y) for x in range(board.width) for y in range(board.height) if board.cell(x, y) == -1]
    found: set[tuple[Point, ...]] = set()
    for _ in range(count * 4):
        if len(found) >= count or len(near) < 2:
            break
        first, second = chance.sample(near, 2)
        if is_legal(board, engine, (first, second)):
            found.add((first, second))
    return sorted(found)


def is_legal_point(board: Board, engine: ModuleType, point: Point) -> bool:
    """True if the side to move may play on a free cell."""
    return board.side_to_move != engine.BLACK or not board.is_forbidden(*point)


def is_legal(board: Board, engine: ModuleType, stones: tuple[Point, ...]) -> bool:
    """Whether the stones may be played in turn: none of black's is a foul, and none but the last ends the game."""
    placed = 0
    try:
        for x, y in stones:
            if not is_legal_point(board, engine, (x, y)):
                return False
            board.play(x, y)
            placed += 1
        return board.winner() is None
    finally:
        for _ in range(placed):
            board.undo()


def open_game(
    thinker: Thinker, board: Board, known: list[tuple[Point, ...]], chance: Random, allowance: Allowance
) -> list[Trial]:
    """Openings for an empty board, the most balanced first; `known` were found in earlier games."""
    fresh = random_openings(chance, board.width, board.height, PROPOSALS)
    trials = [Trial(stones) for stones in dict.fromkeys([*known, *fresh])]
    return thinker.survey(board, trials, most_even_first, most_promising, allowance)


def choose_colour(thinker: Thinker, board: Board, allowance: Allowance) -> Info | None:
    """With white to move: the Info of white's move, or None to take black."""
    info = thinker.go(board, allowance.limits(allowance.depth))
    return info if info.score >= 0 else None


def answer_opening(
    thinker: Thinker,
    board: Board,
    engine: ModuleType,
    chance: Callable[[], Random],
    allowance: Allowance,
) -> list[Point]:
    """With three stones on the board and white to move: nothing (take black), white's move, or two stones.

    Two are placed where neither colour is better by more than EVEN, and the pair leaves the game at least as even.
    """
    info = thinker.go(board, allowance.part(0.5).limits(allowance.depth))
    if abs(info.score) < EVEN:
        trials = [Trial(pair) for pair in random_pairs(chance(), board, engine, PROPOSALS)]
        best = thinker.survey(board, trials, most_even_first, most_promising, allowance)[:1]
        if best and abs(best[0].score) <= EVEN:
            return list(best[0].stones)
    return [info.move] if info.score >= 0 else []
