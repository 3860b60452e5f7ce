"""The board in the browser: an HTTP server for the page, and a WebSocket for everything else.

Messages are JSON objects with a `type`; if a request has an `id`, its answer has the same `id`. `Service` does the
requests; a request that it refuses is answered by `refused`, with the reason in the client's language.
"""

import asyncio
import contextlib
import functools
import json
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tournaments.board.engines.engine_pool import EnginePool
from tournaments.board.game.actions import (
    Action,
    Answer,
    Change,
    Choose,
    Comment,
    Draw,
    Pause,
    Play,
    Resign,
    Resume,
    Stop,
    Teach,
    Undo,
)
from tournaments.board.game.refusal import Refused
from tournaments.board.library.library import Library
from tournaments.board.messages.request import GameRequest
from tournaments.board.messages.requests import (
    AnswerRequest,
    ChangeRequest,
    ChooseRequest,
    CommentRequest,
    CreateRequest,
    DrawRequest,
    HelloRequest,
    InsistRequest,
    InviteRequest,
    LeaveRequest,
    MoveNowRequest,
    PlayRequest,
    PremoveRequest,
    RematchRequest,
    SitRequest,
    TeachRequest,
    WatchRequest,
)
from tournaments.board.review.teacher import may_teach
from tournaments.board.server.access import Credentials, protocol_of
from tournaments.board.server.access_middleware import AccessMiddleware, too_long
from tournaments.board.server.analysis_requests import AnalysisRequests, limits_of
from tournaments.board.server.assets import make_page, prepare_page, read_static
from tournaments.board.server.clients import Client, need_owner
from tournaments.board.server.failures import tell_once
from tournaments.board.server.games.game_list import GameListRequests
from tournaments.board.server.limits import MOST_COMPLAINTS, MOST_MESSAGE, Rate, network_of
from tournaments.board.server.open_game import OpenGame
from tournaments.board.server.open_games import OpenGames
from tournaments.board.server.router import Handler, Router
from tournaments.board.server.seats import check_brains
from tournaments.board.server.shown_tournaments import ShownTournaments
from tournaments.board.server.study_requests import StudyRequests
from tournaments.brains.fingerprint import digest
from tournaments.files.text import one_line, printable_lines
from tournaments.translations.catalogue import choose_language, language_of

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.websockets import WebSocket

LAST_SECONDS = 10.0
"""How long the last messages of a closed connection may take."""

SWITCH_SECONDS = 0.0005
"""Seconds for which Python lets a thread go on while another thread waits. With the usual 0.005, a move is answered
after a third of a second while guests import games."""

POLICY_VIOLATION = 1008

LONG_MESSAGES = frozenset(("import", "export", "keep", "book_write"))
"""Requests that the owner may send by HTTP, because they may be longer than a message on a WebSocket."""


