"""Claimed wins by threats against every legal defence, in the referee's rules."""

from __future__ import annotations

import random
import time
from collections import Counter

import pytest
from oracle import Oracle
from positions import clustered, empty_cells_of, set_up

from engine import BLACK, RULES, WHITE, Board, Win
from engine.board_probe import difference
from engine.threats import find_vcf
from engine.vct import ThreatSolver

NODES = 3_000


def find_vct(board: Board, nodes: int = 20_000, ms: int = 0) -> tuple[int, list[tuple[int, int]], int]:
    """The plies (0: no win), line and nodes of a search that knows nothing of earlier ones."""
    return asked(ThreatSolver(), board, nodes, ms)


def asked(solver: ThreatSolver, board: Board, nodes: int, ms: int = 0) -> tuple[int, list[tuple[int, int]], int]:
    win = solver.find(board, nodes, ms)
    return (win.plies, win.line, solver.nodes) if win else (0, [], solver.nodes)


class TooLarge(Exception):
    """The proof has more positions than the test wants to look at."""


class Proof:
    """A replay of the solver's win on a board: each attack against every legal cell of the whole board.

    The oracle says what is a five, a stop and a foul. The solver is asked again after every defence, still knows the
    proof that it found, and must win. Raises AssertionError where the win does not hold, TooLarge beyond `size`
    positions of the defender.
    """

    def __init__(self, board: Board, size: int, solver: ThreatSolver | None = None) -> None:
        self.board, self.oracle = board.copy(), Oracle(board)
        self.solver = solver or ThreatSolver()
        self.attacker = board.side_to_move
        self.proved: set[int] = set()
        self.size = size

    def attacker_wins(self) -> None:
        """The attacker, to move, wins."""
        if self.oracle.fives(self.attacker) or self.board.key in self.proved:
            return
        fours = find_vcf(self.board)
        if fours is not None:
            self.fours_win(fours)
            return
        plies, line, _ = asked(self.solver, self.board, 20 * NODES)
        assert plies, f"a defence: {self.board.moves()}"
        self.attack(*line[0])
        if self.size < 0:
            raise TooLarge
        self.size -= 1
        for cell in self.replies():
            self.place(*cell)
            self.attacker_wins()
            self.undo(*cell)
        self.undo(*line[0])
        self.proved.add(self.board.key)

    def fours_win(self, line: Win) -> None:
        """The line is a win by fours; where a four has more than one reply, the solver wins against the others too."""
        for index, (x, y) in enumerate(line):
            if index % 2 == 0:
                fives = self.oracle.fives(self.attacker)
                if fives:
                    assert self.oracle.at(x, y) in fives and index == len(line) - 1
                    break
                self.attack(x, y)
                assert self.oracle.fives(self.attacker), "no four"
                continue
            replies = self.replies()
            assert (x, y) in replies
            for cell in replies:
                if cell != (x, y):
                    self.place(*cell)
                    self.attacker_wins()
                    self.undo(*cell)
            self.place(x, y)
        else:
            assert not self.replies(), "the last four can be stopped"
            index += 1
        for x, y in reversed(line[:index]):
            self.undo(x, y)

    def attack(self, x: int, y: int) -> None:
        """Play the attacker's stone, which must be legal and leave the opponent no five."""
        cell = self.oracle.at(x, y)
        assert self.oracle.cells[cell] == -1 and not self.oracle.is_foul(cell, self.attacker)
        self.place(x, y)
        assert not self.oracle.fives(1 - self.attacker), "the opponent completes a five first"

    def replies(self) -> list[tuple[int, int]]:
        """The stops of a four, or every legal cell where the attacker has none."""
        oracle, defender = self.oracle, 1 - self.attacker
        fives = oracle.fives(self.attacker)
        if fives:
            return [oracle.xy(cell) for cell in oracle.replies(self.attacker, fives)]
        return [cell for cell in empty_cells_of(self.board) if not oracle.is_foul(oracle.at(*cell), defender)]

    def place(self, x: int, y: int) -> None:
        self.oracle.place(self.oracle.at(x, y), self.board.side_to_move)
        self.board.play(x, y)

    def undo(self, x: int, y: int) -> None:
        self.oracle.undo(self.oracle.at(x, y))
        self.board.undo()


def check_claims(rule: int, positions: int, size: int) -> Counter[str]:
    """Every claim over this number of random positions without a win by fours holds; the number of each kind."""
    rng = random.Random(f"vct {rule}")
    seen: Counter[str] = Counter()
    while seen["positions"] < positions:
        number = seen["tries"]
        seen["tries"] += 1
        board = clustered(
            rng, rule, 9 + number % 3, 9 + number % 2, 5 + number % 24, blocked=number % 7 == 0, careful=0.95
        )
        if find_vcf(board) is not None:
            continue
        seen["positions"] += 1
        key = board.key
        solver = ThreatSolver()
        plies, line, nodes = asked(solver, board, NODES)
        assert board.key == key and difference(board) == ""
        seen["win" if plies else "open" if nodes >= NODES else "no win"] += 1
        if plies == 0:
            continue
        assert plies % 2 == 1 and len(line) % 2 == 1 and len(set(line)) == len(line)
        try:
            Proof(board, size, solver).attacker_wins()
        except TooLarge:
            seen["large"] += 1
    return seen


