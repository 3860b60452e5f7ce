"""Requests about puzzles: the day's puzzle or another one, answers, and the owner's rating."""

import datetime
from collections.abc import Callable, Coroutine
from typing import Any

from tournaments.board.engines.position import Position
from tournaments.board.game.refusal import Refused
from tournaments.board.library.own_puzzles import Standing, own_standing, settle_puzzle
from tournaments.board.messages.request import Request
from tournaments.board.messages.requests import AnswerPuzzleRequest, PuzzleRequest
from tournaments.board.puzzles.puzzle import Puzzle
from tournaments.board.puzzles.rating import level_rating
from tournaments.board.puzzles.sets import find_shipped, nearest_puzzle, puzzle_of_day, shipped_set
from tournaments.board.review.move_judgement import WINS
from tournaments.board.review.review_process import ReviewProcess
from tournaments.board.server.clients import Client
from tournaments.board.server.open_games import OpenGames
from tournaments.board.server.positions import as_record, check_free
from tournaments.board.server.router import Handler, for_owner
from tournaments.rules.referee import Rule

Begin = Callable[[Client, Request, Coroutine[Any, Any, dict[str, Any] | None]], None]


def describe_puzzle(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle for the page, without its answer."""
    return {
        "puzzle": puzzle.id,
        "width": puzzle.width,
        "height": puzzle.height,
        "rule": int(puzzle.rule),
        "moves": puzzle.moves,
        "to_move": puzzle.to_move,
        "rating": puzzle.rating,
    }


def describe_standing(standing: Standing, rule: Rule) -> dict[str, Any]:
    """The owner's rating, and how many of the puzzles of a rule are solved and answered."""
    ids = {puzzle.id for puzzle in shipped_set(rule).puzzles}
    return {
        "rating": round(standing.rating.value),
        "deviation": round(standing.rating.deviation),
        "solved": len(ids & standing.solved),
        "answered": len(ids & standing.answers.keys()),
        "of": len(ids),
    }


class PuzzleRequests:
    """The owner's requests about puzzles. `begin` ends the client's earlier request and does this work."""

    def __init__(self, open_games: OpenGames, review_process: ReviewProcess, begin: Begin) -> None:
        self._open_games = open_games
        self._library = open_games.library
        self._review_process = review_process
        self._begin = begin

    def handlers(self) -> dict[str, Handler]:
        """The requests by type."""
        return {"puzzle": for_owner(self._puzzle), "puzzle_answer": for_owner(self._answer)}

    async def _puzzle(self, client: Client, request: PuzzleRequest) -> dict[str, Any]:
        return await self._open_games.in_thread(lambda: self._choose(request))

    def _choose(self, request: PuzzleRequest) -> dict[str, Any]:
        """The puzzle of a day, or else the one that is not solved and nearest to the level, or to the own rating."""
        puzzles = shipped_set(request.rule).puzzles
        standing = own_standing(self._library)
        puzzle: Puzzle | None
        if request.day is not None:
            try:
                puzzle = puzzle_of_day(puzzles, datetime.date.fromisoformat(request.day))
            except ValueError:
                raise Refused("message.value", what="day") from None
        else:
            rating = standing.rating.value if request.level is None else level_rating(request.level)
            puzzle = nearest_puzzle(puzzles, rating, standing.solved.union(request.without))
        answer = None if puzzle is None else standing.answers.get(puzzle.id)
        return {
            "type": "puzzle",
            "asked": None if puzzle is None else describe_puzzle(puzzle),
            "day": request.day,
            "is_answered": answer is not None,
            "is_solved": answer is not None and answer.is_solved,
            "standing": describe_standing(standing, request.rule),
        }

    async def _answer(self, client: Client, request: AnswerPuzzleRequest) -> None:
        """Judges an answer, and tells the right move with its line; without a cell the puzzle is given up.

        The brain is asked only about another move than the right one; the page asks for the proof of the win by
        `prove` when the user wants to see it.
        """
        puzzle = await self._open_games.in_thread(lambda: find_shipped(request.puzzle))
        if puzzle is None:
            raise Refused("server.no_puzzle")
        position = Position(puzzle.width, puzzle.height, puzzle.rule, puzzle.moves)
        if request.cell is not None:
            check_free(position, request.cell)
        self._begin(client, request, self._judge(puzzle, position, request))

    async def _judge(self, puzzle: Puzzle, position: Position, request: AnswerPuzzleRequest) -> dict[str, Any]:
        cell = request.cell
        said: dict[str, Any] = {"verdict": WINS if cell is not None else "", "loss": 0.0, "proof": None}
        if cell is not None and cell != puzzle.answer:
            said = await self._review_process.judge_move(as_record(position), puzzle.rule, cell)
        is_right = said["verdict"] == WINS
        before = await self._open_games.in_thread(lambda: own_standing(self._library))
        after = await self._open_games.in_thread(lambda: settle_puzzle(self._library, puzzle, is_right))
        is_first = puzzle.id not in before.answers
        return {
            "type": "puzzle_judged",
            "puzzle": puzzle.id,
            "cell": cell,
            "right": is_right,
            "verdict": said["verdict"],
            "loss": said["loss"],
            "proof": said["proof"],
            "answer": puzzle.answer,
            "plies": puzzle.plies,
            "line": puzzle.line,
            "change": round(after.rating.value) - round(before.rating.value) if is_first else None,
            "standing": describe_standing(after, puzzle.rule),
        }
