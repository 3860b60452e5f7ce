"""Waits for all pipes of a game at once, so that output of every child is read while one of them is asked.

A game is played by a plain blocking loop that sends a line and then waits. While it waits, data from any pipe goes to
that pipe's listener. POSIX systems poll the pipes; Windows cannot, so there each pipe has a thread.
"""

import contextlib
import math
import os
import queue
import select
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import IO, Protocol

_MOST = 1 << 16  # bytes read at once

OnData = Callable[[bytes], None]
Callback = Callable[[], None]


class Pipes(Protocol):
    """The pipes to the children of one thread."""

    alarms: dict[Callback, float]
    """Functions that `wait` calls, each with the time from which on it is due, by `time.monotonic`."""

    def listen(self, pipe: IO[bytes], on_data: OnData) -> None:
        """From now on `on_data` is called with the data of the pipe, and with b"" at its end."""

    def open_input(self, pipe: IO[bytes], on_closed: Callback) -> None:
        """From now on `write` may write into the pipe; `on_closed` is called when its reader has closed it."""

    def write(self, pipe: IO[bytes], data: bytes) -> None:
        """Writes without waiting: data that does not fit into the pipe is written during `wait`."""

    def drop(self, pipe: IO[bytes]) -> None:
        """Closes the pipe; its callbacks are not called again."""

    def wait(self, deadline: float) -> bool:
        """Waits until something happens, at most until the deadline by `time.monotonic`; False if nothing happened."""


def _call_due(alarms: dict[Callback, float]) -> bool:
    """Calls the alarms that are due; True if there was one."""
    now = time.monotonic()
    due = [call for call, when in alarms.items() if when <= now]
    for call in due:
        del alarms[call]
        call()
    return bool(due)


class PollingPipes:
    """Asks the system which pipes have data. POSIX."""

    def __init__(self) -> None:
        self.alarms: dict[Callback, float] = {}
        self._poll = select.poll()
        self._on_data: dict[int, OnData] = {}
        self._on_closed: dict[int, Callback] = {}
        self._unsent: dict[int, bytes] = {}

    def listen(self, pipe: IO[bytes], on_data: OnData) -> None:
        self._on_data[pipe.fileno()] = on_data
        self._poll.register(pipe, select.POLLIN)

    def open_input(self, pipe: IO[bytes], on_closed: Callback) -> None:
        os.set_blocking(pipe.fileno(), False)
        self._on_closed[pipe.fileno()] = on_closed
        self._poll.register(pipe, 0)  # errors are always reported

    def write(self, pipe: IO[bytes], data: bytes) -> None:
        fd = pipe.fileno()
        if fd in self._unsent:
            self._unsent[fd] += data
            return
        sent = self._write(fd, data)
        if sent < len(data):
            self._unsent[fd] = data[sent:]
            self._poll.modify(fd, select.POLLOUT)

    def drop(self, pipe: IO[bytes]) -> None:
        if not pipe.closed:
            self._forget(pipe.fileno())
            pipe.close()

    def wait(self, deadline: float) -> bool:
        if self.alarms:
            deadline = min(deadline, *self.alarms.values())
        left = 1000 * (deadline - time.monotonic())
        happened = self._poll.poll(None if left == math.inf else left if left > 0 else 0)
        for fd, event in happened:
            on_data = self._on_data.get(fd)
            if on_data is None:
                self._handle_input(fd, event)
                continue
            data = os.read(fd, _MOST)
            if not data:
                self._forget(fd)
            on_data(data)
        return (bool(self.alarms) and _call_due(self.alarms)) or bool(happened)

    def _handle_input(self, fd: int, event: int) -> None:
        on_closed = self._on_closed.get(fd)
        if on_closed is None:
            return  # dropped by a callback just before
        if event & ~select.POLLOUT:
            self._forget(fd)
            on_closed()
            return
        unsent = self._unsent[fd]
        unsent = unsent[self._write(fd, unsent) :]
        if unsent:
            self._unsent[fd] = unsent
        else:
            del self._unsent[fd]
            self._poll.modify(fd, 0)

    def _write(self, fd: int, data: bytes) -> int:
        try:
            return os.write(fd, data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)  # its reader is gone; `wait` reports that

    def _forget(self, fd: int) -> None:
        self._unsent.pop(fd, None)
        if (self._on_data.pop(fd, None) or self._on_closed.pop(fd, None)) is not None:
            self._poll.unregister(fd)


class ThreadedPipes:
    """A thread for each pipe, and a queue. For systems that cannot poll pipes, Windows above all."""

    def __init__(self) -> None:
        self.alarms: dict[Callback, float] = {}
        self._heard: queue.SimpleQueue[tuple[IO[bytes], Callback]] = queue.SimpleQueue()
        self._outgoing: dict[IO[bytes], queue.SimpleQueue[bytes | None]] = {}
        self._pipes: set[IO[bytes]] = set()

    def listen(self, pipe: IO[bytes], on_data: OnData) -> None:
        self._pipes.add(pipe)
        threading.Thread(target=self._read, args=(pipe, on_data), daemon=True).start()

    def open_input(self, pipe: IO[bytes], on_closed: Callback) -> None:
        self._pipes.add(pipe)
        self._outgoing[pipe] = queue.SimpleQueue()
        threading.Thread(target=self._send, args=(pipe, self._outgoing[pipe], on_closed), daemon=True).start()

    def write(self, pipe: IO[bytes], data: bytes) -> None:
        self._outgoing[pipe].put(data)

    def drop(self, pipe: IO[bytes]) -> None:
        # Its thread closes it, as soon as it can: closing what another thread reads or writes is not safe.
        self._pipes.discard(pipe)
        if pipe in self._outgoing:
            self._outgoing.pop(pipe).put(None)

    def wait(self, deadline: float) -> bool:
        if self.alarms:
            deadline = min(deadline, *self.alarms.values())
        left = max(0.0, deadline - time.monotonic())
        happened = False
        with contextlib.suppress(queue.Empty):
            # Everything that has arrived, as PollingPipes does.
            pipe, call = self._heard.get(timeout=None if left == math.inf else left)
            happened = True
            while True:
                if pipe in self._pipes:
                    call()
                pipe, call = self._heard.get_nowait()
        return (bool(self.alarms) and _call_due(self.alarms)) or happened

    def _read(self, pipe: IO[bytes], on_data: OnData) -> None:
        data = b"?"
        while data:
            try:
                data = os.read(pipe.fileno(), _MOST)
            except OSError:
                data = b""
            self._heard.put((pipe, partial(on_data, data)))
        pipe.close()

    def _send(self, pipe: IO[bytes], outgoing: "queue.SimpleQueue[bytes | None]", on_closed: Callback) -> None:
        try:
            while (data := outgoing.get()) is not None:
                while data:
                    data = data[os.write(pipe.fileno(), data) :]
        except OSError:
            self._heard.put((pipe, on_closed))
        pipe.close()


def make_pipes() -> Pipes:
    """The implementation for this system."""
    return PollingPipes() if os.name == "posix" else ThreadedPipes()
