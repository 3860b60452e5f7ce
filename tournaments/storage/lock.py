"""A lock that one process holds on a file, and that ends with its holder, however that ends.

The lock is on a file beside the one that is meant, named after it with `.lock` at the end: SQLite has locks of its own
on a store, and closing a second handle of the store would release them. Who holds the lock is written in the file, for
the sentence that refuses another one.
"""

import contextlib
import os
import platform
import sys
import time
from pathlib import Path
from typing import IO, Self

ATTEMPTS = 10
BETWEEN_ATTEMPTS = 0.02  # seconds; `is_held` holds the lock for an instant, which must not pass for another holder

if sys.platform == "win32":
    import msvcrt

    def _take(file: IO[bytes]) -> None:
        # One byte behind the text: on Windows a locked byte cannot be read by others.
        file.seek(1 << 20)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(file: IO[bytes]) -> None:
        # Not fcntl.lockf, whose lock would not keep out another handle of the same process, and would end with it.
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Held(Exception):
    """Another process holds the lock; the message says which."""


class FileLock:
    """A lock that is held, from `acquire` to `release` or to the end of the process."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self._path = path
        self._file = file

    @classmethod
    def acquire(cls, target: Path) -> Self:
        """Takes the lock of `target`. Raises Held, or OSError when the file beside it cannot be written."""
        path = _path_of(target)
        holder = ""
        for _ in range(ATTEMPTS):
            file = path.open("a+b")
            try:
                _take(file)
            except OSError:
                holder = _read(file)
                file.close()
                time.sleep(BETWEEN_ATTEMPTS)
                continue
            if not _is_same(path, file):  # its holder has removed it between our two steps
                file.close()
                continue
            file.truncate(0)
            file.write(f"process {os.getpid()} on {platform.node()}".encode())
            file.flush()
            return cls(path, file)
        raise Held(holder or "another process")

    def release(self) -> None:
        """Gives the lock back and removes its file; nothing the second time."""
        if self._file.closed:
            return
        if sys.platform == "win32":  # an open file cannot be removed there
            self._file.close()
        with contextlib.suppress(OSError):
            self._path.unlink()
        self._file.close()


def is_held(target: Path) -> bool:
    """True when some process, also this one, holds the lock of `target`."""
    try:
        with _path_of(target).open("r+b" if sys.platform == "win32" else "rb") as file:
            try:
                _take(file)
            except OSError:
                return True
    except OSError:
        return False  # no file, or none that we may look into
    return False


def _path_of(target: Path) -> Path:
    return target.with_name(f"{target.name}.lock")


def _is_same(path: Path, file: IO[bytes]) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def _read(file: IO[bytes]) -> str:
    with contextlib.suppress(OSError):
        file.seek(0)
        return file.read(200).decode(errors="replace")
    return ""
