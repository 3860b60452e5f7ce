"""Claimed wins against brute force in the referee's rules: the static win check and the solver for wins by fours."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from oracle import Oracle, TooLong
from positions import CARO_RULES, FOUL_TRAP, cells_of, clustered, empty_cells_of, referee_board, set_up

from engine import BLACK, RULES, WHITE, Board, Win
from engine.board_probe import difference, plies_to_win
from engine.threats import find_vcf
from tournaments.rules import referee

PUZZLES = Path(__file__).with_name("vcf_puzzles.txt")


# ---- The oracle itself ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
def test_the_oracle_and_the_referee_agree_on_fives(rule: int) -> None:
    rng = random.Random(rule)
    for number in range(40):
        board = clustered(rng, rule, 9, 10, 10 + number, blocked=number % 4, extra_black=0.2)
        oracle, twin = Oracle(board), referee_board(board)
        for colour in (BLACK, WHITE):
            expected = referee.five_points(twin, colour)
            assert sorted(oracle.xy(cell) for cell in oracle.fives(colour)) == sorted(expected)
            for x, y in empty_cells_of(board):
                assert bool(oracle.five_ends(oracle.at(x, y), colour)) == ((x, y) in expected)


def test_the_oracle_sees_that_a_five_in_caro_is_spoiled_at_its_end() -> None:
    text = "......... .oxxx.... ......... ......... ......... ........."
    for rule, replies in ((0, {(6, 1)}), (1, {(6, 1)}), (4, {(6, 1)}), (8, {(6, 1), (7, 1)}), (9, {(6, 1), (7, 1)})):
        oracle = Oracle(set_up(rule, text))
        oracle.place(oracle.at(5, 1), BLACK)
        assert {oracle.xy(cell) for cell in oracle.replies(BLACK, oracle.fives(BLACK))} == replies


# ---- The static win check -------------------------------------------------------------------------------------------


def check_claims(rule: int, positions: int) -> dict[int, int]:
    """Every claim of plies_to_win over this number of random positions holds; the number of claims of each kind."""
    rng = random.Random(f"claims {rule}")
    claims = {-2: 0, 0: 0, 1: 0, 3: 0, 5: 0}
    for number in range(positions):
        width = 9 + number % 3
        board = clustered(
            rng, rule, width, 9, 5 + number % 25, blocked=number % 7 == 0, careful=rng.choice((0.0, 0.5, 0.95))
        )
        if number % 4 == 0:
            board.pass_move()
        key, side, claim = board.key, board.side_to_move, plies_to_win(board)
        assert board.key == key and difference(board) == ""
        claims[claim] += 1
        oracle = Oracle(board, node_limit=1_000_000)
        where = (rule, claim, width, side, board.moves())
        if claim == 0:
            assert not oracle.fives(side), where
        elif claim == -2:
            fives = oracle.fives(1 - side)
            assert fives and not oracle.fives(side) and not oracle.replies(1 - side, fives), where
        elif claim == 5 and claims[5] > 60:
            continue  # the slowest to verify
        else:
            assert oracle.wins_within(side, claim), where
            assert claim == 1 or not oracle.fives(side), where
    return claims


@pytest.mark.parametrize("rule", RULES)
def test_claimed_wins_and_losses_are_real(rule: int) -> None:
    claims = check_claims(rule, 500)
    if rule in CARO_RULES:
        del claims[-2]  # one stone may spoil two fives there: two fives alone prove nothing
    assert min(claims.values()) >= 5, claims


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_claimed_wins_and_losses_are_real_on_many_more_positions(rule: int) -> None:
    claims = check_claims(rule, 5_000)
    assert min(claims[plies] for plies in (1, 3, 5)) >= 50, claims


@pytest.mark.parametrize("rule", (0, 1, 4))
def test_wins_within_three_plies_are_claimed(rule: int) -> None:
    """An own five and two fives of the opponent's are never overlooked, nor (but for black in renju) a winning four."""
    rng = random.Random(rule)
    seen = 0
    for number in range(300):
        board = clustered(rng, rule, 10, 9, 5 + number % 25, careful=0.3)
        oracle, side = Oracle(board), board.side_to_move
        fives = oracle.fives(1 - side)
        if oracle.fives(side):
            expected = 1
        elif fives:
            expected = -2 if len(fives) > 1 else 0
        elif (rule != 4 or side == WHITE) and oracle.wins_by_fours(side, 3):
            expected = 3
        else:
            continue
        assert plies_to_win(board) == expected, board.moves()
        seen += 1
    assert seen > 40


