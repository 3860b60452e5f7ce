"""The watchdog: a small process that watches over the brains of one manager, and outlives the manager by a moment.

It does three things that the manager cannot do by itself. When the manager ends, even if it was killed, every brain
ends and its folder is removed. A brain's tree of processes (with psutil, also those that have left its group) stays
within its limits of memory and number. When a brain ends, the processes that it started end too. The watchdog takes its
samples at low priority, so that the brains' clocks are not affected.

    lines in:   watch PID MEMORY PROCESSES FOLDER   (limits of 0: none; the folder takes the rest of the line)
                forget PID   (it has ended; processes that it started are killed now)
                kill PID     (its worker has died and cannot do it)
    lines out:  over PID memory BYTES, over PID processes COUNT
"""

import contextlib
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from tournaments.brains.pipes import Pipes, make_pipes
from tournaments.brains.process import FOLDER_VARIABLE, NO_WINDOW, Process, Watchdog
from tournaments.rules.ending import Ending

COMMAND = (sys.executable, "-m", "tournaments.brains.watchdog")
PERIOD = 0.2  # seconds between two samples
MAX_DEATHS = 3  # deaths of watchdogs after which something else must be wrong


class Link:
    """Our end of the connection to a watchdog: tells it which children to watch, and handles its reports."""

    def __init__(self, say: Callable[[str], None]) -> None:
        """`say` sends a line to the watchdog; lines of the watchdog are given to `report`."""
        self._say = say
        self._children: dict[int, Process] = {}
        self._lines: dict[int, str] = {}

    def limit(self, memory: int, processes: int) -> "LimitedWatchdog":
        """A watchdog that holds a child to these limits; 0 means no limit."""
        return LimitedWatchdog(self, memory, processes)

    def watch(self, process: Process, folder: str, memory: int, processes: int) -> None:
        """A child was started."""
        self._children[process.pid] = process
        self._lines[process.pid] = f"watch {process.pid} {memory} {processes} {folder}"
        self._say(self._lines[process.pid])

    def forget(self, process: Process) -> None:
        """A child has ended."""
        if self._children.get(process.pid) is process:
            del self._children[process.pid], self._lines[process.pid]
            self._say(f"forget {process.pid}")

    def report(self, line: str) -> None:
        """A line of the watchdog about a child, which may have ended by now."""
        _, pid, what, amount = line.split()
        child = self._children.get(int(pid))
        if child is None:
            return
        if what == "memory":
            child.fail(Ending.MEMORY, f"{int(amount) / (1 << 20):.0f} MB")
        else:
            child.fail(Ending.PROCESSES, f"{amount} at once")


class WatchdogProcess(Link):
    """A watchdog that this process starts, and starts again if it dies; its output is read like that of the brains.
    Always `close` it."""

    def __init__(self, pipes: Pipes) -> None:
        super().__init__(self._write)
        self._pipes = pipes
        self._process: subprocess.Popen[bytes] | None = None
        self._partial = b""
        self._deaths = 0

    def start(self) -> None:
        """Starts the watchdog. Raises OSError if the system cannot."""
        self._process = subprocess.Popen(
            COMMAND, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=os.name == "posix"
        )
        assert self._process.stdout is not None
        self._pipes.listen(self._process.stdout, self._on_output)
        for line in self._lines.values():
            self._write(line)

    def close(self) -> None:
        """Lets the watchdog end, and waits for it."""
        if self._process is not None:
            assert self._process.stdin is not None and self._process.stdout is not None
            self._process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(5.0)
            self._pipes.drop(self._process.stdout)
            self._process = None

    def _write(self, line: str) -> None:
        if self._process is not None and self._process.stdin is not None and not self._process.stdin.closed:
            with contextlib.suppress(BrokenPipeError):  # its end is noticed when its output ends
                self._process.stdin.write(f"{line}\n".encode(errors="surrogateescape"))

    def _on_output(self, data: bytes) -> None:
        """Raises OSError if the watchdog has died MAX_DEATHS times."""
        if not data and self._process is not None:
            self._deaths += 1
            self.close()
            if self._deaths == MAX_DEATHS:
                raise OSError(f"the watchdog over the brains has died {MAX_DEATHS} times")
            self._partial = b""
            self.start()
        *lines, self._partial = (self._partial + data).split(b"\n")
        for line in lines:
            self.report(line.decode())


