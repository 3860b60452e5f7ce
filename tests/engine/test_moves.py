"""The move generator against brute force: no five, no block and no saving defence is left out."""

from __future__ import annotations

import random

import pytest
from oracle import Oracle
from positions import CLASS_FIVE, CLASS_LIVE_FOUR, cells_of, clustered, empty_cells_of, set_up

from engine import BLACK, RULES, WHITE, Board, Limits, Searcher
from engine.moves import generate_moves

POSITIONS = 400  # a rule


def random_positions(rule: int, count: int, careful: float) -> list[Board]:
    """Clustered positions of 9x9 to 12x9 cells, a quarter of them with the other side to move, some with holes."""
    rng = random.Random(f"{rule} {careful}")
    boards = []
    for number in range(count):
        board = clustered(rng, rule, 9 + number % 4, 9, 6 + number % 26, blocked=(number % 5 == 0) * 4, careful=careful)
        if number % 4 == 0:
            board.pass_move()
        boards.append(board)
    return boards


def cells(board: Board) -> list[tuple[int, int]]:
    """The generated moves, each once and each on an empty cell."""
    moves = [(x, y) for _, x, y in generate_moves(board)]
    assert len(set(moves)) == len(moves)
    assert all(board.cell(x, y) == -1 for x, y in moves)
    return moves


@pytest.mark.parametrize("rule", RULES)
def test_an_own_five_is_made(rule: int) -> None:
    seen = 0
    for board in random_positions(rule, POSITIONS, 0.0):
        oracle = Oracle(board)
        fives = {oracle.xy(cell) for cell in oracle.fives(board.side_to_move)}
        if fives:
            moves = cells(board)
            assert moves[0] in fives and set(moves) <= fives
            seen += 1
    assert seen > 40


@pytest.mark.parametrize("rule", RULES)
def test_every_block_of_a_five_is_generated(rule: int) -> None:
    """When one stone can stop the opponent's fives, the list holds every such stone; else it is not empty.

    In caro a five can be spoiled at its end as well as on its last cell. In renju the block may be a foul for black,
    and then there is none.
    """
    seen = 0
    for board in random_positions(rule, POSITIONS, 0.2):
        oracle, side = Oracle(board), board.side_to_move
        fives = oracle.fives(1 - side)
        if not fives or oracle.fives(side):
            continue
        saving = {oracle.xy(cell) for cell in oracle.replies(1 - side, fives)}
        moves = cells(board)
        assert saving <= set(moves), (board.moves(), saving, moves)
        if saving:
            seen += 1
            if rule not in (8, 9):
                assert saving == set(moves)
        elif not any(oracle.is_foul(cell, side) for cell in fives):
            assert moves
    assert seen > 20


@pytest.mark.parametrize("rule", RULES)
def test_a_live_four_is_made(rule: int) -> None:
    seen = 0
    for board in random_positions(rule, POSITIONS, 0.5):
        oracle, side = Oracle(board), board.side_to_move
        if oracle.fives(side) or oracle.fives(1 - side):
            continue
        if any(board.class_at(x, y, side) == CLASS_LIVE_FOUR for x, y in cells_of(board)):
            move = oracle.at(*cells(board)[0])
            oracle.place(move, side)
            assert oracle.fives(side) and not oracle.replies(side, oracle.fives(side)), board.moves()
            seen += 1
    assert seen > 15


@pytest.mark.parametrize("rule", RULES)
def test_every_move_that_saves_from_a_live_four_is_generated(rule: int) -> None:
    """Where the opponent threatens to win in three plies, every move after which he no longer does is in the list.

    Brute force: each legal empty cell is tried, and the opponent's wins by a five or by a four without a reply are
    looked for in the referee's rules. Positions where nothing saves count too: then the list may be anything.
    """
    seen = saved = 0
    for board in random_positions(rule, POSITIONS, 0.7):
        oracle, side = Oracle(board, node_limit=1_000_000), board.side_to_move
        if oracle.fives(side) or oracle.fives(1 - side) or oracle.wins_by_fours(side, 3):
            continue
        if not oracle.wins_by_fours(1 - side, 3):
            continue
        saving = set()
        for cell in (oracle.at(*c) for c in empty_cells_of(board)):
            if oracle.is_foul(cell, side):
                continue
            oracle.place(cell, side)
            if not oracle.wins_by_fours(1 - side, 3):
                saving.add(oracle.xy(cell))
            oracle.undo(cell)
        assert saving <= set(cells(board)), (board.moves(), saving - set(cells(board)))
        seen += 1
        saved += len(saving)
    assert seen > 25
    assert saved > 50


