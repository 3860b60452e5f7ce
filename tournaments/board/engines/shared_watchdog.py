"""The watchdog over the brains of several threads; if the watchdog itself dies, a new one is started."""

import contextlib
import logging
import math
import os
import threading
from typing import IO

from tournaments.brains.pipes import Pipes, make_pipes
from tournaments.brains.process import Process
from tournaments.brains.watchdog import WatchdogProcess

MOST_MEMORY = 2 << 30
MOST_PROCESSES = 64
"""The bytes that a brain may hold together with the processes that it has started, and their number. They are many
more than a brain is told to use, because they protect the machine: a brain that uses more is killed."""

_log = logging.getLogger(__name__)


class SharedWatchdog:
    """A watchdog with the same limits for all children. Any thread may have it watch a child, or forget one."""

    def __init__(self) -> None:
        self._pipes = make_pipes()
        self._process = _LockedWatchdog(self._pipes)
        read, write = os.pipe()
        self._waker: IO[bytes] = os.fdopen(write, "wb", buffering=0)
        self._woken: IO[bytes] = os.fdopen(read, "rb", buffering=0)
        self._pipes.listen(self._woken, lambda data: None)
        self._is_closed = False
        self._thread = threading.Thread(target=self._hear, name="watchdog", daemon=True)

    def start(self) -> None:
        """Starts the watchdog, and the thread that hears of its end. Raises OSError when the system cannot."""
        self._process.start()
        self._thread.start()

    def close(self) -> None:
        """Ends both, even if neither was started."""
        self._is_closed = True
        with contextlib.suppress(OSError, ValueError):
            self._waker.write(b"!")
        if self._thread.is_alive():
            self._thread.join()
        self._process.close()
        self._waker.close()
        self._pipes.drop(self._woken)

    def watch(self, process: Process, folder: str) -> None:
        """A child was started."""
        with self._process.lock:
            self._process.watch(process, folder, MOST_MEMORY, MOST_PROCESSES)

    def forget(self, process: Process) -> None:
        """A child is gone."""
        with self._process.lock:
            self._process.forget(process)

    def _hear(self) -> None:
        while not self._is_closed:
            try:
                self._pipes.wait(math.inf)
            except OSError as error:
                _log.error("Brains may outlive this program if it is killed: %s", error)
                return


class _LockedWatchdog(WatchdogProcess):
    """A watchdog that is started anew in one thread while others have it watch their children."""

    def __init__(self, pipes: Pipes) -> None:
        super().__init__(pipes)
        self.lock = threading.RLock()

    def _on_output(self, data: bytes) -> None:
        with self.lock:
            super()._on_output(data)
