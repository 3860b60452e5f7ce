"""A `tengen serve` of the tests, and clients of it: real sockets, as browsers and programs open them."""

import asyncio
import http.client
import itertools
import json
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

import psutil
from pydantic import ConfigDict, Field, TypeAdapter
from waiting import PATIENCE_S, read_until, run
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tournaments.board.engines.engine_pool import EnginePool
from tournaments.board.engines.registration import register
from tournaments.board.library.library import Library
from tournaments.board.messages.answers import AnyAnswer
from tournaments.board.server.open_games import OpenGames
from tournaments.board.server.tokens import make_token

PATIENCE = 90.0
"""Seconds after which a test gives up; what is waited for takes a moment."""

Result = TypeVar("Result")
Answer = dict[str, Any]

ANSWERS: TypeAdapter[Any] = TypeAdapter(
    Annotated[AnyAnswer, Field(discriminator="type")], config=ConfigDict(extra="forbid", arbitrary_types_allowed=True)
)
"""The types of what the server sends, to which every message that a test hears is held."""

PERSON = {"kind": "local"}
FRIEND = {"kind": "friend"}
OFF_BOOK = [[0, 0], [0, 4]]
"""First stones that no opening has: a brain whose turn it is thinks, and answers from no book."""


def brain(name: str = "tengen", **limits: int) -> Answer:
    """The seat of a brain, quick unless it is told otherwise."""
    return {"kind": "brain", "brain": name, **(limits or {"nodes": 300})}


class Server:
    """A process `tengen serve` on a library; a context manager."""

    def __init__(self, games: Path, *arguments: str) -> None:
        self.games = games
        self.arguments = arguments
        self.process: subprocess.Popen[str] | None = None
        self.port = 0
        self.token = ""
        self.said: list[str] = []

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def start(self) -> None:
        """Starts it, on the port that it had before if it had one, and waits until it can be talked to."""
        words = (
            "-m",
            "tournaments.cli",
            "serve",
            "--no-browser",
            "--port",
            str(self.port),
            "--library",
            str(self.games),
        )
        self.process = subprocess.Popen(
            [sys.executable, *words, *self.arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        found = read_until(self.process, r"http://[^ ]*:([0-9]+)/#token=(\S+)", lines=self.said)
        self.port, self.token = int(found[1]), found[2]

    def stop(self) -> int:
        """Ends it as Ctrl-C does; its exit status."""
        if self.process is None:
            return 0
        self.process.send_signal(signal.SIGINT)
        return self._collect()

    def kill(self) -> None:
        """Kills it at once."""
        assert self.process is not None
        self.process.kill()
        self._collect()

    def _collect(self) -> int:
        assert self.process is not None and self.process.stdout is not None
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        self.said += self.process.stdout.read().splitlines()
        self.process.stdout.close()
        self.process = None
        return status

    @property
    def origin(self) -> str:
        """What a browser calls the page's origin."""
        return f"http://127.0.0.1:{self.port}"

    def request(self, path: str, method: str = "GET", body: str | None = None, **headers: str) -> tuple[int, Any, str]:
        """One HTTP request: status, headers and text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            given = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, given)
            response = connection.getresponse()
            return response.status, response.headers, response.read().decode()
        finally:
            connection.close()

    def browser(self, is_owner: bool = False) -> str:
        """What the page of a new browser offers as protocols of its WebSocket, with the owner's link or without it."""
        return ", ".join(["tengen", *([f"owner.{self.token}"] if is_owner else []), f"guest.{make_token()}"])

    def connect(self, protocols: str = "", **headers: str) -> "Player":
        """A page of a browser that offers these protocols."""
        return Player(self, {"Origin": self.origin, **headers}, protocols)

    def owner(self) -> "Player":
        """A page of the owner's."""
        return self.connect(self.browser(is_owner=True))

    def guest(self) -> "Player":
        """A page in the browser of a person without a token."""
        return self.connect(self.browser())


class Player:
    """A connection; an asynchronous context manager. `heard` holds all messages that came."""

    def __init__(self, server: Server, headers: dict[str, str], protocols: str = "") -> None:
        self.heard: list[Answer] = []
        self._server = server
        self._headers = headers
        self._protocols = [Subprotocol(name) for name in protocols.split(", ") if name]
        self._numbers = itertools.count(1)
        self.socket: ClientConnection | None = None

    async def __aenter__(self) -> Self:
        # A client that keeps only some messages stops reading when more of them wait. It does not see the server close
        # the connection then, and waits ten seconds for that when it leaves. A browser reads all of them.
        self.socket = await connect(
            f"ws://127.0.0.1:{self._server.port}/ws",
            additional_headers=self._headers,
            origin=None,
            compression=None,
            subprotocols=self._protocols or None,
            max_size=1 << 24,
            max_queue=None,
            open_timeout=PATIENCE,
        )
        return self

    async def __aexit__(self, *exception: object) -> None:
        if self.socket is not None:
            await self.socket.close()

    async def hear(self) -> Answer:
        """The next message."""
        assert self.socket is not None
        message: Answer = json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE))
        ANSWERS.validate_python({key: value for key, value in message.items() if key != "id"})
        self.heard.append(message)
        return message

    async def send(self, text: str | bytes) -> None:
        """Sends a message as it is."""
        assert self.socket is not None
        await self.socket.send(text)

    async def ask(self, kind: str, **values: Any) -> Answer:
        """The answer to a request."""
        number = next(self._numbers)
        await self.send(json.dumps({"type": kind, "id": number, **values}))
        return await self.until(lambda message: message.get("id") == number)

    async def until(self, holds: Callable[[Answer], object]) -> Answer:
        """The next message for which that holds."""
        while not holds(message := await self.hear()):
            pass
        return message

    async def state(self, holds: Callable[[Answer], object]) -> Answer:
        """The next state for which that holds."""
        return await self.until(lambda message: message["type"] == "state" and holds(message))

    async def refused(self, kind: str, **values: Any) -> str:
        """The reason for which a request is refused."""
        answer = await self.ask(kind, **values)
        assert answer["type"] == "refused", answer
        return str(answer["reason"])

    async def create(self, **settings: Any) -> Answer:
        """A new game, watched: its first state; the links are in it."""
        made = await self.ask("create", settings=settings)
        assert made["type"] == "created", made
        state = await self.ask("watch", game=made["game"])
        assert state["type"] == "state", state
        return {**state, "links": made["links"]}

    async def play(self, state: Answer, *cells: tuple[int, int]) -> Answer:
        """Plays stones for both sides; the last answer."""
        ply = len(state["moves"])
        for number, cell in enumerate(cells):
            state = await self.ask("play", game=state["game"], ply=ply + number, cell=list(cell))
            assert state["type"] == "state", state
        return state


def memory_of(pid: int) -> int:
    """The resident bytes of a process."""
    return int(psutil.Process(pid).memory_info().rss)


def with_open_games(tmp_path: Path, play: Callable[[OpenGames], Awaitable[None]], seconds: float = PATIENCE_S) -> None:
    """Plays with open games of a library of their own, without a server."""

    async def work() -> None:
        with Library(tmp_path / "games.sqlite") as library:
            pool = EnginePool(register(), 1)
            pool.start()
            made = OpenGames(library, pool)
            await made.start()
            try:
                await play(made)
            finally:
                await made.close()
                await asyncio.get_running_loop().run_in_executor(None, pool.close)

    run(work(), seconds)
