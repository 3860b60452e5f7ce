"""The brain as a process: `pbrain-tengen`, or `python -m pbrain`.

The main thread reads, so that END, STOP and a new time limit are obeyed while the other thread thinks. Everything else
goes to that thread in the order read. Nothing is ever written to stderr once the conversation runs: some managers read
it as an answer. Modules that start slowly (argparse, enum, logging, re, typing) stay out, and the process ends by
os._exit, because nothing is left to tidy and a search need not be waited for.
"""
from __future__ import annotations

import os
import sys
import threading
from collections import deque
from time import monotonic

import pbrain
from pbrain import protocol
from pbrain.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

USAGE = """usage: pbrain-tengen [--version | --help]

A gomoku brain for Gomocup managers: it speaks the protocol on standard input and output. By hand:
    printf 'START 15\\nBEGIN\\nEND\\n' | pbrain-tengen
"""
CHUNK = 1 << 16  # bytes a read; a manager's burst comes whole
END_GRACE_S = 0.15  # for lines that came before END and are still unanswered; managers kill after half a second


def write_line(line: str) -> None:
    """One line in one write, for managers that read in chunks. Nobody reading any more ends the process."""
    data = (line + "\n").encode("ascii", "replace")
    try:
        while data:  # a pipe takes a line whole; only a non-blocking one may cut it
            data = data[os.write(1, data) :]
    except OSError:
        os._exit(0)


def load_engine() -> ModuleType:
    """The engine, imported when the first START comes."""
    import engine

    return engine


class Console:
    """A session between standard input and standard output."""

    def __init__(self) -> None:
        self._session = Session(write_line, load_engine)
        self._splitter = protocol.LineSplitter()
        self._changed = threading.Condition()
        self._waiting: deque[tuple[protocol.Command, float, int]] = deque()
        self._is_busy = False
        self._last = 0  # number of the last line read

    def run(self) -> int:
        """Reads to END or the end of input and returns the exit status, every answer owed being written."""
        threading.Thread(target=self._work, daemon=True).start()
        while True:
            try:
                chunk = os.read(0, CHUNK)
            except OSError:
                chunk = b""
            is_over = self._take(self._splitter.feed(chunk) if chunk else self._splitter.flush())
            if is_over:
                self._wait_until_idle(END_GRACE_S)
                return 0
            if not chunk:
                self._wait_until_idle(None)
                return 0

    def _take(self, lines: list[bytes]) -> bool:
        """Hands the lines of one read to the working thread; True when END was among them.

        All at once, so that END in one burst with a move command finds it unbegun: it is then answered without thought.
        END during a search is a manager that wants no move any more, and silence.
        """
        received = monotonic()
        with self._changed:
            for line in lines:
                command = protocol.parse_line(line)
                self._last += 1
                is_end = command.word == "END"
                if is_end and self._session.is_searching:
                    os._exit(0)
                if is_end or protocol.is_move_now(command):
                    self._session.move_now(self._last)
                if is_end:
                    self._changed.notify_all()
                    return True
                self._waiting.append((command, received, self._last))
            self._changed.notify_all()
        return False

    def _wait_until_idle(self, limit_s: float | None) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._is_busy and not self._waiting, limit_s)

    def _work(self) -> None:
        """The second thread: answers line after line."""
        while True:
            with self._changed:
                self._is_busy = False
                self._changed.notify_all()
                while not self._waiting:
                    self._changed.wait()
                command, received, ordinal = self._waiting.popleft()
                self._is_busy = True
            self._session.obey(command, received, ordinal)


def main() -> None:
    """The entry point; ends the process."""
    arguments = sys.argv[1:]
    if arguments in (["--help"], ["-h"]):
        write_line(USAGE.rstrip())
    elif arguments == ["--version"]:
        write_line(f"pbrain-tengen {pbrain.__version__}")
    elif arguments:
        print(f"pbrain-tengen: unknown argument {arguments[0]!r}\n{USAGE}", end="", file=sys.stderr, flush=True)
        os._exit(2)
    else:
        try:
            status = Console().run()
        except KeyboardInterrupt:
            status = 130  # as a shell counts an interrupt
        os._exit(status)
    os._exit(0)


if __name__ == "__main__":
    main()
