"""The limit of a rival's thinking: a moment, a number of nodes, or the first of both."""

import time
from typing import Self


class OutOfTime(Exception):
    """The budget ended a search before it was finished."""


class Budget:
    """Counts nodes and raises `OutOfTime` at the first one past a limit; None means no limit.

    `seconds` run from the making of the budget. With `nodes` alone a search does not depend on the machine's speed.
    """

    def __init__(self, seconds: float | None = None, nodes: int | None = None) -> None:
        self.nodes = 0
        self._began = time.monotonic()
        self._deadline = None if seconds is None else self._began + seconds
        self._most = nodes
        self._whole: Self | None = None

    @property
    def milliseconds(self) -> int:
        """The milliseconds since the budget was made."""
        return round((time.monotonic() - self._began) * 1000)

    def part(self, share: float) -> Self:
        """A budget of a share (0 to 1) of the rest of this one; its nodes are counted here too."""
        seconds = None if self._deadline is None else max(0.0, self._deadline - time.monotonic()) * share
        nodes = None if self._most is None else int(max(0, self._most - self.nodes) * share)
        child = type(self)(seconds, nodes)
        child._whole = self
        return child

    def tick(self) -> None:
        """Counts one node. Raises OutOfTime."""
        self.nodes += 1
        if self._whole is not None:
            self._whole.nodes += 1
        if self._most is not None and self.nodes > self._most:
            raise OutOfTime
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise OutOfTime
