"""A session between standard input and standard output: two threads, one that reads and one that answers.

The main thread reads, so that END, STOP and a new time limit are obeyed while the other thread thinks. Everything else
goes to that thread in the order read.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from time import perf_counter, process_time

from pbrain import gui, protocol
from pbrain.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from pbrain.log import Log

STACK_BYTES = 4 << 20  # for the thread that searches: some systems give 128 KiB, and the solvers go deep
CHUNK = 1 << 16  # bytes a read; a manager's burst comes whole
QUIET_S = 0.02  # after such a pause the INFO lines that follow START have come, and with them the rule
END_GRACE_S = 0.15  # for lines that came before END and are still unanswered; managers kill after half a second


def write_line(line: str) -> None:
    """Writes a line in one write, for managers that read in chunks. Without a reader the process ends."""
    data = (line + "\n").encode("utf-8", "replace")  # ASCII, except for the texts of a database
    try:
        while data:  # a pipe takes a whole line; only a non-blocking pipe may take a part
            data = data[os.write(1, data) :]
    except OSError:
        os._exit(0)


def make_streams_wait() -> None:
    """Makes reads and writes block: another program on the same terminal or socket may have changed that."""
    try:
        for stream in (0, 1):
            os.set_blocking(stream, True)
    except (AttributeError, OSError):  # Windows before Python 3.12; a closed stream
        return


def startup_seconds(scheduler: str = "/proc/self/schedstat") -> float:
    """The processor time of this process so far and, if the system tells it, its wait for a processor.

    The time since its start would be too much: a manager may have stopped the process for a while.
    """
    try:
        with open(scheduler, "rb") as file:
            waited = int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):  # not Linux, or a Linux that does not count
        waited = 0.0
    return process_time() + waited


class Console:
    """load_engine: see Session; log: for the lines of both directions, None for no log."""

    def __init__(self, load_engine: Callable[[], ModuleType], log: Log | None = None) -> None:
        self._log = log
        self._session = Session(self._send, load_engine, extensions=gui.HANDLERS)
        self._splitter = protocol.LineSplitter()
        self._changed = threading.Condition()
        self._waiting: deque[tuple[protocol.Command, float, int]] = deque()
        self._is_busy = False
        self._last = 0  # number of the last line read

    def run(self) -> int:
        """Reads to END or the end of input, and returns the exit status after the last answer is written."""
        make_streams_wait()
        threading.stack_size(STACK_BYTES)
        threading.Thread(target=self._work, daemon=True).start()
        while True:
            try:
                chunk = os.read(0, CHUNK)
            except OSError:
                chunk = b""
            is_first = not self._last
            is_over = self._take(self._splitter.feed(chunk) if chunk else self._splitter.flush())
            if is_over or not chunk:
                # A manager does not send END before its first answer. So if END came in the first read, the input is a
                # file or a script's text. Wait without a limit: the engine may still be loading from a slow disk.
                if self._wait_until_idle(END_GRACE_S if is_over and not is_first else None):
                    self._session.close_book()
                return 0

    def _send(self, line: str) -> None:
        if self._log is not None:
            self._log.sent(line)
        write_line(line)

    def _take(self, lines: list[bytes]) -> bool:
        """Hands the lines of one read to the working thread; True if END was among them.

        All lines are handed over together. So a move command that comes in one burst with END has not begun when END
        is seen, and is answered without a search. END during a search means that the manager no longer wants the move,
        so the brain does not answer.
        """
        # The lines of the first read were sent before the interpreter was ready. A manager that does not wait for OK
        # has started its clock with the process, so the start-up time counts too.
        received = perf_counter() - (0.0 if self._last else startup_seconds())
        with self._changed:
            for line in lines:
                if self._log is not None:
                    self._log.received(line)
                command = protocol.parse_line(line)
                self._last += 1
                is_end = protocol.is_end(command)
                if is_end and self._session.is_searching:
                    os._exit(0)
                if is_end or protocol.is_move_now(command):
                    self._session.move_now(self._last, is_end)
                if is_end:
                    self._changed.notify_all()
                    return True
                self._waiting.append((command, received, self._last))
            self._session.stop_pondering()
            self._changed.notify_all()
        return False

    def _wait_until_idle(self, limit_s: float | None) -> bool:
        """Waits until all lines are answered; False if that takes longer than the limit."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._is_busy and not self._waiting, limit_s)

    def _work(self) -> None:
        """The second thread: answers line after line. If no line waits, it ponders, or prepares for the first move."""
        session = self._session
        while True:
            with self._changed:
                self._is_busy = False
                self._changed.notify_all()
                # The pondering is announced under the lock, so that a line that is read from now on stops it.
                ponders = not self._waiting and session.begin_pondering()
                quiet = None if session.is_prepared else QUIET_S
                if not ponders and self._changed.wait_for(lambda: self._waiting, quiet):
                    command, received, ordinal = self._waiting.popleft()
                    self._is_busy = True
            if self._is_busy:
                session.obey(command, received, ordinal)
            elif ponders:
                session.ponder()
            else:
                session.prepare()
