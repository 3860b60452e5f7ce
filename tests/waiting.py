"""Waiting in tests: each wait has a deadline, and the failure names the missing event. See test_waiting.py."""

import asyncio
import re
import subprocess
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any, AnyStr, TypeVar

Result = TypeVar("Result")

PATIENCE_S = 60.0
"""Seconds after which a test gives up. What it waits for takes a moment, so only a hang takes that long."""

_PAUSE_S = 0.02  # between two looks


def wait_until(condition: Callable[[], Result], seconds: float, what: str) -> Result:
    """The first true value of `condition()`. Fails when there is none within the seconds; `what` is waited for."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"not within {seconds:g} seconds: {what}"
        time.sleep(_PAUSE_S)
    return value


async def wait_until_async(condition: Callable[[], Result], seconds: float, what: str) -> Result:
    """As `wait_until`, while the other tasks of the loop go on."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"not within {seconds:g} seconds: {what}"
        await asyncio.sleep(_PAUSE_S / 2)
    return value


def run(work: Awaitable[Result], seconds: float = PATIENCE_S) -> Result:
    """Runs the coroutine in a loop of its own. Raises TimeoutError when it takes longer."""

    async def limited() -> Result:
        return await asyncio.wait_for(work, seconds)

    return asyncio.run(limited())


@contextmanager
def killed_after(process: "subprocess.Popen[Any]", seconds: float = PATIENCE_S) -> Iterator[None]:
    """Kills the process unless the block ends within the seconds, so that reading its output ends in any case."""
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def read_line(process: "subprocess.Popen[AnyStr]", stream: IO[AnyStr] | None = None) -> AnyStr:
    """The next line of the process's stdout, or of another of its streams; an empty one at the end of the stream."""
    stream = stream or process.stdout
    assert stream is not None
    with killed_after(process):
        return stream.readline()


def read_until(
    process: "subprocess.Popen[str]",
    pattern: str,
    stream: IO[str] | None = None,
    lines: list[str] | None = None,
    seconds: float = PATIENCE_S,
) -> re.Match[str]:
    """Reads lines of the process's stdout, or of another of its streams, up to the first with a match of the pattern.

    Returns the match, and adds all lines read to `lines`. Fails when the stream ends before that or is silent too long.
    """
    stream = stream or process.stdout
    assert stream is not None
    lines = [] if lines is None else lines
    with killed_after(process, seconds):
        for line in stream:
            lines.append(line.rstrip("\n"))
            if found := re.search(pattern, lines[-1]):
                return found
    raise AssertionError(f"no line has {pattern!r} in {lines}")
