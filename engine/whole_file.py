"""Files that are written whole or not at all: networks, stores of positions, the data of training, the brain's files.

Brains start without this module, which they load when they write a file.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO


def unfinished_path(path: str | os.PathLike[str], process: int | str) -> str:
    """The name that a file has while a process writes it; it stays if the process is killed meanwhile."""
    folder, name = os.path.split(os.fspath(path))
    return os.path.join(folder, f".{name}.{process}.part")


def sentence_of(error: Exception) -> str:
    """The reason of a failure; for an error of the system its file, if it has one, and the reason without a number."""
    if not isinstance(error, OSError) or error.strerror is None:
        return str(error)
    return error.strerror if error.filename is None else f"{os.fsdecode(error.filename)}: {error.strerror}"


@contextmanager
def replacing(path: str | os.PathLike[str], is_lasting: bool = True) -> Iterator[BinaryIO]:
    """A file for bytes, which replaces the one at `path` as a whole when the block ends.

    An exception in the block leaves the old file as it was. If `path` is a link, the file to which it points is
    replaced; the new file has the permissions of the old one. is_lasting: the bytes are on the disk before the file has
    its name, so that a power cut leaves the old file or the new one; False for what can be made again at any time.
    Raises OSError that names `path`, and ValueError for a path that cannot be one.
    """
    target = os.path.realpath(path)
    if os.path.islink(target):  # links that lead to themselves
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fspath(path))
    unfinished = unfinished_path(target, os.getpid())
    try:
        with open(unfinished, "wb") as file:
            yield file
            if is_lasting:
                file.flush()
                os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            os.chmod(unfinished, os.stat(target).st_mode)
        os.replace(unfinished, target)
    except OSError as error:
        # The user does not know the unfinished file; a full disk names no file at all.
        if error.errno is not None and error.filename in (None, unfinished):
            raise OSError(error.errno, error.strerror, os.fspath(path)) from None
        raise
    finally:
        with suppress(OSError, ValueError):
            os.unlink(unfinished)
