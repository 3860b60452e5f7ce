"""The commands of the coach, as transcripts with the real engine."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest
from transcript import RealTalk, Talk
from waiting import PATIENCE_S, wait_until

from engine import Board

LIVE_FOUR = ("YXBOARD", "3,4,1", "0,0,2", "4,4,1", "2,0,2", "5,4,1", "4,0,2", "DONE")
"""Ours are d5, e5 and f5 of 9x9; theirs are idle."""
LOST = ("YXBOARD", "3,4,2", "0,0,1", "4,4,2", "2,0,1", "5,4,2", "4,0,1", "6,4,2", "DONE")
"""Theirs are d5 to g5, and it is our move."""
HARD = (
    "i11j8k11j10m11k9j7h7l8i7h6i8h12i10g7g8h8k10h10j11h9h11j9l10m10h5j6k6g9j12l12g6i12g5j14k13l"
    "11i6i9f9e10l9j5j13h13n8i5f8g10k7k8j4e8d10f6e5f5m15d7"
)
"""On a board of 20x20, a win by threats is looked for, in vain, for millions of positions."""


def ask(talk: RealTalk, line: str) -> Any:
    """The JSON of the one answer."""
    (answer,) = talk.say(line)
    word, _, text = answer.partition(" ")
    assert word == {"PROVE": "PROOF"}.get(line.split()[0], line.split()[0])
    return json.loads(text)


@pytest.fixture
def board() -> RealTalk:
    return RealTalk().set_up(size=9)


def test_a_proof_is_one_line_of_steps(board: RealTalk) -> None:
    board.play("""
        > YXBOARD
        > 3,4,1
        > 0,0,2
        > 4,4,1
        > 2,0,2
        > 5,4,1
        > 4,0,2
        > DONE
        > PROVE
        < PROOF {"proof":[[2,4,[[1,4,1]],2,[]],[6,4,[],null,[]],[1,4,[],null,[]]],"plies":3}
        > PROVE 1000 10
        < PROOF {"proof":[[2,4,[[1,4,1]],2,[]],[6,4,[],null,[]],[1,4,[],null,[]]],"plies":3}
        > WINS
        < WINS {"moves":[[2,4,3],[6,4,3]]}
        > LOSSES
        < LOSSES {"proof":null,"moves":[]}
    """)


def test_losing_moves_and_the_proof_that_all_lose(board: RealTalk) -> None:
    board.answers(*LOST)
    found = ask(board, "LOSSES")
    assert len(found["moves"]) == 81 - 7
    assert {plies for _, _, plies in found["moves"]} == {1}
    root, *rest = found["proof"]
    assert root[:2] == [None, None] and len(root[2]) == 1 and len(rest) == 2
    assert ask(board, "PROVE") == {"proof": None, "plies": None}
    assert ask(board, "WINS") == {"moves": []}


def test_a_three_loses_but_for_the_moves_that_hold(board: RealTalk) -> None:
    board.answers("YXBOARD", "3,4,2", "0,0,1", "4,4,2", "2,0,1", "5,4,2", "DONE")
    found = ask(board, "LOSSES")
    losing = {(x, y) for x, y, _ in found["moves"]}
    assert found["proof"] is None and len(losing) > 60
    assert not losing & {(2, 4), (6, 4)}


def test_the_answer_does_not_depend_on_what_was_asked_before(board: RealTalk) -> None:
    board.answers(*LIVE_FOUR)
    first = [board.say(line) for line in ("PROVE", "WINS", "LOSSES")]
    board.answers(*LOST)
    for line in ("LOSSES", "PROVE 50 5"):
        board.say(line)
    board.answers(*LIVE_FOUR)
    assert [board.say(line) for line in ("PROVE", "WINS", "LOSSES")] == first


def test_an_empty_board_proves_nothing(board: RealTalk) -> None:
    assert ask(board, "PROVE") == {"proof": None, "plies": None}
    assert ask(board, "LOSSES") == {"proof": None, "moves": []}


def test_a_line_that_hurries_us_leaves_nothing_proved(board: RealTalk) -> None:
    board.answers(*LIVE_FOUR)
    board.session.move_now(10)
    board.sent.clear()
    assert board.say("PROVE", ordinal=4) == ['PROOF {"proof":null,"plies":null}']
    assert ask(board, "PROVE 1000")["plies"] is None  # numbered 0, so before the line that hurries
    assert not board.session.is_searching


@pytest.mark.parametrize("word", ["PROVE", "WINS", "LOSSES"])
def test_a_line_that_hurries_us_ends_a_solver_at_work(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a limit of nodes that would take days."""
    monkeypatch.setattr("pbrain.proofs.MAX_NODES", 10**12)
    talk = RealTalk().set_up(size=20)
    stones = Board.from_moves(HARD, 20).stones()
    talk.answers("YXBOARD", *(f"{x},{y},{2 - colour}" for (x, y), colour in stones), "DONE")
    answers: list[str] = []
    thread = threading.Thread(target=lambda: answers.extend(talk.say(f"{word} {10**12}", ordinal=4)), daemon=True)
    thread.start()
    wait_until(lambda: talk.session.is_searching, PATIENCE_S, "the solver works")
    time.sleep(0.3)
    assert thread.is_alive()
    talk.session.move_now(10)
    thread.join(30)
    assert not thread.is_alive()
    (answer,) = answers
    found = json.loads(answer.partition(" ")[2])
    assert not found.get("proof") and not found.get("moves")


def test_a_proof_too_long_for_a_line_is_left_out(board: RealTalk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbrain.proofs.MAX_ANSWER", 60)
    board.answers(*LIVE_FOUR)
    assert ask(board, "PROVE") == {"proof": None, "plies": 3, "steps": 3}


@pytest.mark.parametrize("line", ["PROVE x", "WINS 0", "LOSSES -5", "PROVE 1 2 3", "PROVE 1 0"])
def test_senseless_limits_are_refused(board: RealTalk, line: str) -> None:
    (answer,) = board.say(line)
    word, _, rest = line.partition(" ")
    assert answer == f"ERROR {word} takes up to two numbers above 0, not '{rest}'"


@pytest.mark.parametrize("line", ["PROVE", "WINS", "LOSSES"])
def test_without_a_board_there_is_nothing_to_prove(line: str) -> None:
    talk = Talk()
    assert talk.say(line) == ["ERROR no board yet: send START first"]
