"""A game that is open: the server's data about it, beside the library's."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from tournaments.board.engines.brain_question import BrainQuestion
from tournaments.board.game.actions import Play
from tournaments.board.game.game import BrokenGame, GameSnapshot
from tournaments.board.game.premoves import Premove, choose_premove
from tournaments.board.game.refusal import Refused
from tournaments.board.library.library import Library
from tournaments.board.library.library_file import NoGame
from tournaments.board.library.series import points_before
from tournaments.board.library.stored_game import StoredGame
from tournaments.board.server.clients import Client, Presence
from tournaments.rules.referee import Cell

Reading = asyncio.Task["OpenGame | Exception"]
InThread = Callable[[Callable[[], "OpenGame"]], Awaitable["OpenGame"]]
Later = Callable[[Coroutine[Any, Any, "OpenGame | Exception"]], Reading]

LOOK_SECONDS = 0.7
"""The least time between two moves of a game that brains play without a clock: people watch it."""


class OpenGame:
    """An open game; `game` is its newest state. Only the thread with the lock may use `stored`: see `_change`.

    `secrets` are those of the links that open its seats now; they are lost when the server ends. `next` is the id of
    the rematch. `presence` is what the watchers know about each other. `premoves` are those of the seats. `slip` is
    what the last move throws away, and `judged` are the stones of the position in which that was found.
    """

    def __init__(
        self, kept: StoredGame, game: GameSnapshot, rematch: str | None = None, series: tuple[float, ...] = ()
    ) -> None:
        self.stored = kept
        self.game = game
        self.lock = asyncio.Lock()
        self.watchers: set[Client] = set()
        self.secrets: dict[int, str] = {}
        self.next = rematch
        self.series = series
        self.thinking: asyncio.Task[None] | None = None
        self.thinks_about: BrainQuestion | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.closing: asyncio.TimerHandle | None = None
        self.presence = Presence()
        self.premoves: dict[int, Premove] = {}
        self.counting: asyncio.TimerHandle | None = None
        self.slip: dict[str, Any] | None = None
        self.judged: tuple[Cell, ...] = ()

    @property
    def has_brains_alone(self) -> bool:
        """True if brains have all seats."""
        return all(seat.kind == "brain" for seat in self.game.seats)

    def seconds_to_look(self, began: float) -> float:
        """The seconds that a brain's move still waits; `began` is the monotonic time at which the brain was asked."""
        if not self.has_brains_alone or self.game.clocks is not None:
            return 0
        return max(0.0, began + LOOK_SECONDS - time.monotonic())

    def take_premove(self) -> Play | None:
        """The premove whose turn has come, None without one; those whose turn cannot come any more are dropped."""
        due = None
        for seat, premove in list(self.premoves.items()):
            if not premove.waits(self.game):
                del self.premoves[seat]
                due = premove.action(self.game) or due
        return due

    def set_premove(self, client: Client, cell: Cell | None) -> int:
        """Chooses the move that the client's seat plays at its next turn; without a cell, none. Returns the seat.
        Raises Refused."""
        seats = client.seats.get(self.game.id, frozenset())
        if len(seats) != 1:
            raise Refused("refused.premove" if seats else "server.not_seated")
        if self.is_held:
            raise Refused("server.slip_waits")
        (seat,) = seats
        self.premoves.pop(seat, None)
        if cell is not None:
            self.premoves[seat] = choose_premove(self.game, seat, cell)
        return seat

    @property
    def is_held(self) -> bool:
        """True while the brain waits for what a person does about the own last move, which throws the game away."""
        return self.slip is not None and self.judged == self.game.cells

    def drop_old_slip(self) -> None:
        """Forgets what was found in a position that the game has left: the same move is judged again."""
        if self.judged != self.game.cells:
            self.judged, self.slip = (), None

    def forget_slip(self, client: Client) -> None:
        """The brain need not wait any more for what the client does about the last move. Raises Refused."""
        if not client.seats.get(self.game.id):
            raise Refused("server.not_seated")
        if not self.is_held:
            raise Refused("server.no_slip")
        self.slip = None

    def state(self, client: Client, version: int, now: float, links: Mapping[str, Any] | None) -> dict[str, Any]:
        """The game as that client sees it at the time `now`; `links` are for its owner."""
        seats = sorted(client.seats.get(self.game.id, ()))
        offered = sorted(client.offered.get(self.game.id, ()))
        state = self.game.state(now, seats, client.is_owner, self.is_thinking, client.language, offered)
        state |= {"next": self.next, "version": version, "invited": sorted(self.secrets)}
        premove = self.premoves.get(seats[0]) if len(seats) == 1 else None
        state |= {"watching": self.presence.watching, "premove": premove and list(premove.cell)}
        state["series"] = list(self.series) or None
        state["slip"] = self.slip if self.is_held and seats else None
        for seat, line in enumerate(state["seats"]):
            line["here"] = line["kind"] == "brain" or seat in self.presence.here
        return state if links is None else {**state, "links": links}

    def glimpse(self, visitor: Client, now: float) -> dict[str, Any]:
        """The game as it is written into its page.

        It has no version, and does not tell who is there: the page of a game that has not changed is the same then, and
        a browser need not load it again.
        """
        state = self.state(visitor, 0, now, None)
        return {**state, "watching": 0, "seats": [{**seat, "here": True} for seat in state["seats"]]}

    @property
    def is_thinking(self) -> bool:
        """True while a brain is asked for its move."""
        return self.thinking is not None and not self.thinking.done()


def read_open_game(library: Library, id: str, began: float | None = None) -> OpenGame:
    """Reads a game of the library. Raises NoGame, BrokenGame and OSError.

    With `began`, the time at which this server started, players see it from now on: a clock that ran when an earlier
    server ended goes on, and a time that has run out ends the game.
    """
    kept = StoredGame(library, id)
    if began is not None:
        if kept.game.last_at < began:
            kept.wake()
        kept.expire()
    game = kept.game.snapshot()
    rematch = library.games.rematch_of(id) if game.is_over else None
    return OpenGame(kept, game, rematch, points_before(library.games, game.settings))


class GameReader:
    """Reads each game once for all who ask for it at the same time: a long one takes a while, and any number of guests
    may ask. `in_thread` runs a function in another thread, `later` work beside the request that needs it."""

    def __init__(self, library: Library, in_thread: InThread, later: Later) -> None:
        self._library = library
        self._in_thread = in_thread
        self._later = later
        self._readings: dict[tuple[str, float | None], Reading] = {}

    async def read(self, id: str, began: float | None = None) -> OpenGame:
        """As `read_open_game`."""
        reading = self._readings.get((id, began))
        if reading is None:
            reading = self._readings[id, began] = self._later(self._read(id, began))
        found = await asyncio.shield(reading)
        if isinstance(found, Exception):
            raise found
        return found

    async def _read(self, id: str, began: float | None) -> OpenGame | Exception:
        try:
            return await self._in_thread(lambda: read_open_game(self._library, id, began))
        except (NoGame, BrokenGame, OSError) as fault:
            return fault
        finally:
            del self._readings[id, began]
