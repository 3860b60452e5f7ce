"""A tournament on the page while it runs: its table, its last games, and the boards of the games in progress.

The server is a process of its own, which `tengen tournament run --watch` starts; a second one may be started by hand.
It only reads the store, which allows readers beside its writer, and the small file of games in progress (see
play/live_file.py). So drawing the page, and slow clients, take no time from a brain's clock; a page that fails does not
end the tournament; and after a manager was killed its page says so. No brain thinks here, and the page cannot change
anything: every client may see all of it.

client -> server: `tournament` (answered by the whole state, which is sent again after each change; of states that wait
only the newest), `tournament_game` with a `number`.
"""

import asyncio
import contextlib
import logging
import math
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from tournaments.board.game.game import Refused
from tournaments.board.messages.requests import HelloRequest, TournamentGameRequest, TournamentRequest
from tournaments.board.server.clients import Client, to_text
from tournaments.board.server.router import Router
from tournaments.files.stamp import stamp_of
from tournaments.play.live_file import live_file_path, read_live_file
from tournaments.setup.making import find_anchor
from tournaments.setup.settings import read_settings
from tournaments.stats.results import GameRow, PlayerRow
from tournaments.stats.standings import Standing, rank
from tournaments.storage.lock import is_held
from tournaments.storage.store import Store
from tournaments.storage.store_file import BrokenStore
from tournaments.storage.store_schema import TournamentRow
from tournaments.translations.catalogue import translate

TICK = 0.4
"""Seconds between two checks for changes."""

LONGEST = 5.0
"""Seconds after which the store of a running tournament is read even if it seems unchanged."""

SHARE = 9
"""The wait after each reading of the store, in multiples of its duration: a long tournament's table takes a while."""

MOST_LAST = 30
MOST_BOARDS = 24
"""How many finished games are listed, and of how many games in progress the stones are sent."""

_SLOT = "tournament"
_log = logging.getLogger(__name__)


class _Results(NamedTuple):
    """One reading of the store: how many games are planned, the last games, and the numbers of all finished ones."""

    row: TournamentRow
    players: list[PlayerRow]
    table: tuple[Standing, ...]
    games: int
    last: list[GameRow]
    done: frozenset[int]


