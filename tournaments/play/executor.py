"""Plays pairs on this machine: by worker processes, one for each game that is played at the same time (see worker.py).

This process plays no games itself, so its own work, such as storing and drawing, costs no brain's clock. The end of a
worker's output shows that it has died: its brains are killed, and another worker plays the games that it had not
finished. A worker that is stopped (SIGSTOP) is killed and counts as dead. A pair whose workers die MAX_DEATHS times is
set aside, because one of its brains may cause that. A watchdog that dies is replaced.
"""

import asyncio
import contextlib
import dataclasses
import os
import pickle
import platform
import signal
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol, Self

from tournaments.brains import watchdog
from tournaments.play.game_pair import GameRelay, Listener, PairTask
from tournaments.play.messages import LENGTH, Failed, Finished, Moved, Started, frame

AHEAD = 64  # finished games of a worker that may wait to be stored while the worker plays on
QUICK = 0.5  # seconds; after a pair as short as this a worker gets two at once, so that it never waits for us
MAX_DEATHS = 3  # deaths of workers that one pair may cause, and deaths of watchdogs in one run
LOOK_EVERY = 1.0  # seconds; a worker that is found stopped twice in a row is killed
PATIENCE = 10.0  # seconds that the watchdog has to exit; a worker has the grace time of its brains in addition

# Without `site` and the user's environment, which the worker does not need, Python starts in half the time; the path is
# that of this very package, wherever it is.
_ROOT = str(Path(__file__).absolute().parents[2])
WORKER = (
    sys.executable,
    "-I",
    "-S",
    "-c",
    f"import sys; sys.path[:0] = [{_ROOT!r}]; from tournaments.play.worker import main; sys.exit(main())",
)


class Executor(Protocol):
    """Plays tasks."""

    async def run(self, tasks: Iterable[PairTask], listener: Listener) -> None:
        """Plays all tasks, several at once, and tells the listener of each game.

        An exception of the listener ends the run: games in progress are broken off, their brains are ended, and the
        exception is raised.
        """


class LocalExecutor:
    """Plays `concurrency` games at the same time on this machine. A worker is started when there is a pair for it."""

    def __init__(self, concurrency: int, worker: tuple[str, ...] = WORKER) -> None:
        """`worker`: the command that starts a worker."""
        self.concurrency = concurrency
        self.worker = worker

    async def run(self, tasks: Iterable[PairTask], listener: Listener) -> None:
        """See `Executor`. Raises OSError if workers cannot be started, or die MAX_DEATHS times before they play."""
        async with _BrainWatch() as watch:
            run = _Run(iter(tasks), listener, watch, self.worker)
            try:
                async with asyncio.TaskGroup() as group:
                    keeping = group.create_task(watch.keep())
                    # A group of their own, because `keeping` ends only after all lanes have ended.
                    async with asyncio.TaskGroup() as lanes:
                        for slot in range(self.concurrency):
                            lanes.create_task(run.lane(slot, lanes))
                    keeping.cancel()
            except BaseExceptionGroup as errors:
                raise first_of(errors) from None


def first_of(errors: "BaseExceptionGroup[BaseException]") -> BaseException:
    """The first failure of a group, or of the groups in it."""
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


