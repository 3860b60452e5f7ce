"""Proofs of wins and losses, replayed by the referee against every cell of the board."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from positions import FOUL_TRAP, clustered, empty_cells_of, set_up

from engine import BLACK, RULES, WHITE, Board, Win, threats
from engine.board_probe import difference
from engine.proof import Prover, flatten
from engine.threats import find_vcf, four_cells
from engine.vct import ThreatSolver
from tournaments.rules import referee
from tournaments.rules.proofs import Proof, parse_proof, refute

LARGE = 12
"""Steps beyond which a replay takes too long for a quick test."""


def referee_to_move(board: Board) -> referee.Board | None:
    """The position on a board of the referee's with the same side to move; None if only that side has stones."""
    twin = referee.Board(board.width, board.height, board.rule)
    for y in range(board.height):
        for x in range(board.width):
            if board.cell(x, y) == 2:
                twin.block(x, y)
    for (x, y), colour in sorted(board.stones(), key=lambda stone: stone[1] != board.side_to_move):
        twin.place(x, y, colour)
    return twin if twin.side_to_move == board.side_to_move else None


def parsed(root: object) -> Proof:
    return parse_proof(flatten(root))  # type: ignore[arg-type]


def some_board(rng: random.Random, rule: int, number: int) -> Board:
    return clustered(rng, rule, 9 + number % 3, 9 + number % 2, 5 + number % 24, blocked=number % 7 == 0, careful=0.95)


def check_wins(rule: int, positions: int, large: int) -> Counter[str]:
    """Every proof over this number of random positions holds; the number of each kind."""
    rng, prover, solver = random.Random(f"proof {rule}"), Prover(nodes=3_000, steps=300), ThreatSolver()
    seen: Counter[str] = Counter()
    for number in range(positions):
        board = some_board(rng, rule, number)
        before = board.moves_text()
        step = prover.win(board)
        assert board.moves_text() == before and difference(board) == ""
        by_fours = find_vcf(board, nodes=3_000) is not None
        seen["fours" if by_fours else "threes" if step else "none"] += 1
        if step is None:
            solver.clear()
            assert not by_fours
            seen["unproved"] += solver.find(board, 3_000) is not None
            continue
        proof, twin = parsed(step), referee_to_move(board)
        assert proof.plies == step.plies and proof.plies % 2 == 1
        line = proof.main_line()
        assert tuple(line[0]) == step.move and len(line) <= proof.plies
        if twin is not None and len(proof.steps) <= large:
            assert refute(twin, proof) is None
            assert refute(twin, proof, is_sparing=True) is None
            seen["replayed"] += 1
    return seen


@pytest.mark.parametrize("rule", RULES)
def test_every_proof_holds_against_every_legal_reply(rule: int) -> None:
    seen = check_wins(rule, 30, LARGE)
    assert seen["fours"] >= 1 and seen["threes"] >= 1 and seen["replayed"] >= 2 and seen["none"] >= 15, seen
    assert seen["unproved"] <= 1, "what the solvers find is nearly always proved"


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_every_proof_holds_on_five_thousand_positions(rule: int) -> None:
    """1,000 positions a rule."""
    seen = check_wins(rule, 1_000, 120)
    assert seen["replayed"] >= 150 and seen["unproved"] <= 40, seen


@pytest.mark.parametrize("rule", RULES)
def test_every_loss_holds_against_every_legal_move(rule: int) -> None:
    rng, prover = random.Random(f"loss {rule}"), Prover(nodes=300, steps=1_000)
    seen: Counter[str] = Counter()
    for number in range(400):
        if seen["replayed"] == 2:
            break
        board = clustered(rng, rule, 9, 8, 8 + number % 20, careful=0.8)
        before = board.moves_text()
        losing = dict(prover.losing_moves(board))
        legal = board.legal_moves()
        assert board.moves_text() == before and set(losing) <= set(legal)
        assert all(plies % 2 == 1 for plies in losing.values())
        seen["lost" if len(losing) == len(legal) else "some" if losing else "none"] += 1
        if len(losing) < len(legal):
            continue
        loss = prover.loss(board)
        if loss is None:
            continue
        proof, twin = parsed(loss), referee_to_move(board)
        assert proof.is_loss and proof.plies % 2 == 0
        if twin is not None and len(proof.steps) <= 15:
            assert refute(twin, proof) is None
            seen["replayed"] += 1
    assert seen["replayed"] == 2 and seen["some"] and seen["none"], seen


