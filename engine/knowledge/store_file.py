"""The file of a store: SQLite, its tables and versions, and a sentence for each kind of fault."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import suppress
from pathlib import Path

from engine.checks import shown

APPLICATION_ID = 0x74676E6B  # "tgnk"
VERSION = 1
READABLE = (1,)
PATIENCE = 60.0  # seconds that a program waits for another one that writes

SCHEMA = """
CREATE TABLE card (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE source (
    number INTEGER PRIMARY KEY, made INTEGER NOT NULL, name TEXT NOT NULL, engine TEXT NOT NULL, origin TEXT NOT NULL,
    UNIQUE (made, name, engine, origin)
);
CREATE TABLE entry (key BLOB PRIMARY KEY, record BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE played (
    key BLOB NOT NULL, source INTEGER NOT NULL, black INTEGER NOT NULL, drawn INTEGER NOT NULL, white INTEGER NOT NULL,
    PRIMARY KEY (key, source)
) WITHOUT ROWID;
CREATE TABLE stones (key BLOB PRIMARY KEY, position BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE note (
    key BLOB NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, changed INTEGER NOT NULL, PRIMARY KEY (key, name)
) WITHOUT ROWID;
"""


FAILURES = sqlite3.Error, UnicodeDecodeError
"""The exceptions of SQLite. It raises the second one if its own message would quote bytes of a damaged file."""


class StoreError(OSError, ValueError):
    """A store cannot be read or written, in one sentence that names the file."""


def connect(path: Path, is_read_only: bool, patience: float = PATIENCE) -> sqlite3.Connection:
    """Opens the file of a store; creates it, unless it is opened only to be read. Raises StoreError.

    patience: seconds that the connection waits for a program that writes.
    """
    if is_read_only and not path.exists():
        raise StoreError(f"{path}: the store does not exist")
    check_file(path)
    try:
        connection = _connect(path, "mode=rw" if is_read_only else "mode=rwc", patience)
    except sqlite3.OperationalError as error:
        if not is_read_only or _has_log(path) or _is_busy(error):
            raise StoreError(describe(path, error, "open")) from None
        # SQLite reads a file with a log only in a folder that it can write to, unless the file is said never to change.
        try:
            connection = _connect(path, "mode=ro&immutable=1", patience)
        except FAILURES as second:
            raise StoreError(describe(path, second, "open")) from None
    except FAILURES as error:
        raise StoreError(describe(path, error, "open")) from None
    return connection


def check_file(path: Path) -> None:
    """Raises StoreError for a pipe or a device, which could be opened or read without end, and for a folder."""
    if path.exists() and not path.is_file():
        raise StoreError(f"{path} is not a file")


def _is_busy(error: sqlite3.Error) -> bool:
    return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _has_log(path: Path) -> bool:
    """Whether there is a write-ahead log with content. The file itself lacks the records in it."""
    target = Path(os.path.realpath(path))
    log = target.with_name(f"{target.name}-wal")
    return log.is_file() and log.stat().st_size > 0


def _connect(path: Path, mode: str, patience: float) -> sqlite3.Connection:
    if "\0" in str(path):
        raise StoreError(f"{shown(str(path))} is not the name of a file")  # SQLite would open the file before the NUL
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{mode}", patience, isolation_level=None, uri=True, check_same_thread=False
    )
    try:
        # One statement: another program may be creating the file just now.
        application, version, tables = connection.execute(
            "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master) "
            "FROM pragma_application_id, pragma_user_version"
        ).fetchone()
        if application == tables == 0 and mode == "mode=rwc":
            create(connection)
        elif application != APPLICATION_ID:
            raise StoreError(f"{path} is not a store of positions")
        elif version not in READABLE:
            raise StoreError(
                f"{path} was written by a newer Tengen: this one reads stores up to version {VERSION}, "
                f"and the file has version {version}"
            )
        else:
            # A view, a trigger or a virtual table in another program's file could run anything.
            odd = connection.execute(
                "SELECT name FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE '%VIRTUAL%'"
            ).fetchone()
            if odd is not None:
                raise StoreError(f"{path} is not a store of positions: it has {shown(odd[0])}")
            # The questions above need only the file's first page. One more question shows whether the log can be read.
            connection.execute("SELECT count(*) FROM source").fetchone()
            if mode == "mode=rwc":
                connection.execute("PRAGMA journal_mode = WAL")
        if mode != "mode=rwc":
            # Not "mode=ro": such a reader makes a log, and cannot remove it when it is the last to close the file.
            connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def create(connection: sqlite3.Connection) -> None:
    """Makes the tables of an empty file; another program may be doing the same."""
    deadline = time.monotonic() + PATIENCE
    while True:  # SQLite does not wait for this lock by itself
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
    connection.execute("BEGIN IMMEDIATE")
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        if application != APPLICATION_ID:
            for statement in SCHEMA.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def empty_log(connection: sqlite3.Connection, patience: float) -> None:
    """Moves the content of the write-ahead log into the file, unless another program reads or writes just now.

    SQLite mixes a log beside a file into that file, even if another file has replaced it.
    """
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error:  # a full disk: what was written is in the log, and stays there
        return
    finally:
        connection.execute(f"PRAGMA busy_timeout = {round(1000 * patience)}")


def remove_new(path: Path, with_content: bool = False) -> None:
    """Removes the file of a store that this program has made and closed, if it has no content.

    with_content: removes it in any case. A file that another program has open stays.
    """
    if not path.is_file():  # also a path with a NUL, at which SQLite would end the name
        return
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", 0, isolation_level=None, uri=True)
    except sqlite3.Error:
        return
    try:
        # A full disk has no room for the index of the log; a program that has the file for itself needs none.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if _is_busy(error):
                return
            # An empty file: SQLite has the lock, and then finds no room for the first page.
        is_removed = with_content or not _has_content(connection)
    except sqlite3.Error:
        return
    finally:
        connection.close()
    if is_removed:
        target = os.path.realpath(path)
        for end in ("-wal", "-shm", "-journal", ""):
            with suppress(OSError):  # in a folder that has become read-only the empty file stays
                Path(f"{target}{end}").unlink(missing_ok=True)


def _has_content(connection: sqlite3.Connection) -> bool:
    """Whether a store has anything in its tables; one that a full disk has cut short lacks some of them."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    there = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    if application != APPLICATION_ID:
        return bool(there)  # another program's
    kept = (name for name in ("entry", "note", "played") if name in there)
    return any(connection.execute(f"SELECT EXISTS (SELECT 1 FROM {name})").fetchone()[0] for name in kept)


def describe(path: Path, error: Exception, deed: str) -> str:
    """One sentence about a failure; `deed` is what failed: "open", "read" or "write"."""
    if isinstance(error, UnicodeDecodeError):
        return f"{path} is damaged: a text in it is not UTF-8"
    whole = getattr(error, "sqlite_errorcode", 0)
    code = whole & 0xFF  # the rest of it says where
    if code == sqlite3.SQLITE_NOTADB:
        return f"{path} is not a store of positions"
    if code == sqlite3.SQLITE_CORRUPT:
        return f"{path} is damaged ({error}); what can be saved of it is by: sqlite3 {shown(str(path))} .recover"
    if code == sqlite3.SQLITE_FULL or whole == sqlite3.SQLITE_IOERR_SHMSIZE:  # no room for the index of the log
        return f"{path}: the disk is full; what was stored before is kept"
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"{path}: another program has been writing to it for too long; try again"
    if code == sqlite3.SQLITE_READONLY:
        return f"{path} is read-only"
    is_shut = code == sqlite3.SQLITE_CANTOPEN and deed == "open"
    if is_shut and (why := _why_not_opened(path)):
        return f"cannot open {path}: {why}"
    if is_shut and _has_log(path):
        return f"{path} has a log beside it ({path.name}-wal) and is read-only here: copy both to a folder of your own"
    if is_shut and path.parent.is_dir() and not os.access(path.parent, os.W_OK):
        return f"cannot open {path} to write to it: its folder is read-only"
    return f"cannot {deed} {path}: {error}"


def _why_not_opened(path: Path) -> str | None:
    """The system's reason for which a file cannot be opened, which SQLite does not tell; None if there is none."""
    try:
        with path.open("rb"):
            return None
    except FileNotFoundError as error:
        return None if path.parent.is_dir() else error.strerror
    except OSError as error:
        return error.strerror