@pytest.mark.parametrize(
    ("rule", "text", "claim"),
    [
        (0, "......... .xxxx.... ......... ......... ......... ......... ooo...... .........", 1),
        (0, "......... .oooo.... ......... ......... ......... ......... .........", -2),
        (0, "......... xoooo.... ......... ......... ......... ......... .........", 0),
        (0, "......... ..xxx.... ......... ......... ......... ......... .........", 3),
        # Six does not win: neither end of this four wins, and the gap does not either.
        (1, "......... xxx.xx... ......... ......... ......... ......... .........", 0),
        (0, "......... xxx.xx... ......... ......... ......... ......... .........", 1),
        # Stones whose completion would make six do not count as a four.
        (1, "......... ..xxx.x.o ......... ......... ......... ......... .........", 0),
    ],
)
def test_claims_that_a_person_can_check(rule: int, text: str, claim: int) -> None:
    board = set_up(rule, text)
    if claim == 0:
        assert plies_to_win(board) == 0 or rule == 1
    else:
        assert plies_to_win(board) == claim


# ---- The solver -----------------------------------------------------------------------------------------------------


def prove(board: Board, line: Win) -> None:
    """Hold a solver's line to the referee's rules, and the solver to every reply that the line does not follow.

    Each attack is legal, makes a four (or is the five that ends the line) and leaves the opponent no five; each reply
    stops the four; after the last attack nothing does. Where another reply stops a four too (caro), the solver must
    find a win after that one as well.
    """
    board = board.copy()
    oracle, attacker = Oracle(board), board.side_to_move
    assert len(line) % 2 == 1
    for index, (x, y) in enumerate(line):
        cell = oracle.at(x, y)
        assert oracle.cells[cell] == -1
        if index % 2:
            replies = oracle.replies(attacker, oracle.fives(attacker))
            assert cell in replies, "the reply does not stop the four"
            for other in replies:
                if other != cell:
                    aside = board.copy()
                    aside.play(*oracle.xy(other))
                    answer = find_vcf(aside)
                    assert answer is not None, "another reply saves the defender"
                    prove(aside, answer)
        elif oracle.fives(attacker):
            assert index == len(line) - 1 and cell in oracle.fives(attacker)
            return
        else:
            assert not oracle.is_foul(cell, attacker)
        oracle.place(cell, board.side_to_move)
        board.play(x, y)
        if index % 2 == 0:
            assert oracle.fives(attacker), "no four"
            assert not oracle.fives(1 - attacker), "the opponent's five was left open"
    assert not oracle.replies(attacker, oracle.fives(attacker)), "the last four can be stopped"


def puzzles() -> list[tuple[int, int, Board]]:
    """(rule, plies of the shortest win, position) of each line of vcf_puzzles.txt."""
    found = []
    for line in PUZZLES.read_text().splitlines():
        rule, plies, moves = line.split()
        found.append((int(rule), int(plies), Board.from_moves(moves, rule=int(rule))))
    return found


def test_the_puzzle_set_is_what_it_says() -> None:
    """100 positions, every rule and every length from 3 to 15 plies; the short ones are proved again here."""
    every = puzzles()
    assert len({(rule, board.key) for rule, _, board in every}) == len(every) == 100
    assert {(rule, plies) for rule, plies, _ in every} == {(r, n) for r in RULES for n in range(3, 16, 2)}
    for _, plies, board in every:
        if plies <= 5:
            assert Oracle(board).shortest_win_by_fours(board.side_to_move, 5) == plies


