"""Requests about positions: analysis while it runs, threats, balance, hints, and games that come and go as text.

Each client has one of these at a time; the next one ends it. Guests have them from our brain, within limits.
"""

import asyncio
import functools
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from tournaments.board.engines.analysis import Analysis, win_probability
from tournaments.board.engines.analysis_limits import GUEST_LIMITS, AnalysisLimits, owner_limits
from tournaments.board.engines.brain_question import hint_question
from tournaments.board.engines.brain_registry import HOUSE_BRAIN
from tournaments.board.engines.engine_pool import EnginePool
from tournaments.board.engines.job_queue import Busy, Cancelled, Priority
from tournaments.board.engines.position import Position
from tournaments.board.engines.question_limits import QuestionLimits
from tournaments.board.game.actions import Play
from tournaments.board.game.fouls import first_foul, forbidden_cells
from tournaments.board.game.game import Refused
from tournaments.board.library.game_record import record_of
from tournaments.board.library.library import default_book
from tournaments.board.library.study_tree import says_more, study_of, title_of_record
from tournaments.board.messages.position_requests import (
    AnalyseRequest,
    BalanceRequest,
    ExportRequest,
    FoulsRequest,
    ImportRequest,
    ThreatsRequest,
)
from tournaments.board.messages.request import Request
from tournaments.board.messages.requests import HintRequest, StopRequest
from tournaments.board.review.review_process import ReviewProcess
from tournaments.board.server.clients import Client, need_owner
from tournaments.board.server.failures import tell_once
from tournaments.board.server.open_games import OpenGames
from tournaments.board.server.openings.book_requests import BookRequests
from tournaments.board.server.positions import as_record, check_free
from tournaments.board.server.puzzle_requests import PuzzleRequests
from tournaments.board.server.router import Handler, answer_to, refused
from tournaments.board.server.training_requests import AWAITED, TrainingRequests
from tournaments.brains.brain import BrainFailure
from tournaments.brains.process import CannotStart
from tournaments.files.text import printable
from tournaments.records.convert import is_record, parse_records
from tournaments.records.links import is_link, parse_link
from tournaments.records.pos import format_pos_line
from tournaments.records.psq import format_psq
from tournaments.records.record import Record
from tournaments.records.sgf import format_sgf
from tournaments.records.sgf_tree import Variations, parse_sgf_tree
from tournaments.rules.referee import Board, Cell, Rule, five_points, is_win

MOST_GUESTS = 4
MOST_OF_NEIGHBOURS = 3
"""Guests who may have an analysis at once, and guests from one address. One guest has one."""

BALANCE_SECONDS = 3.0
THREAT_SECONDS = 1.0
THREAT_NODES = 120_000
MOST_IMPORTED = 500
GUEST_LETTERS = 20_000
MOST_GUEST_TEXTS = 8
"""Games that one text may have, letters that a guest's text may have, and guests' texts and positions that may wait."""

_Result = TypeVar("_Result")
_FORMATS: dict[str, Callable[[Record], str]] = {"sgf": format_sgf, "psq": format_psq, "pos": format_pos_line}