class _Run:
    """The state of a run: tasks pass through lanes, one lane for each game that is played at the same time."""

    def __init__(
        self, waiting: Iterator[PairTask], listener: Listener, watch: "_BrainWatch", command: tuple[str, ...]
    ) -> None:
        self.waiting = waiting
        self.listener = listener
        self.watch = watch
        self.command = command
        self.deaths: Counter[str] = Counter()
        self.early_deaths: Counter[str] = Counter()
        self.set_aside: set[frozenset[str]] = set()

    async def lane(self, slot: int, group: asyncio.TaskGroup) -> None:
        """Gives one task after another to a worker; a worker that dies is replaced."""
        given: deque[PairTask] = deque()
        telling: deque[asyncio.Task[None]] = deque()
        flags = ["--moves"] if self.listener.wants_moves else []
        while given or (given := deque(self._next(1))):
            async with WorkerProcess(self.watch, (*self.command, str(slot), *flags)) as worker:
                for task in given:
                    worker.send(task)
                await self._pass_on(worker, given, telling, group)

    def _next(self, count: int) -> list[PairTask]:
        return [task for _, task in zip(range(count), self.waiting, strict=False)]

    async def _pass_on(
        self,
        worker: "WorkerProcess",
        given: deque[PairTask],
        telling: deque[asyncio.Task[None]],
        group: asyncio.TaskGroup,
    ) -> None:
        """Passes on a worker's messages, and gives it pairs to play, until no pair is left or the worker has died."""
        shown = GameRelay(self.listener)
        began = time.monotonic()
        while given:
            task = given[0]
            event = await worker.event()
            if event is None:
                if self._is_fatal(task, worker):
                    given.popleft()
                return
            if isinstance(event, Failed):
                raise OSError(event.reason)
            if isinstance(event, Started | Moved):
                shown.pass_on(task, event)
            elif isinstance(event, Finished):
                # First of all, because asking for more tasks may raise, and this game must not be lost then.
                told = self.listener.game_finished(task, event.leg, event.game, platform.node())
                telling.append(group.create_task(told))
                await asyncio.sleep(0)  # it begins before the next event is passed on
                given[0] = dataclasses.replace(task, legs=tuple(leg for leg in task.legs if leg != event.leg))
                if not given[0].legs:
                    given.popleft()
                    is_quick = time.monotonic() - began < QUICK
                    began = time.monotonic()
                    for more in self._next((2 if is_quick else 1) - len(given)):
                        given.append(more)
                        worker.send(more)
                if len(telling) > AHEAD:
                    await telling.popleft()

    def _is_fatal(self, task: PairTask, worker: "WorkerProcess") -> bool:
        """True if the pair of a dead worker is set aside. Raises OSError if no brain can be the cause of its death."""
        if not worker.has_played:
            self.early_deaths[task.id] += 1
            if self.early_deaths[task.id] == MAX_DEATHS:
                raise OSError(f"{MAX_DEATHS} workers have died before they played pair {task.number}")
            return False
        self.deaths[task.id] += 1
        names = frozenset(player.name for player in task.players)
        # If an earlier pair of the same two brains was set aside, one death is enough.
        if self.deaths[task.id] < MAX_DEATHS and names not in self.set_aside:
            return False
        self.set_aside.add(names)
        self.listener.pair_set_aside(task, "was stopped" if worker.was_stopped else "died")
        return True


class WorkerProcess:
    """The executor's side of a worker process; a context manager that ends the worker and its brains."""

    def __init__(self, watch: "_BrainWatch", command: tuple[str, ...]) -> None:
        self._watch = watch
        self._command = command
        self._grace = 0.0
        self.has_played = False
        self.was_stopped = False

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Ctrl-C must reach only us; why the worker has no session of its own, see process.py.
            process_group=0 if os.name == "posix" else None,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self._looking = asyncio.create_task(self._look())
        return self

    async def __aexit__(self, *exception: object) -> None:
        assert self._process.stdin is not None
        self._looking.cancel()
        self._process.stdin.close()
        try:
            async with asyncio.timeout(PATIENCE + self._grace):
                while await self.event() is not None:
                    pass
                await self._process.wait()
        except BaseException as error:
            await _kill(self._process)
            if not isinstance(error, TimeoutError):
                raise
        finally:
            self._watch.abandon(self)

    def send(self, message: Any) -> None:
        """Sends a task or a line of the watchdog; does nothing if the worker has died."""
        assert self._process.stdin is not None
        if isinstance(message, PairTask):
            limits = [player.limits for player in message.players if player.limits is not None]
            self._grace = max(self._grace, *(each.grace for each in (message.rules.limits, *limits)))
        if not self._process.stdin.is_closing():
            self._process.stdin.write(frame(message))

    async def event(self) -> Started | Moved | Finished | Failed | None:
        """The worker's next message; None if it has died."""
        assert self._process.stdout is not None
        while True:
            try:
                (length,) = LENGTH.unpack(await self._process.stdout.readexactly(LENGTH.size))
                event = pickle.loads(await self._process.stdout.readexactly(length))
            except (asyncio.IncompleteReadError, ConnectionError):
                return None
            if not isinstance(event, str):
                assert isinstance(event, Started | Moved | Finished | Failed)
                self.has_played = self.has_played or isinstance(event, Started)
                return event
            await self._watch.pass_on(self, event)

    async def _look(self) -> None:
        """Kills the worker if it is stopped, most likely by a brain: it would never send a message again."""
        times = 0
        while times < 2:
            await asyncio.sleep(LOOK_EVERY)
            times = times + 1 if _is_stopped(self._process.pid) else 0
        self.was_stopped = True
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()


