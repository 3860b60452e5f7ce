"""Requests about training: reviews of games, moves tried again, and quizzes of mistakes, which the library keeps.

The mistakes of people in games of the library become quizzes automatically; those in other games, if the owner keeps
them. A review is kept too, and found again by the moves that it judges.
"""

import contextlib
import time
from collections.abc import Callable, Coroutine
from typing import Any

from tournaments.board.engines.position import Position
from tournaments.board.game.facts import GameFacts
from tournaments.board.game.game import Refused
from tournaments.board.library.game_record import record_of
from tournaments.board.library.library import Library
from tournaments.board.library.library_file import NoGame
from tournaments.board.library.own_quizzes import is_right, keep_own, keep_quiz, settle
from tournaments.board.library.quizzes import NoQuiz, QuizCount, StoredQuiz
from tournaments.board.library.reviews import StoredReview, line_of
from tournaments.board.messages.position_requests import (
    AttemptRequest,
    KeptReviewRequest,
    ProveRequest,
    ReviewedRequest,
    ReviewRequest,
)
from tournaments.board.messages.request import Request
from tournaments.board.messages.requests import (
    AnswerQuizRequest,
    ForgetQuizRequest,
    KeepQuizRequest,
    QuizzesRequest,
)
from tournaments.board.review.game_review import Quiz
from tournaments.board.review.review_process import ReviewProcess
from tournaments.board.server.clients import Client
from tournaments.board.server.open_games import OpenGames
from tournaments.board.server.positions import as_record, check_free
from tournaments.board.server.router import Handler, for_owner
from tournaments.records.record import Record
from tournaments.rules.referee import Rule

AWAITED = ("review", "prove", "attempt", "quiz_answer", "puzzle_answer")
"""The requests whose end is told even if another request ends them, because the page waits for the answer."""

MOST_LISTED = 300

Begin = Callable[[Client, Request, Coroutine[Any, Any, dict[str, Any] | None]], None]


def describe_quiz(kept: StoredQuiz) -> dict[str, Any]:
    """A quiz for the page, without its answer."""
    asked = {name: kept.data[name] for name in ("width", "height", "rule", "moves", "to_move", "kind")}
    return {
        "quiz": kept.number,
        "game": kept.game,
        "created": kept.created,
        "due": kept.due,
        "asked": kept.asked,
        "missed": kept.missed,
        **asked,
    }


def list_quizzes(library: Library, now: float, only: str = "") -> tuple[list[StoredQuiz], QuizCount]:
    """The quizzes for the page, those first that are due next, and how many others there are; `only` as in `all`."""
    kept, count = library.quizzes.all(MOST_LISTED, only), library.quizzes.count(now, only)
    due = sum(quiz.due is not None and quiz.due <= now for quiz in kept)
    solved = sum(quiz.due is None for quiz in kept)
    return kept, QuizCount(count.all - len(kept), count.due - due, count.solved - solved)


def own_colour(game: GameFacts) -> int | None:
    """The colour of the one person in a game; None if there is none, or another one too."""
    people = [colour for colour in (0, 1) if game.kind(game.seat_of(colour)) != "brain"]
    return people[0] if len(people) == 1 else None


def _name(request: ReviewedRequest, record: Record, rule: Rule) -> str:
    """The name of a review in the library; a review that leaves out stones of a position has one of its own."""
    line = line_of(record, rule)
    return f"{line} from {request.start}" if request.game is None and request.start else line


