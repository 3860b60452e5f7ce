"""Moves that are tried again, and quizzes that the library keeps: without a server, over our own brain as a process."""

import json
import time
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from board_server import with_open_games

from tournaments.board.game.events import GameSettings
from tournaments.board.library.game_record import import_record
from tournaments.board.library.library import Library
from tournaments.board.library.own_quizzes import LATER, is_right, keep_own, keep_quiz, settle
from tournaments.board.library.quizzes import NoQuiz
from tournaments.board.library.stored_game import StoredGame
from tournaments.board.messages.position_requests import ReviewRequest
from tournaments.board.openings.own_lines import Line, drop_line, is_accepted, mark_line, own_moves
from tournaments.board.review import move_judgement
from tournaments.board.review.game_review import Quiz, open_reviewer
from tournaments.board.review.move_judgement import FOUL, GOOD, LOSES, MISSES, WINS, WORSE, judge_move
from tournaments.board.server import training_requests
from tournaments.board.server.clients import Client
from tournaments.board.server.open_games import OpenGames
from tournaments.board.server.training_requests import MOST_LISTED, TrainingRequests, describe_quiz, list_quizzes
from tournaments.brains.client import OpenBrain
from tournaments.brains.prover import Losses
from tournaments.cli.quiz_prompt import ask_kept
from tournaments.records.record import Record
from tournaments.rules.notation import parse_opening
from tournaments.rules.proofs import Proof, Step, refute
from tournaments.rules.referee import Board, Rule

NODES = 300
WON = "d4a7e4c7f4e7"
"""Black, with three in a row on 9x7, is to move, and wins by a live four."""


@pytest.fixture(scope="module")
def brain() -> Iterator[OpenBrain]:
    with open_reviewer("pbrain-tengen", NODES) as opened:
        yield opened


def board(moves: str, rule: Rule = Rule.FREESTYLE) -> Board:
    made = Board(9, 7, rule)
    for cell in parse_opening(moves, 9, 7):
        made.place(*cell)
    return made


def tried(brain: OpenBrain, moves: str, name: str, rule: Rule = Rule.FREESTYLE) -> move_judgement.MoveJudgement:
    brain.start(9, 7, rule)
    position, (cell,) = board(moves, rule), parse_opening(name, 9, 7)
    before = list(position.stones)
    found = judge_move(position, cell, brain, 2_000)
    assert position.stones == before and found.cell == cell
    return found


def quiz(moves: str = WON, kind: str = "win", accepted: str = "c4g4", played: str = "i1") -> Quiz:
    cells = [parse_opening(text, 9, 7) for text in (moves, accepted, played)]
    return Quiz(9, 7, 0, cells[0], len(cells[0]) % 2, kind, cells[1], cells[2][0])


def test_a_try_that_wins_is_proved(brain: OpenBrain) -> None:
    found = tried(brain, WON, "g4")
    assert found.verdict == WINS and found.is_right and found.proof is not None and found.proof.is_loss
    assert refute(board(WON + "g4"), found.proof) is None
    five = tried(brain, WON + "g4a1", "h4")
    assert (five.verdict, five.proof, five.after) == (WINS, None, 1.0)


def test_a_try_that_loses_is_proved_and_one_that_lets_the_win_go_says_so(brain: OpenBrain) -> None:
    lost = tried(brain, WON + "i1", "i7")
    assert lost.verdict == LOSES and not lost.is_right and lost.proof is not None and not lost.proof.is_loss
    assert refute(board(WON + "i1i7"), lost.proof) is None
    missed = tried(brain, WON, "i1")
    assert missed.verdict == MISSES and missed.before == 1.0 and missed.proof is None
    assert missed.to_json()["loss"] == missed.loss >= 0.0 and json.dumps(missed.to_json())


def test_where_nothing_is_proved_scores_decide(brain: OpenBrain) -> None:
    brain.start(9, 7)
    assert judge_move(board("e4"), brain.play("e4").move, brain, 500).verdict == GOOD
    assert tried(brain, "e4d5f4d4", "a1").verdict == WORSE


