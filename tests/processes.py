"""The commands of the tests' brains, and the processes that are left after a test."""

import os
import time
from collections.abc import Iterable
from pathlib import Path

import psutil
from needs import ARE_PROCESSES_SHOWN

ROOT = Path(__file__).parents[1]
SCRIPT = Path(__file__).parent / "tournaments" / "brains" / "scripted.py"


def is_running(pid: int) -> bool:
    """True unless the process is gone, or dead and only waiting to be collected by a parent that is not us."""
    try:
        os.kill(pid, 0)
        return not ARE_PROCESSES_SHOWN or bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except (ProcessLookupError, psutil.NoSuchProcess):
        return False


def wait_until_gone(pids: Iterable[int], seconds: float = 10.0) -> list[int]:
    """Those of the processes that still run after so long."""
    deadline = time.monotonic() + seconds
    left = list(pids)
    while left and time.monotonic() < deadline:
        left = [pid for pid in left if is_running(pid)]
        time.sleep(0.02)
    return left


def children(pid: int, program: str) -> list[int]:
    """The processes that this one has started and that run this program: see `runs`."""
    return [child.pid for child in processes_of(pid, program)]


def processes_of(pid: int, program: str) -> list[psutil.Process]:
    """As `children`; none if the process has ended."""
    found = []
    try:
        started = psutil.Process(pid).children()
    except psutil.NoSuchProcess:
        return []
    for child in started:
        try:
            if runs(child.cmdline(), program):
                found.append(child)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found


def runs(command: list[str], program: str) -> bool:
    """True for a command line whose program has this name: an executable, or a Python's script, module or import.

    For "x" that is `/any/x`, `python /any/x`, `python -m x`, `python -m x.y`, and `python -c` with code that has
    "import x" or "from x". The name of a folder on the way is not looked at.
    """
    words = command[1:]
    while words and words[0].startswith("-") and words[0] not in ("-m", "-c"):
        words = words[1:]
    if words[:1] == ["-m"] and len(words) > 1:
        return f"{words[1]}.".startswith(f"{program}.")
    if words[:1] == ["-c"] and len(words) > 1:
        return f"import {program}" in words[1] or f"from {program} " in words[1]
    return program in (Path(command[0]).name if command else "", Path(words[0]).name if words else "")