def _is_stopped(pid: int) -> bool:
    """True if a child of ours is stopped by a signal; False if the system cannot tell."""
    if hasattr(os, "waitid"):
        with contextlib.suppress(ChildProcessError):
            # Does not reap the child, so that the code that waits for its end still gets its status.
            return os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
        return False
    with contextlib.suppress(ImportError):
        import psutil

        with contextlib.suppress(psutil.Error):
            return bool(psutil.Process(pid).status() == psutil.STATUS_STOPPED)
    return False


async def _kill(process: asyncio.subprocess.Process) -> None:
    """Kills a process, if it still lives, and collects it.

    Before Python 3.12 asyncio waits for a process in a thread, and warns of an unknown process if other code collects
    it first: `kill` does that if the process has died, and so does a transport that is deleted.
    """
    if os.name == "posix":
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
    else:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), PATIENCE)


class _BrainWatch:
    """The watchdog of all workers' brains (see watchdog.py): it ends with us, and knows the brains of a dead worker."""

    def __init__(self) -> None:
        self._watched: dict[int, tuple[WorkerProcess, str]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._starting = asyncio.Lock()
        self._has_started = asyncio.Event()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), PATIENCE)

    async def keep(self) -> None:
        """Passes the watchdog's lines to the workers, and starts another watchdog if it dies.

        Raises OSError if that happens MAX_DEATHS times.
        """
        await self._has_started.wait()
        for death in range(1, MAX_DEATHS + 1):
            assert self._process is not None and self._process.stdout is not None
            async for said in self._process.stdout:
                watched = self._watched.get(int(said.split()[1]))
                if watched is not None:
                    watched[0].send(said.decode())
            await _kill(self._process)
            if death < MAX_DEATHS:
                async with self._starting:
                    await self._start()
        raise OSError(f"the watchdog over the brains has died {MAX_DEATHS} times")

    async def _start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *watchdog.COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=os.name == "posix"
        )
        for _, line in self._watched.values():
            self._say(line)

    async def pass_on(self, worker: WorkerProcess, line: str) -> None:
        """Passes a worker's line to the watchdog, which starts with the first line, while the first brains start."""
        async with self._starting:
            if self._process is None:
                await self._start()
                self._has_started.set()
            word, pid, *_ = line.split(" ", 2)
            if word == "watch":
                self._watched[int(pid)] = (worker, line)
            else:
                self._watched.pop(int(pid), None)
            self._say(line)

    def abandon(self, worker: WorkerProcess) -> None:
        """A worker has died: the watchdog kills its brains."""
        for pid in [pid for pid, (keeper, _) in self._watched.items() if keeper is worker]:
            del self._watched[pid]
            self._say(f"kill {pid}")

    def _say(self, line: str) -> None:
        if self._process is not None and self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(f"{line}\n".encode(errors="surrogateescape"))
