"""Files to which a long run adds lines: a run can be stopped at any time, and continues only with the same settings.

The first line records the settings,

    # tengen selfplay {"engine": "81d0cb10", "nodes": 8000, "rule": 0, ...}

Every other line is complete in itself; half a line that a killed run left is cut off.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TextIO

from engine import RULES, network_problem, policy_problem, weights
from engine.bench import signature

WEIGHTS = (".bin", ".network", ".policy")
SIGNATURE_DEPTH = 6  # enough to tell engines apart, and done in a few hundredths of a second


@cache
def engine_signature() -> str:
    """Eight hex digits that tell this engine from others that search otherwise: of its bench, less deep, and of its
    weights, for the bench has not every rule.

    Raises ValueError when a network or a policy of the package cannot be used.
    """
    for rule in RULES:
        if problem := network_problem(rule) or policy_problem(rule):
            raise ValueError(problem)
    digest = hashlib.sha256(signature(SIGNATURE_DEPTH)[0].encode())
    for path in sorted(path for path in Path(weights.__file__).parent.iterdir() if path.suffix in WEIGHTS):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:8]


def open_run(path: Path, kind: str, parameters: Mapping[str, object]) -> tuple[TextIO, list[str]]:
    """The file of a run, open for adding lines to, and the whole lines that it holds after the first.

    kind: the command; parameters: all settings that the run's lines depend on, as JSON values. Raises ValueError, in
    one sentence, for the file of another run, and when a process that still runs is adding to the file; OSError when it
    cannot be written. When a line cannot be written later, the OSError names the file.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise ValueError(f"{path} is not a plain file, to which a later run could add")
    file = io.TextIOWrapper(io.BufferedRandom(_NamedFile(path, "a+")), encoding="utf-8", newline="\n")
    try:
        lock(file, path)
        file.seek(0)
        try:
            text = file.read()
        except UnicodeDecodeError:
            raise ValueError(f"{path} is not text") from None
        whole = text[: text.rfind("\n") + 1]
        lines = whole.splitlines()
        # Nothing is cut off before the file is known to be this run's.
        start = f"# tengen {kind} "
        if lines or not text.startswith(start[: len(text)]):
            check_header(path, lines[0] if lines else text, kind, parameters)
        file.truncate(len(whole.encode()))
        if not lines:
            print(header(kind, parameters), file=file, flush=True)
    except BaseException:
        file.close()
        raise
    return file, lines[1:]


class _NamedFile(io.FileIO):
    """A file whose name is in each OSError of a write: the system's own for a full disk names none."""

    def write(self, data: Any, /) -> int:
        """Adds bytes, also those that a buffer has kept until it is closed."""
        try:
            return super().write(data)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.name)) from None


def header(kind: str, parameters: Mapping[str, object]) -> str:
    """The first line of a run's file."""
    return f"# tengen {kind} {json.dumps(parameters, sort_keys=True)}"


def check_header(path: Path, line: str, kind: str, parameters: Mapping[str, object]) -> None:
    """Raises ValueError, naming the first parameter that differs, when the line is not the header of this run."""
    start = f"# tengen {kind} "
    try:
        found = json.loads(line.removeprefix(start)) if line.startswith(start) else None
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ValueError(f"{path}, line 1: does not say which run of tengen {kind} the file belongs to")
    wanted = json.loads(json.dumps(parameters))
    # The network comes last: if none was chosen, it follows from the rule.
    for name in sorted({*found, *wanted}, key=lambda name: (name == "network", name)):
        theirs, ours = found.get(name), wanted.get(name)
        if theirs != ours:
            raise ValueError(f"{path} belongs to a run with {name} {show(theirs)}, not {show(ours)}")


def show(value: object) -> str:
    """A parameter in a sentence."""
    if value is None:
        return "left out"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def lock(file: TextIO, path: Path) -> None:
    """Keeps other runs from the file until it is closed, or until this process dies.

    The lock is the process's own: its children do not inherit it, and it goes when any opening of the file is closed.
    """
    try:
        import fcntl
    except ImportError:  # on Windows nothing stops two runs with one file
        return
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        raise ValueError(f"{path} is being added to by another process") from None