class Service(Router):
    """The requests of the board's clients. `version` is the program's, `origin` its address for other machines, and
    `book` the file of openings, by default the one beside the library."""

    pages = ("/", "/g/{id}")

    def __init__(
        self, library: Library, pool: EnginePool, version: str, origin: str | None = None, book: Path | None = None
    ) -> None:
        super().__init__(version)
        self.open_games = OpenGames(library, pool, origin)
        self.study = AnalysisRequests(pool, self.open_games, book)
        self.routes = self.study.book.uploads.routes
        self.games = GameListRequests(self.open_games, self.study.book.uploads)
        self.pool = pool
        self.library = library
        self.signature = ""
        self._glimpses = Rate()
        self.handlers |= {
            "hello": self._hello,
            "create": self._create,
            "watch": self._watch,
            "leave": self._leave,
            "sit": self._sit,
            "invite": self._invite,
            "play": self._play,
            "premove": self._premove,
            "choose": self._choose,
            "undo": self._doing(Undo),
            "draw": self._draw,
            "answer": self._answer,
            "resign": self._doing(Resign),
            "end": self._doing(Stop),
            "pause": self._doing(Pause),
            "resume": self._doing(Resume),
            "teach": self._teach,
            "insist": self._insist,
            "rematch": self._rematch,
            "move_now": self._move_now,
            "comment": self._comment,
            "change": self._change,
            **self.games.handlers(),
            **self.study.handlers(),
            **StudyRequests(self.open_games).handlers(),
            **ShownTournaments(library.path).handlers(),
        }

    async def start(self) -> None:
        """Before the first client comes."""
        self.pool.start()
        await self.open_games.start()
        command = next(brain.command for brain in self.pool.brains.values() if brain.is_ours)
        with contextlib.suppress(OSError, ValueError):
            self.signature = self.study.book.engine = (await self.open_games.in_thread(lambda: digest(command)))[:12]

    async def close(self) -> None:
        """After the last one has gone."""
        await self.open_games.close()
        self.study.close()
        await asyncio.get_running_loop().run_in_executor(None, self.pool.close)

    async def has_seat(self, client: Client) -> bool:
        """Whether the library knows the browser as one that has a seat in a game."""
        return await self.open_games.has_seat(client)

    def leave(self, client: Client) -> None:
        """The connection is gone."""
        super().leave(client)
        self.study.leave(client)
        self.games.leave(client)
        for id in list(client.games):
            self.open_games.leave(client, id)

    # Connections

    async def _hello(self, client: Client, request: HelloRequest) -> dict[str, Any]:
        self.greet(client, request)
        brains = [
            {"name": brain.name, "title": brain.title, "levels": brain.is_ours}
            for brain in self.pool.brains.values()
            if client.is_owner or brain.is_ours
        ]
        return {
            "type": "welcome",
            "brains": brains,
            "version": self.version,
            "signature": self.signature,
            "owner": client.is_owner,
            "limits": limits_of(client).to_json(),
        }

    async def glimpse(self, id: str, language: str) -> dict[str, Any] | None:
        if not id or not self._glimpses.take():
            return None
        visitor = Client(_send_nothing, False, None)
        visitor.language = language
        return await self.open_games.glimpse(id, visitor)

    # Games

    async def _create(self, client: Client, request: CreateRequest) -> dict[str, Any]:
        need_owner(client)
        opened = await self.open_games.create(client, await self.open_games.in_thread(request.settings.settings))
        return {"type": "created", "game": opened.game.id, "links": self.open_games.seats.links(opened)}

    async def _watch(self, client: Client, request: WatchRequest) -> dict[str, Any]:
        return self.open_games.state(await self.open_games.watch(client, request.game, request.secret), client)

    async def _leave(self, client: Client, request: LeaveRequest) -> None:
        self.open_games.leave(client, request.game)

    async def _sit(self, client: Client, request: SitRequest) -> dict[str, Any]:
        name = one_line(request.name)
        return self._state(await self.open_games.sit(client, request.game, request.secret, name), client)

    async def _invite(self, client: Client, request: InviteRequest) -> dict[str, Any]:
        need_owner(client)
        opened = await self.open_games.watch(client, request.game)
        if request.seat is None:
            await self.open_games.invite(opened)
        else:
            await self.open_games.invite_again(opened, request.seat)
        return self._state(opened, client)

    async def _play(self, client: Client, request: PlayRequest) -> dict[str, Any]:
        return await self._do(client, request, Play, cell=request.cell, ply=request.ply, offered=request.offered)

    async def _premove(self, client: Client, request: PremoveRequest) -> dict[str, Any]:
        opened = await self._open(client, request)
        await self.open_games.premove(client, opened, request.cell)
        return self._state(opened, client)

    async def _choose(self, client: Client, request: ChooseRequest) -> dict[str, Any]:
        return await self._do(client, request, Choose, choice=request.choice, ply=request.ply)

    async def _draw(self, client: Client, request: DrawRequest) -> dict[str, Any]:
        return await self._do(client, request, Draw, is_agreed=True)

    async def _answer(self, client: Client, request: AnswerRequest) -> dict[str, Any]:
        return await self._do(client, request, Answer, accepts=request.accept, what=request.what)

    async def _comment(self, client: Client, request: CommentRequest) -> dict[str, Any]:
        return await self._do(client, request, Comment, ply=request.ply, text=printable_lines(request.text))

    async def _rematch(self, client: Client, request: RematchRequest) -> dict[str, Any]:
        opened = await self._open(client, request)
        if not client.is_owner and not client.seats.get(request.game):
            raise Refused("server.not_seated")
        new = await self.open_games.rematch(client, opened)
        return {"type": "created", "game": new.game.id, "links": self.open_games.seats.links_after(client, new, opened)}

    async def _teach(self, client: Client, request: TeachRequest) -> dict[str, Any]:
        if request.on and not may_teach((await self._open(client, request)).game):
            raise Refused("refused.no_teaching")
        return await self._do(client, request, Teach, on=request.on)

    async def _insist(self, client: Client, request: InsistRequest) -> dict[str, Any]:
        self.open_games.insist(client, opened := await self._open(client, request))
        return self._state(opened, client)

    async def _move_now(self, client: Client, request: MoveNowRequest) -> dict[str, Any]:
        opened = await self._open(client, request)
        if not client.is_owner and not client.seats.get(request.game):
            raise Refused("server.not_seated")
        if not self.pool.hasten(opened.game.id):
            raise Refused("server.cannot_hasten")
        return self._state(opened, client)

    async def _change(self, client: Client, request: ChangeRequest) -> dict[str, Any]:
        need_owner(client)
        who = request.who.seat()
        opened = await self._open(client, request)
        opening = opened.game.settings.opening if opened.game.stage is not None else "free"
        check_brains(self.pool, client, [who], opening)
        await self.open_games.do(opened, Change((), True, seat=request.seat, who=who))
        await self.open_games.seat_all(opened)
        return self._state(opened, client)

    # Helpers

    async def _open(self, client: Client, request: GameRequest) -> OpenGame:
        id = request.game
        return await (self.open_games.open(id, client) if id in client.games else self.open_games.watch(client, id))

    async def _do(self, client: Client, request: GameRequest, kind: type[Action], **values: Any) -> dict[str, Any]:
        """Hands an action to the game; `values` are those of its kind."""
        opened, seats = await self._open(client, request), self.open_games.seats.acting(client, request.game, kind)
        await self.open_games.do(opened, kind(seats, client.is_owner, **values), client)
        return self._state(opened, client)

    def _doing(self, kind: type[Action]) -> Handler:
        """The handler of a request that is an action without values."""

        async def do(client: Client, request: GameRequest) -> dict[str, Any]:
            return await self._do(client, request, kind)

        return do

    def _state(self, opened: OpenGame, client: Client) -> dict[str, Any]:
        """The state as the answer to the client's request, instead of the state that all watchers get."""
        client.forget(opened.game.id)
        return self.open_games.state(opened, client)


