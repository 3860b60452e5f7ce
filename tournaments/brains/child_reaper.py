"""Reaps orphans on Linux: descendants of a brain whose parents have died become children of this process.

A process that starts its own session, loses its parent and empties its environment cannot be recognised by its group,
by its ancestors or by a mark. But the system gives orphans to the nearest ancestor that has asked for them. So a
process that starts only brains asks for orphans; when it has no running brain, all of its children are orphans.
"""

import contextlib
import os
import signal
import sys
import time
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
_PATIENCE = 1.0  # seconds that killed processes have to end


def adopt_orphans() -> bool:
    """From now on orphaned descendants become children of this process; False if the system cannot do that."""
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        return bool(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    return False


def end_orphans() -> None:
    """Kills and collects all children of this process, and their orphans; for a process without running brains."""
    deadline = time.monotonic() + _PATIENCE
    while (pids := _children()) and time.monotonic() < deadline:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                if os.waitpid(pid, os.WNOHANG) == (0, 0):
                    time.sleep(0.001)


def _children() -> list[int]:
    pids: list[int] = []
    for path in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):
            pids += map(int, path.read_text().split())
    return pids
