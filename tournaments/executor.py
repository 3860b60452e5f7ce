"""Where pairs are played: by this process's own event loop, the brains being processes of this machine."""

import asyncio
import platform
from collections import deque
from collections.abc import Iterable
from typing import Protocol

from tournaments.pair import Handling, Listener, PairTask, play_pair

AHEAD = 16  # finished games that may wait to be stored while the next ones are played


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
            telling: deque[asyncio.Task[None]] = deque()
            for task in waiting:
                async for leg, game in play_pair(task, arena, listener):
                    if len(telling) == AHEAD:
                        await telling.popleft()
                    told = listener.game_finished(task, leg, game, platform.node())
                    telling.append(group.create_task(told))

        async with self.handling.arena(self.concurrency) as arena:
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(self.concurrency):
                        group.create_task(work())
            except BaseExceptionGroup as errors:
                raise errors.exceptions[0] from None
