"""How much an analysis may take: what its client wants, within what the machine has and the client may have."""

import os
from dataclasses import asdict, dataclass
from typing import Any

from tournaments.board.engines.job_queue import MEMORY
from tournaments.board.engines.question_limits import QuestionLimits
from tournaments.board.engines.shared_watchdog import MOST_MEMORY as BRAIN_MEMORY

MOST_SECONDS = 3600.0
MOST_DEPTH = 60
MOST_THREADS = 64
MOST_MEMORY = 3 * (BRAIN_MEMORY >> 20) // 4
LEAST_MEMORY = 64
"""Limits that a message may name: seconds, plies, threads, and MiB of memory, less than that for which a brain is
killed."""

USUAL_SECONDS = 600.0
GUEST_SECONDS = 30.0
GUEST_NODES = 10**7
GUEST_LINES = 8
"""Seconds of an analysis without a limit of time; seconds, nodes and lines of a guest's."""

_USUAL_MEMORY = MEMORY >> 20
_UNKNOWN_MEMORY = 2048


@dataclass(frozen=True)
class AnalysisLimits:
    """The most that a client's analysis may take: seconds, nodes (None for no limit), threads, MiB of memory, and lines
    (None for every free cell)."""

    seconds: float
    nodes: int | None
    threads: int
    memory: int
    lines: int | None

    def to_json(self) -> dict[str, Any]:
        """As it is sent."""
        return asdict(self)

    def within(
        self,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        threads: int | None = None,
        memory: int | None = None,
    ) -> QuestionLimits:
        """The limits of a question that wants these; None for the usual ones."""
        most_nodes = self.nodes if nodes is None else min(nodes, self.nodes or nodes)
        return QuestionLimits(
            seconds=min(seconds or USUAL_SECONDS, self.seconds),
            nodes=most_nodes,
            depth=depth,
            threads=min(threads or 1, self.threads),
            memory=min(memory or _USUAL_MEMORY, self.memory) << 20,
        )


GUEST_LIMITS = AnalysisLimits(GUEST_SECONDS, GUEST_NODES, 1, _USUAL_MEMORY, GUEST_LINES)


def owner_limits() -> AnalysisLimits:
    """The limits of the owner's analysis: all processors of the machine, and a half of its memory."""
    half = max(_USUAL_MEMORY, min(MOST_MEMORY, machine_memory() // 2))
    return AnalysisLimits(MOST_SECONDS, None, min(processors(), MOST_THREADS), half, None)


def processors() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1


def machine_memory() -> int:
    """The memory of the machine in MiB; a modest number where the system does not say it."""
    try:
        return (os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")) >> 20
    except (AttributeError, ValueError, OSError):
        return _UNKNOWN_MEMORY
