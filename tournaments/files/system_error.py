"""Failures with a sentence of ours that keep the number of the system's error, by which other languages have words."""

import errno
import sqlite3
from typing import TypeVar

_Failure = TypeVar("_Failure", bound=OSError)

_OF_SQLITE = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_IOERR: errno.EIO,
    sqlite3.SQLITE_NOMEM: errno.ENOMEM,
    sqlite3.SQLITE_BUSY: errno.EBUSY,
}


def numbered(failure: _Failure, cause: Exception) -> _Failure:
    """The failure, with the number of its cause, an error of the system or of SQLite; str() stays the sentence."""
    if isinstance(cause, OSError):
        failure.errno = cause.errno
    elif isinstance(cause, sqlite3.Error):
        # Errors that Python's module raises itself have no code of SQLite's. The upper bits of a code only add details.
        failure.errno = _OF_SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF)
    return failure
