"""Where pairs are played: by this process's own event loop, the brains being processes of this machine."""

import asyncio
from collections.abc import Iterable
from typing import Protocol

from tournaments.pair import Handling, Listener, PairTask, play_pair


class Executor(Protocol):
    """Plays tasks."""

    async def run(self, tasks: Iterable[PairTask], listener: Listener) -> None:
        """Plays all tasks, several at once, and tells the listener of each game.

        What the listener raises ends the run: games in progress are broken off, their brains gone, and it is raised.
        """


class LocalExecutor:
    """`concurrency` games at once, on one machine."""

    def __init__(self, concurrency: int, handling: Handling) -> None:
        self.concurrency = concurrency
        self.handling = handling

    async def run(self, tasks: Iterable[PairTask], listener: Listener) -> None:
        waiting = iter(tasks)

        async def work() -> None:
            for task in waiting:
                await play_pair(task, arena, listener)

        async with self.handling.arena(self.concurrency) as arena:
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(self.concurrency):
                        group.create_task(work())
            except BaseExceptionGroup as errors:
                raise errors.exceptions[0] from None