@contextlib.contextmanager
def watching() -> Iterator[Watchdog]:
    """A watchdog without limits for the brains of one thread. Raises OSError, in one sentence."""
    process = WatchdogProcess(make_pipes())
    try:
        process.start()
    except OSError as error:
        raise OSError(f"the system cannot start a watchdog: {error.strerror or error}") from None
    try:
        yield process.limit(0, 0)
    finally:
        process.close()


@dataclass(frozen=True)
class LimitedWatchdog:
    """The watchdog of one child."""

    link: Link
    memory: int
    processes: int

    def watch(self, process: Process, folder: str) -> None:
        """A child was started."""
        self.link.watch(process, folder, self.memory, self.processes)

    def forget(self, process: Process) -> None:
        """A child has ended."""
        self.link.forget(process)


# The watchdog's own end


@dataclass
class _WatchedBrain:
    """A watched brain: its limits, its folder, and all of its descendants so far, with their times of creation."""

    pid: int
    memory: int
    processes: int
    folder: str
    is_reported: bool = False
    seen: dict[int, float] = field(default_factory=dict)


def _seeing_psutil() -> Any:
    """The module psutil; None if it is missing or sees no processes, as on Linux without /proc."""
    try:
        import psutil
    except ImportError:
        return None
    try:
        psutil.Process()
    except psutil.Error:
        return None
    return psutil