class AnalysisRequests:
    """The requests of clients about positions."""

    def __init__(self, pool: EnginePool, open_games: OpenGames, book: Path | None = None) -> None:
        self._pool = pool
        self._open_games = open_games
        self._guests: set[Client] = set()
        # One thread for all texts and positions of guests: meanwhile the library's threads do what players ask for.
        self._guests_thread = ThreadPoolExecutor(1, "guests")
        self._guest_texts = 0
        review_process = ReviewProcess(pool.brains[HOUSE_BRAIN].command)
        self._training = TrainingRequests(open_games, review_process, self._begin)
        self._puzzles = PuzzleRequests(open_games, review_process, self._begin)
        library = open_games.library
        self.book = BookRequests(book or default_book(library.path), book is None, library)

    def handlers(self) -> dict[str, Handler]:
        """The requests by type."""
        return {
            "analyse": self._analyse,
            "stop": self._stop,
            "threats": self._threats,
            "balance": self._balance,
            "hint": self._hint,
            "fouls": self._fouls,
            "import": self._import,
            "export": self._export,
            **self._training.handlers(),
            **self._puzzles.handlers(),
            **self.book.handlers(),
        }

    def close(self) -> None:
        """Stops reading texts, and closes the store of openings."""
        self.book.close()
        self._guests_thread.shutdown(wait=False, cancel_futures=True)

    def leave(self, client: Client) -> None:
        """The client is gone: ends its request."""
        self._end(client)
        self._training.leave(client)
        self.book.leave(client)

    # One task for each client

    def _begin(self, client: Client, request: Request, work: Coroutine[Any, Any, dict[str, Any] | None]) -> None:
        """Ends the client's earlier request, does this work, and answers with its result."""
        self._end(client)
        if not client.is_owner:
            if not self._has_room_for(client):
                work.close()
                raise Refused("server.many_analyses")
            self._guests.add(client)
        task = client.tasks["study"] = asyncio.create_task(self._run(client, request, work))

        def end(task: asyncio.Task[None]) -> None:
            work.close()  # it may not have begun
            if task.cancelled() and not client.is_gone:
                _tell_stopped(client, request)

        task.add_done_callback(end)

    def _has_room_for(self, client: Client) -> bool:
        """Whether a guest who has no analysis on this connection may have one."""
        is_other = client.guest is None or all(each.guest != client.guest for each in self._guests)
        neighbours = sum(1 for each in self._guests if each.address == client.address != "")
        return is_other and neighbours < MOST_OF_NEIGHBOURS and len(self._guests) < MOST_GUESTS

    async def _read(self, client: Client, function: Callable[[], _Result]) -> _Result:
        """The function's result for a text or a position that the client has sent. Raises Refused if too many wait."""
        if client.is_owner:
            return await self._open_games.in_thread(function)
        if self._guest_texts >= MOST_GUEST_TEXTS:
            raise Refused("server.many_texts")
        self._guest_texts += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._guests_thread, function)
        finally:
            self._guest_texts -= 1

    async def _run(self, client: Client, request: Request, work: Coroutine[Any, Any, dict[str, Any] | None]) -> None:
        try:
            answer = await work
        except Cancelled:
            _tell_stopped(client, request)
            answer = None
        except Busy:
            answer = refused(client, Refused("server.busy"))
        except BrainFailure as failure:
            answer = refused(client, Refused("server.brain_cannot", why=failure))
        except CannotStart as error:
            answer = refused(client, Refused("server.brain_cannot", why=error))
        except Refused as refusal:
            answer = refused(client, refusal)
        except OSError as error:
            answer = refused(client, Refused("server.not_saved", why=error))
        except Exception as error:
            tell_once(error)
            answer = refused(client, Refused("server.failed"))
        finally:
            if client.tasks.get("study") is asyncio.current_task():
                del client.tasks["study"]
                self._guests.discard(client)
        if answer is not None:
            client.drop_analysis()
            client.answer(answer_to(answer, request))

    def _end(self, client: Client) -> bool:
        task = client.tasks.pop("study", None)
        self._guests.discard(client)
        if task is None:
            return False
        task.cancel()
        client.drop_analysis()
        self._pool.cancel(owner_of(client))
        return True

    # The requests

    async def _analyse(self, client: Client, request: AnalyseRequest) -> None:
        position, name = request.position.position(), request.brain or HOUSE_BRAIN
        position.check()
        if name not in self._pool.brains:
            raise Refused("server.no_brain", name=printable(name))
        if not client.is_owner and name != HOUSE_BRAIN:
            raise Refused("server.owner_only")
        barred = sorted({cell for cell in request.barred if cell not in position.moves})
        for cell in barred:
            check_free(position, cell)
        if barred and not self._pool.brains[name].is_ours:
            raise Refused("server.brain_bars_nothing")
        room = position.width * position.height - len(position.moves) - len(barred)
        if room < 1:
            raise Refused("server.no_room")
        allowed = limits_of(client)
        count = min(request.lines, room, allowed.lines or room)
        limits = allowed.within(
            seconds=request.seconds,
            nodes=request.nodes,
            depth=request.depth,
            threads=request.threads,
            memory=request.memory,
        )

        async def work() -> dict[str, Any]:
            last = Analysis((), 0, 0)

            def tell(lines: Analysis) -> None:
                nonlocal last
                last = lines
                if client.tasks.get("study") is task:
                    client.show_analysis(answer_to(lines_to_json(lines, is_done=False), request))

            task = asyncio.current_task()
            try:
                found = await self._pool.analyse(owner_of(client), name, position, limits, count, tell, barred=barred)
                last = found if found.lines else last
            finally:  # also if the player has stopped it
                if request.keeps and client.is_owner and name == HOUSE_BRAIN:
                    self.book.keep_soon(client, request.position, last, is_whole=not barred)
            return lines_to_json(last, is_done=True)

        self._begin(client, request, work())

    async def _stop(self, client: Client, request: StopRequest) -> dict[str, Any]:
        self._end(client)
        return {"type": "stopped"}

    async def _threats(self, client: Client, request: ThreatsRequest) -> None:
        position = request.position.position()
        position.check()

        async def work() -> dict[str, Any]:
            wins, limits = [], QuestionLimits(seconds=THREAT_SECONDS, nodes=THREAT_NODES)
            for passes in (False, True):
                found = await self._pool.analyse(
                    owner_of(client), HOUSE_BRAIN, position, limits, 1, lambda lines: None, passes
                )
                if found.lines and (found.lines[0].mate or 0) > 0:
                    colour, moves = position.to_move ^ passes, found.lines[0].moves
                    kind = await self._read(client, functools.partial(kind_of_win, position, colour, moves))
                    wins.append({"colour": colour, "kind": kind, "moves": [list(cell) for cell in moves]})
            return {"type": "threats", "wins": wins}

        self._begin(client, request, work())

    async def _balance(self, client: Client, request: BalanceRequest) -> None:
        position, stones = request.position.position(), request.stones
        position.check()
        if position.width * position.height - len(position.moves) < stones:
            raise Refused("server.no_room")

        async def work() -> dict[str, Any]:
            limits = QuestionLimits(seconds=BALANCE_SECONDS)
            cells, score = await self._pool.balance(owner_of(client), position, stones, limits)
            return {
                "type": "balance",
                "cells": [list(cell) for cell in cells],
                "score": score,
                "win": round(win_probability(score, None), 4),
            }

        self._begin(client, request, work())

    async def _hint(self, client: Client, request: HintRequest) -> None:
        need_owner(client)
        id = request.game
        opened = await self._open_games.open(id, client)
        game = opened.game
        if game.is_over:
            raise Refused("refused.over")
        if game.phase != "play":
            raise Refused("refused.choose_first")
        if game.clocks is not None and any(seat.kind == "friend" for seat in game.seats):
            raise Refused("server.no_hints")
        question = hint_question(game)

        async def work() -> dict[str, Any] | None:
            hint = await self._pool.act(owner_of(client), question, Priority.HINT)
            if opened.game.cells != question.position.moves:
                return {"type": "stopped"}
            assert isinstance(hint, Play), "a hint is a move"
            info = hint.info
            return {"type": "hint", "game": id, "cell": list(hint.cell), "score": info.score, "mate": info.mate}

        self._begin(client, request, work())

    async def _fouls(self, client: Client, request: FoulsRequest) -> dict[str, Any]:
        """The cells where Black may not play, and the first foul among the moves after the first `start` stones."""
        position = request.position.position()
        start = min(request.start, len(position.moves))

        def find() -> dict[str, Any]:
            board = Board(position.width, position.height, position.rule)
            first_foul(board, position.moves[:start])  # these stand in no order that was played
            found = first_foul(board, position.moves[start:])
            forbidden = forbidden_cells(board).items()
            return {
                "type": "fouls",
                "forbidden": [{"cell": list(cell), "foul": foul.value} for cell, foul in forbidden],
                "played": None if found is None else {"ply": start + found[0], "foul": found[1].value},
            }

        return await self._read(client, find)

    async def _import(self, client: Client, request: ImportRequest) -> dict[str, Any]:
        """The games of a text in any known format."""
        text = request.text
        if not client.is_owner and len(text) > GUEST_LETTERS:
            raise Refused("server.long_text", most=GUEST_LETTERS)
        records = await self._read(client, lambda: read_records(text))
        return {"type": "imported", "games": [record_to_json(record, tree) for record, tree in records]}

    async def _export(self, client: Client, request: ExportRequest) -> dict[str, Any]:
        form, study, position = request.format, request.study, request.position
        if form == "sgf" and study is not None:
            text, name = await self._read(client, lambda: study.study().to_sgf()), "study"
        elif request.game is not None:
            game = (await self._open_games.open(request.game, client)).game
            text, name = _FORMATS[form](record_of(game)), game.id
        elif position is not None:
            text, name = _FORMATS[form](as_record(position.position())), "position"
        else:
            raise Refused("message.missing", what="position")
        return {"type": "exported", "text": text, "name": f"{name}.{'txt' if form == 'pos' else form}"}