# HTTP


def make_app(service: Router, access: Credentials) -> AccessMiddleware:
    """The application behind its gate."""
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.requests import ClientDisconnect
    from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
    from starlette.routing import Route, WebSocketRoute

    async def body_of(request: "Request") -> bytes:
        try:
            return await request.body()
        except ClientDisconnect:
            longest = request.scope.get("longest")
            if longest is None:  # the client has gone, and does not get this answer
                raise HTTPException(400, "the request is not whole\n") from None
            raise HTTPException(413, f"{too_long(longest)}\n") from None

    async def page(request: "Request") -> "Response":
        language = language_of(request.headers.get("accept-language", ""))
        game = await service.glimpse(request.path_params.get("id", ""), language)
        return make_page(request.url.path, language, access.library, game).answer(request)

    async def part(request: "Request") -> "Response":
        # The first request joins the files, which takes a moment.
        found = await asyncio.to_thread(read_static, request.path_params["name"])
        return PlainTextResponse("there is no such page\n", 404) if found is None else found.answer(request)

    async def health(request: "Request") -> "Response":
        return PlainTextResponse("ok\n")

    async def token(request: "Request") -> "Response":
        try:
            given = json.loads(await body_of(request))["token"]
        except (ValueError, KeyError, TypeError, RecursionError):
            given = None
        if not isinstance(given, str) or not access.is_right(given):
            return PlainTextResponse("that is not this server's token\n", 403)
        return Response(status_code=204)

    async def library(request: "Request") -> "Response":
        return PlainTextResponse(access.library)

    async def take_long(request: "Request") -> "Response":
        if not access.is_owner(request.scope):
            return PlainTextResponse("only the owner may do that\n", 403)
        text = (await body_of(request)).decode("utf-8", "replace")
        client = Client(_send_nothing, True, None)
        client.language = choose_language(request.query_params.get("language", "")[:40])
        return JSONResponse(await service.reply(client, text, LONG_MESSAGES))

    async def connect(socket: "WebSocket") -> None:
        await _converse(service, access, socket)

    @contextlib.asynccontextmanager
    async def lifespan(app: "Starlette") -> AsyncIterator[None]:
        await service.start()
        try:
            yield
        finally:
            await service.close()

    async def lead_on(request: "Request") -> "Response":
        return RedirectResponse(service.pages[0])

    # The first matching route is used.
    routes = [
        *(Route(address, page) for address in service.pages),
        Route("/", lead_on),
        Route("/page/{name:path}", part),
        Route("/healthz", health),
        Route("/token", token, methods=["POST"]),
        Route("/library", library),
        Route("/message", take_long, methods=["POST"]),
        *service.routes(),
        WebSocketRoute("/ws", connect),
    ]
    return AccessMiddleware(Starlette(routes=routes, lifespan=lifespan), access)


