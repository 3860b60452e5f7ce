"""Plays pairs on the workers of a Dask cluster, which may come and go.

A task is submitted under its id. A worker plays it by `run_pair`, after checking that it has the right brains, and
reports the events of its games to the scheduler, under a topic of the run. It does not wait until they arrive, so they
cost no brain's clock. If a worker dies, its games in progress are lost; the scheduler gives their task to another
worker, and the store takes each game once. A worker with several threads plays one pair in each of them: give it one
thread for each core. While there is no worker the run waits and says so; if the scheduler is lost, the run ends.
"""

import asyncio
import concurrent.futures
import contextlib
import logging
import pickle
import platform
import time
import uuid
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from tournaments.play.executor import first_of
from tournaments.play.game import FinishedGame
from tournaments.play.game_pair import GameRelay, Listener, PairTask, WrongBrain, run_pair
from tournaments.play.messages import Finished, Moved, Started

# Not every release of the package has types, so none are taken from it.
distributed: Any = import_module("distributed")

MAX_DEATHS = 3  # times that the scheduler may give up on a pair because several workers have died while they played it
ALONE = 10.0  # seconds without a worker after which a warning is printed
CLOSING = 5.0  # seconds that the client has to close its connection
_log = logging.getLogger(__name__)


def _play_there(task: PairTask, topic: str, tells_moves: bool) -> list[tuple[int, FinishedGame, str]]:
    """Runs `run_pair` on a worker of the cluster, which reports the events of the games under that topic."""
    worker, attempt = distributed.get_worker(), uuid.uuid4().hex

    def tell(event: Started | Moved | Finished) -> None:
        worker.log_event(topic, (task.key, attempt, platform.node(), pickle.dumps(event)))

    return run_pair(task, tell, tells_moves)


@contextlib.contextmanager
def _silenced() -> Iterator[None]:
    """Silences the package, which writes a traceback for each lost connection; our own sentence replaces it."""
    names = ("distributed", "distributed.client", "distributed.comm", "distributed.core", "distributed.utils")
    levels = {logger: logger.level for logger in map(logging.getLogger, names)}
    for logger in levels:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)


class DaskExecutor:
    """Plays on the cluster of the scheduler at `address`; its workers' threads play one game each."""

    def __init__(self, address: str) -> None:
        self.address = address

    async def run(self, tasks: Iterable[PairTask], listener: Listener) -> None:
        """See `Executor`. Raises OSError if the scheduler cannot be reached or is lost, and if a pair cannot be played
        on a worker."""
        with _silenced():
            await self._run(tasks, listener)

    async def _run(self, tasks: Iterable[PairTask], listener: Listener) -> None:
        try:
            client = await distributed.Client(self.address, asynchronous=True, set_as_default=False, timeout=5)
        except Exception as error:
            raise OSError(f"cannot reach the scheduler at {self.address}: {error}") from None
        try:
            await _Run(client, self.address, tasks, listener).play()
        finally:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(client.close(), CLOSING)


class _Run:
    """The state of a run: two submitted tasks for each thread of the cluster, so that no worker waits for the next."""

    def __init__(self, client: Any, address: str, tasks: Iterable[PairTask], listener: Listener) -> None:
        self.client = client
        self.address = address
        self.waiting = iter(tasks)
        self.listener = listener
        self.has_all = False
        self.topic = f"tengen-{uuid.uuid4().hex}"
        self.playing: dict[str, PairTask] = {}
        self.shown: dict[str, tuple[str, GameRelay]] = {}
        self.over: set[int] = set()

    async def play(self) -> None:
        """Plays all tasks; if that ends early, submitted tasks are cancelled."""
        lanes: list[asyncio.Task[None]] = []
        alone_since: float | None = None
        has_said = False
        try:
            async with asyncio.TaskGroup() as group:
                self.client.subscribe_topic(self.topic, lambda event: self._hear(event[1], group))
                while not (self.has_all and all(lane.done() for lane in lanes)):
                    # Workers come and go; a superfluous lane only waits.
                    threads = await self._threads()
                    while not self.has_all and len(lanes) < 2 * max(1, threads):
                        lanes.append(group.create_task(self._lane()))
                    if threads:
                        alone_since, has_said = None, False
                    else:
                        alone_since = alone_since or time.monotonic()
                        if not has_said and time.monotonic() - alone_since >= ALONE:
                            has_said = True
                            _log.warning("The scheduler at %s has no workers; waiting for one", self.address)
                    await asyncio.wait(lanes, timeout=1.0)
        except BaseExceptionGroup as errors:
            raise first_of(errors) from None

    async def _threads(self) -> int:
        """The number of threads of all workers together."""
        try:
            return sum((await self.client.nthreads()).values())
        except Exception:
            raise self._lost() from None

    def _lost(self) -> OSError:
        return OSError(f"lost the scheduler at {self.address}")

    async def _lane(self) -> None:
        for task in self.waiting:
            self.playing[task.key] = task
            try:
                played = await self._result(task)
                if played is None:
                    self.listener.pair_set_aside(task, "died")
                for leg, game, worker in played or ():
                    # Most often an event has told it before; then the store drops it.
                    await self.listener.game_finished(task, leg, game, worker)
            finally:
                del self.playing[task.key]
                self.shown.pop(task.key, None)
        self.has_all = True

    def _hear(self, told: tuple[str, str, str, bytes], group: asyncio.TaskGroup) -> None:
        """Handles a worker's event; if a pair is played again because a worker was lost, the latest attempt counts."""
        key, attempt, worker, data = told
        task = self.playing.get(key)
        if task is None:
            return
        event = pickle.loads(data)
        number = task.game_number(event.leg)
        if number in self.over:
            return
        if isinstance(event, Finished):
            self.over.add(number)
            group.create_task(self.listener.game_finished(task, event.leg, event.game, worker))
            return
        if key not in self.shown or (isinstance(event, Started) and self.shown[key][0] != attempt):
            self.shown[key] = attempt, GameRelay(self.listener)
        latest, showing = self.shown[key]
        if latest == attempt:
            showing.pass_on(task, event)

    async def _result(self, task: PairTask) -> list[tuple[int, FinishedGame, str]] | None:
        """The games of a pair; None if the scheduler has given up on it MAX_DEATHS times."""
        for attempt in range(MAX_DEATHS):
            future = self.client.submit(
                _play_there, task, self.topic, self.listener.wants_moves, key=f"{task.key}-{attempt}", pure=False
            )
            try:
                played: list[tuple[int, FinishedGame, str]] = await future
                return played
            except distributed.KilledWorker:
                # Several workers have died while they played it, most often by chance.
                continue
            except asyncio.CancelledError:
                with contextlib.suppress(Exception):
                    await self.client.cancel([future])
                raise
            except (WrongBrain, OSError) as error:
                raise OSError(str(error)) from None
            except concurrent.futures.CancelledError:
                # Only the client cancels a pair, after it has lost the connection.
                raise self._lost() from None
            except Exception as error:
                raise OSError(f"pair {task.number} cannot be played on the cluster: {error!r}") from None
        return None
