"""Where the tests' brains are, and which processes are left: what the tests of tournaments/ ask about processes."""

import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).parent / "brains" / "scripted.py"


def is_running(pid: int) -> bool:
    """True unless the process is gone, or dead and only waiting to be collected by a parent that is not us."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return not Path("/proc").is_dir()
    except ProcessLookupError:
        return False


def wait_until_gone(pids: Iterable[int], seconds: float = 10.0) -> list[int]:
    """Those of the processes that still run after so long."""
    deadline = time.monotonic() + seconds
    left = list(pids)
    while left and time.monotonic() < deadline:
        left = [pid for pid in left if is_running(pid)]
        time.sleep(0.02)
    return left


def children(pid: int, word: str) -> list[int]:
    """The processes that this one has started and whose command has that word."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            command = path.with_name("cmdline").read_bytes().decode()
        except OSError:
            continue
        if parent == pid and word in command:
            found.append(int(path.parent.name))
    return found


def read_until(stream: IO[str] | None, start: str) -> None:
    """Reads lines up to the first that begins so. Fails, with what was read, when the stream ends before that."""
    assert stream is not None
    lines = []
    for line in stream:
        if line.startswith(start):
            return
        lines.append(line)
    raise AssertionError(f"no line begins with {start!r} in {lines}")
