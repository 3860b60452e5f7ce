"""Marks for tests that cannot run on every machine; the reason names the missing program or setting."""

import os
from importlib.util import find_spec
from typing import Any

import psutil
import pytest


def are_processes_shown() -> bool:
    """Whether the system shows a program which processes there are."""
    try:
        return bool(psutil.Process().status())
    except (psutil.Error, OSError):
        return False


ARE_PROCESSES_SHOWN = are_processes_shown()

needs_posix = pytest.mark.skipif(
    os.name != "posix", reason="needs signals, pipes, files and shells of POSIX: Linux and macOS run it"
)
needs_processes = pytest.mark.skipif(
    not ARE_PROCESSES_SHOWN, reason="looks for processes: Linux with /proc mounted, macOS and Windows run it"
)

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks its process: Linux and macOS run it")

needs_idle_threads = pytest.mark.skipif(
    not hasattr(os, "SCHED_IDLE") or len(os.sched_getaffinity(0)) < 2,
    reason="makes a thread wait for a core: Linux with two cores or more runs it",
)


def needs_package(name: str, extra: str = "test") -> pytest.MarkDecorator:
    """A mark for tests that need an optional package, which this extra brings."""
    return pytest.mark.skipif(find_spec(name) is None, reason=_reason(name, extra))


def import_or_skip(module: str, extra: str = "test") -> Any:
    """The module of an optional package; skips the test where it is missing. The extra brings it."""
    return pytest.importorskip(module, reason=_reason(module, extra))


def _reason(module: str, extra: str) -> str:
    return f"needs {module}: pip install -e '.[{extra}]' brings it, and .ci/run runs it"