@pytest.mark.parametrize("rule", RULES)
def test_every_claimed_win_holds_against_every_defence(rule: int) -> None:
    seen = check_claims(rule, 150, 20)
    assert seen["win"] - seen["large"] >= 10 and seen["no win"] >= 30, seen


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_every_claimed_win_holds_on_ten_thousand_positions(rule: int) -> None:
    """2,000 positions a rule without a win by fours."""
    seen = check_claims(rule, 2_000, 200)
    assert seen["win"] - seen["large"] >= 200, seen


@pytest.mark.long
@pytest.mark.parametrize("rule", (0, 1, 4))
def test_most_wins_in_five_plies_are_found(rule: int) -> None:
    """Brute force finds all positions without a win by fours that have a win in five plies, by any quiet move."""
    rng = random.Random(f"five {rule}")
    found = Counter[bool]()
    while found.total() < 10:
        board = clustered(rng, rule, 9, 9, rng.randrange(6, 20), careful=0.95)
        oracle, side = Oracle(board, node_limit=1_000_000), board.side_to_move
        if find_vcf(board) is None and not oracle.fives(1 - side) and oracle.wins_within(side, 5):
            plies = find_vct(board, NODES)[0]
            found[plies > 0] += 1
            assert plies == 0 or plies >= 5
    assert found[True] >= 9, found


@pytest.mark.parametrize("rule", (0, 1, 8, 9))
def test_a_double_three_wins_in_five_plies(rule: int) -> None:
    board = set_up(
        rule,
        """
        ...........
        ...........
        ...........
        ....xx.....
        ......x....
        ......x....
        ...........
        ...........
        ...........
        .....o.....
        ....o......""",
    )
    assert find_vcf(board) is None
    plies, line, _ = find_vct(board)
    assert 5 <= plies <= 9 and (plies > 5 or line[0] == (6, 3))
    Proof(board, 50).attacker_wins()


def test_black_may_not_attack_with_a_foul() -> None:
    """A double-three wins for white in renju, and for black in the other rules; black's own is forbidden."""
    drawn = """
        .........
        .........
        ...MM....
        .........
        ......M..
        ......M..
        .........
        .........
        ........."""
    black, white = drawn.replace("M", "x"), drawn.replace("M", "o")
    corner = (6, 2)
    assert set_up(4, black).is_forbidden(*corner)
    assert find_vct(set_up(4, black))[1][:1] != [corner]
    for board in (set_up(4, white, side=WHITE), set_up(0, black, side=BLACK)):
        assert find_vcf(board) is None
        assert find_vct(board)[0] >= 5
        Proof(board, 100).attacker_wins()


def test_a_win_by_fours_is_a_win_by_threats() -> None:
    rng = random.Random(5)
    seen = 0
    for number in range(400):
        board = clustered(rng, RULES[number % 5], 12, 11, 20 + number % 20, careful=0.9)
        line = find_vcf(board, nodes=90)
        if line is not None:
            assert find_vct(board)[1] == line
            seen += 1
    assert seen > 30


def test_the_solver_keeps_to_its_limits_and_repeats_itself() -> None:
    rng = random.Random(6)
    cut, solver = 0, ThreatSolver()
    for _ in range(60):
        board = clustered(rng, 0, 15, 15, 30, careful=0.97)
        plies, line, nodes = find_vct(board, 2_000)
        assert (plies, line, nodes) == find_vct(board, 2_000)
        assert nodes < 2_000 + 400
        solver.clear()
        assert asked(solver, board, 2_000) == (plies, line, nodes)
        assert plies == 0 or asked(solver, board, 2_000)[0] == plies
        if nodes >= 2_000:
            cut += 1
            started = time.monotonic()
            assert find_vct(board, 10**12, ms=1)[2] > 0
            assert time.monotonic() - started < 5
        if plies:
            assert find_vct(board, 1)[0] == 0 or find_vcf(board) is not None
    assert cut > 5


def test_nothing_is_claimed_on_quiet_and_finished_boards() -> None:
    for rule in RULES:
        for size in ((5, 5), (22, 22), (20, 12)):
            board = Board(*size, rule)
            assert find_vct(board)[:2] == (0, [])
            board.play(size[0] // 2, size[1] // 2)
            assert find_vct(board)[:2] == (0, [])
        board = set_up(rule, "......... .xxxxx... ..oooo... ......... ......... ......... .........", side=WHITE)
        find_vct(board)
        assert difference(board) == ""
    full = Board(5, 5)
    for index, (x, y) in enumerate(empty_cells_of(full)):
        full.play(x, y) if (x + y) % 2 or index % 3 else full.block(x, y)
    assert find_vct(full)[:2] == (0, [])