def test_the_move_of_the_brain_loses_nothing(brain: OpenBrain, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the search of the position after it says otherwise."""
    brain.start(9, 7)
    answer = next(brain.analyse("e4", first=1))
    monkeypatch.setattr(brain, "analyse", lambda *_, **__: iter([answer]))
    monkeypatch.setattr(move_judgement, "_worth", lambda *_: (0.0, None))
    found = judge_move(board("e4"), answer.move, brain, 500)
    assert (found.verdict, found.loss, found.is_right) == (GOOD, 0.0, True)
    found = judge_move(board("e4"), (0, 0), brain, 500)
    assert found.verdict == WORSE and found.loss > 0


def test_a_foul_is_forbidden_and_a_stone_is_in_the_way(brain: OpenBrain) -> None:
    assert tried(brain, "c4a7d4a6e3a4e2a2", "e4", Rule.RENJU).verdict == FOUL
    with pytest.raises(ValueError, match=r"^d4 is not free$"):
        tried(brain, WON, "d4")


def test_a_win_whose_proof_has_a_hole_is_not_claimed(brain: OpenBrain, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Proof((Step(None, {}, 1), Step((1, 6), {}, None)))
    monkeypatch.setattr(move_judgement, "ask_losses", lambda *_: Losses({}, wrong))
    assert tried(brain, WON, "g4").verdict == MISSES


def test_a_quiz_goes_through_json() -> None:
    asked = quiz()
    assert Quiz.from_json(json.loads(json.dumps(asked.to_json()))) == asked
    wrongs: list[object] = [[], {}, {**asked.to_json(), "more": 1}, {**asked.to_json(), "moves": 3}]
    for wrong in wrongs:
        with pytest.raises(ValueError, match=r"^this is not a quiz"):
            Quiz.from_json(wrong)


@pytest.mark.parametrize(
    ("kind", "verdict", "right"),
    [
        ("win", WINS, True),
        ("win", GOOD, False),
        ("win", MISSES, False),
        ("hold", GOOD, True),
        ("hold", WORSE, True),
        ("hold", LOSES, False),
        ("hold", FOUL, False),
        ("best", GOOD, True),
        ("best", WINS, True),
        ("best", WORSE, False),
    ],
)
def test_what_answers_a_quiz(kind: str, verdict: str, right: bool) -> None:
    assert is_right(quiz(kind=kind), verdict) is right


def test_a_quiz_is_solved_when_it_is_due_and_comes_back_after_a_wrong_answer(tmp_path: Path) -> None:
    with Library(tmp_path / "games.sqlite") as library:
        number = keep_quiz(library, quiz())
        now = library.quizzes.find(number).created
        wrong = settle(library, library.quizzes.find(number), False, now)
        assert (wrong.due, wrong.asked, wrong.missed) == (now + LATER, 1, 1)
        early = settle(library, wrong, True, now + 1)
        assert early.due == now + LATER, "the answer has just been seen"
    with Library(tmp_path / "games.sqlite") as again:
        solved = settle(again, again.quizzes.find(number), True, now + LATER)
        assert (solved.due, solved.asked, solved.missed) == (None, 3, 1)
        assert settle(again, solved, False, now).due == now + LATER, "solved ones can be got wrong"
        again.quizzes.forget(number)
        assert again.quizzes.all() == []
        with pytest.raises(NoQuiz, match=r"^there is no quiz 1$"):
            again.quizzes.find(number)


def test_a_position_is_one_quiz_however_it_came_about(tmp_path: Path) -> None:
    with Library(tmp_path / "games.sqlite") as library:
        first = keep_quiz(library, quiz())
        settle(library, library.quizzes.find(first), True)
        assert keep_quiz(library, quiz("f4e7e4c7d4a7", played="a1")) == first
        assert library.quizzes.find(first).due is None and library.quizzes.find(first).data["played"] == [0, 6]
        second = keep_quiz(library, quiz(WON + "i1", "hold", "c4g4", "i7"))
        assert [kept.number for kept in library.quizzes.all()] == [second, first], "what is due comes first"
        assert "accepted" not in describe_quiz(library.quizzes.find(second)), "the answer stays here"


def test_quizzes_that_are_not_listed_are_counted(tmp_path: Path) -> None:
    """Solved ones come last, so that a long list is without them; the page said then that none is solved."""
    with Library(tmp_path / "games.sqlite") as library:
        now = time.time()
        names = [f"position {number}" for number in range(MOST_LISTED)]
        numbers = [library.quizzes.keep(name, quiz().to_json(), at=now) for name in names]
        solved, later = keep_quiz(library, quiz()), keep_quiz(library, quiz(WON + "i1", "hold", "c4g4", "i7"))
        settle(library, library.quizzes.find(solved), True)
        settle(library, library.quizzes.find(later), False)
        listed, unlisted = list_quizzes(library, now)
        assert {each.number for each in listed} == set(numbers)
        assert unlisted._asdict() == {"all": 2, "due": 0, "solved": 1}
        assert list_quizzes(library, now + 2 * LATER)[1]._asdict() == {"all": 2, "due": 1, "solved": 1}


def test_only_moves_of_people_become_quizzes_and_go_with_their_game(tmp_path: Path) -> None:
    cells = parse_opening(WON + "i1i7", 9, 7)
    record = Record(9, 7, tuple((x, y, 0) for x, y in cells), "ann", "bob")
    both = [quiz(), quiz(WON + "i1", "hold", "c4g4", "i7")]
    with Library(tmp_path / "games.sqlite") as library:
        id = library.games.create(*import_record(record))
        assert list(keep_own(library, StoredGame(library, id).game, both)) == [6, 7]
        changed = "changed", {"seat": 1, "who": {"kind": "brain", "brain": "x"}}
        library.games.append(id, library.games.find(id).events, [changed])
        assert list(keep_own(library, StoredGame(library, id).game, both)) == [6]
        assert {kept.game for kept in library.quizzes.all()} == {id}
        library.games.delete([id])
        assert library.quizzes.all() == []


def test_a_quiz_that_is_taken_away_while_it_is_asked_ends_nothing(
    tmp_path: Path, brain: OpenBrain, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Library(tmp_path / "games.sqlite") as library:
        numbers = [keep_quiz(library, quiz()), keep_quiz(library, quiz(WON + "i1", "hold", "c4g4", "i7"))]

        class Typing:
            def readline(self) -> str:
                for number in numbers:
                    library.quizzes.forget(number)
                return "c4\n"

        monkeypatch.setattr("sys.stdin", Typing())
        ask_kept(library, brain, 1000)
    assert capsys.readouterr().out.endswith("2 of 2 right.\n")


def test_a_line_of_ones_own_is_asked_move_by_move_and_comes_back_later_each_time(tmp_path: Path) -> None:
    def own(moves: str) -> Line:
        return Line(15, 15, Rule.RENJU, parse_opening(moves, 15, 15))

    with Library(tmp_path / "games.sqlite") as library:
        assert mark_line(library, own("h8i9g7j10"), 1, 1000.0) == (2, 2)
        asked = library.quizzes.all(only="lines")
        assert [len(quiz.data["moves"]) for quiz in asked] == [1, 3], "the first move of the line is asked first"
        assert mark_line(library, own("h8g7"), 1, 1000.0) == (1, 0), "the same move by symmetry"
        assert mark_line(library, own("h8i8"), 1, 1000.0) == (1, 1) and len(library.quizzes.all()) == 2
        first = Quiz.from_json(library.quizzes.all(only="lines")[0].data)
        answers = {cell: is_accepted(first, parse_opening(cell, 15, 15)[0]) for cell in ("g9", "h9", "h7", "a1", "j8")}
        assert answers == {"g9": True, "h9": True, "h7": True, "a1": False, "j8": False}
        assert library.quizzes.all(only="mistakes") == [] and library.quizzes.count(1000.0, "lines").due == 2
        quiz, now = library.quizzes.all()[0], 1000.0
        for is_known, days in ((True, 1), (True, 3), (False, LATER / 86_400), (True, 1), (True, 3)):
            quiz = settle(library, quiz, is_known, now)
            assert quiz.due == now + 86_400 * days
            now = quiz.due
        assert settle(library, quiz, True, now - 1.0).due == now, "an early answer changes nothing"


def test_a_new_move_of_a_line_is_asked_at_once_and_the_first_move_of_a_game_never(tmp_path: Path) -> None:
    """Also where another move of the same position is known and due only later."""

    def own(moves: str) -> Line:
        return Line(15, 15, Rule.FREESTYLE, parse_opening(moves, 15, 15))

    with Library(tmp_path / "games.sqlite") as library:
        assert mark_line(library, own("h8i9g7"), 0, 1000.0) == (1, 1)
        (asked,) = library.quizzes.all()
        assert len(asked.data["moves"]) == 2, "there is nothing to find on an empty board"
        assert settle(library, asked, True, 1000.0).due == 1000.0 + 86_400
        assert mark_line(library, own("h8i9g7"), 0, 2000.0) == (1, 0)
        assert library.quizzes.count(2000.0).due == 0, "the line is known"
        assert mark_line(library, own("h8i9j7"), 0, 2000.0) == (1, 1)
        assert [quiz.due for quiz in library.quizzes.all()] == [2000.0], "its other move is new"
        assert mark_line(library, own("h8"), 0, 2000.0) == (0, 0)


def test_a_review_on_the_page_is_shown_even_if_its_quizzes_cannot_be_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Reviews:
        async def review(self, *_: object) -> dict[str, Any]:
            return {"review": {"moves": []}, "quizzes": [quiz().to_json()]}

    def fail(*_: object) -> dict[int, int]:
        raise OSError("cannot write games.sqlite: disk full")

    async def work(games: OpenGames) -> None:
        made: list[Coroutine[Any, Any, Any]] = []
        coach = TrainingRequests(games, cast(Any, Reviews()), lambda client, request, work: made.append(work))
        game = games.library.games.create(GameSettings(), [("move", {"cell": [7, 7], "ms": 1})])
        client = Client(_nowhere, True, None)
        await coach.handlers()["review"](client, ReviewRequest(type="review", game=game))
        answer = await made[0]
        assert (answer["type"], answer["kept"]) == ("review", []) and len(answer["quizzes"]) == 1

    monkeypatch.setattr(training_requests, "keep_own", fail)
    with_open_games(tmp_path, work)


async def _nowhere(text: str) -> None:
    """Drops the text."""


def test_a_line_is_dropped_back_to_the_position_that_another_line_shares(tmp_path: Path) -> None:
    def own(moves: str) -> Line:
        return Line(15, 15, Rule.RENJU, parse_opening(moves, 15, 15))

    with Library(tmp_path / "games.sqlite") as library:
        for moves in ("h8i9g7j10", "h8i9h9j10", "h8i9h9k12"):
            mark_line(library, own(moves), 1)
        assert len(library.quizzes.all()) == 3
        assert drop_line(library, own("h8i9")) == 0, "lines go on from there"
        assert drop_line(library, own("h8i9g7j10")) == 1 and len(library.quizzes.all()) == 2
        position = own("h8i9h9").position(3)
        assert sorted(own_moves(library, position)) == sorted(parse_opening("j10k12", 15, 15))
        assert drop_line(library, own("h8i9h9k12")) == 1 and own_moves(library, position) == [(9, 5)]
        assert drop_line(library, own("h8i9h9j10")) == 2 and library.quizzes.all() == []
