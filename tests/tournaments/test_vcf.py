"""Victory by continuous fours: the referee proves every line that is found, and known wins are found."""

import random

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
    """Plays a line out on a board: fours all along, replies forced, and a win that nothing can stop."""
    attacker = board.side_to_move
    for index, (x, y) in enumerate(line):
        mover = attacker if index % 2 == 0 else 1 - attacker
        assert mover != BLACK or not is_forbidden(board, x, y)
        board.place(x, y, mover)
        if mover == attacker:
            if is_win(board, x, y):
                assert index == len(line) - 1
                return
            stops = five_points(board, attacker)
            assert stops, "every move of the attacker makes a four"
            assert not five_points(board, 1 - attacker), "the defender has no five of its own"
            if index == len(line) - 1:
                assert len(stops) > 1 or (attacker == WHITE and is_forbidden(board, *stops[0]))
            else:
                assert stops == [line[index + 1]]
    assert line and mover == attacker


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
