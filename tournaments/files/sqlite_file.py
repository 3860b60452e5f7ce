"""The common code of our SQLite files: their identity, transactions, reading where nothing can be written, and the
sentences about their faults.

Each file has an application id, which tells it from any other SQLite file, and the version of its schema.
"""

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from tournaments.files.scratch import Scratch
from tournaments.files.text import printable

ROOM = 64 * 1024
"""Bytes that a disk must have left for a file to be opened."""

_MOST_SHOWN = 160  # letters of an error that a sentence repeats
_NO_PLACE = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN)


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection without transactions of its own, for any thread. `mode` is that of a URI, such as "mode=ro".

    Raises sqlite3.Error.
    """
    uri = f"{path.absolute().as_uri()}?{mode}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)


def identity(connection: sqlite3.Connection) -> tuple[int, int]:
    """The application id and the version of the schema, both as of one moment: another process may just be making the
    file. Raises sqlite3.Error."""
    is_alone = not connection.in_transaction
    if is_alone:
        connection.execute("BEGIN")
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    finally:
        if is_alone:
            connection.execute("COMMIT")
    return int(application), int(version)


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """One transaction that may write, taken back when it is left by an exception. Raises sqlite3.Error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def log_of(path: Path) -> Path:
    """The write-ahead log: SQLite has it beside the file itself, not beside a symbolic link to it."""
    target = Path(os.path.realpath(path))
    return target.with_name(f"{target.name}-wal")


def connect_to_read(
    path: Path, open_file: Callable[[Path, str], sqlite3.Connection]
) -> tuple[sqlite3.Connection, Scratch | None]:
    """Opens a file also where nothing can be written beside it, as SQLite does for a log; a folder with a copy of the
    file is returned where that had to be opened instead.

    `open_file` opens a file in a mode, see `connect`; what it raises is passed on. Raises OSError if there is no
    place for a copy.
    """
    log = log_of(path)
    try:
        return open_file(path, "mode=ro"), None
    except sqlite3.OperationalError:
        if not log.is_file():
            return open_file(path, "mode=ro&immutable=1"), None
    copy = Scratch("store")
    try:
        shutil.copyfile(path, Path(copy.name) / path.name)
        shutil.copyfile(log, Path(copy.name) / f"{path.name}-wal")
        return open_file(Path(copy.name) / path.name, "mode=rw"), copy
    except BaseException:
        copy.cleanup()
        raise


def describe_damage(path: Path, error: Exception, kind: str) -> str:
    """One sentence about a file that SQLite, or a row's reader, could not read. `kind` is what it should be, such as "a
    tournament of Tengen's"."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF  # the rest of it says where
    if code == sqlite3.SQLITE_NOTADB:
        return f"{path} is not {kind}: {error}"
    if code in _NO_PLACE:
        # SQLite needs room for its log also where it only reads, and calls it an I/O error when it gets none.
        with contextlib.suppress(OSError):
            if shutil.disk_usage(path.parent).free < ROOM:
                return f"cannot open {path}: the disk is full"
    # Errors of ours may repeat what they could not read: the settings, all of them.
    why = printable(str(error))
    why = why if len(why) <= _MOST_SHOWN else f"{why[:_MOST_SHOWN]}..."
    if code != sqlite3.SQLITE_CORRUPT:
        return f"cannot read {path}: {why}"
    return f"{path} is damaged ({why}); what can be saved of it is by: sqlite3 {path} .recover"