def test_the_solver_solves_the_puzzles() -> None:
    """At least 98 of 100 generated wins, with lines that hold in the referee's rules."""
    unsolved = []
    for rule, plies, board in puzzles():
        key = board.key
        line = find_vcf(board)
        assert board.key == key and difference(board) == ""
        if line is None:
            unsolved.append((rule, plies, board.moves()))
            continue
        prove(board, line)
        assert len(line) + 2 >= plies, "shorter than the shortest"
    assert len(unsolved) <= 2, unsolved


def test_the_solver_keeps_to_its_limits() -> None:
    for _, plies, board in puzzles():
        line = find_vcf(board, max_plies=plies)
        assert line is None or len(line) in (plies - 2, plies)
        assert find_vcf(board, max_plies=plies - 2) is None
        assert plies < 7 or find_vcf(board, nodes=1) is None
    assert find_vcf(Board(15, 15)) is None


def check_exact_lengths(rule: int, positions: int) -> Counter[int]:
    """Brute force says how long the shortest win by fours is: the solver finds it with that limit, and none below.

    Returns how many wins of each length there were.
    """
    rng = random.Random(f"exact {rule}")
    seen: Counter[int] = Counter()
    for number in range(positions):
        board = clustered(
            rng,
            rule,
            8 + number % 5,
            9,
            6 + number % 26,
            blocked=(number % 8 == 0) * 2,
            careful=rng.choice((0.5, 0.9, 0.97)),
        )
        if number % 3 == 0:
            board.pass_move()
        try:
            plies = Oracle(board, 3_000).shortest_win_by_fours(board.side_to_move, 13)
        except TooLong:
            continue
        if plies == 0:
            continue
        seen[plies] += 1
        line = find_vcf(board, max_plies=plies)
        assert line is not None, (rule, plies, board.moves())
        prove(board, line)
        # The line ends with the five, or with a four that leaves two ways to it or only a foul.
        assert len(line) == (1 if plies == 1 else plies - 2), (rule, plies, line)
        for limit in range(max(1, plies - 2), plies):
            assert find_vcf(board, max_plies=limit) is None, (rule, limit, board.moves())
    return seen


@pytest.mark.parametrize("rule", RULES)
def test_a_win_is_found_with_exactly_its_length_as_the_limit(rule: int) -> None:
    seen = check_exact_lengths(rule, 250)
    assert min(seen[3], seen[5]) >= 5, seen


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_a_win_is_found_with_exactly_its_length_as_the_limit_on_many_more_positions(rule: int) -> None:
    seen = check_exact_lengths(rule, 4_000)
    assert sum(seen[plies] for plies in seen if plies >= 7) >= 50, seen


def test_a_last_four_that_is_no_live_four_ends_a_win_at_its_length() -> None:
    """It blocks the opponent's four as well, or only a foul would stop it."""
    trap = set_up(4, FOUL_TRAP, side=WHITE)
    block = set_up(
        0,
        """
        .........
        .........
        .........
        xoooo....
        .....x...
        .....x...
        .....x...
        .........
        .........""",
        side=BLACK,
    )
    for board, cell in ((trap, (4, 3)), (block, (5, 3))):
        assert find_vcf(board, max_plies=3) == [cell]
        assert find_vcf(board, max_plies=2) is None


