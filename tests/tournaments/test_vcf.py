"""Victory by continuous fours: the referee proves every line that is found, and known wins are found."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tournaments.rules.notation import format_pos, parse_opening
from tournaments.rules.referee import BLACK, WHITE, Board, Cell, Rule, five_points, is_forbidden, is_win
from tournaments.rules.vcf import find_vcf


def position(stones: str, rule: Rule = Rule.FREESTYLE) -> Board:
    board = Board(15, 15, rule)
    for x, y in parse_opening(stones, 15, 15) if stones else ():
        board.place(x, y)
    return board


def check_proof(board: Board, line: list[Cell]) -> None:
    """Plays a line out on a board: fours all along, and every reply that stops one loses. The board is as it was."""
    attacker = board.side_to_move
    x, y = line[0]
    assert attacker != BLACK or not is_forbidden(board, x, y)
    with placed(board, x, y):
        if is_win(board, x, y):
            assert len(line) == 1
            return
        assert five_points(board, attacker), "every move of the attacker makes a four"
        assert not five_points(board, 1 - attacker), "the defender has no five of its own"
        stops = stopping(board)
        assert stops == [] if len(line) == 1 else line[1] in stops
        for reply in stops:
            with placed(board, *reply):
                assert not is_win(board, *reply)
                rest = line[2:] if reply == line[1] else find_vcf(board)
                assert rest, f"nothing is known after {reply}"
                assert len(rest) <= len(line) - 2
                check_proof(board, rest)


@contextmanager
def placed(board: Board, x: int, y: int) -> Iterator[None]:
    """A stone of the side to move on a cell, for a while."""
    board.place(x, y)
    yield
    board.undo()


def stopping(board: Board) -> list[Cell]:
    """The moves after which the opponent of the side to move has no five: all cells are tried."""
    side = board.side_to_move
    found = []
    for x, y in list(board.empty_cells()):
        if side != BLACK or not is_forbidden(board, x, y):
            with placed(board, x, y):
                if not five_points(board, 1 - side):
                    found.append((x, y))
    return found


# A straight four at once; a four that forces, then a straight four; and a five.
@pytest.mark.parametrize("stones", ["h8a1i8c1j8e1", "h8g8i8a1j8c1h10e1h11g1", "h8a1i8c1j8e1k8"])
def test_known_wins(stones: str) -> None:
    board = position(stones)
    if len(board.stones) % 2:
        board.place(14, 14, WHITE)
    line = find_vcf(board)
    assert line is not None
    check_proof(board, line)


def test_a_ladder_of_fours() -> None:
    # A row of three, closed at one end, and a row of two that its four makes a three of.
    board = position("f8e8g8a1h8c1i9e1i10g1")
    line = find_vcf(board)
    assert line is not None and format_pos(tuple(line[:2]), 15) == "i8j8" and len(line) == 3
    check_proof(board, line)


def test_no_win_is_found_where_there_is_none() -> None:
    assert find_vcf(position("")) is None
    assert find_vcf(position("h8i9")) is None
    # Three in a row closed at both ends within five cells.
    assert find_vcf(position("h8g8i8a1j8l8")) is None


# Both fives of Black's four are closed at one end: White closes the second end and so stops them both.
@pytest.mark.parametrize("rule", [Rule.CARO, Rule.STANDARD_CARO])
def test_in_caro_a_four_is_also_stopped_at_the_end_of_its_row(rule: Rule) -> None:
    stones = "f8d8g8k8h8a1"
    assert find_vcf(position(stones)) == [parse_opening(stones + "i8", 15, 15)[-1]]
    assert find_vcf(position(stones, rule)) is None


def test_a_threatened_five_must_be_stopped_first() -> None:
    # Black could make a straight four, but White has a four with one end open and answers it with five.
    board = position("h8b2i8c2j8d2a1e2")
    line = find_vcf(board)
    assert line is None or line[0] == (5, 1)


def test_black_may_not_win_by_fouls() -> None:
    # The cell that makes two fours for Black is a foul in renju, and a win in freestyle.
    stones = "h8a1i8c1j8e1k9g1k10i1k11k1m15o1"
    free, renju = position(stones), position(stones, Rule.RENJU)
    line = find_vcf(free)
    assert line is not None
    check_proof(position(stones), line)
    line = find_vcf(renju)
    if line is not None:
        check_proof(renju, line)


@pytest.mark.parametrize("rule", list(Rule))
def test_random_positions_give_proofs_only(rule: Rule) -> None:
    source = random.Random(int(rule))
    found = 0
    for _ in range(40):
        board = Board(9, 9, rule)
        cells = [(x, y) for x in range(9) for y in range(9)]
        source.shuffle(cells)
        for x, y in cells[: 2 * source.randint(6, 11)]:
            colour = board.side_to_move
            if (colour == BLACK and is_forbidden(board, x, y)) or any(
                (x, y) in five_points(board, side) for side in (BLACK, WHITE)
            ):
                continue
            board.place(x, y)
        before = list(board.stones)
        line = find_vcf(board, 60)
        assert board.stones == before
        if line is not None:
            found += 1
            check_proof(board, line)
    assert found >= 3
