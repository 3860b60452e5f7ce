"""The moves of many positions of a store, as a walk through the store needs them."""

from __future__ import annotations

from collections import deque
from itertools import islice

TYPE_CHECKING = False  # type checkers read it as true; importing typing costs milliseconds
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.knowledge.keys import Sieve
    from engine.knowledge.known import Known
    from engine.knowledge.position import Cell, Position
    from engine.knowledge.store import Store

GROUP = 64  # positions whose moves are looked up together
SIEVE_FROM = 64  # positions
KEYS_A_POSITION = 1000  # keys that go into a sieve in the time in which a position is looked up without one


class Following:
    """Looks up the moves of one group of positions after another; makes a sieve when there are many positions."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sieve: Sieve | None = None
        self._asked = 0
        self._worth = 0  # positions for which a sieve saves time; 0 until the store is counted

    def moves(self, positions: Sequence[Position]) -> list[list[tuple[list[Cell], Known]]]:
        """As `Store.moves_at`. Positions that another program has just added may be missing."""
        self._asked += len(positions)
        if self._sieve is None and self._asked > SIEVE_FROM:
            self._worth = self._worth or SIEVE_FROM + self._store.count() // KEYS_A_POSITION
            if self._asked > self._worth:
                self._sieve = self._store.sieve()
        return self._store.moves_at(positions, self._sieve)


def walk(store: Store, start: Position) -> Iterator[tuple[list[Cell], Position, Known]]:
    """All positions to which known moves lead, the start first, each once: the moves there, and the known data."""
    met = {start.key}
    waiting: deque[tuple[list[Cell], Position, Known]] = deque([([], start, store.look(start))])
    following = Following(store)
    group: deque[list[tuple[list[Cell], Known]]] = deque()
    while waiting:
        if not group:
            group.extend(following.moves([each[1] for each in islice(waiting, GROUP)]))
        moves, position, known = waiting.popleft()
        yield moves, position, known
        for cells, below in group.popleft():
            after = position.after(cells[0])
            if after.key not in met:
                met.add(after.key)
                waiting.append(([*moves, cells[0]], after, below))
