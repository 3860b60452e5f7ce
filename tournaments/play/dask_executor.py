"""Where pairs are played: by the workers of a Dask cluster, which may come and go.

A task goes out under its id, and a worker plays it as `run_pair` does, after checking that its brains are the ones
meant. What happens in its games it tells meanwhile, as events of the scheduler's under a topic of the run's own; it
only puts them on their way, so that no brain's clock waits for them. A worker that dies takes its games in progress
with it; the scheduler hands their task to another one, and the store takes each game once. A worker with several
threads plays as many pairs at once: give it one a core. While there is no worker the run waits for one, and says so;
without the scheduler it ends.
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

MAX_DEATHS = 3  # times that the scheduler may give up on a pair, since several workers have died while they played it
ALONE = 10.0  # seconds without any worker after which that is said
CLOSING = 5.0  # seconds that the client has to take its leave
_log = logging.getLogger(__name__)


def _play_there(task: PairTask, topic: str, tells_moves: bool) -> list[tuple[int, FinishedGame, str]]:
    """`run_pair` on a worker of the cluster, which tells what happens under that topic."""
    worker, attempt = distributed.get_worker(), uuid.uuid4().hex

    def tell(event: Started | Moved | Finished) -> None:
        worker.log_event(topic, (task.key, attempt, platform.node(), pickle.dumps(event)))

    return run_pair(task, tell, tells_moves)


@contextlib.contextmanager
def _silenced() -> Iterator[None]:
    """The package writes tracebacks of connections that were lost; what there is to say about one is said here."""
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
    """Plays on the cluster of the scheduler at `address`; how many games at once is the workers' affair."""

    def __init__(self, address: str) -> None:
        self.address = address

    async def run(self, tasks: Iterable[PairTask], listener: Listener) -> None:
        """See `Executor`. Raises OSError when the scheduler cannot be reached, or no longer, and when a pair cannot be
        played on a worker, for whatever reason."""
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
    """Tasks on their way: for each thread of the cluster two, so that no worker ever waits for the next."""

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
        """Plays everything; tasks that are still out when that ends early are called back."""
        lanes: list[asyncio.Task[None]] = []
        alone_since: float | None = None
        has_said = False
        try:
            async with asyncio.TaskGroup() as group:
                self.client.subscribe_topic(self.topic, lambda event: self._hear(event[1], group))
                while not (self.has_all and all(lane.done() for lane in lanes)):
                    # Workers come and go; a lane too many only waits.
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
        """How many threads the workers have together."""
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
                    # Most often it was told before, and is dropped by the store.
                    await self.listener.game_finished(task, leg, game, worker)
            finally:
                del self.playing[task.key]
                self.shown.pop(task.key, None)
        self.has_all = True

    def _hear(self, told: tuple[str, str, str, bytes], group: asyncio.TaskGroup) -> None:
        """What a worker tells of a pair; of one that is played twice, since a worker was lost, the latest counts."""
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
        """The games of a pair; None when workers have died of it again and again."""
        for attempt in range(MAX_DEATHS):
            future = self.client.submit(
                _play_there, task, self.topic, self.listener.wants_moves, key=f"{task.key}-{attempt}", pure=False
            )
            try:
                played: list[tuple[int, FinishedGame, str]] = await future
                return played
            except distributed.KilledWorker:
                # Several workers have died while they played it; most often that is chance.
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
