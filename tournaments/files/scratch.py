"""Temporary folders, in the system's folder for them, which are removed soon after their owner has ended.

A folder is removed by `cleanup`, when its object is deleted, and when the interpreter exits. The folder of a killed
process is removed by the next process that makes such a folder: an owner holds a lock on its folder, which ends with
the owner in every case. Windows has no such lock; there the folder of a killed process stays.
"""

import contextlib
import os
import shutil
import sys
import tempfile
import time
import weakref
from pathlib import Path

PREFIX = "tengen-kept-"
"""How the names begin. Folders of another prefix were made without a lock."""
_NEW = 60.0  # seconds; a folder as new as this may not have its lock yet
_has_tidied = False

if sys.platform == "win32":

    def _lock(folder: str) -> int | None:
        return None
else:
    import fcntl

    def _lock(folder: str) -> int | None:
        """The descriptor that holds the lock, None if another process has it. Raises OSError."""
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BaseException as error:
            os.close(descriptor)
            if isinstance(error, BlockingIOError):
                return None
            raise
        return descriptor


class Scratch:
    """An empty folder; `name` is its path."""

    def __init__(self, kind: str) -> None:
        """`kind`: its purpose, a word of its name. Raises OSError."""
        self.name = tempfile.mkdtemp(prefix=f"{PREFIX}{kind}-")
        descriptor = None
        with contextlib.suppress(OSError):  # some file systems have no locks
            descriptor = _lock(self.name)
        self._end = weakref.finalize(self, _remove, self.name, descriptor)
        _tidy_once()

    def cleanup(self) -> None:
        """Removes it with all that is in it, as far as the system lets us; nothing the second time."""
        self._end()


def _remove(folder: str, descriptor: int | None) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if descriptor is not None:
        os.close(descriptor)


def _tidy_once() -> None:
    global _has_tidied
    if not _has_tidied:
        _has_tidied = True
        tidy()


def tidy() -> None:
    """Removes the folders of our processes that have ended."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
            with contextlib.suppress(OSError):
                found = folder.lstat()
                if found.st_uid == os.getuid() and found.st_mtime < time.time() - _NEW:
                    descriptor = _lock(str(folder))
                    if descriptor is not None:
                        _remove(str(folder), descriptor)