@pytest.mark.parametrize("rule", RULES)
def test_without_threats_every_candidate_is_generated(rule: int) -> None:
    seen = 0
    for board in random_positions(rule, POSITIONS // 2, 1.0):
        side = board.side_to_move
        if any(board.classes(colour)[cls] for colour in (BLACK, WHITE) for cls in (CLASS_LIVE_FOUR, CLASS_FIVE)):
            continue
        expected = {c for c in board.candidates() if side == WHITE or not board.is_forbidden(*c)}
        assert set(cells(board)) == expected
        seen += 1
    assert seen > 20


@pytest.mark.parametrize("rule", RULES)
def test_tiers_only_fall(rule: int) -> None:
    for board in random_positions(rule, 100, 0.8):
        tiers = [tier for tier, _, _ in generate_moves(board)]
        assert tiers == sorted(tiers, reverse=True)
        assert all(2 <= tier <= 15 for tier in tiers)


def test_the_tiers_are_in_the_documented_order() -> None:
    """Own five > block > live four > own 4x3, own fours > stop the live four > double three > threes > twos."""
    five = set_up(0, "......... .xxxx.... .oooo.... ......... ......... ......... ......... .........")
    assert {(x, y) for _, x, y in generate_moves(five)} <= {(0, 1), (5, 1)}
    assert generate_moves(five)[0][0] == 15
    block = set_up(0, "......... ..xxx.... oooo..... ......... ......... ......... ......... .........")
    assert generate_moves(block) == [(14, 4, 2)]
    live = set_up(0, "......... ..xxx.... ..ooo.... ......... ......... ......... ......... .........")
    assert generate_moves(live)[0][0] == 13 and generate_moves(live)[0][2] == 1
    stop = set_up(0, "......... ..xx.x... o........ ..ooo.... o........ oxxx..... ......... .........", side=BLACK)
    found = generate_moves(stop)
    assert found[0][0] == 13 and (found[0][1], found[0][2]) == (4, 1)
    stop = set_up(0, "......... ......... ......... ..ooo.... ......... oxxx..... ......... .........", side=BLACK)
    found = generate_moves(stop)
    assert {tier for tier, x, y in found if y == 5} == {11}
    assert {(x, y) for tier, x, y in found if y == 3} == {(1, 3), (5, 3)}
    assert max(tier for tier, x, y in found if y == 3) == 10 < 11


def test_forbidden_points_are_never_generated() -> None:
    rng = random.Random(44)
    left_out = 0
    for number in range(300):
        board = clustered(rng, 4, 9, 9, 10 + number % 20, extra_black=0.4, careful=0.5)
        if board.side_to_move == WHITE:
            board.pass_move()
        moves = cells(board)
        assert not any(board.is_forbidden(x, y) for x, y in moves)
        left_out += sum(board.is_forbidden(*cell) for cell in board.candidates())
    assert left_out > 100


def test_a_forbidden_block_leaves_black_without_a_move_worth_listing() -> None:
    # White's one missing cell is an overline of black's: no block exists, and black has lost.
    board = set_up(
        4,
        """
        ....o.....
        ....o.....
        ....o.....
        ....o.....
        .xxx.xxx..
        ....x.....
        ..........
        ..........
        ..........
        ..........""",
    )
    assert board.is_forbidden(4, 4)
    assert generate_moves(board) == []
    info = Searcher(1 << 20).go(board, Limits(depth=3))
    assert board.cell(*info.move) == -1 and not board.is_forbidden(*info.move)


def test_the_first_move_is_the_centre() -> None:
    for width, height in ((5, 5), (15, 15), (20, 12), (22, 22)):
        assert [(x, y) for _, x, y in generate_moves(Board(width, height))] == [(width // 2, height // 2)]


def test_a_blocked_centre_leaves_other_first_moves() -> None:
    board = Board(9, 9)
    board.block(4, 4)
    assert set(cells(board)) == set(empty_cells_of(board))


def test_a_forced_block_far_from_every_other_stone_is_found() -> None:
    # Four stones along an edge: the block lies on the edge, and candidates are narrow.
    board = Board(20, 20, 0, candidates="square2")
    for i in range(4):
        board.play(0, 1 + i)
        board.play(10 + i % 2, 10 + i // 2)
    board.play(0, 0)
    assert {(x, y) for _, x, y in generate_moves(board)} == {(0, 5)}


def test_scattered_gaps_of_a_five_are_blocked_wherever_they_are() -> None:
    for gap in range(5):
        row = "".join("." if i == gap else "o" for i in range(5))
        board = set_up(0, f"......... .x{row}x. ......... ......... .........")
        found = generate_moves(board)
        assert (14, 2 + gap, 1) in found and {tier for tier, _, _ in found} == {14}


def test_an_empty_board_after_passes_gives_the_centre() -> None:
    board = Board(11, 11)
    board.pass_move()
    assert (5, 5) in cells(board)
