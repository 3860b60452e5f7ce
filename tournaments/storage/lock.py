"""A lock that one process holds on a file, and that ends with its holder, however that ends.

The lock is on a file beside the one that is meant, named after it with `.lock` at the end: SQLite has locks of its own
on a store, and closing a second handle of the store would release them. The holder of the lock is written into the
file, for the sentence that refuses another one.

A file may have several names. Symbolic links are followed first. For hard links there is a second lock, in the system's
folder for temporary files and named after the file's device and inode; where that folder cannot be written, two hard
links are not known to be one file.
"""

import contextlib
import os
import platform
import sys
import tempfile
import time
from pathlib import Path
from typing import IO, Self

ATTEMPTS = 10
_PREFIX = "tengen-inode-"
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

    def __init__(self, target: Path) -> None:
        self._target = Path(os.path.realpath(target))
        self._held: list[tuple[Path, IO[bytes]]] = []

    @classmethod
    def acquire(cls, target: Path) -> Self:
        """Takes the lock of `target`, which need not be there yet: then `cover_links` follows when it is.

        Raises Held, or OSError when the file beside it cannot be written.
        """
        lock = cls(target)
        lock._held.append(_acquire(_beside(lock._target)))
        try:
            lock.cover_links()
        except BaseException:
            lock.release()
            raise
        return lock

    def cover_links(self) -> None:
        """Holds the lock of a file that is there now also under its other names. Raises Held."""
        path = _by_inode(self._target)
        if path is not None and all(path != held for held, _ in self._held):
            with contextlib.suppress(OSError):
                self._held.append(_acquire(path))
            _remove_left()

    def release(self) -> None:
        """Gives the lock back and removes its files; nothing the second time."""
        while self._held:
            path, file = self._held.pop()
            if sys.platform == "win32":  # an open file cannot be removed there
                file.close()
            with contextlib.suppress(OSError):
                path.unlink()
            file.close()


def is_held(target: Path) -> bool:
    """True if a process, also this one, holds the lock of `target`, under any of its names."""
    target = Path(os.path.realpath(target))
    return any(_is_taken(path) for path in (_beside(target), _by_inode(target)) if path is not None)


def is_held_by_other_name(target: Path) -> bool:
    """True when some process holds the lock of `target` by the name of another hard link to it."""
    target = Path(os.path.realpath(target))
    by_inode = _by_inode(target)
    return by_inode is not None and not _is_taken(_beside(target)) and _is_taken(by_inode)


def _acquire(path: Path) -> tuple[Path, IO[bytes]]:
    """Takes the lock of this file. Raises Held, and OSError when it cannot be written."""
    holder = ""
    for _ in range(ATTEMPTS):
        file = _open(path)
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
        return path, file
    raise Held(holder or "another process")


def _remove_left() -> None:
    """Removes the locks' files in the folder for temporary files that killed processes have left."""
    with contextlib.suppress(OSError):
        for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*.lock"):
            with contextlib.suppress(OSError), path.open("rb") as file:
                _take(file)
                path.unlink()  # while we hold it: a process that opened it before finds it gone, and creates another


def _open(path: Path) -> IO[bytes]:
    """Opens it to write, and creates it if it is missing; does not follow a link."""
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, 0o666), "a+b")


def _is_taken(path: Path) -> bool:
    try:
        with path.open("r+b" if sys.platform == "win32" else "rb") as file:
            try:
                _take(file)
            except OSError:
                return True
    except OSError:
        return False  # no file, or none that we may look into
    return False


def _beside(target: Path) -> Path:
    return target.with_name(f"{target.name}.lock")


def _by_inode(target: Path) -> Path | None:
    """The lock's file that all hard links of a file share; None for one that is not there, and without a folder."""
    try:
        found = target.stat()
        return Path(tempfile.gettempdir()) / f"{_PREFIX}{found.st_dev:x}-{found.st_ino:x}.lock"
    except OSError:
        return None


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
