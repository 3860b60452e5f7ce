"""How much earlier than its limits a move has to end, learned from answers that came late.

The engine ends a search a fixed reserve before its limit. That is too little on a machine whose cores other programs
use: the brain then waits for a core when it should answer. Such waits come again, so the next moves keep clear of them.
"""

from __future__ import annotations

MAX_MS = 1000  # a longer wait counts as this one: the machine slept, or a user stopped the process
FADING = 0.99  # of the margin after each move: half of it is left after 69 moves in time
SURPLUS = 1.25  # the next wait may be longer than the longest one so far
NEARLY_LATE = 3  # an answer is nearly late if it used up a third of the reserve


class Margin:
    """The margin of all moves of this process, in milliseconds; 0 until an answer was nearly late."""

    def __init__(self) -> None:
        self._ms = 0.0
        self._end_ms = 0  # of the present search at the latest, since its command
        self._maximum_ms = 0  # of that search; 0: no search under a limit of time
        self._reserve_ms = 0

    def within(self, limit_ms: int) -> int:
        """The margin of a move that may take so long: at most half of that, so that there is time to think."""
        return min(round(self._ms), max(limit_ms, 0) // 2)

    def begin(self, waited_ms: int, maximum_ms: int, reserve_ms: int) -> None:
        """A search begins, `waited_ms` after its command, and takes `maximum_ms` at most.

        reserve_ms: what the engine keeps between that end and a limit.
        """
        self._end_ms = waited_ms + maximum_ms
        self._maximum_ms = maximum_ms
        self._reserve_ms = min(reserve_ms, maximum_ms)  # of a short limit it keeps two fifths

    def end(self, waited_ms: int) -> None:
        """The move is answered, `waited_ms` after its command."""
        if self._maximum_ms == 0:
            return
        late = waited_ms - self._end_ms
        self._ms *= FADING
        if late > self._reserve_ms / NEARLY_LATE:
            self._ms = max(self._ms, SURPLUS * min(late, self._maximum_ms, MAX_MS))
        self._maximum_ms = 0