def test_a_foul_that_would_stop_a_four_is_named() -> None:
    board = set_up(4, FOUL_TRAP, side=WHITE)
    win = Prover().win(board)
    assert win is not None and win.tree is not None and (win.line, win.plies) == ([(4, 3)], 3)
    step = win.tree
    assert (step.move, step.fouls, step.replies, step.plies) == ((4, 3), ((4, 4),), (), 3)
    twin = referee_to_move(board)
    assert twin is not None and refute(twin, parsed(step)) is None
    # What renju forbids, freestyle allows: the same tree does not hold there.
    free = set_up(0, FOUL_TRAP, side=WHITE)
    other = referee_to_move(free)
    assert other is not None and refute(other, parsed(step)) is not None


def test_black_does_not_win_by_a_foul() -> None:
    drawn = """
        .........
        .........
        ...xx....
        .........
        ......x..
        ......x..
        .o.......
        .........
        .o...o..."""
    renju, free = set_up(4, drawn), set_up(0, drawn)
    prover = Prover(nodes=300)
    assert (6, 2) in [move for move, _ in prover.winning_moves(free)]
    assert (6, 2) not in [move for move, _ in prover.winning_moves(renju)]


@pytest.mark.parametrize("rule", RULES)
def test_nothing_is_proved_where_there_is_nothing(rule: int) -> None:
    prover = Prover()
    for size in ((5, 5), (22, 22), (20, 12)):
        board = Board(*size, rule)
        assert prover.win(board) is None and prover.winning_moves(board) == [] and prover.losing_moves(board) == []
        board.play(size[0] // 2, size[1] // 2)
        assert prover.win(board) is None and prover.loss(board) is None
    over = set_up(rule, "......... .xxxxx... ..oooo... ......... ......... ......... .........", side=WHITE)
    assert prover.win(over) is None and prover.loss(over) is None and prover.losing_moves(over) == []
    full = Board(5, 5, rule)
    for index, (x, y) in enumerate(empty_cells_of(full)):
        full.play(x, y) if (x + y) % 2 or index % 3 else full.block(x, y)
    assert prover.win(full) is None and prover.loss(full) is None


def test_all_that_look_for_a_win_answer_with_one() -> None:
    """`Is it won?` has one type of answer; it reads as the moves of the win, too."""
    board = Board.from_moves("h8a1i8c1j8e1")
    fours, threats, proved = find_vcf(board), ThreatSolver().find(board), Prover().win(board)
    for win in (fours, threats, proved):
        assert isinstance(win, Win) and (win.plies, win.move) == (3, win[0])
        assert list(win) == win.line == win[:] and win == win.line and len(win) == len(win.line)
    assert fours == threats == [(6, 7)] and proved == [(6, 7), (5, 7), (10, 7)]
    assert fours != proved and fours != Win(5, fours.line)  # type: ignore[union-attr]
    assert proved is not None and proved.tree is not None and flatten(proved) == flatten(proved.tree)
    assert find_vcf(Board()) is None and ThreatSolver().find(Board()) is None and Prover().win(Board()) is None
    with pytest.raises(ValueError, match=r"this Win has no tree: Prover.win makes those"):
        flatten(fours)  # type: ignore[arg-type]


def test_earlier_names_of_an_answer_tell_the_new_ones() -> None:
    solver, win = ThreatSolver(), Win(3, [(7, 7)])
    with pytest.raises(AttributeError, match="no 'solve': `find` returns a Win, or None, and `nodes` says how many"):
        solver.solve  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError, match="a Win has no 'replies'; it stands in its `tree`"):
        win.replies  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError, match="a Win has no 'main_line'; its `line` has the moves"):
        win.main_line()  # type: ignore[attr-defined]
    with pytest.raises(ImportError, match="no 'plies_to_win': `find_vcf` returns a Win, which has `plies`"):
        from engine.threats import plies_to_win  # type: ignore[attr-defined]  # noqa: F401
    assert not hasattr(threats, "plies")
    assert solver.nodes == 0 and solver.find(Board.from_moves("e6d6e5d8d7c3", 9)) is not None and solver.nodes > 1


