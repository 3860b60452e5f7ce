"""The time of the clocks: seconds since 1970 that go on evenly, and the gaps in which this process did not run.

The system's clock may be set, and a process may stand still, because the machine sleeps or a user stops the process.
No player is charged such time. A thread looks at both clocks of the system every LOOK seconds. The monotonic clock says
how much time passes between two looks; if that is much more than LOOK, or if the system's clock goes forward by much
more, there was a gap. After a gap the time is that of the system again; it never goes back.
"""

import threading
import time
from collections.abc import Callable

LOOK = 0.5
LONGEST_LOOK = 2.0
"""Seconds that are planned from one look to the next, and seconds from which on they count as a gap."""

MOST_GAPS = 1000


class SteadyTime:
    """`wall` is the system's clock in seconds since 1970, `monotonic` a clock that cannot be set.

    `count` is the number of gaps so far. The methods may be called in any thread.
    """

    def __init__(self, wall: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.count = 0
        self._wall_clock, self._monotonic_clock = wall, monotonic
        self._lock = threading.Lock()
        self._wall, self._monotonic = wall(), monotonic()
        self._now = self._wall
        self._gaps: list[tuple[float, float]] = []
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Looks by itself from now on, also while nothing asks; the thread ends with the process."""
        with self._lock:
            if self._thread is None:
                self._look()  # time before the first look does not matter
                self._gaps, self.count = [], 0
                self._thread = threading.Thread(target=self._watch, name="steady time", daemon=True)
                self._thread.start()

    def now(self) -> float:
        """The time, in seconds since 1970."""
        with self._lock:
            return self._look()

    def lost(self, since: float, until: float) -> float:
        """The seconds between two times that are in gaps."""
        with self._lock:
            return sum(max(0.0, min(until, end) - max(since, begin)) for begin, end in self._gaps)

    def _watch(self) -> None:
        while True:
            time.sleep(LOOK)
            self.now()

    def _look(self) -> float:
        wall, monotonic = self._wall_clock(), self._monotonic_clock()
        passed = monotonic - self._monotonic
        jumped = wall - self._wall - passed
        self._wall, self._monotonic = wall, monotonic
        begin = self._now + (passed if passed <= LONGEST_LOOK else 0.0)
        self._now += passed
        if jumped > LONGEST_LOOK:
            self._now = max(self._now, wall)
        if self._now > begin:
            self.count += 1
            self._gaps = [*self._gaps[-MOST_GAPS + 1 :], (begin, self._now)]
        return self._now


PROCESS_TIME = SteadyTime()
"""The time of this process."""


def process_now() -> float:
    """The time of this process, which is watched from the first call on."""
    PROCESS_TIME.start()
    return PROCESS_TIME.now()
