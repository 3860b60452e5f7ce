"""Several lines of play at once: the best move, the best without that one, and so on, a ply deeper in every round.

This is the only place that does so: `Searcher.analyse`, the brain's YXNBEST and the board all use it. It needs a search
that takes `Limits`, with excluded cells, and returns an `Info`.
"""

from __future__ import annotations

import time
from itertools import count

from engine.limits import Limits

TYPE_CHECKING = False  # type checkers read it as true; importing typing costs milliseconds
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from engine.limits import Info


def rounds(
    search: Callable[[Limits], Info], is_stopped: Callable[[], bool], limits: Limits, lines: int, maximum_ms: int | None
) -> Generator[list[Info]]:
    """The rounds of an analysis, each a list of `Info`, the best move first: see `Searcher.rounds`.

    search: searches the position within limits, for which a turn_ms of 0 asks for a move at once; a stop that comes
    before it must have the same effect. is_stopped: true if the analysis must end. limits: its depth, nodes and
    excluded cells count; lines: how many moves, at least 1; maximum_ms: for the whole analysis, None without a limit.
    """
    start = time.monotonic_ns()

    def spent_ms() -> int:
        return (time.monotonic_ns() - start) // 1_000_000

    nodes = 0
    found: list[Info] = []
    for depth in count(1) if limits.depth is None else range(1, limits.depth + 1):
        deeper: list[Info] = []
        is_over = False
        while len(deeper) < lines and not is_over:
            left_ms = None if maximum_ms is None else max(maximum_ms - spent_ms(), 0)
            left_nodes = None if limits.nodes is None else max(limits.nodes - nodes, 0)
            if left_ms == 0 or left_nodes == 0 or is_stopped():
                if found:
                    is_over = True
                    break
                left_ms = 0
            barred = [*limits.exclude, *(info.move for info in deeper)]
            info = search(Limits(depth=depth, nodes=left_nodes or None, turn_ms=left_ms, exclude=barred))
            nodes += info.nodes
            if info.move in barred and (deeper or found):
                break  # no other cell is legal
            is_over = bool(found) and info.mate is None and info.depth < depth
            if not is_over:  # else it was cut short, and its result is worse than that of the round before
                deeper.append(info)
        if not deeper:
            return
        for info in deeper:
            info.nodes = nodes
            info.time_ms = spent_ms()
        # Each search looked at all moves except those before it: the rest of the last round comes after them.
        deeper.sort(key=lambda info: -info.score)
        known = [info.move for info in deeper]
        lasting = [*deeper, *(info for info in found if info.move not in known)]
        found = [info.as_line(number) for number, info in enumerate(lasting[:lines], 1)]
        yield found
        if is_over or all(info.mate is not None for info in found):
            return


def one_by_one(rounds: Iterable[list[Info]]) -> Generator[Info]:
    """The infos of the rounds, one after the other."""
    for infos in rounds:
        yield from infos
