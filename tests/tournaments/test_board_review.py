"""The coach over our own brain as a process, and over brains that prove nothing or prove it wrongly."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from processes import SCRIPT

from tournaments.board.review import game_review
from tournaments.board.review.game_review import (
    BEST,
    BLUNDER,
    GOOD,
    INACCURACY,
    LOSING_MOVE,
    MISSED_WIN,
    MISTAKE,
    PROBABLY,
    PROVED,
    Review,
    label_of,
    open_reviewer,
    review,
    summary,
)
from tournaments.board.review.slips import LOSES, find_slip
from tournaments.brains.answer import Answer
from tournaments.brains.brain import BrainFailure
from tournaments.brains.client import OpenBrain
from tournaments.brains.prover import CannotProve, ask_losses, ask_proof, ask_wins, can_prove
from tournaments.brains.search_info import win_rate
from tournaments.records.record import Record
from tournaments.rules.notation import parse_opening
from tournaments.rules.proofs import Proof, Step
from tournaments.rules.referee import Board, Rule

MISSED = "d4a7e4c7f4e7i1i7g4c4h4"
"""Black, with three in a row, plays i1 instead of a live four; White, instead of stopping it, i7; Black wins."""
NODES = 300


def record(moves: str, width: int = 9, height: int = 7, **said: object) -> Record:
    cells = parse_opening(moves, width, height)
    return Record(width, height, tuple((x, y, 0) for x, y in cells), **said)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def brain() -> Iterator[OpenBrain]:
    with open_reviewer("pbrain-tengen", NODES) as opened:
        yield opened


def reviewed(brain: OpenBrain, game: Record, rule: Rule = Rule.FREESTYLE) -> Review:
    return review(game, rule, brain, NODES, 2_000)


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize(("width", "height"), [(9, 7), (15, 7)])
def test_a_missed_win_and_a_losing_move_are_proved(brain: OpenBrain, rule: Rule, width: int, height: int) -> None:
    found = reviewed(brain, record(MISSED, width, height, winner=1, opening_plies=6), rule)
    assert (found.width, found.height, found.rule, found.proves) == (width, height, rule, True)
    missed, lost, *rest = found.moves
    assert (missed.ply, missed.colour, missed.missed, missed.lost) == (6, 0, PROVED, "")
    assert missed.before == 1.0 and missed.is_mistake and {(2, 3), (6, 3)} & set(missed.accepted)
    assert missed.win is not None and missed.win.plies == 3 and missed.win.is_by_fours
    assert (lost.ply, lost.colour, lost.missed, lost.lost) == (7, 1, "", PROVED)
    assert lost.refutation is not None and lost.after == 0.0 and lost.is_mistake
    assert {(2, 3), (6, 3)} <= set(lost.accepted) and (8, 0) not in lost.accepted
    assert [move.missed or move.lost for move in rest] == ["", "", ""]
    assert found.mistakes == (missed, lost)
    # After that White is lost anyway, and nothing more is held against him.
    assert rest[0].cell == (6, 3) and [move.loss for move in rest] == [0.0, 0.0, 0.0]


def test_mistakes_become_quizzes(brain: OpenBrain) -> None:
    found = reviewed(brain, record(MISSED, winner=1, opening_plies=6))
    win, hold = found.quizzes()
    assert (win.kind, win.to_move, len(win.moves), win.played) == ("win", 0, 6, (8, 6))
    assert win.is_right((6, 3)) and not win.is_right((8, 6)) and win.proof == found.moves[0].win
    assert (hold.kind, hold.to_move, len(hold.moves)) == ("hold", 1, 7)
    assert hold.is_right((2, 3)) and not hold.is_right((8, 0)) and hold.proof == found.moves[1].refutation
    assert json.loads(json.dumps(hold.to_json()))["accepted"][0]


def test_a_review_is_the_same_again_and_goes_through_json(brain: OpenBrain) -> None:
    game = record("e4d5f4d4d3f5d6b4c4", winner=None)
    first = reviewed(brain, game)
    reviewed(brain, record(MISSED))
    assert reviewed(brain, game) == first
    assert [move.ply for move in first.moves] == list(range(1, 9))
    assert Review.from_json(json.loads(json.dumps(first.to_json()))) == first
    with open_reviewer("pbrain-tengen", NODES) as other:
        assert reviewed(other, game) == first


def test_where_there_was_no_win_none_was_missed(brain: OpenBrain) -> None:
    found = reviewed(brain, record("e4e5f5d5c3g3"))
    assert all(move.win is None and move.refutation is None and not move.missed for move in found.moves)


def test_a_foul_ends_the_game_and_loses(brain: OpenBrain) -> None:
    """In renju Black's e4 is a double-three; in freestyle it is a good move."""
    game = record("c4a7d4a6e3a4e2a2e4", 9, 7, opening_plies=7)
    foul, free = reviewed(brain, game, Rule.RENJU).moves[-1], reviewed(brain, game).moves[-1]
    assert foul.cell == free.cell and foul.after == 0.0 and foul.loss > 0.1
    assert free.after is not None and free.after > 0.5