def check_no_false_wins(rule: int, positions: int) -> dict[str, int]:
    """The solver against brute force on positions without a win by fours; it may claim none of them.

    Returns how many there were with a win (where a found line must hold), without one, and too hard to tell.
    """
    rng = random.Random(f"no win {rule}")
    seen = {"no win": 0, "hard": 0, "win": 0, "found": 0, "fours": 0}
    while seen["no win"] < positions:
        number = sum(seen[kind] for kind in ("no win", "hard", "win"))
        board = clustered(
            rng, rule, 8 + number % 4, 8 + number % 3, 6 + number % 26, blocked=(number % 8 == 0) * 2, careful=0.97
        )
        if number % 3 == 0:
            board.pass_move()
        oracle, side = Oracle(board, node_limit=3_000), board.side_to_move
        if oracle.fives(side) and number % 10:
            continue
        line = find_vcf(board)
        try:
            wins = oracle.has_win_by_fours(side)
        except TooLong:
            seen["hard"] += 1
            continue
        if wins:
            seen["win"] += 1
        else:
            seen["no win"] += 1
            seen["fours"] += bool(oracle.fours(side))
            assert line is None, (rule, board.width, board.height, board.moves(), line)
        if line is not None:
            prove(board, line)
            seen["found"] += 1
    return seen


@pytest.mark.parametrize("rule", RULES)
def test_no_win_is_claimed_where_there_is_none(rule: int) -> None:
    """400 positions a rule without a win by fours, 2,000 in all."""
    seen = check_no_false_wins(rule, 400)
    assert seen["fours"] > 100
    assert seen["win"] > 50
    assert seen["found"] >= 0.98 * seen["win"]
    assert seen["hard"] < 10


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_no_win_is_claimed_on_ten_thousand_positions_without_one(rule: int) -> None:
    seen = check_no_false_wins(rule, 2_000)
    assert seen["found"] >= 0.98 * seen["win"]


@pytest.mark.parametrize("rule", RULES)
def test_a_four_must_block_the_four_of_the_reply(rule: int) -> None:
    """Black's fours leave white a four of his own, which only a quiet move can answer: no win by fours."""
    board = set_up(
        rule,
        """
        ...........
        ...........
        ..oxxx.....
        ......o....
        ......o....
        ......o....
        ......o....
        ......x....
        ...........
        ...........
        ...........""",
        side=BLACK,
    )
    assert find_vcf(board) is None


def test_white_wins_when_the_only_reply_is_forbidden_to_black() -> None:
    board = set_up(4, FOUL_TRAP, side=WHITE)
    line = find_vcf(board)
    assert line is not None
    assert line[-1] == (4, 3)
    prove(board, line)
    assert find_vcf(set_up(1, FOUL_TRAP, side=WHITE)) is None


def test_black_never_wins_by_a_forbidden_four() -> None:
    board = set_up(
        4,
        """
        .........
        .oxxx....
        .....x...
        .....x...
        .....x...
        .....o...
        .........
        .........
        .........""",
        side=BLACK,
    )
    # f2 would be a double-four.
    assert board.is_forbidden(5, 1)
    line = find_vcf(board)
    assert line is None or line[0] != (5, 1)
    free = set_up(0, "......... .oxxx.... .....x... .....x... .....x... .....o... ......... ......... .........")
    assert find_vcf(free) == [(5, 1)]


def test_a_five_on_the_board_does_not_confuse_the_checks() -> None:
    for rule in RULES:
        board = set_up(rule, "......... .xxxxx... ..oooo... ......... ......... ......... .........", side=WHITE)
        assert board.winner() == BLACK
        plies_to_win(board)
        line = find_vcf(board)
        assert line is None or all(board.cell(*cell) == -1 for cell in line)
        assert difference(board) == ""


def test_nothing_is_claimed_on_quiet_boards() -> None:
    for rule in RULES:
        for size in ((5, 5), (22, 22), (20, 12)):
            board = Board(*size, rule)
            assert plies_to_win(board) == 0 and find_vcf(board) is None
            board.play(size[0] // 2, size[1] // 2)
            assert plies_to_win(board) == 0 and find_vcf(board) is None
    crowded = Board(5, 5)
    for index, (x, y) in enumerate(cells_of(crowded)):
        crowded.play(x, y) if (x + y) % 2 or index % 3 else crowded.block(x, y)
    assert plies_to_win(crowded) == 0 and find_vcf(crowded) is None