def limits_of(client: Client) -> AnalysisLimits:
    """The most that the client's analysis may take."""
    return owner_limits() if client.is_owner else GUEST_LIMITS


def owner_of(client: Client) -> str:
    """The client's name in the pool."""
    return f"client {client.number}"


def _tell_stopped(client: Client, request: Request) -> None:
    """Answers a request that its client, or another request, has ended: the page waits for an answer.

    An analysis needs no such answer, because it tells its results by messages of its own.
    """
    if request.type in AWAITED:
        client.answer(answer_to(refused(client, Refused("server.coach_stopped")), request))
    elif request.type != "analyse":
        client.answer(answer_to({"type": "stopped"}, request))


def lines_to_json(lines: Analysis, is_done: bool) -> dict[str, Any]:
    """The message of an analysis."""
    return {
        "type": "analysis",
        "lines": [line.to_json() for line in lines.lines],
        "nodes": lines.nodes,
        "speed": lines.speed,
        "done": is_done,
    }


def kind_of_win(position: Position, colour: int, moves: tuple[Cell, ...]) -> str:
    """The kind of win: "fours" if each of the winner's moves makes a four or the five, else "threes"."""
    board = Board(position.width, position.height, position.rule)
    for ply, (x, y) in enumerate(position.moves):
        board.place(x, y, ply % 2)
    for ply, (x, y) in enumerate(moves):
        board.place(x, y, colour if ply % 2 == 0 else 1 - colour)
        if ply % 2 == 0 and not is_win(board, x, y) and not five_points(board, colour):
            return "threes"
    return "fours"