def test_a_game_without_moves_after_its_opening_has_nothing_to_review(brain: OpenBrain) -> None:
    assert reviewed(brain, record("e4", opening_plies=1)).moves == ()
    assert reviewed(brain, Record(9, 7, ())).moves == ()


def test_a_proof_with_a_hole_is_not_believed(brain: OpenBrain, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the brain claims that an idle stone wins, nothing is claimed to be proved."""
    wrong = Proof((Step((0, 6), {}, 1), Step((1, 6), {}, None)))
    monkeypatch.setattr(game_review, "ask_proof", lambda *_: wrong)
    found = reviewed(brain, record(MISSED, opening_plies=6))
    assert not any(PROVED in (move.missed, move.lost) or move.win or move.refutation for move in found.moves)


def test_a_brain_without_proofs_gives_scores_only() -> None:
    with open_reviewer("weights", NODES) as other:
        assert not can_prove(other)
        found = reviewed(other, record(MISSED, opening_plies=6))
        assert not found.proves and len(found.moves) == 5
        assert not any(PROVED in (move.missed, move.lost) for move in found.moves)
        with pytest.raises(CannotProve):
            ask_proof(other, "e4")


def test_a_brain_that_answers_anything_gives_no_proofs(tmp_path: Path) -> None:
    """It takes the DONE of YXBOARD for that of BOARD, and answers with a move."""
    moves = " ".join(f"{x},{y}" for y in (5, 6) for x in range(9))
    with open_reviewer(f'"{sys.executable}" -I -S "{SCRIPT}" evaluates=20;-M4 {moves}', NODES) as other:
        found = reviewed(other, record("e4d5f4d4"))
        assert not found.proves
        assert [move.mate for move in found.moves] == [None, -4, None]


def test_a_brain_that_dies_is_a_failure() -> None:
    with open_reviewer(f'"{sys.executable}" -I -S "{SCRIPT}" crashes', NODES) as other, pytest.raises(BrainFailure):
        reviewed(other, record(MISSED))


def test_a_brain_is_asked_for_wins_and_losses(brain: OpenBrain) -> None:
    brain.start(9, 7)
    before, after = MISSED[:12], MISSED[:14]
    assert {(2, 3), (6, 3)} <= set(ask_wins(brain, before)) and ask_losses(brain, before).moves == {}
    losses = ask_losses(brain, after)
    assert losses.proof is None and len(losses.moves) > 40 and losses.moves[8, 0] == 3
    lost = ask_losses(brain, MISSED[:-4])
    assert lost.proof is not None and lost.proof.is_loss
    assert ask_proof(brain, "e4") is None


def test_chances() -> None:
    assert win_rate(0.0, None) == 0.5 and win_rate(None, None) is None
    assert win_rate(-50.0, 3) == 1.0 and win_rate(50.0, -3) == 0.0
    assert win_rate(1e9, None) == pytest.approx(1.0) and win_rate(-1e9, None) == pytest.approx(0.0)
    chances = [win_rate(score, None) for score in range(-900, 901, 100)]
    assert chances == sorted(chances) and chances[0] == pytest.approx(1 - chances[-1])  # type: ignore[type-var, operator]


def test_labels() -> None:
    losses = (0.0, 0.059, 0.06, 0.149, 0.15, 0.29, 0.3, 1.0)
    assert [label_of(loss, False) for loss in losses] == [
        GOOD,
        GOOD,
        INACCURACY,
        INACCURACY,
        MISTAKE,
        MISTAKE,
        BLUNDER,
        BLUNDER,
    ]
    assert label_of(0.01, True) == BEST and label_of(0.5, True) == BLUNDER


def test_a_label_follows_the_proof_before_the_share() -> None:
    for loss in (0.0, 0.01, 0.2, 1.0):
        for is_best in (False, True):
            assert label_of(loss, is_best, missed=PROVED) == label_of(loss, is_best, PROVED, PROVED) == MISSED_WIN
            assert label_of(loss, is_best, lost=PROVED) == LOSING_MOVE
    assert label_of(0.01, False, missed=PROBABLY) == label_of(0.01, False, lost=PROBABLY) == INACCURACY
    assert label_of(0.2, False, missed=PROBABLY) == MISTAKE and label_of(0.0, True, lost=PROBABLY) == BEST


def test_a_missed_win_that_costs_two_hundredths_is_not_called_good(brain: OpenBrain) -> None:
    """Black is as good as won before move 7 and after it, and White as good as lost; both go wrong by a proof.

    White was not lost yet, so that more than the small share is held against White.
    """
    found = reviewed(brain, record("h8a1i8c1j8e1h9g1a15k1j10o1", 15, 15, opening_plies=6))
    missed, lost = found.moves[:2]
    assert (missed.missed, missed.lost, missed.label) == (PROVED, "", MISSED_WIN) and missed.loss < 0.06
    assert (lost.missed, lost.lost, lost.label) == ("", PROVED, LOSING_MOVE)
    assert (lost.before, lost.after, lost.loss) == (0.3, 0.0, 0.3)
    assert found.mistakes[:2] == (missed, lost)
    counts = summary(found.moves)
    assert counts[0][MISSED_WIN] == sum(move.missed == PROVED for move in found.moves if move.colour == 0)
    assert counts[1][LOSING_MOVE] == 1 and counts[0][GOOD] == counts[1][GOOD] == 0


@pytest.mark.parametrize("opening", [6, 9], ids=["by the win before", "by a proof of the loss"])
def test_no_move_of_a_position_that_is_proved_lost_is_a_mistake(
    brain: OpenBrain, monkeypatch: pytest.MonkeyPatch, opening: int
) -> None:
    """White cannot stop the live four; a short search does not see it, and would play another move."""
    real = OpenBrain.analyse

    def analyse(brain: OpenBrain, *values: Any, **more: Any) -> Iterator[Answer]:
        for answer in real(brain, *values, **more):
            blind = replace(answer, move=(0, 0), info=replace(answer.info, score=-20, mate=None))
            yield blind if answer.stones == 9 else answer

    monkeypatch.setattr(OpenBrain, "analyse", analyse)
    found = reviewed(brain, record(MISSED, opening_plies=opening))
    (last,) = (move for move in found.moves if move.ply == 9)
    assert last.refutation is not None and (last.before, last.after, last.loss, last.label) == (0.0, 0.0, 0.0, GOOD)
    assert last not in found.mistakes


def test_a_loss_that_the_teacher_proves_is_one_in_the_review_whatever_a_search_says_of_the_position_before(
    brain: OpenBrain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """White, who could still stop a live four, plays i7; a search calls White lost already, and has no proof of it."""
    real = OpenBrain.analyse

    def analyse(brain: OpenBrain, *values: Any, **more: Any) -> Iterator[Answer]:
        for answer in real(brain, *values, **more):
            yield replace(answer, info=replace(answer.info, score=None, mate=-4)) if answer.stones == 7 else answer

    monkeypatch.setattr(OpenBrain, "analyse", analyse)
    _, lost, *rest = reviewed(brain, record(MISSED, opening_plies=6)).moves
    assert (lost.lost, lost.label, lost.loss) == (PROVED, LOSING_MOVE, 0.3)
    assert (2, 3) in lost.accepted, "a move that was not proved to lose"
    assert [move.lost for move in rest if move.colour == 1] == [""], "after that White is lost by the same proof"
    board = Board(9, 7, Rule.FREESTYLE)
    for cell in parse_opening(MISSED, 9, 7)[:7]:
        board.place(*cell)
    slip = find_slip(board, lost.cell, brain, 2_000)
    assert slip is not None and slip.kind == LOSES


def test_what_is_no_review_is_one_sentence(brain: OpenBrain) -> None:
    value = reviewed(brain, record("e4d5f4d4")).to_json()
    move = {**value["moves"][0], "win": [[1, 2]]}
    for wrong in (
        [],
        {},
        {**value, "moves": 3},
        {**value, "moves": [{}]},
        {**value, "more": 1},
        {**value, "moves": [move]},
    ):
        with pytest.raises(ValueError, match=r"^(this is not a review|step 0 of the proof)"):
            Review.from_json(wrong)


def test_probable_claims_need_no_proof(brain: OpenBrain, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same game with a brain that is not asked for proofs: what its search knows is called probable."""
    monkeypatch.setattr(game_review, "can_prove", lambda _: False)
    found = reviewed(brain, record(MISSED, opening_plies=6))
    assert [(move.missed, move.lost) for move in found.moves[:2]] == [(PROBABLY, ""), ("", PROBABLY)]
    assert replace(found.moves[0], win=None) == found.moves[0]
