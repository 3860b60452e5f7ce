"""One searcher, and one solver, for many boards, rules and sizes: entries of one never prove another."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_vct import Proof, TooLarge

from engine import RULES, Board, Info, Limits, Searcher
from engine.board import RANGES
from engine.notation import parse_moves
from engine.vct import ThreatSolver

MEMORY = 1 << 20
NODES = 20_000
SOLVER_NODES = 2_000
Problem = tuple[int, int, int, list[tuple[int, int]]]  # rule, width, height, moves

# The same examples in every run; no limit of time, as machines differ.
FIXED = settings(
    derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow], max_examples=30
)


def board_of(rule: int, width: int, height: int, moves: list[tuple[int, int]]) -> Board:
    """The position after those of the moves that lie on the board, are empty, and are neither a foul nor a five."""
    board = Board(width, height, rule)
    for x, y in moves:
        side = board.side_to_move
        if x < width and y < height and board.cell(x, y) == -1 and not (side == 0 and board.is_forbidden(x, y)):
            board.play(x, y)
            if board.winner() is not None:
                board.undo()
    return board


@st.composite
def problems(draw: st.DrawFn) -> list[Problem]:
    """Boards that differ in rule or size, with the same stones, which lie near the right edge of the smaller ones."""
    rng = random.Random(draw(st.integers(0, 1 << 32)))
    stones = rng.sample([(x, y) for x in range(9, 15) for y in range(4, 11)], rng.randint(6, 11))
    rules = draw(st.sampled_from([(0,), (1,), (4,), (0, 1), (0, 4), (1, 4), (0, 8), (1, 9)]))
    boards = [(rule, *size, stones) for rule in rules for size in ((15, 15), (20, 20), (15, 11))]
    return draw(st.permutations(boards))[:3]


def facts(info: Info) -> tuple[object, ...]:
    """An Info without its time."""
    return info.depth, info.selective_depth, info.score, info.mate, info.nodes, info.pv, info.move


def confirmed(board: Board, mate: int) -> bool:
    """Whether a searcher that knows nothing finds a win for the same side, if it may look long enough."""
    for nodes in (5 * NODES, 50 * NODES, 150 * NODES):
        found = Searcher(16 << 20).go(board, Limits(nodes=nodes)).mate
        if found is not None:
            return (found > 0) == (mate > 0)
    return False


@pytest.mark.long
@FIXED
@given(problems())
def test_a_cleared_searcher_is_as_good_as_new(sequence: list[Problem]) -> None:
    searcher = Searcher(MEMORY)
    for problem in sequence:
        board = board_of(*problem)
        info = searcher.go(board, Limits(nodes=NODES))
        assert facts(info) == facts(Searcher(MEMORY).go(board, Limits(nodes=NODES)))
        searcher.clear()


@pytest.mark.long
@settings(FIXED, max_examples=50)
@given(problems())
def test_a_used_searcher_proves_only_what_is_true(sequence: list[Problem]) -> None:
    searcher = Searcher(MEMORY)
    for problem in sequence:
        board = board_of(*problem)
        mate = searcher.go(board, Limits(nodes=NODES)).mate
        assert mate is None or confirmed(board, mate), (mate, problem)


@FIXED
@given(problems())
def test_a_cleared_solver_is_as_good_as_new(sequence: list[Problem]) -> None:
    solver = ThreatSolver()
    for problem in sequence:
        board = board_of(*problem)
        assert solver.find(board, SOLVER_NODES) == ThreatSolver().find(board, SOLVER_NODES)
        solver.clear()


@pytest.mark.long
@FIXED
@given(problems())
def test_a_used_solver_proves_only_what_is_true_and_all_that_a_new_one_does(sequence: list[Problem]) -> None:
    solver = ThreatSolver()
    for problem in sequence:
        board = board_of(*problem)
        if board.classes(1 - board.side_to_move)[13]:
            continue  # the proof is of attacks
        win = solver.find(board, SOLVER_NODES)
        assert win or not ThreatSolver().find(board, SOLVER_NODES), problem
        if win:
            try:
                Proof(board, 10, solver).attacker_wins()
            except TooLarge:
                continue


def text_board(rule: int, size: int, text: str) -> Board:
    """A board of any size with the stones of a 15x15 board, as far from its left and upper edges."""
    board = Board(size, size, rule)
    for x, y in parse_moves(text, 15, 15):
        board.play(x, y)
    return board


# The same stones on two boards: one board is won, or lost, and the other is neither. A fault took the entries of one
# board for the other.
TWINS = [
    ((0, 20), (0, 15), "m8n10j11o10n5k10l6"),
    ((0, 20), (0, 15), "o8l7o10l5m6n11k8m11n6n7"),
    ((0, 20), (0, 15), "m7o5n11l9o8m9o7k5k11n5"),
    ((4, 15), (0, 15), "e7e9c5f6c9e8d6f8d10g6"),
    ((4, 15), (0, 15), "l7h9h8j7j9i10h10"),
    ((0, 15), (4, 15), "i7g7h6j5f7g9"),
]


@pytest.mark.parametrize(("first", "second", "text"), TWINS)
def test_a_used_table_is_no_proof_on_another_board_or_by_another_rule(
    first: tuple[int, int], second: tuple[int, int], text: str
) -> None:
    searcher, limits = Searcher(MEMORY), Limits(nodes=30_000)
    searcher.go(text_board(*first, text), limits)
    board = text_board(*second, text)
    mate = searcher.go(board, limits).mate
    assert mate is None or confirmed(board, mate)


def test_a_used_solver_finds_the_wins_of_another_board() -> None:
    text = "c11c9d13f12e10h9h13g11i8i7h12d8f8e8e7e12"
    board, solver = text_board(0, 15, text), ThreatSolver()
    solver.find(text_board(0, 9, text), 3_000)
    for found in (solver.find(board, 3_000), ThreatSolver().find(board, 3_000)):
        assert found is not None and found.plies == 15


def test_a_key_knows_rule_size_and_candidate_range() -> None:
    boards = [
        Board(width, height, rule, candidates=candidates)
        for width in range(5, 23)
        for height in (5, 15, 20, 22)
        for rule in RULES
        for candidates in RANGES
    ]
    assert len({board.key for board in boards}) == len(boards)
    for one, other in combinations(boards[:: len(boards) // 30], 2):
        one, other = one.copy(), other.copy()
        for board in (one, other):
            board.play(2, 2)
            board.play(3, 3)
            board.block(4, 4)
        assert one.key != other.key


def test_a_change_of_plain_forgets() -> None:
    board = text_board(0, 15, "h8i7g9i9i8g6")
    for is_plain in (True, False):
        searcher, fresh = Searcher(MEMORY), Searcher(MEMORY)
        searcher.plain = not is_plain
        searcher.go(board, Limits(depth=4))
        searcher.plain = fresh.plain = is_plain
        assert facts(searcher.go(board, Limits(depth=4))) == facts(fresh.go(board, Limits(depth=4)))


def entries_after_an_interrupt(exclude: list[tuple[int, int]]) -> int:
    """What searches by White against a three leave in the sampled part of their tables, if broken off after one ply."""
    left = 0
    for x in range(15):
        board = text_board(0, 15, f"g8a15h8{chr(ord('a') + x)}1i8")
        searcher = Searcher(1)

        def interrupt(info: Info) -> None:
            assert info.depth == 1
            raise InterruptedError

        with pytest.raises(InterruptedError):
            searcher.go(board, Limits(depth=6, exclude=exclude), interrupt)
        left += searcher.hash_full
    return left


def test_an_interrupted_search_with_excluded_cells_leaves_no_score_of_its_root() -> None:
    """White may not stop the three and loses, which is not true of the position; all else there are static wins."""
    assert entries_after_an_interrupt([(x, 7) for x in range(15) if not 6 <= x <= 8]) == 0
    assert entries_after_an_interrupt([]) > 0