def read_records(text: str) -> list[tuple[Record, Variations | None]]:
    """The games of a text, a link, SGF, psq, JSON lines or pos notation, with their trees of variations, None for games
    that have nothing beside their moves. Raises Refused."""
    if not text.strip():
        raise Refused("server.nothing_to_read")
    try:
        return _read_records(text)
    except Refused:
        raise
    except ValueError as error:
        raise Refused("server.unreadable", why=str(error).rstrip(".")) from None


def _read_records(text: str) -> list[tuple[Record, Variations | None]]:
    if is_link(text):
        return [(parse_link(text), None)]
    if not is_record(text):
        raise Refused("server.no_record")
    records = parse_records(text, "the text")
    if len(records) > MOST_IMPORTED:
        raise Refused("server.many_records", count=len(records), most=MOST_IMPORTED)
    for record in records:
        _ = record.cells  # a game with a pass between its stones cannot be shown
    if not text.lstrip().startswith("("):
        return [(record, None) for record in records]
    trees = parse_sgf_tree(text, "the text")
    return [(record, tree if says_more(tree) else None) for record, tree in zip(records, trees, strict=True)]


def record_to_json(record: Record, tree: Variations | None) -> dict[str, Any]:
    """A game that was read, for the page: a study's content, or without a tree its moves."""
    if tree is not None:
        return {**study_of(record, tree).to_json(), "moves": [list(cell) for cell in record.cells]}
    return {
        "title": title_of_record(record),
        "width": record.width,
        "height": record.height,
        "rule": int(record.known_rule(Rule.FREESTYLE)),
        "moves": [list(cell) for cell in record.cells],
    }
