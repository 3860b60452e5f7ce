"""The levels: the cells that each overlooks, and that it does not play on them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable
from time import monotonic

import pytest
from managers import RULES, random_opening
from transcript import RealTalk

import engine
from pbrain import levels
from pbrain.levels import LEVELS, Level, chance_to_miss, lies_diagonally, overlooked
from pbrain.thinker import Allowance, Thinker
from tournaments.rivals.budget import Budget
from tournaments.rivals.weights import Weights
from tournaments.rules import referee
from tournaments.rules.notation import parse_opening

Point = tuple[int, int]

OPENINGS = [
    "i7f5c9c12b5g13g9",
    "h7h8m11f9",
    "j10e9b11d3f4g3",
    "i8l8h12i12k11j11m9",
    "j11i11h10i12f7",
    "k8k4i4l7i2",
    "g11e13c13f13i7i9i13",
    "i8g7l10h7",
    "c9h4i8i9g7",
    "j8h11i5k7f6",
    "g8g10g9g11i6",
    "e6f6i10g6",
    "h6i6g4g8g6j4g2",
    "i9l11h11g10n12",
    "d12d7e6g7g8",
    "h13l11k7h9m9l8",
    "k6j8h9i7k9",
    "g7g6g9f8j8",
    "d12e9g12i9j8f11",
    "d11e5i5e10i9h7g5",
]
"""Balanced ones, by `tengen openings 20 --seed 72`: from others the stronger side of the opening wins at any level."""
Mover = Callable[[referee.Board], Point]


def level_mover(told: str, rule: int = 0, nodes: int = 1 << 20) -> Mover:
    """A session with this line of INFO as a player."""
    talk = RealTalk().set_up(f"INFO rule {rule}", told, nodes=nodes)

    def move(board: referee.Board) -> Point:
        own = board.side_to_move
        stones = [f"{x},{y},{1 if colour == own else 2}" for x, y, colour in board.stones]
        return talk.move("BOARD", *stones, "DONE")

    return move


def weights(board: referee.Board) -> Point:
    """The rival that looks one ply ahead."""
    return Weights().choose(board, board.side_to_move, Budget())[0]


def points(first: Mover, second: Mover, games: int, rule: int = 0) -> float:
    """The points of the first in `games` games from these openings, each played with both colours.

    Every move is legal by the referee.
    """
    score = 0.0
    for number in range(games):
        board = referee.Board(15, 15, referee.Rule(rule))
        for x, y in parse_opening(OPENINGS[number // 2 % len(OPENINGS)], 15, 15):
            board.place(x, y)
        players = (first, second) if number % 2 == 0 else (second, first)
        is_won = False
        while not is_won and len(board.stones) < 120:
            mover = board.side_to_move
            x, y = players[mover](board)
            assert mover == referee.WHITE or not referee.is_forbidden(board, x, y)
            board.place(x, y)
            is_won = referee.is_win(board, x, y)
        score += 0.5 if not is_won else players[mover] is first
    return score


def missed(level: Level, text: str, wanted: set[Point]) -> float:
    """How often one of the wanted cells is overlooked, of a hundred draws of the dice."""
    board = engine.Board.from_moves(text)
    chance = random.Random(7)
    return sum(not wanted.isdisjoint(overlooked(engine, board, level, chance)[0]) for _ in range(100)) / 100


def test_every_level_sees_more_than_the_one_below() -> None:
    for low, high in itertools.pairwise(LEVELS):
        assert low.nodes < high.nodes
        assert low.five >= high.five and low.four >= high.four
        assert low.three >= high.three and low.quiet >= high.quiet
    assert LEVELS[0].five < LEVELS[0].four


def test_what_is_diagonal_or_far_is_missed_more_often() -> None:
    assert chance_to_miss(0.2, 2, False) == 0.2
    assert chance_to_miss(0.2, 2, True) == pytest.approx(0.3)
    assert chance_to_miss(0.2, 6, False) == pytest.approx(0.4)
    assert chance_to_miss(0.5, 20, True) == levels.MOST
    assert chance_to_miss(0.0, 20, True) == 0.0


@pytest.mark.parametrize(
    ("stones", "colour", "expected"),
    [
        ([(6, 7), (8, 7)], 0, False),
        ([(6, 6), (8, 8)], 0, True),
        ([(8, 6), (9, 5)], 0, True),
        ([(6, 6), (7, 6)], 0, False),
        ([(6, 6), (8, 8)], 1, False),
    ],
)
def test_where_a_row_lies(stones: list[Point], colour: int, expected: bool) -> None:
    assert lies_diagonally(dict.fromkeys(stones, 0), 7, 7, colour) is expected


@pytest.mark.parametrize("number", range(1, len(LEVELS) + 1))
def test_a_level_misses_fives_and_fours_as_often_as_its_table_says(number: int) -> None:
    """Both lie straight; the five is 2 cells from the last two stones, the live fours 1 and 3 cells."""
    level = LEVELS[number - 1]
    five = missed(level, "e9a15f9o14h9m2i9g11", {(6, 6)})
    four = missed(level, "g8a15h8o1i8i10", {(5, 7), (9, 7)})
    either = 1 - (1 - chance_to_miss(level.four, 2, False)) * (1 - chance_to_miss(level.four, 3, False))
    assert (five > 0, four > 0) == (level.five > 0, level.four > 0) or 0 < level.five < 0.02
    assert five == pytest.approx(level.five, abs=0.06)
    assert four == pytest.approx(either, abs=0.1)


def test_a_cell_that_is_overlooked_is_no_cell() -> None:
    """Blind to all fives a brain neither makes its own nor stops the other's; with open eyes it makes its own."""
    lines = ["BOARD", *(f"{x},6,2" for x in range(4, 8)), *(f"{x},10,1" for x in range(4, 8)), "DONE"]
    fives = {(3, 6), (8, 6), (3, 10), (8, 10)}
    talk = RealTalk().set_up("INFO level 9")
    assert talk.move(*lines) in {(3, 10), (8, 10)}
    board = engine.Board.from_moves("e9e5f9f5g9g5h9h5")
    searched: list[list[Point]] = []

    def build(unseen: Iterable[Point]) -> engine.Board:
        searched.append(list(unseen))
        other = engine.Board()
        for cell in searched[-1]:
            other.block(*cell)
        for move in board.moves():
            assert move is not None
            other.play(*move)
        return other

    thinker = Thinker(lambda: engine)
    thinker.allot(1 << 26, None)
    allowance = Allowance(monotonic, None, nodes=100)
    for seed in range(5):
        info = levels.choose(thinker, build, Level(100, 9.0, 0.0, 0.0, 0.0), (), random.Random(seed), allowance)
        assert info.move not in searched[-1] and set(searched[-1]) <= fives
    assert {cell for cells in searched for cell in cells} == fives