def test_every_winning_move_is_proved_and_the_best_comes_first() -> None:
    # Open at both ends: a live four at either, and a four with a gap that wins later or not at all.
    board = set_up(0, "............ ............ ....xxx..... ............ .o..o..o.... ............")
    prover = Prover()
    found = prover.winning_moves(board)
    twin = referee_to_move(board)
    assert twin is not None
    assert {(3, 2), (7, 2)} <= {move for move, _ in found}
    assert found[0][1].plies == 3 and found[0][0] == prover.win(board).move  # type: ignore[union-attr]
    for move, step in found:
        assert step.move == move and refute(twin, parsed(step)) is None


def test_an_answer_depends_on_position_and_limits_alone() -> None:
    rng, used = random.Random(3), Prover(nodes=2_000, steps=200)
    for number in range(30):
        board = some_board(rng, RULES[number % 5], number)
        fresh = Prover(nodes=2_000, steps=200).win(board)
        again = used.win(board)
        assert (fresh is None) == (again is None)
        assert fresh is None or again is None or flatten(fresh) == flatten(again)


def test_limits_bound_a_proof() -> None:
    rng = random.Random(11)
    cut = 0
    for number in range(60):
        if cut == 4:
            break
        board = some_board(rng, 0, number)
        step = Prover(nodes=2_000).win(board)
        if step is None or step.plies < 9:
            continue
        assert Prover(nodes=2_000, steps=1).win(board) is None
        assert Prover(nodes=2_000, is_stopped=lambda: True).win(board) is None
        cut += 1
    assert cut == 4


def test_a_proof_with_one_wrong_move_is_refuted() -> None:
    """In every step: a stone elsewhere makes no five and stops nothing."""
    rng, prover = random.Random(12), Prover(nodes=2_000, steps=60)
    refuted = 0
    for number in range(60):
        board = some_board(rng, RULES[number % 5], number)
        step, twin = prover.win(board), referee_to_move(board)
        if step is None or twin is None or step.plies < 3:
            continue
        proof = parsed(step)
        played = {cell for part in proof.steps for cell in (part.move, *part.replies)}
        idle = next(
            cell
            for cell in empty_cells_of(board)
            if cell not in played and not any(board.class_at(*cell, colour) for colour in (BLACK, WHITE))
        )
        for index in rng.sample(range(len(proof.steps)), min(3, len(proof.steps))):
            steps = list(proof.steps)
            steps[index] = replace(steps[index], move=idle)
            wrong = Proof(tuple(steps))
            assert refute(twin, wrong) is not None
            assert refute(twin, wrong, is_sparing=True) is not None, "the cells that it leaves out do not matter"
            refuted += 1
        wanting = next((index for index, part in enumerate(proof.steps) if part.replies), None)
        if wanting is not None:
            steps = list(proof.steps)
            steps[wanting] = replace(steps[wanting], replies={})
            for is_sparing in (False, True):
                hole = refute(twin, Proof(tuple(steps)), is_sparing)
                assert hole is not None, "a reply that needs an answer of its own"
    assert refuted > 20


def test_the_cells_of_fours_are_those_of_the_classes() -> None:
    rng = random.Random(13)
    for number in range(40):
        board = some_board(rng, RULES[number % 5], number)
        for colour in (BLACK, WHITE):
            found = {(x, y): kind for x, y, kind in four_cells(board, colour)}
            for cell in empty_cells_of(board):
                kind = board.class_at(*cell, colour)
                assert found.get(cell, kind) == kind and (kind < 9 or cell in found)
