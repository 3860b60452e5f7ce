"""The limits that a brain plays under."""

from dataclasses import dataclass

MAX_MEMORY_BYTES = 350 << 20
MOST_SECONDS = 10_000_000
"""Some 115 days: the protocol counts milliseconds, and larger numbers than those of 24 days mean no limit."""


@dataclass(frozen=True)
class BrainLimits:
    """The limits of a brain. Times are seconds of wall time, measured from our command to its answer.

    turn: for one answer; 0 asks for answers as fast as possible. match: for all its answers of a game, None for no
    limit. increment: added to the match clock after each answer. startup: from process start to OK; it is not taken
    from the other two clocks. tolerance: how late an answer may be before the game is lost; the match clock pays for
    the late time too. grace: the time that a brain has to exit by itself after END.

    Raises TypeError or ValueError, naming the limit, for one that is not a number or is out of range: times are at most
    MOST_SECONDS.

    memory: bytes that the brain is told (INFO max_memory). enforces_memory: the processes of its tree may not hold more
    than that together (their unique memory, sampled several times a second). processes: the largest number of processes
    in the tree. Both checks need psutil. output: the most bytes that it may write for one answer.
    """

    turn: float = 0.5
    match: float | None = None
    startup: float = 10.0
    tolerance: float = 0.25
    grace: float = 1.0
    increment: float = 0.0
    memory: int = MAX_MEMORY_BYTES
    enforces_memory: bool = False
    processes: int = 64
    output: int = 4 << 20

    def __post_init__(self) -> None:
        for name in ("turn", "match", "startup", "tolerance", "grace", "increment"):
            seconds = getattr(self, name)
            if seconds is None and name == "match":
                continue
            if isinstance(seconds, bool) or not isinstance(seconds, int | float):
                raise TypeError(f"the limit {name} is a number of seconds, not {seconds!r:.40}")
            if not 0 <= seconds <= MOST_SECONDS:
                raise ValueError(f"the limit {name} is 0 to {MOST_SECONDS:,} seconds, not {seconds}")
        for name, least in (("memory", 0), ("processes", 1), ("output", 1)):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, int):
                raise TypeError(f"the limit {name} is a whole number, not {number!r:.40}")
            if number < least:
                raise ValueError(f"the limit {name} is at least {least}, not {number}")
