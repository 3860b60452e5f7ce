"""Writes finished games into the store, one after another, in the order in which they count."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from tournaments.play.game import FinishedGame, Move
from tournaments.stats.results import GameRow
from tournaments.storage.store import Store
from tournaments.storage.store_schema import MoveRow

BETWEEN_WRITES = 0.05  # least seconds from the end of a transaction to the next one


class Ended(NamedTuple):
    """A finished game that is not stored yet; `first` is the number of its pair's first player.

    `told` is done when the game is stored, counted and passed on.
    """

    row: GameRow
    moves: list[MoveRow]
    game: FinishedGame
    first: int
    told: asyncio.Future[None]


class Writer:
    """Stores games and reports each, in one order. If games end fast, several share a transaction.

    choose: returns the games to store: the waiting games, or the first few of them; it is called after all
    games stored before have been reported. tell: reports a game that is stored and was not stored before. If it raises,
    `write` of that game raises the same, and the writing ends: no game is stored after it.
    """

    def __init__(
        self, store: Store, choose: Callable[[list[Ended]], list[Ended]], tell: Callable[[Ended], None]
    ) -> None:
        self.waiting: list[Ended] = []
        self._store = store
        self._choose = choose
        self._tell = tell
        self._thread = ThreadPoolExecutor(1, "store")
        self._writing: asyncio.Task[None] | None = None
        self._written = 0.0
        self._is_over = False
        self._failure: OSError | None = None

    async def write(self, row: GameRow, game: FinishedGame, first: int) -> None:
        """Waits until the game is on disk and reported. Raises OSError if it cannot be stored."""
        if self._failure is not None:
            raise self._failure
        told: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        moves = [_move_row(ply, move) for ply, move in enumerate(game.moves)]
        self.waiting.append(Ended(row, moves, game, first, told))
        if not self._is_over and (self._writing is None or self._writing.done()):
            self._writing = asyncio.create_task(self._write_all())
        await told

    def stop(self) -> None:
        """Ends the writing, after the games that are being written. Games that were not written are in `waiting`."""
        self._is_over = True
        if self._writing is not None:
            self._writing.cancel()
        self._thread.shutdown()

    async def _write_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self.waiting and not self._is_over:
            await asyncio.sleep(max(0.0, self._written + BETWEEN_WRITES - time.monotonic()))
            games, self.waiting = self._choose(self.waiting), []
            rows = [(game.row, game.moves) for game in games]
            try:
                # In a thread, because messages of workers must not wait for the disk.
                answers = await loop.run_in_executor(self._thread, self._store.add_games, rows)
            except Exception as error:
                # After an error no caller may wait for ever, not even for a game that came meanwhile.
                failure = OSError(f"cannot write {self._store.path}: {error!r}")
                self._failure = failure = error if isinstance(error, OSError) else failure
                self._is_over = True
                games, self.waiting = games + self.waiting, []
                for game in games:
                    if not game.told.done():
                        game.told.set_exception(failure)
                return
            self._written = time.monotonic()
            for game, is_new in zip(games, answers, strict=True):
                try:
                    if is_new:
                        self._tell(game)
                except Exception as error:
                    self._is_over = True
                    if not game.told.done():
                        game.told.set_exception(error)
                    return
                if not game.told.done():
                    game.told.set_result(None)


def _move_row(ply: int, move: Move) -> MoveRow:
    info = move.info
    return MoveRow(ply, move.x, move.y, move.ms, info.depth, info.score, info.mate, info.nodes, move.message)
