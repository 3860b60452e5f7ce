"""Failures with a sentence of ours that keep the number of the system's error, by which other languages have words."""

import errno
from typing import TypeVar

_Failure = TypeVar("_Failure", bound=OSError)

_OF_SQLITE = {13: errno.ENOSPC, 8: errno.EROFS, 10: errno.EIO, 7: errno.ENOMEM, 5: errno.EBUSY}
"""By SQLite's codes for full, readonly, I/O error, no memory and busy: its module would be loaded by every command."""


def numbered(failure: _Failure, cause: Exception) -> _Failure:
    """The failure, with the number of its cause, an error of the system or of SQLite; str() stays the sentence."""
    if isinstance(cause, OSError):
        failure.errno = cause.errno
    else:
        # Errors that Python's module raises itself have no code of SQLite's. The upper bits of a code only add details.
        failure.errno = _OF_SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF)
    return failure
