"""The board: incremental state against a recomputation, rules against the referee, counts against the reference."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from oracle import Oracle
from positions import (
    CARO_RULES,
    CLASS_FIVE,
    CLASS_FORBIDDEN,
    CLASS_FOUR,
    CLASS_LIVE_FOUR,
    cells_of,
    clustered,
    empty_cells_of,
    referee_board,
    set_up,
)

from engine import BLACK, MAX_SIZE, MIN_SIZE, RULES, WHITE, Board
from engine.board import RANGES
from engine.board_probe import difference
from tournaments.rules import referee

SIZES = ((5, 5), (10, 10), (15, 15), (20, 20), (22, 22), (20, 12))
CHANGES = 1_000_000  # makes and undos over all rules and sizes
COMPARE_EVERY = 5


# ---- The incremental state ------------------------------------------------------------------------------------------


class Walker:
    """Makes and undos at random: up to a random number of stones, down to another, and so on.

    Most stones go near the last one, where lines interact, and one change in twenty is a pass, which puts the colours
    out of balance. It keeps its own record of what lies where.
    """

    def __init__(self, board: Board, rng: random.Random) -> None:
        self.board, self.rng = board, rng
        self.cells = list(cells_of(board))
        self.empty = empty_cells_of(board)
        self.done: list[tuple[int, int] | None] = []  # None is a pass
        self.goal = rng.randrange(1, len(self.empty) + 1)
        self.near = rng.choice(self.empty)

    def change(self) -> None:
        if len(self.done) == self.goal:
            self.goal = self.rng.randrange(len(self.done) + len(self.empty) + 1)
        elif len(self.done) > self.goal:
            self.undo()
        elif self.rng.random() < 0.05 and self.board.ply < 700:
            self.board.pass_move()
            self.done.append(None)
        elif self.empty:
            self.play()
        else:
            self.goal = 0

    def play(self) -> None:
        for _ in range(4):
            index = self.rng.randrange(len(self.empty))
            x, y = self.empty[index]
            if abs(x - self.near[0]) <= 4 and abs(y - self.near[1]) <= 4:
                break
        self.near = x, y
        self.empty[index] = self.empty[-1]
        self.empty.pop()
        self.board.play(x, y)
        self.done.append((x, y))

    def undo(self) -> None:
        self.board.undo()
        last = self.done.pop()
        if last is not None:
            self.empty.append(last)

    def check(self) -> None:
        board = self.board
        found = difference(board)
        assert found == "", (found, board.rule, board.width, board.height, board.moves())


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("rule", RULES)
def test_the_incremental_state_equals_a_recomputation(rule: int, size: tuple[int, int]) -> None:
    """33,334 random makes, undos and passes for each of the 30 pairs of a rule and a size, over a million in all.

    After every fifth of them, some 200,000 times in all, lines, classes, counts, evaluation, key, candidates, hot
    cells and line words are compared with those of the same position set up anew.
    """
    rng = random.Random(f"{rule} {size}")
    share = CHANGES // (len(RULES) * len(SIZES)) + 1
    changes = 0
    for walk in range(3):
        board = Board(*size, rule, candidates=RANGES[rng.randrange(len(RANGES))])
        blocked = set()
        for _ in range(walk * size[0] // 4):
            x, y = rng.randrange(size[0]), rng.randrange(size[1])
            if (x, y) not in blocked:
                board.block(x, y)
                blocked.add((x, y))
        start = board.key
        walker = Walker(board, rng)
        while changes < share * (walk + 1) // 3:
            walker.change()
            changes += 1
            if changes % COMPARE_EVERY == 0:
                walker.check()
        assert board.moves() == walker.done
        assert empty_cells_of(board) == sorted(walker.empty, key=lambda cell: cell[::-1])
        assert board.empty_cells == len(walker.empty)
        colour = BLACK
        for move in walker.done:
            assert move is None or board.cell(*move) == colour
            colour ^= 1
        assert board.side_to_move == colour
        while walker.done:
            walker.undo()
        walker.check()
        assert board.key == start
        assert board.side_to_move == BLACK
        assert {cell for cell in walker.cells if board.cell(*cell) == 2} == blocked
    assert changes >= share


def test_undo_takes_back_blocked_cells_too() -> None:
    board = Board(6, 6, 0)
    fresh = board.key
    board.block(2, 2)
    board.play(3, 3)
    board.undo()
    assert board.side_to_move == BLACK
    board.undo()
    assert (board.cell(2, 2), board.key, board.side_to_move, board.ply) == (-1, fresh, BLACK, 0)
    with pytest.raises(IndexError, match="no move to take back"):
        board.undo()


def test_a_difference_is_noticed() -> None:
    # The check behind the million changes: two positions that differ in the side to move alone differ in their keys.
    board = clustered(random.Random(1), 0, 15, 15, 20)
    twin = board.copy()
    twin.pass_move()
    assert difference(board) == difference(twin) == ""
    assert board.key != twin.key


# ---- Keys -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
def test_transposed_moves_give_the_same_key(rule: int) -> None:
    rng = random.Random(rule)
    for _ in range(20):
        black = rng.sample(list(cells_of(Board(15, 15))), 20)
        white = [black.pop() for _ in range(10)]
        keys, values = set(), set()
        for _ in range(3):
            rng.shuffle(black)
            rng.shuffle(white)
            board = Board(15, 15, rule)
            for pair in zip(black, white, strict=True):
                for cell in pair:
                    board.play(*cell)
            keys.add(board.key)
            values.add(board.value)
        assert len(keys) == len(values) == 1


def test_different_positions_have_different_keys() -> None:
    seen: dict[int, tuple[object, ...]] = {}
    rng = random.Random(0)
    for _ in range(300):
        board = Board(10, 10)
        for x, y in rng.sample(list(cells_of(board)), rng.randrange(1, 60)):
            if rng.random() < 0.1:
                board.pass_move()
            board.play(x, y)
            position = (board.side_to_move, *(board.cell(*cell) for cell in cells_of(board)))
            assert seen.setdefault(board.key, position) == position
    assert len(seen) > 5000


def test_the_key_knows_the_side_to_move_and_the_blocked_cells() -> None:
    board = Board(8, 8)
    keys = {board.key}
    board.pass_move()
    keys.add(board.key)
    board.pass_move()
    assert board.key in keys
    board.block(3, 3)
    keys.add(board.key)
    board.undo()
    board.play(3, 3)
    keys.add(board.key)
    board.undo()
    board.pass_move()
    board.play(3, 3)
    keys.add(board.key)
    assert len(keys) == 5


# ---- Reference counts -----------------------------------------------------------------------------------------------


def moves_of(text: str) -> list[tuple[int, int]]:
    """``h8i7`` as [(7, 7), (8, 6)]."""
    return [(ord(letter) - ord("a"), int(number) - 1) for letter, number in re.findall(r"([a-o])(\d+)", text)]


def reference_position(rule: int, text: str) -> Board:
    board = Board(15, 15, rule, candidates="square2")
    for move in moves_of(text):
        board.play(*move)
    return board


def leaves(board: Board, depth: int) -> int:
    """Lines of `depth` moves over the candidates; a five ends its line and counts one, forbidden moves are skipped."""
    count, side = 0, board.side_to_move
    for x, y in board.candidates():
        if side == BLACK and board.is_forbidden(x, y):
            continue
        if depth == 1 or board.class_at(x, y, side) == CLASS_FIVE:
            count += 1
            continue
        board.play(x, y)
        count += leaves(board, depth - 1)
        board.undo()
    return count


RENJU_21 = "h8h9j9j8f8i7g7i9h6e9f6k7l6i10i6f9g9g11h10i11i8"


@pytest.mark.parametrize(
    ("rule", "text", "counts"),
    [
        (0, "h8", (24, 816, 34_960)),
        (0, "h8g7f6g8g9", (44, 2_268)),
        (1, "h8h7j6i7f7", (49, 2_754)),
        (4, RENJU_21, (81, 6_936)),
        (4, "h8h9h6i10i6i9g9g8j11i7", (58, 3_764)),
    ],
)
def test_lines_of_candidates_are_as_many_as_the_reference_counts(rule: int, text: str, counts: tuple[int, ...]) -> None:
    board = reference_position(rule, text)
    key = board.key
    assert tuple(leaves(board, depth + 1) for depth in range(len(counts))) == counts
    assert board.key == key


# Classes by their reference letters, A the strongest.
LETTERS = {letter: CLASS_FIVE - index for index, letter in enumerate("ABCDEFGHIJKL")}


@pytest.mark.parametrize(
    ("rule", "text", "expected"),
    [
        (0, "h8g7f6g8g9", {"H": (4, 0), "J": (7, 2), "K": (2, 3), "L": (22, 20)}),
        (1, "h8h7j6i7f7", {"H": (0, 2), "J": (6, 2), "K": (0, 2), "L": (39, 20)}),
        (
            4,
            RENJU_21,
            {
                "C": (1, 0),
                "D": (2, 2),
                "E": (7, 0),
                "F": (0, 1),
                "G": (1, 3),
                "H": (2, 7),
                "I": (5, 3),
                "J": (3, 5),
                "K": (6, 11),
                "L": (16, 24),
            },
        ),
    ],
)
def test_class_histograms_of_positions_equal_the_reference(
    rule: int, text: str, expected: dict[str, tuple[int, int]]
) -> None:
    board = reference_position(rule, text)
    found = {letter: (board.classes(BLACK)[index], board.classes(WHITE)[index]) for letter, index in LETTERS.items()}
    assert found == {letter: expected.get(letter, (0, 0)) for letter in LETTERS}


def test_class_histogram_summed_over_all_second_moves_equals_the_reference() -> None:
    board = reference_position(0, "h8g7f6g8g9")
    total = [[0] * 14, [0] * 14]
    for first in board.candidates():
        board.play(*first)
        for second in board.candidates():
            board.play(*second)
            for colour in (BLACK, WHITE):
                total[colour] = [a + b for a, b in zip(total[colour], board.classes(colour), strict=True)]
            board.undo()
        board.undo()
    expected = {
        "A": (0, 0),
        "B": (244, 0),
        "C": (0, 0),
        "D": (0, 0),
        "E": (350, 282),
        "F": (0, 0),
        "G": (3043, 663),
        "H": (8731, 2115),
        "I": (1167, 1459),
        "J": (17821, 9830),
        "K": (7432, 6974),
        "L": (61971, 59129),
    }
    assert {
        letter: (total[BLACK][i], total[WHITE][i]) for letter, i in LETTERS.items() if expected[letter] != (0, 0)
    } == {letter: pair for letter, pair in expected.items() if pair != (0, 0)}


# ---- Rules against the referee --------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
def test_five_cells_and_winners_are_the_referees(rule: int) -> None:
    """120 positions a rule, some with blocked cells: every cell and both colours, and a winner after each five."""
    rng = random.Random(rule)
    fives = 0
    for number in range(120):
        board = clustered(rng, rule, 9 + number % 4, 9 + number % 3, 10 + number % 40, blocked=number % 3 * 3)
        twin = referee_board(board)
        assert board.winner() is None
        for x, y in empty_cells_of(board):
            for colour in (BLACK, WHITE):
                wins = referee.would_win(twin, x, y, colour)
                assert (board.class_at(x, y, colour) == CLASS_FIVE) == wins, (board.moves(), x, y, colour)
                if wins and board.side_to_move == colour:
                    fives += 1
                    board.play(x, y)
                    assert board.winner() == colour
                    board.undo()
    assert fives > 80


@pytest.mark.parametrize("rule", RULES)
def test_a_winner_is_found_exactly_where_the_referee_finds_one(rule: int) -> None:
    """Random fillings, where fives, overlines and shut-in fives stand everywhere."""
    rng = random.Random(rule)
    found = set()
    for number in range(150):
        board = Board(8, 7, rule)
        for x, y in rng.sample(list(cells_of(board)), 12 + number % 44):
            if rng.random() < 0.3:
                board.pass_move()
            board.play(x, y)
        twin = referee_board(board)
        winners = {twin.cell(x, y) for x, y in cells_of(board) if referee.is_win(twin, x, y)}
        winner = board.winner()
        assert winner in winners if winners else winner is None
        found.add(winner)
    assert found == {BLACK, WHITE, None}


@pytest.mark.parametrize("rule", RULES)
def test_fours_and_live_fours_are_what_the_referee_says(rule: int) -> None:
    """A four leaves one cell for a five, a live four more than one reply could stop: 150 positions a rule."""
    rng = random.Random(rule)
    seen = {"four": 0, "live four": 0, "neither": 0}
    for number in range(150):
        board = clustered(rng, rule, 10, 9, 8 + number % 24, blocked=number % 2 * 4, careful=0.6)
        oracle = Oracle(board)
        oracle.has_fouls = False  # whether black could legally reply is not the pattern's business
        for colour in (BLACK, WHITE):
            if oracle.fives(colour):
                continue
            for x, y in empty_cells_of(board):
                cls = board.class_at(x, y, colour)
                if cls == CLASS_FORBIDDEN:
                    continue
                cell = oracle.at(x, y)
                oracle.place(cell, colour)
                fives = oracle.fives(colour)
                can_stop = bool(fives) and bool(oracle.replies(colour, fives))
                oracle.undo(cell)
                kind = "neither" if not fives else "four" if can_stop else "live four"
                seen[kind] += 1
                claimed = "neither" if cls < CLASS_FOUR else "four" if cls < CLASS_LIVE_FOUR else "live four"
                assert claimed == kind, (board.moves(), (x, y), colour, cls)
    assert min(seen.values()) > 15


def check_forbidden_points(rng: random.Random, positions: int) -> dict[str, int]:
    """Compare every empty cell of dense renju positions with the referee; the number of cells of each kind."""
    seen = {"forbidden": 0, "fake": 0, "allowed": 0}
    for number in range(positions):
        size = 7 + (number % 3 == 0)
        board = clustered(rng, 4, size, size, 14 + number % 14, blocked=number % 3, extra_black=0.8)
        twin = referee_board(board)
        key = board.key
        for x, y in empty_cells_of(board):
            expected = referee.is_forbidden(twin, x, y)
            assert board.is_forbidden(x, y) == expected, (board.width, board.moves(), (x, y), expected)
            looks = board.class_at(x, y, BLACK) == CLASS_FORBIDDEN
            seen["forbidden" if expected else "fake" if looks else "allowed"] += 1
        assert board.key == key
        assert difference(board) == ""
    return seen


@pytest.mark.long
def test_forbidden_points_are_the_referees() -> None:
    seen = check_forbidden_points(random.Random(4), 1_500)
    assert seen["forbidden"] > 2_500
    assert seen["fake"] > 350


@pytest.mark.slow
def test_forbidden_points_are_the_referees_on_many_more_positions() -> None:
    seen = check_forbidden_points(random.Random(5), 10_000)
    assert seen["forbidden"] > 20_000


def test_only_renju_forbids() -> None:
    for rule in RULES:
        board = set_up(rule, "......... ..x...... ..x...... ....xx... ......... ......... ......... .........")
        assert board.is_forbidden(2, 3) == (rule == 4)
        assert not board.is_forbidden(2, 2)


# ---- The face -------------------------------------------------------------------------------------------------------


def test_a_new_board_is_empty_and_blacks_to_move() -> None:
    board = Board()
    assert (board.width, board.height, board.rule, board.ply, board.side_to_move) == (15, 15, 0, 0, BLACK)
    assert board.moves() == [] and board.winner() is None and board.candidates() == []
    assert {board.cell(x, y) for x, y in cells_of(board)} == {-1}
    assert (Board(20, 12, 4).width, Board(20, 12, 4).height, Board(7).height) == (20, 12, 7)


@pytest.mark.parametrize("size", [(MIN_SIZE, MIN_SIZE), (MAX_SIZE, MAX_SIZE), (MIN_SIZE, MAX_SIZE), (MAX_SIZE, 5)])
@pytest.mark.parametrize("rule", RULES)
def test_five_stones_from_corner_to_edge_win_on_every_size(rule: int, size: tuple[int, int]) -> None:
    width, height = size
    for cells in (
        [(i, 0) for i in range(5)],
        [(width - 1, height - 1 - i) for i in range(5)],
        [(i, i) for i in range(5)],
        [(width - 1 - i, i) for i in range(5)],
    ):
        board = Board(width, height, rule)
        for x, y in cells:
            assert board.winner() is None
            board.play(x, y)
            board.pass_move()
        assert board.winner() == BLACK


def test_a_full_board_is_full() -> None:
    board = Board(5, 6)
    for number, (x, y) in enumerate(cells_of(board)):
        assert not board.is_full()
        if number % 7 == 0:
            board.block(x, y)
        else:
            board.play(x, y)
    assert board.is_full() and board.empty_cells == 0 and board.candidates() == []


def test_a_copy_is_independent() -> None:
    board = clustered(random.Random(3), 4, 12, 15, 20, blocked=3)
    twin = board.copy()
    assert (twin.key, twin.moves(), twin.rule, twin.width, twin.height) == (board.key, board.moves(), 4, 12, 15)
    assert twin.candidates() == board.candidates()
    x, y = empty_cells_of(twin)[0]
    twin.play(x, y)
    assert board.cell(x, y) == -1 and difference(twin) == difference(board) == ""
    twin.undo()
    while twin.ply:
        twin.undo()
    assert twin.key == Board(12, 15, 4).key and board.ply > 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((4,), "5 to 22 cells a side, not 4x4"),
        ((23,), "5 to 22 cells a side, not 23x23"),
        ((15, 4), "5 to 22 cells a side, not 15x4"),
        ((0, 0), "5 to 22 cells a side, not 0x0"),
        ((-3, 15), "5 to 22 cells a side, not -3x15"),
        ((15, 15, 3), "rule 3 does not exist"),
        ((15, 15, -1), "rule -1 does not exist"),
        ((15, 15, 0, "square9"), "candidates must be one of .*not 'square9'"),
    ],
)
def test_an_impossible_board_is_refused_in_one_sentence(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        Board(*arguments)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("cell", [(-1, 0), (0, -1), (12, 0), (0, 9), (31, 31), (-5, -5), (1 << 20, 0)])
def test_a_cell_off_the_board_is_named(cell: tuple[int, int]) -> None:
    board = Board(12, 9)
    for method in (board.play, board.block, board.cell, board.is_forbidden):
        with pytest.raises(ValueError, match=f"{cell[0]},{cell[1]} is off the 12x9 board"):
            method(*cell)
    assert board.ply == 0 and difference(board) == ""


def test_an_occupied_or_blocked_cell_is_refused() -> None:
    board = Board(9)
    board.play(4, 4)
    board.block(5, 5)
    for cell in ((4, 4), (5, 5)):
        for method in (board.play, board.block):
            with pytest.raises(ValueError, match=f"{cell[0]},{cell[1]} is not empty"):
                method(*cell)
        assert not board.is_forbidden(*cell)
    assert (board.cell(4, 4), board.cell(5, 5), board.ply) == (BLACK, 2, 2)


def test_passes_have_an_end_and_can_be_undone() -> None:
    board = Board(22, 22)
    fresh = board.key
    with pytest.raises(ValueError, match="a board holds at most 796 passes"):
        for _ in range(100_000):
            board.pass_move()
    for x, y in cells_of(board):
        board.play(x, y)
    assert board.is_full() and difference(board) == ""
    while board.ply:
        board.undo()
    assert board.key == fresh


def test_caro_needs_two_stones_to_shut_a_five_in() -> None:
    for rule in CARO_RULES:
        assert set_up(rule, "....... oxxxxxo ....... ....... .......").winner() is None
        assert set_up(rule, "....... oxxxxx. ....... ....... .......").winner() == BLACK
        assert set_up(rule, "....... xxxxxo. ....... ....... .......").winner() == BLACK
        assert set_up(rule, "....... #xxxxxo ....... ....... .......").winner() == BLACK
        assert set_up(rule, "........ oxxxxxxo ........ ........ ........").winner() == (BLACK if rule == 8 else None)


def test_an_overline_is_a_five_only_where_the_rule_says_so() -> None:
    black = {rule: set_up(rule, "........ .xxxxxx. ........ ........ ........").winner() for rule in RULES}
    white = {rule: set_up(rule, "........ .oooooo. ........ ........ ........").winner() for rule in RULES}
    assert black == {0: BLACK, 1: None, 4: None, 8: BLACK, 9: None}
    assert white == {0: WHITE, 1: None, 4: WHITE, 8: WHITE, 9: None}