async def _send_nothing(text: str) -> None:
    """For a client that is answered by HTTP."""


async def _converse(service: Router, access: Credentials, socket: "WebSocket") -> None:
    """One connection, from its beginning to its end."""
    from starlette.websockets import WebSocketDisconnect

    address = network_of(access.address_of(socket.scope))
    client = Client(socket.send_text, access.is_owner(socket.scope), access.guest_of(socket.scope), address)
    if not service.places.take(client, not client.is_owner and await service.has_seat(client)):
        await socket.close(1013)
        return
    try:
        await socket.accept(protocol_of(socket.scope))
    except BaseException:
        service.places.give_back(client)
        raise
    service.clients.add(client)
    delivering = asyncio.create_task(client.deliver())
    listening = asyncio.create_task(_listen(service, client, socket))
    try:
        await asyncio.wait((delivering, listening), return_when=asyncio.FIRST_COMPLETED)
        if delivering.done() and delivering.exception() is not None:
            # A page that is being left sends its unfinished texts, and does not wait for the answer.
            client.leave()
            await asyncio.wait((listening,), timeout=LAST_SECONDS)
    finally:
        client.is_gone = True
        service.leave(client)
        service.places.give_back(client)
        for task in (delivering, listening):
            task.cancel()
        await asyncio.gather(delivering, listening, return_exceptions=True)
        if not listening.cancelled() and (error := listening.exception()) is not None:
            tell_once(error)
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, OSError):
            await asyncio.wait_for(socket.close(POLICY_VIOLATION), 1.0)


async def _listen(service: Router, client: Client, socket: "WebSocket") -> None:
    """Takes one message after another, until the connection ends or has been refused too often."""
    from starlette.websockets import WebSocketDisconnect

    with contextlib.suppress(WebSocketDisconnect):
        while client.complaints < MOST_COMPLAINTS and not client.is_gone:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            await service.take(client, text if isinstance(text, str) else "")
            await client.caught_up()


def listen(host: str, port: int) -> socket.socket:
    """A socket that waits for connections; port 0 is any free one. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(1024)
    except BaseException:
        listener.close()
        raise
    listener.setblocking(False)
    return listener


async def serve(service: Router, access: Credentials, listener: socket.socket, on_start: Callable[[], None]) -> None:
    """Serves until the task is cancelled; `on_start` is called when the first client may come."""
    import uvicorn

    from tournaments.board.server.protocols import CountedWebSocket, Debtors, PatientProtocol

    _allow_files()
    # While a thread reads a guest's text, a move changes threads many times, and waits for this time at each change.
    sys.setswitchinterval(SWITCH_SECONDS)
    # uvicorn wants a class here, but any function that makes the protocols works.
    http: Any = functools.partial(PatientProtocol, debtors=Debtors(access.is_owner))
    config = uvicorn.Config(
        make_app(service, access),
        http=http,
        ws=CountedWebSocket,
        lifespan="on",
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        ws_max_size=MOST_MESSAGE,
        ws_max_queue=8,
        ws_ping_interval=30.0,
        ws_ping_timeout=30.0,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=5,
    )
    server = uvicorn.Server(config)
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign,assignment]  # our caller does
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        if not serving.done():
            on_start()
            asyncio.get_running_loop().run_in_executor(None, prepare_page)
        await asyncio.shield(serving)
    except asyncio.CancelledError:
        server.should_exit = True
        await serving
        raise


def _allow_files() -> None:
    """Lets this process have as many connections as it may; the usual limit is for programs that have few."""
    if os.name == "posix":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192) if hard > 0 else 8192, hard))
