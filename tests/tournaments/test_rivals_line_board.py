"""The thinking of the rivals: shapes against their definition, the position against the referee, the forcing search."""

import random

import pytest

from tournaments.rivals.budget import Budget, OutOfTime
from tournaments.rivals.forcing import Forcing
from tournaments.rivals.line_board import LineBoard
from tournaments.rivals.shapes import REACH, FiveRule, Shape, shapes_along
from tournaments.rivals.tree import FIVE, TO_MOVE, WAITING, runs_worth
from tournaments.rules.notation import parse_opening
from tournaments.rules.referee import BLACK, WHITE, Board, Rule, is_forbidden, is_win, would_win

FREE = FiveRule(overline=True, enclosed=True)
EXACT = FiveRule(overline=False, enclosed=True)
CARO = FiveRule(overline=True, enclosed=False)


def shape_at(row: str, five: FiveRule = FREE) -> Shape:
    """The shape of the stone marked * in a row, which runs from edge to edge."""
    walls = "#" * REACH
    return Shape(shapes_along(f"{walls}{row.replace('*', 'X')}{walls}", five)[REACH + row.index("*")])


@pytest.mark.parametrize(
    ("row", "shape"),
    [
        ("..XX*XX..", Shape.FIVE),
        ("..XX*XXX.", Shape.FIVE),
        ("..XX*X...", Shape.LIVE_FOUR),
        ("X.XX*.X..", Shape.LIVE_FOUR),
        (".OXX*X...", Shape.BLOCKED_FOUR),
        ("..XX*.X..", Shape.BLOCKED_FOUR),
        ("...XX*...", Shape.LIVE_THREE),
        ("..X.X*...", Shape.LIVE_THREE),
        ("..OXX*...", Shape.BLOCKED_THREE),
        (".O.XX*.O.", Shape.BLOCKED_THREE),
        ("....X*....", Shape.LIVE_TWO),
        ("....*....", Shape.LIVE_ONE),
        ("....O*....", Shape.BLOCKED_ONE),
        ("O...*O...", Shape.NONE),
        ("XX*X", Shape.NONE),
    ],
)
def test_shapes(row: str, shape: Shape) -> None:
    assert shape_at(row) == shape
    assert shape_at(row[::-1]) == shape


def test_shapes_know_what_a_five_is() -> None:
    assert shape_at("..XX*XXX..", EXACT) == Shape.NONE
    assert shape_at("X.XX*X....", EXACT) == Shape.BLOCKED_FOUR
    assert shape_at("X.XX*X....", FREE) == Shape.LIVE_FOUR
    assert shape_at(".OXX*XXO..", EXACT) == Shape.FIVE
    assert shape_at(".OXX*XXO..", CARO) == Shape.NONE
    assert shape_at("XX*XX", CARO) == Shape.FIVE, "the edge never blocks"
    assert shape_at("XX*XX#", CARO) == Shape.FIVE, "nor does a cell that nobody may use"


def random_board(generator: random.Random, rule: Rule, width: int, height: int) -> Board:
    board = Board(width, height, rule)
    for _ in range(generator.randrange(width * height * 2 // 3)):
        board.place(*generator.choice(list(board.empty_cells())), generator.choice((BLACK, BLACK, WHITE)))
    return board


@pytest.mark.parametrize("rule", Rule)
def test_five_shapes_are_the_referees_wins(rule: Rule) -> None:
    generator = random.Random(rule.value)
    wins = 0
    for _ in range(25):
        board = random_board(generator, rule, 9, 8)
        position = LineBoard(board)
        for x, y in board.empty_cells():
            for colour in (BLACK, WHITE):
                expected = would_win(board, x, y, colour)
                wins += expected
                assert (Shape.FIVE in position.shapes(x, y, colour)) == expected
    assert wins > 20


def test_legality_is_the_referees() -> None:
    generator = random.Random(5)
    fouls = 0
    for _ in range(60):
        board = random_board(generator, Rule.RENJU, 9, 9)
        position = LineBoard(board)
        for x, y in board.empty_cells():
            expected = is_forbidden(board, x, y)
            fouls += expected
            assert position.is_legal(x, y, BLACK) != expected
            assert position.is_legal(x, y, WHITE)
    assert fouls > 30


@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.STANDARD_CARO])
def test_moves_and_takebacks_keep_the_position_up_to_date(rule: Rule) -> None:
    generator = random.Random(3)
    board = Board(11, 7, rule)
    board.block(4, 4)
    position = LineBoard(board)
    for _ in range(300):
        if position.board.stones and generator.random() < 0.45:
            position.undo()
        elif not position.board.is_full():
            x, y = generator.choice(list(position.board.empty_cells()))
            colour = generator.choice((BLACK, WHITE))
            gain = position.gain(x, y, colour)
            before = position.evaluate(1 - colour)
            assert position.place(x, y, colour) == is_win(position.board, x, y)
            assert before - position.evaluate(1 - colour) == gain
        fresh = LineBoard(position.board)
        assert (position.key, position.evaluate(BLACK), position.evaluate(WHITE)) == (
            fresh.key,
            fresh.evaluate(BLACK),
            fresh.evaluate(WHITE),
        )
        assert fresh.board.cell(4, 4) == position.board.cell(4, 4)


