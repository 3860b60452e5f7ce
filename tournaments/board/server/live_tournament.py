"""A tournament on the page while it runs, for any number of watchers.

The server is a process of its own, which `tengen tournament run --watch` starts; a second one may be started by hand.
It only reads (see board/live/tournament.py). So drawing the page, and slow clients, take no time from a brain's clock;
a page that fails does not end the tournament; and after a manager was killed its page says so. No brain thinks here,
and the page cannot change anything: every client may see all of it.

client -> server: `tournament`, answered by the whole state. After each change `tournament_news` follows, with what is
new since the message before; a slow reader gets the changes of a longer time in one. `tournament_game` with a `number`.
"""

import asyncio
import functools
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tournaments.board.game.game import Refused
from tournaments.board.live.news import State, news_between
from tournaments.board.live.tournament import LiveTournament
from tournaments.board.messages.requests import HelloRequest, TournamentGameRequest, TournamentRequest
from tournaments.board.server.clients import Client, to_text
from tournaments.board.server.router import Router

TICK = 0.4
"""Seconds between two checks for changes."""

MOST_KEPT = 8
"""How many states are kept in each language; a reader who has an older one gets the whole state."""

_SLOT = "tournament"
_log = logging.getLogger(__name__)


class LiveService(Router):
    """The requests of clients that watch a tournament."""

    pages = ("/live",)

    def __init__(self, live: LiveTournament, version: str) -> None:
        super().__init__(version)
        self.live = live
        self.handlers |= {"hello": self._hello, "tournament": self._tournament, "tournament_game": self._game}
        self._watchers: dict[Client, tuple[str, int]] = {}  # the language and the number of the state that each has
        self._number = 0
        self._states: dict[tuple[str, int], State] = {}
        self._texts: dict[tuple[tuple[str, int], tuple[str, int]], str | None] = {}
        self._is_crowd_new = False
        self._reader = ThreadPoolExecutor(1, "store")
        self._looking: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._looking = asyncio.create_task(self._look_on())

    async def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        self._reader.shutdown()

    def leave(self, client: Client) -> None:
        """The connection is gone."""
        super().leave(client)
        self._is_crowd_new |= self._watchers.pop(client, None) is not None

    async def end(self) -> None:
        """Shows the last state, when the manager ends."""
        await asyncio.get_running_loop().run_in_executor(self._reader, self.live.end)
        self._show()

    async def _look_on(self) -> None:
        loop, said = asyncio.get_running_loop(), ""
        while True:
            try:
                is_new = await loop.run_in_executor(self._reader, self.live.look)
                if is_new or self._is_crowd_new:
                    self._show()
            except Exception as error:
                # Any error: the page must not stand still without a word, and the next check may succeed.
                if repr(error) != said:
                    said = repr(error)
                    _log.exception("The page may be out of date")
            await asyncio.sleep(TICK)

    def _show(self) -> None:
        self._begin_state()
        self._is_crowd_new = False
        for client in self._watchers:
            client.show(_SLOT, functools.partial(self._news_for, client))

    def _begin_state(self) -> None:
        """The next state that is asked for is read anew, and is known by a new number."""
        self._number += 1
        self._texts.clear()
        self._states = {known: state for known, state in self._states.items() if known[1] > self._number - MOST_KEPT}

    def _state(self, language: str) -> State:
        known = (language, self._number)
        if known not in self._states:
            crowd = {client.guest or client.number for client in self._watchers}
            self._states[known] = {**self.live.state(language), "watching": len(crowd)}
        return self._states[known]

    def _news_for(self, client: Client) -> str | None:
        """The changes that a watcher does not have yet, made when they are sent; None for none."""
        has = self._watchers.get(client)
        if has is None:
            return None
        now = (client.language, self._number)
        state, before = self._state(client.language), self._states.get(has)
        self._watchers[client] = now
        if (has, now) not in self._texts:
            message = state if before is None or has[0] != now[0] else news_between(before, state)
            self._texts[has, now] = None if message is None else to_text(message)
        return self._texts[has, now]

    async def _hello(self, client: Client, request: HelloRequest) -> dict[str, Any]:
        self.greet(client, request)
        return {
            "type": "welcome",
            "brains": [],
            "version": self.version,
            "signature": "",
            "owner": False,
            "limits": None,
        }

    async def _tournament(self, client: Client, request: TournamentRequest) -> dict[str, Any]:
        self._begin_state()
        self._is_crowd_new |= client not in self._watchers
        self._watchers[client] = (client.language, self._number)
        client.forget(_SLOT)
        return self._state(client.language)

    async def _game(self, client: Client, request: TournamentGameRequest) -> dict[str, Any]:
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._reader, self.live.game, request.number, client.language)
        if found is None:
            raise Refused("server.no_game")
        return found