class LiveTournament:
    """The state of a store and its games in progress. `look` reads it; the other methods return it.

    Raises ValueError, in one sentence, for a file that is not a tournament.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.has_ended = False
        self._seen: tuple[object, ...] = ()
        self._seen_file: object = stamp_of(live_file_path(path))
        self._read_at = 0.0
        self._pause = 0.0
        self._running = read_live_file(path)
        self._results = self._read()

    def look(self) -> bool:
        """Reads the changes; False if there are none. If the store cannot be read now, the last state stays."""
        is_new = False
        stamp = stamp_of(live_file_path(self.path))
        if stamp != self._seen_file:
            self._seen_file, is_new = stamp, True
            self._running = read_live_file(self.path)
        since = time.monotonic() - self._read_at
        before = self._results
        longest = LONGEST if before.row.state == "running" else math.inf
        if since >= self._pause and (since >= longest or self._stamps() != self._seen):
            with contextlib.suppress(BrokenStore, ValueError):
                self._results = self._read()
            is_new |= before != self._results
        return is_new

    def end(self) -> None:
        """The manager is ending: reads once more, and shows no game in progress."""
        self.has_ended = True
        with contextlib.suppress(BrokenStore, ValueError):
            self._results = self._read()

    def state(self, language: str) -> dict[str, Any]:
        """The whole of it, as it is sent."""
        results = self._results  # another thread may put others in their place
        row, state = results.row, results.row.state
        if self.has_ended and state == "running":
            state = "interrupted"
        now = time.time()
        running = [] if state != "running" else [game for game in self._running if game.number not in results.done]
        return {
            "type": "tournament",
            "name": row.name,
            "width": row.width,
            "height": row.height,
            "rule": row.rule,
            "state": state,
            "note": row.note,
            "finished": len(results.done),
            "games": results.games,
            "ended": self.has_ended,
            "players": [
                {
                    "name": player.name,
                    "elo": round(player.elo),
                    "margin": _whole(player.margin),
                    "games": player.games,
                    "points": player.points,
                    "wins": player.wins,
                    "draws": player.draws,
                    "losses": player.losses,
                    "faults": player.faults,
                }
                for player in results.table
            ],
            "last": [_tell(results, game, language) for game in results.last],
            "running": [
                {
                    "number": game.number,
                    "black": game.black,
                    "white": game.white,
                    "moves": game.cells,
                    "used": game.used if game.since else None,
                    "left": game.left,
                    "thinking": game.thinking,
                    "for": max(0, round(1000 * (now - game.since))) if game.thinking is not None else 0,
                }
                for game in running[:MOST_BOARDS]
            ],
            "in_progress": len(running),
            "unseen": state == "running" and self._seen_file is None,
        }

    def game(self, number: int, language: str) -> dict[str, Any] | None:
        """A finished game with its moves, from the store; None if the store does not have it. Raises BrokenStore."""
        with Store.open(self.path, read_only=True) as store:
            game = store.game(number)
            if game is None:
                return None
            moves = store.moves(number)
        return {
            "type": "tournament_game",
            **_tell(self._results, game, language),
            "moves": [[move.x, move.y] for move in moves],
        }

    def _stamps(self) -> tuple[object, ...]:
        log = self.path.with_name(f"{self.path.name}-wal")
        return stamp_of(self.path), stamp_of(log), is_held(self.path)

    def _read(self) -> _Results:
        began = time.monotonic()
        seen = self._stamps()  # before reading: a change during the reading is then seen the next time
        # Opened and closed each time, because the manager cannot close a file completely while it is read.
        with Store.open(self.path, read_only=True) as store:
            row, games, planned = store.tournament(), store.games(), store.planned_games()
            players, pairings = store.players(), store.pairings()
        settings, _ = read_settings(row.settings)
        found = _Results(
            row,
            players,
            rank(players, pairings, games, find_anchor(settings, [player.name for player in players])).players,
            planned,
            sorted(games, key=lambda game: game.finished, reverse=True)[:MOST_LAST],
            frozenset(game.number for game in games),
        )
        self._seen, self._read_at = seen, time.monotonic()
        self._pause = SHARE * (self._read_at - began)
        return found


class LiveService(Router):
    """The requests of clients that watch a tournament."""

    pages = ("/live",)

    def __init__(self, live: LiveTournament, version: str) -> None:
        super().__init__(version)
        self.live = live
        self.handlers |= {"hello": self._hello, "tournament": self._tournament, "tournament_game": self._game}
        self._watchers: set[Client] = set()
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
        self._watchers.discard(client)

    async def end(self) -> None:
        """Shows the last state, when the manager ends."""
        await asyncio.get_running_loop().run_in_executor(self._reader, self.live.end)
        self._show()

    async def _look_on(self) -> None:
        loop, said = asyncio.get_running_loop(), ""
        while True:
            try:
                if await loop.run_in_executor(self._reader, self.live.look):
                    self._show()
            except Exception as error:
                # Any error: the page must not stand still without a word, and the next check may succeed.
                if repr(error) != said:
                    said = repr(error)
                    _log.exception("The page may be out of date")
            await asyncio.sleep(TICK)

    def _show(self) -> None:
        told: dict[str, str] = {}
        for client in self._watchers:
            if client.language not in told:
                told[client.language] = to_text(self.live.state(client.language))
            client.show(_SLOT, told[client.language])

    async def _hello(self, client: Client, request: HelloRequest) -> dict[str, Any]:
        self.greet(client, request)
        return {
            "type": "welcome",
            "brains": [],
            "version": self.version,
            "signature": "",
            "owner": False,
            "limits": None,
            "games": [],
            "more": False,
        }

    async def _tournament(self, client: Client, request: TournamentRequest) -> dict[str, Any]:
        self._watchers.add(client)
        client.forget(_SLOT)
        return self.live.state(client.language)

    async def _game(self, client: Client, request: TournamentGameRequest) -> dict[str, Any]:
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._reader, self.live.game, request.number, client.language)
        if found is None:
            raise Refused("server.no_game")
        return found


def _tell(results: _Results, game: GameRow, language: str) -> dict[str, Any]:
    """A finished game without its moves, as it is sent."""
    reason = translate(f"live.{game.ending.name.lower()}", language)
    return {
        "number": game.number,
        "black": results.players[game.black].name,
        "white": results.players[game.white].name,
        "winner": game.winner,
        "reason": f"{reason} ({game.detail})" if game.detail else reason,
    }


def _whole(value: float) -> int | None:
    """The nearest whole number, None for NaN and infinity, which JSON does not have."""
    return round(value) if abs(value) < 1e6 else None
