"""What the tests of tournaments/ share: a scripted brain as a player, and the repository on the children's path."""

import os
import shlex
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tournaments.command import Command
from tournaments.player import Player

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).parent / "brains" / "scripted.py"


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Brains run in folders of their own and must import this checkout, installed or not."""
    path = os.environ.get("PYTHONPATH")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *([path] if path else [])]))


@pytest.fixture
def scripted() -> Callable[..., Player]:
    """Makes a player that plays the given moves ("7,7 8,8") and then commits a fault of brains/scripted.py."""

    def make(fault: str, moves: str = "") -> Player:
        arguments = (sys.executable, "-I", "-S", str(SCRIPT), fault, *moves.split())
        return Player(fault, Command(arguments, fault, fault, shlex.join(arguments)))

    return make


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
