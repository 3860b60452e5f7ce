"""Proofs as trees: reading them, and the faults that the referee's replay finds."""

import pytest

from tournaments.brains import BrainFailure, open_brain
from tournaments.brains.prover import ask_wins
from tournaments.rules.proofs import Hole, Proof, parse_proof, refute
from tournaments.rules.referee import Board, Rule

FIVE_LEFT, FIVE_RIGHT = [2, 4, [], None, []], [7, 4, [], None, []]
LIVE_FOUR = [[6, 4, [[2, 4, 2]], 1, []], FIVE_LEFT, FIVE_RIGHT]
"""Black has d5 to f5 of 9x9; g5 makes a live four, answered at c5 (then h5) or anywhere else (then c5)."""


def three(rule: Rule = Rule.FREESTYLE, width: int = 9, height: int = 9) -> Board:
    board = Board(width, height, rule)
    for cell in ((3, 4), (0, 0), (4, 4), (2, 0), (5, 4), (4, 0)):
        board.place(*cell)
    return board


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize(("width", "height"), [(9, 9), (12, 6)])
def test_a_live_four_is_proved(rule: Rule, width: int, height: int) -> None:
    board = three(rule, width, height)
    before = list(board.stones)
    proof = parse_proof(LIVE_FOUR)
    assert refute(board, proof) is None
    assert board.stones == before
    assert proof.plies == 3 and proof.main_line() == [(6, 4), (2, 4), (7, 4)] and not proof.is_loss
    assert proof.after(0, (8, 8)) == 1 and proof.after(0, (2, 4)) == 2 and proof.after(1, (8, 8)) is None
    assert parse_proof(proof.to_json()) == proof


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([[6, 4, [], 1, []], FIVE_LEFT], "after g5 c5: Black's c5 is not free"),
        ([[6, 4, [[2, 4, 1]], None, []], FIVE_RIGHT], "after g5 b9: the proof has no answer"),
        ([[6, 5, [[2, 4, 2]], 1, []], FIVE_LEFT, FIVE_RIGHT], "after g4 b9 c5 d9: White's d9 is a five"),
        ([[3, 4, [[2, 4, 2]], 1, []], FIVE_LEFT, FIVE_RIGHT], "Black's d5 is not free"),
        ([[99, 4, [], None, []]], "Black's 99,4 is not free"),
        ([[6, 4, [], None, []]], "after g5 b9: the proof has no answer"),
    ],
)
def test_a_wrong_proof_is_refuted(steps: list[list[object]], said: str) -> None:
    board = three()
    hole = refute(board, parse_proof(steps))
    assert hole is not None
    assert hole.describe(9) == said
    assert len(board.stones) == 6


def test_a_five_of_the_defenders_refutes() -> None:
    board = Board(9, 9)
    for cell in ((3, 4), (1, 0), (4, 4), (2, 0), (5, 4), (3, 0), (8, 8), (4, 0)):
        board.place(*cell)
    hole = refute(board, parse_proof(LIVE_FOUR))
    assert hole == Hole(((6, 4), (0, 0)), "White's a9 is a five")


def test_a_loss_begins_with_any_reply() -> None:
    board = three()
    board.place(6, 4)
    loss = parse_proof([[None, None, [[2, 4, 2]], 1, []], FIVE_LEFT, FIVE_RIGHT])
    assert loss.is_loss and loss.plies == 2 and loss.main_line() == [(2, 4), (7, 4)]
    assert refute(board, loss) is None
    assert refute(three(), parse_proof([[None, None, [], 1, []], FIVE_LEFT])) is not None


def test_what_renju_forbids_needs_no_answer() -> None:
    """White's four at e6; its one stop, e5, is an overline for Black."""

    def position(rule: Rule) -> Board:
        board = Board(10, 10, rule)
        black = ((1, 4), (2, 4), (3, 4), (5, 4), (6, 4), (7, 4), (4, 5))
        white = ((4, 0), (4, 1), (4, 2))
        for cell in black:
            board.place(*cell, 0)
        for cell in white:
            board.place(*cell, 1)
        board.place(9, 9, 0)
        return board

    proof = parse_proof([[4, 3, [], 1, [[4, 4]]], [4, 4, [], None, []]])
    assert refute(position(Rule.RENJU), proof) is None
    hole = refute(position(Rule.FREESTYLE), proof)
    assert hole is not None and hole.line == ((4, 3), (4, 4))


def test_black_may_not_attack_with_a_foul() -> None:
    board = Board(9, 9, Rule.RENJU)
    for cell in ((1, 4), (2, 4), (3, 4), (5, 4), (6, 4)):
        board.place(*cell, 0)
    board.place(0, 0, 1)
    hole = refute(board, parse_proof([[4, 4, [], None, []]]))
    assert hole == Hole((), "Black's e5 is a foul")


def test_a_full_board_is_won_by_nobody() -> None:
    board = Board(5, 5)
    for index, (x, y) in enumerate(list(board.empty_cells())):
        if (x, y) != (4, 4):
            board.block(x, y) if index % 2 else board.place(x, y, index // 2 % 2)
    if board.side_to_move:
        board.stones[-1] = (*board.stones[-1][:2], 1)
    hole = refute(board, parse_proof([[4, 4, [], 1, []], [4, 4, [], None, []]]))
    assert hole is not None and hole.reason == "the board is full without a five"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "a proof is a list of steps, and there is none"),
        ({"a": 1}, "a proof is a list of steps"),
        ([[1, 2]], "step 0 of the proof is not"),
        ([[1, 2, [[0, 0, 5]], None, []]], "step 0 of the proof is not"),
        ([[1, 2, [], 0, []]], "step 0 of the proof follows itself"),
        ([[1, 2, [], 1, []], [3, 3, [[1, 1, 0]], None, []]], "step 0 of the proof follows itself"),
        ([[1, 2, [], 1, []], [None, None, [], None, []]], "has no move"),
        ([[True, 2, [], None, []]], "step 0 of the proof is not"),
        ([[1, None, [], None, []]], "step 0 of the proof is not"),
        ([["h", 8, [], None, []]], "step 0 of the proof is not"),
        ([[1, 2, 7, None, []]], "step 0 of the proof is not"),
    ],
)
def test_what_is_no_proof_is_one_sentence(value: object, said: str) -> None:
    with pytest.raises(ValueError, match="^" + said if said[0] in "as" else said) as caught:
        parse_proof(value)
    assert "\n" not in str(caught.value)


def test_a_long_chain_is_read_without_recursion() -> None:
    count = 5_000
    steps = [[0, 0, [], number + 1, []] for number in range(count)] + [[0, 0, [], None, []]]
    assert isinstance(parse_proof(steps), Proof) and parse_proof(steps).plies == 2 * count + 1


@pytest.mark.parametrize("moves", ["[[1e999, 1, 1]]", "[[1, 1, -1e999]]", "[[1, 1, NaN]]", "[[1, 1]]", "7"])
def test_numbers_without_end_are_no_moves(moves: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_brain("weights") as brain:
        monkeypatch.setattr(brain, "inquire", lambda *_: f'WINS {{"moves": {moves}}}')
        with pytest.raises(BrainFailure, match="moves that are not cells"):
            ask_wins(brain, "h8")
