"""All pipes of a game, waited for at once, so that whoever waits for one child misses nothing of what the others do.

A game is played by a plain blocking loop: it says something, then waits, and while it waits, whatever comes from any
pipe goes to whoever listens to it. Where the system can poll pipes there is nothing more to it; Windows cannot, and has
a thread for each.
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

Hear = Callable[[bytes], None]
Call = Callable[[], None]


class Pipes(Protocol):
    """What a process needs to talk to children; of one thread."""

    alarms: dict[Call, float]
    """What to call in a `wait` after so much of `time.monotonic`."""

    def listen(self, pipe: IO[bytes], hear: Hear) -> None:
        """From now on `hear` is called with what comes out of the pipe, and with b"" when that has ended."""

    def attend(self, pipe: IO[bytes], lost: Call) -> None:
        """From now on `write` may write into the pipe; `lost` is called when nobody reads it any more."""

    def write(self, pipe: IO[bytes], data: bytes) -> None:
        """Writes without ever waiting: what does not fit into the pipe goes there while `wait` waits."""

    def drop(self, pipe: IO[bytes]) -> None:
        """Closes the pipe; nothing of it is heard any more."""

    def wait(self, deadline: float) -> bool:
        """Waits until anything happens, at most to the deadline by `time.monotonic`; False when nothing has."""


def _ring(alarms: dict[Call, float]) -> bool:
    """Calls what is due; True when there was anything."""
    now = time.monotonic()
    due = [call for call, when in alarms.items() if when <= now]
    for call in due:
        del alarms[call]
        call()
    return bool(due)


class PollingPipes:
    """Asks the system which pipe has anything to read. POSIX."""

    def __init__(self) -> None:
        self.alarms: dict[Call, float] = {}
        self._poll = select.poll()
        self._hearers: dict[int, Hear] = {}
        self._losers: dict[int, Call] = {}
        self._unsent: dict[int, bytes] = {}

    def listen(self, pipe: IO[bytes], hear: Hear) -> None:
        self._hearers[pipe.fileno()] = hear
        self._poll.register(pipe, select.POLLIN)

    def attend(self, pipe: IO[bytes], lost: Call) -> None:
        os.set_blocking(pipe.fileno(), False)
        self._losers[pipe.fileno()] = lost
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
            hear = self._hearers.get(fd)
            if hear is None:
                self._attend(fd, event)
                continue
            data = os.read(fd, _MOST)
            if not data:
                self._forget(fd)
            hear(data)
        return (bool(self.alarms) and _ring(self.alarms)) or bool(happened)

    def _attend(self, fd: int, event: int) -> None:
        lost = self._losers.get(fd)
        if lost is None:
            return  # dropped by what was heard just before
        if event & ~select.POLLOUT:
            self._forget(fd)
            lost()
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
            return len(data)  # nobody reads it; that will be reported

    def _forget(self, fd: int) -> None:
        self._unsent.pop(fd, None)
        if (self._hearers.pop(fd, None) or self._losers.pop(fd, None)) is not None:
            self._poll.unregister(fd)


class ThreadedPipes:
    """A thread for each pipe, and a queue. For systems that cannot poll pipes, Windows above all."""

    def __init__(self) -> None:
        self.alarms: dict[Call, float] = {}
        self._heard: queue.SimpleQueue[tuple[IO[bytes], Call]] = queue.SimpleQueue()
        self._outgoing: dict[IO[bytes], queue.SimpleQueue[bytes | None]] = {}
        self._pipes: set[IO[bytes]] = set()

    def listen(self, pipe: IO[bytes], hear: Hear) -> None:
        self._pipes.add(pipe)
        threading.Thread(target=self._read, args=(pipe, hear), daemon=True).start()

    def attend(self, pipe: IO[bytes], lost: Call) -> None:
        self._pipes.add(pipe)
        self._outgoing[pipe] = queue.SimpleQueue()
        threading.Thread(target=self._send, args=(pipe, self._outgoing[pipe], lost), daemon=True).start()

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
            # All that is there at once, as where pipes are polled.
            pipe, call = self._heard.get(timeout=None if left == math.inf else left)
            happened = True
            while True:
                if pipe in self._pipes:
                    call()
                pipe, call = self._heard.get_nowait()
        return (bool(self.alarms) and _ring(self.alarms)) or happened

    def _read(self, pipe: IO[bytes], hear: Hear) -> None:
        data = b"?"
        while data:
            try:
                data = os.read(pipe.fileno(), _MOST)
            except OSError:
                data = b""
            self._heard.put((pipe, partial(hear, data)))
        pipe.close()

    def _send(self, pipe: IO[bytes], outgoing: "queue.SimpleQueue[bytes | None]", lost: Call) -> None:
        try:
            while (data := outgoing.get()) is not None:
                while data:
                    data = data[os.write(pipe.fileno(), data) :]
        except OSError:
            self._heard.put((pipe, lost))
        pipe.close()


def make_pipes() -> Pipes:
    """The one that suits the system."""
    return PollingPipes() if os.name == "posix" else ThreadedPipes()