def test_candidates_are_never_none_on_a_board_with_room() -> None:
    board = Board(15, 15, Rule.FREESTYLE)
    board.place(0, 0)
    position = LineBoard(board)
    assert position.candidates(WHITE) == [(x, y) for x in range(3) for y in range(3) if (x, y) != (0, 0)]
    for x, y in position.near([(0, 0)]):
        position.board.block(x, y)
    assert len(position.candidates(WHITE)) == 225 - 9
    assert position.candidates(WHITE)[0] == (7, 7)


def test_runs_are_scored_by_length_and_open_ends() -> None:
    walls = "#" * REACH
    to_move, waiting = (runs[2][2] + runs[3][1] + runs[1][1] for runs in (TO_MOVE, WAITING))
    assert runs_worth(f"{walls}..XX..OXXX.X{walls}", True) == (to_move, waiting)
    assert runs_worth(f"{walls}XXXXXX{walls}", True) == (FIVE, FIVE)
    assert runs_worth(f"{walls}XXXXXX{walls}", False) == (0, 0)


FOUR_AND_THREE = "h8g8i8a1j8a3k9a5k10a7"


def position_after(text: str, rule: Rule = Rule.FREESTYLE) -> LineBoard:
    board = Board(15, 15, rule)
    for x, y in parse_opening(text, 15, 15):
        board.place(x, y)
    return LineBoard(board)


def test_a_win_by_fours_is_found_and_is_one() -> None:
    # k8 makes a four, which must be stopped at l8, and with k9 and k10 a three that then becomes a live four.
    position = position_after(FOUR_AND_THREE)
    line = Forcing(position, Budget(), threes=False).find(BLACK, 16)
    assert line[:2] == [(10, 7), (11, 7)] and len(line) == 5
    for index, (x, y) in enumerate(line):
        won = position.place(x, y, index % 2)
    assert won and index % 2 == BLACK


def test_no_win_is_claimed_where_there_is_none() -> None:
    position = position_after("h8i9")
    stones = list(position.board.stones)
    assert Forcing(position, Budget()).find(BLACK, 6) == []
    assert position.board.stones == stones
    with pytest.raises(OutOfTime):
        Forcing(position_after(FOUR_AND_THREE), Budget(nodes=3)).find(BLACK, 16)


def test_a_four_of_the_opponent_must_be_stopped_first() -> None:
    # White threatens five at f1 only; Black's open three elsewhere is too slow, and its fours do not stop it.
    position = position_after("h8b1h9c1h10d1a15e1a1")
    assert Forcing(position, Budget()).find(WHITE, 1) == [(5, 14)]
    position = position_after("h8b1h9c1h10d1a1e1")
    assert Forcing(position, Budget()).find(BLACK, 12) == []


def test_fouls_win_nothing() -> None:
    # j8 makes two fours for Black: a win in freestyle, a foul in renju, and other fours lead nowhere.
    text = "g8f8h8j4i8a1j5a15j6o15j7o1"
    assert Forcing(position_after(text), Budget(), threes=False).find(BLACK, 3)[0] == (9, 7)
    line = Forcing(position_after(text, Rule.RENJU), Budget(), threes=False).find(BLACK, 3)
    assert line == []