class _Watch:
    """Enforces the limits; everything runs in the main thread of the watchdog."""

    def __init__(self) -> None:
        self.brains: dict[int, _WatchedBrain] = {}
        self.unmarked: set[int] = set()
        self.psutil = _seeing_psutil()

    def obey(self, line: str) -> None:
        """Handles one line of the manager."""
        word, _, rest = line.partition(" ")
        if word == "watch":
            pid, memory, processes, folder = rest.split(" ", 3)
            self.brains[int(pid)] = _WatchedBrain(int(pid), int(memory), int(processes), folder)
        elif (brain := self.brains.pop(int(rest), None)) is not None:
            if word == "kill":
                self.dispose(brain)
            else:
                self.end(brain)

    def sample(self) -> list[str]:
        """Looks at every tree; returns a line for each that is over a limit.

        The manager, told, kills it, and so knows why it died; one that is still there a sample later is killed here.
        """
        if self.psutil is None or not self.brains:
            return []
        children: dict[int, list[Any]] = {}
        for process in self.psutil.process_iter():
            with contextlib.suppress(self.psutil.Error):
                children.setdefault(process.ppid(), []).append(process)
        return [report for brain in self.brains.values() if (report := self._check(brain, children))]

    def _check(self, brain: _WatchedBrain, children: dict[int, list[Any]]) -> str:
        try:
            tree = [self.psutil.Process(brain.pid)]
        except self.psutil.Error:
            return ""
        # Those whose parent has died hang from the system's first process, so also follow all that were seen before.
        tree += [process for pid in brain.seen if (process := self._same(pid, brain.seen[pid])) is not None]
        known = {process.pid for process in tree}
        for process in tree:
            for child in children.get(process.pid, ()):
                if child.pid not in known:
                    known.add(child.pid)
                    tree.append(child)
                    with contextlib.suppress(self.psutil.Error):
                        brain.seen[child.pid] = child.create_time()
        report = ""
        if brain.processes and len(tree) > brain.processes:
            report = f"over {brain.pid} processes {len(tree)}"
        elif brain.memory and (used := self._memory(tree, brain.memory)) > brain.memory:
            report = f"over {brain.pid} memory {used}"
        if report and brain.is_reported:
            self.kill(brain)
        brain.is_reported = bool(report)
        return report

    def _memory(self, tree: Iterable[Any], limit: int) -> int:
        """The bytes that the tree holds: resident memory if that is within the limit, else its unique memory."""
        resident = unique = 0
        for process in tree:
            with contextlib.suppress(self.psutil.Error):
                resident += process.memory_info().rss
        if resident <= limit:
            return resident
        for process in tree:
            with contextlib.suppress(self.psutil.Error):
                unique += process.memory_full_info().uss
        return unique

    def _same(self, pid: int, created: float) -> Any:
        """The process, or None if its number now belongs to another process."""
        with contextlib.suppress(self.psutil.Error):
            process = self.psutil.Process(pid)
            if process.create_time() == created:
                return process
        return None

    def kill(self, brain: _WatchedBrain) -> None:
        """Kills a brain that is still there, and all that it has started."""
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(brain.pid, signal.SIGKILL)
        else:
            words = ["taskkill", "/T", "/F", "/PID", str(brain.pid)]
            subprocess.run(words, capture_output=True, check=False, creationflags=NO_WINDOW)
        self.end(brain)

    def end(self, brain: _WatchedBrain) -> None:
        """Kills all processes that a brain has started; the brain's own number may belong to another process by now."""
        if self.psutil is None:
            return
        left = [self._same(pid, created) for pid, created in brain.seen.items()]
        for process in [*filter(None, left), *self._marked(brain)]:
            with contextlib.suppress(self.psutil.Error):
                process.kill()

    def _marked(self, brain: _WatchedBrain) -> Iterator[Any]:
        """The processes that carry the brain's folder in their environment, as every descendant does by default.

        So those are found, too, that left the group and lost their parent between two samples. Processes that carry no
        such mark are looked at once.
        """
        pids = set(self.psutil.pids())
        self.unmarked &= pids
        folders = {other.folder for other in self.brains.values()}
        for pid in pids - self.unmarked:
            folder = None
            with contextlib.suppress(self.psutil.Error, OSError):
                process = self.psutil.Process(pid)
                folder = process.environ().get(FOLDER_VARIABLE)
                if folder == brain.folder:
                    yield process
            if folder != brain.folder and folder not in folders:
                self.unmarked.add(pid)

    def end_all(self) -> None:
        """Kills every brain and removes its folder; called after the manager has ended."""
        self.sample()
        for brain in self.brains.values():
            self.kill(brain)
        for brain in self.brains.values():
            shutil.rmtree(brain.folder, ignore_errors=True)

    def dispose(self, brain: _WatchedBrain) -> None:
        """Kills one brain, and removes its folder."""
        self.kill(brain)
        shutil.rmtree(brain.folder, ignore_errors=True)


def _read_lines(stream: BinaryIO, lines: "queue.SimpleQueue[str | None]") -> None:
    for line in stream:
        lines.put(line.decode(errors="surrogateescape").rstrip("\n"))
    lines.put(None)


def main() -> int:
    """Watches until the manager closes our stdin or dies."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    if sys.platform != "win32":
        os.nice(5)
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    threading.Thread(target=_read_lines, args=(sys.stdin.buffer, lines), daemon=True).start()
    watch = _Watch()
    due = 0.0
    while True:
        samples = watch.psutil is not None and bool(watch.brains)
        try:
            line = lines.get(timeout=max(0.0, due - time.monotonic()) if samples else None)
        except queue.Empty:
            for report in watch.sample():
                with contextlib.suppress(BrokenPipeError):
                    print(report, flush=True)
            due = time.monotonic() + PERIOD
            continue
        if line is None:
            watch.end_all()
            return 0
        watch.obey(line)


if __name__ == "__main__":
    sys.exit(main())
