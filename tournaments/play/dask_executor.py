"""Where pairs are played: by the workers of a Dask cluster, which may come and go.

A task goes out under its id, and a worker plays it as `run_pair` does, after checking that its brains are the ones
meant. A worker that dies takes its games in progress with it; the scheduler hands their task to another one, and the
store takes each game once. A worker with several threads plays as many pairs at once: give it one a core.
"""

import asyncio
import logging
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from tournaments.play.game import Game
from tournaments.play.pair import Listener, PairTask, WrongBrain, run_pair

# Not every release of the package has types, so none are taken from it.
distributed: Any = import_module("distributed")

MAX_DEATHS = 3  # times that a pair may exhaust the scheduler's patience with dying workers


class DaskExecutor:
    """Plays on the cluster of the scheduler at `address`; how many games at once is the workers' affair."""

    def __init__(self, address: str) -> None:
        self.address = address

    async def run(self, tasks: Iterable[PairTask], listener: Listener) -> None:
        """See `Executor`. Raises OSError when the scheduler cannot be reached or a worker has other brains."""
        # It warns of workers that died with a result in hand; their pair is played again, and that is all.
        logging.getLogger("distributed.client").setLevel(logging.ERROR)
        try:
            client = await distributed.Client(self.address, asynchronous=True, set_as_default=False, timeout=5)
        except (OSError, TimeoutError) as error:
            raise OSError(f"cannot reach the scheduler at {self.address}: {error}") from None
        try:
            await _Run(client, tasks, listener).play()
        finally:
            await client.close()


class _Run:
    """Tasks on their way: for each thread of the cluster two, so that no worker ever waits for the next."""

    def __init__(self, client: Any, tasks: Iterable[PairTask], listener: Listener) -> None:
        self.client = client
        self.waiting = iter(tasks)
        self.listener = listener
        self.has_all = False

    async def play(self) -> None:
        """Plays everything; tasks that are still out when that ends early are called back."""
        lanes: list[asyncio.Task[None]] = []
        try:
            async with asyncio.TaskGroup() as group:
                while not self.has_all:
                    # Workers come and go; a lane too many only waits.
                    threads = sum((await self.client.nthreads()).values())
                    while len(lanes) < 2 * max(1, threads):
                        lanes.append(group.create_task(self._lane()))
                    await asyncio.wait(lanes, timeout=1.0, return_when=asyncio.FIRST_COMPLETED)
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None

    async def _lane(self) -> None:
        for task in self.waiting:
            for leg, game, worker in await self._result(task):
                await self.listener.game_finished(task, leg, game, worker)
        self.has_all = True

    async def _result(self, task: PairTask) -> list[tuple[int, Game, str]]:
        for attempt in range(MAX_DEATHS):
            key = f"{task.id}-{'-'.join(map(str, task.legs))}-{attempt}"
            future = self.client.submit(run_pair, task, key=key, pure=False)
            try:
                played: list[tuple[int, Game, str]] = await future
                return played
            except WrongBrain as error:
                raise OSError(str(error)) from None
            except distributed.KilledWorker:
                # The scheduler gives up on a task that several workers have died under; most often that is chance.
                continue
            except asyncio.CancelledError:
                await self.client.cancel([future])
                raise
        raise OSError(f"pair {task.number} has outlived too many workers")
