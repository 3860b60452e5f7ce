"""Files that are written whole or not at all: networks, stores of positions, the data of training, the brain's files.

Brains start without this module, which they load when they write a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO


def unfinished_path(path: str | os.PathLike[str], process: int | str) -> str:
    """The name that a file has while a process writes it; it stays if the process is killed meanwhile."""
    folder, name = os.path.split(os.fspath(path))
    return os.path.join(folder, f".{name}.{process}.part")


@contextmanager
def replacing(path: str | os.PathLike[str], is_lasting: bool = True) -> Iterator[BinaryIO]:
    """A file for bytes, which replaces the one at `path` as a whole when the block ends.

    An exception in the block leaves the old file as it was. is_lasting: the bytes are on the disk before the file has
    its name, so that a power cut leaves the old file or the new one; False for what can be made again at any time.
    Raises OSError that names `path`, and ValueError for a path that cannot be one.
    """
    unfinished = unfinished_path(path, os.getpid())
    try:
        with open(unfinished, "wb") as file:
            yield file
            if is_lasting:
                file.flush()
                os.fsync(file.fileno())
        os.replace(unfinished, path)
    except OSError as error:
        # The user does not know the unfinished file; a full disk names no file at all.
        if error.errno is not None and error.filename in (None, unfinished):
            raise OSError(error.errno, error.strerror, os.fspath(path)) from None
        raise
    finally:
        with suppress(OSError, ValueError):
            os.unlink(unfinished)