class TrainingRequests:
    """The owner's requests to the coach. `begin` ends the client's earlier request and does this work."""

    def __init__(self, open_games: OpenGames, review_process: ReviewProcess, begin: Begin) -> None:
        self._open_games = open_games
        self._library = open_games.library
        self._review_process = review_process
        self._begin = begin
        self._reviewed: dict[Client, list[Quiz]] = {}  # the quizzes of each client's last review

    def handlers(self) -> dict[str, Handler]:
        """The requests by type."""
        found: dict[str, Handler] = {
            "review": self._review,
            "kept_review": self._kept_review,
            "prove": self._prove,
            "attempt": self._attempt,
            "quiz_keep": self._keep,
            "quizzes": self._quizzes,
            "quiz_answer": self._answer,
            "quiz_forget": self._forget,
        }
        return {kind: for_owner(handler) for kind, handler in found.items()}

    def leave(self, client: Client) -> None:
        """The client is gone."""
        self._reviewed.pop(client, None)

    async def _review(self, client: Client, request: ReviewRequest) -> None:
        game, record = await self._record(client, request)
        if not record.moves:
            raise Refused("server.nothing_played")
        rule, own = record.known_rule(Rule.FREESTYLE), None if game is None else own_colour(game)

        def tell(done: int, of: int) -> None:
            client.answer({"type": "reviewing", "request": request.id, "done": done, "of": of})

        async def work() -> dict[str, Any]:
            found = await self._review_process.review(record, rule, tell)
            quizzes = [Quiz.from_json(quiz) for quiz in found["quizzes"]]
            self._reviewed[client] = quizzes

            def keep() -> dict[str, Any]:
                kept: dict[int, int] = {}
                with contextlib.suppress(OSError, NoGame):  # it is shown even if its quizzes cannot be kept
                    kept = {} if game is None else keep_own(self._library, game, quizzes)
                content = {**found, "kept": sorted(kept), "own": own}
                made = time.time()
                with contextlib.suppress(OSError, NoGame):
                    id = None if game is None else game.id
                    self._library.reviews.keep(_name(request, record, rule), content, id, made)
                return {"type": "review", **content, "made": made}

            return await self._open_games.in_thread(keep)

        self._begin(client, request, work())

    async def _kept_review(self, client: Client, request: KeptReviewRequest) -> dict[str, Any]:
        _, record = await self._record(client, request)
        line = _name(request, record, record.known_rule(Rule.FREESTYLE))

        def read() -> tuple[StoredReview, list[Quiz]] | None:
            found = self._library.reviews.find(line)
            return None if found is None else (found, [Quiz.from_json(quiz) for quiz in found.content["quizzes"]])

        found = await self._open_games.in_thread(read)
        if found is None:
            return {"type": "no_review"}
        review, self._reviewed[client] = found
        return {"type": "review", **review.content, "made": review.made}

    async def _record(self, client: Client, request: ReviewedRequest) -> tuple[GameFacts | None, Record]:
        """The moves of a request, and the game that they come from, None for a position. Raises Refused."""
        if request.game is not None:
            game = (await self._open_games.open(request.game, client)).game
            return game, record_of(game)
        if request.position is None:
            raise Refused("message.missing", what="position")
        return None, as_record(request.position.position(), request.start)

    async def _prove(self, client: Client, request: ProveRequest) -> None:
        position = request.position.position()
        position.check()
        record = as_record(position)

        async def work() -> dict[str, Any]:
            return {"type": "proof", **await self._review_process.prove(record, position.rule)}

        self._begin(client, request, work())

    async def _attempt(self, client: Client, request: AttemptRequest) -> None:
        position, cell = request.position.position(), request.cell
        position.check()
        check_free(position, cell)

        async def work() -> dict[str, Any]:
            return {
                "type": "attempt",
                **await self._review_process.judge_move(as_record(position), position.rule, cell),
            }

        self._begin(client, request, work())

    async def _keep(self, client: Client, request: KeepQuizRequest) -> dict[str, Any]:
        ply = request.ply
        quiz = next((quiz for quiz in self._reviewed.get(client, ()) if len(quiz.moves) == ply), None)
        if quiz is None:
            raise Refused("server.no_quiz")
        number = await self._open_games.in_thread(lambda: keep_quiz(self._library, quiz))
        return {"type": "quiz_kept", "ply": ply, "quiz": number}

    async def _quizzes(self, client: Client, request: QuizzesRequest) -> dict[str, Any]:
        return await self._list(request.only)

    async def _list(self, only: str) -> dict[str, Any]:
        now = time.time()
        kept, count = await self._open_games.in_thread(lambda: list_quizzes(self._library, now, only))
        return {
            "type": "quizzes",
            "quizzes": [describe_quiz(quiz) for quiz in kept],
            "now": now,
            "unlisted": count._asdict(),
        }

    async def _answer(self, client: Client, request: AnswerQuizRequest) -> None:
        """Judges an answer; without a cell the quiz is given up."""
        from tournaments.board.openings.own_lines import is_accepted  # loads the package of stores

        kept = await self._kept(request.quiz)
        quiz = Quiz.from_json(kept.data)
        cell = request.cell
        position = Position(quiz.width, quiz.height, Rule(quiz.rule), quiz.moves)
        if cell is not None:
            check_free(position, cell)

        async def work() -> dict[str, Any]:
            said: dict[str, Any] = {"verdict": "", "loss": 0.0, "proof": None}
            is_known = cell is not None and is_accepted(quiz, cell)
            if cell is not None and not is_known:
                said = await self._review_process.judge_move(as_record(position), position.rule, cell)
            right = is_known or (cell is not None and is_right(quiz, said["verdict"]))
            after = await self._open_games.in_thread(lambda: settle(self._library, kept, right))
            solution = {}
            if right or cell is None:
                proof = None if quiz.proof is None else quiz.proof.to_json()
                solution = {"accepted": quiz.accepted, "played": quiz.played, "solution": proof}
            return {
                "type": "quiz_judged",
                **said,
                "quiz": describe_quiz(after),
                "cell": cell,
                "right": right,
                "now": time.time(),
                **solution,
            }

        self._begin(client, request, work())

    async def _forget(self, client: Client, request: ForgetQuizRequest) -> dict[str, Any]:
        kept = await self._kept(request.quiz)
        await self._open_games.in_thread(lambda: self._library.quizzes.forget(kept.number))
        return await self._list(request.only)

    async def _kept(self, number: int) -> StoredQuiz:
        try:
            return await self._open_games.in_thread(lambda: self._library.quizzes.find(number))
        except NoQuiz:
            raise Refused("server.no_quiz") from None