def chosen(text: str, level: Level, seed: int = 0) -> engine.Info:
    """What a level says of a position."""

    def build(unseen: Iterable[Point]) -> engine.Board:
        board = engine.Board()
        for cell in unseen:
            board.block(*cell)
        for move in engine.Board.from_moves(text).moves():
            assert move is not None
            board.play(*move)
        return board

    thinker = Thinker(lambda: engine)
    thinker.allot(1 << 26, None)
    return levels.choose(thinker, build, level, (), random.Random(seed), Allowance(monotonic, None, nodes=300))


OPEN_EYES, NO_FIVES, NO_THREES, NO_QUIET = (
    Level(300, *(9.0 * (at == hidden) for at in range(4))) for hidden in (4, 0, 2, 3)
)


@pytest.mark.parametrize(
    ("text", "level", "mate"),
    [
        ("h8a1i8b1j8d1", OPEN_EYES, 3),
        ("h8a1i8b1j8d1", NO_QUIET, 3),  # quiet cells that are not played hide no defence
        ("h8a1i8b1j8d1o15e1", NO_FIVES, None),  # White's five at c1 is not seen, and an open four seems to win
        ("h8a1i8b1j8d1k8o15", NO_THREES, 1),  # a five on the board needs no proof
        ("h8a1i8b1j8d1k8", OPEN_EYES, -2),
        ("h8a1i8b1j8d1k8", NO_QUIET, None),  # a loss, if no other cell could be played
    ],
)
def test_a_level_announces_no_result_that_it_may_have_invented(text: str, level: Level, mate: int | None) -> None:
    info = chosen(text, level)
    assert info.mate == mate
    if mate is None:
        board = engine.Board.from_moves(text)
        assert (info.depth, info.score) == (0, board.value if board.side_to_move == 0 else -board.value)


def test_dice_decide_below_full_strength_only() -> None:
    position = ["BOARD", "7,7,2", "8,8,1", "6,6,2", "8,6,1", "9,7,2", "DONE"]
    talk = RealTalk().set_up("INFO level 1")
    assert len({talk.move("YXHASHCLEAR", *position) for _ in range(30)}) > 1
    talk.answers("INFO level 10")
    assert len({talk.move("YXHASHCLEAR", *position) for _ in range(5)}) == 1


def test_the_same_dice_play_the_same_game() -> None:
    games = []
    for _ in range(2):
        talk = RealTalk().set_up("INFO level 3")
        games.append([talk.move("TURN 7,7"), *(talk.move(f"TURN {x},0") for x in range(0, 14, 3))])
    assert games[0] == games[1]


@pytest.mark.parametrize("told", ["INFO level 10", "INFO level 99", "INFO strength 100", "INFO strength 500"])
def test_the_last_level_is_full_strength(told: str) -> None:
    plain, last = (RealTalk().set_up(*lines, nodes=5000) for lines in ((), ("INFO thread_num 1", told)))
    for number in range(5):
        stones = random_opening(random.Random(number), 15, 8)
        position = ["YXHASHCLEAR", "BOARD", *(f"{x},{y},{1 + i % 2}" for i, (x, y) in enumerate(stones)), "DONE"]
        assert plain.move(*position) == last.move(*position)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_obeyed(rule: int) -> None:
    assert points(level_mover("INFO level 1", rule), level_mover("INFO level 4", rule), 4, rule) < 2


def test_level_one_loses_to_a_table_of_weights() -> None:
    assert points(level_mover("INFO level 1"), weights, 10) <= 2


def test_without_time_a_level_is_the_same() -> None:
    """Without time there is no search, but a level overlooks the same cells."""
    talk = RealTalk().set_up("INFO level 1", "INFO timeout_turn 0")
    five = ["BOARD", "4,6,2", "5,6,2", "7,6,2", "8,6,2", "0,0,1", "2,8,1", "12,13,1", "14,1,1", "DONE"]
    answers = [talk.move(*five) for _ in range(150)]
    assert 0 < sum(answer != (6, 6) for answer in answers) < 75


@pytest.mark.long
def test_the_first_levels_are_even_steps_for_a_table_of_weights() -> None:
    """The rival wins 85, 70, 55 and 40 % of the games, about; these are 40 games against each level."""
    shares = [points(weights, level_mover(f"INFO level {level}"), 40) / 40 for level in range(1, 5)]
    assert shares == pytest.approx([0.85, 0.70, 0.55, 0.40], abs=0.15)
    assert shares == sorted(shares, reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize("low", range(1, 10))
def test_a_higher_level_wins_more(low: int) -> None:
    assert points(level_mover(f"INFO level {low}"), level_mover(f"INFO level {low + 1}", nodes=20_000), 20) < 10
