"""The SQLite file of the library: opened, made, upgraded, and written in transactions.

Several threads may use a `LibraryFile`, and several processes have the file open.
"""

import contextlib
import json
import os
import secrets
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tournaments.board.library.game_columns import write_game_columns
from tournaments.board.library.schema import (
    APPLICATION_ID,
    GAME_COLUMNS,
    GAMES,
    QUIZZES,
    SCHEMA_VERSION,
    STUDIES,
    STUDY_HISTORY,
)

WAITING_SECONDS = 10.0
"""How long a write waits for another process's."""

ROOM = 64 * 1024
"""Bytes that a disk must have left for the file to be opened."""

_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that are mistaken for another
_ID_LENGTH = 8


class Stale(ValueError):
    """Somebody else has added events since; read them, and decide again."""


class NoGame(LookupError):
    """There is no such game, or no such study, in one sentence."""


class BrokenLibrary(OSError, ValueError):
    """The file cannot be read, in one sentence."""


class LibraryFile:
    """The connection to the file, which is made where it is not there. Its methods may be called from any thread."""

    def __init__(self, path: Path) -> None:
        """Raises ValueError and OSError, in one sentence; see `Library`."""
        self.path = path
        self.lock = threading.RLock()
        self._connection = _connect(path)

    def close(self) -> None:
        """Closes the file."""
        with self.lock:
            self._connection.close()

    @contextlib.contextmanager
    def writing(self, is_lasting: bool) -> Iterator[sqlite3.Connection]:
        """One transaction, taken back when it is left by an exception. `is_lasting`: also after a loss of power."""
        with self.lock:
            try:
                self._connection.execute(f"PRAGMA synchronous = {'FULL' if is_lasting else 'NORMAL'}")
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException as error:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error | OverflowError):
                    raise OSError(f"cannot write {self.path}: {error}") from None
                raise

    def select(self, query: str, *values: object) -> list[Any]:
        """The rows of a query. Raises BrokenLibrary."""
        try:
            with self.lock:
                return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise BrokenLibrary(_describe(self.path, error)) from None


def new_id() -> str:
    """What links may call a new game or study by."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))


def to_json(value: Any) -> str:
    """A value as the file keeps it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _connect(path: Path) -> sqlite3.Connection:
    """Opens the file, and makes it where it is not there. Raises ValueError and OSError, in one sentence."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Before SQLite does it, which would let others read it; its log gets the same mode.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise OSError(f"cannot open {path}: {error.strerror or error}") from None
    connection = sqlite3.connect(path, timeout=WAITING_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        application, version = _identity(connection)
        if (application, version) == (0, 0):
            _make(path, connection)
            application, version = _identity(connection)
        if application != APPLICATION_ID:
            raise ValueError(f"{path} is no library of Tengen's games")
        if version > SCHEMA_VERSION:
            raise ValueError(f"{path} was written by a newer version of Tengen (schema {version}): use that one")
        if version < SCHEMA_VERSION:
            _upgrade(connection)
        connection.execute("SELECT count(*) FROM game").fetchone()
        connection.execute("SELECT count(*) FROM study").fetchone()
        connection.execute("SELECT count(*) FROM quiz").fetchone()
    except sqlite3.Error as error:
        connection.close()
        raise BrokenLibrary(_describe(path, error)) from None
    except BaseException:
        connection.close()
        raise
    return connection


def _upgrade(connection: sqlite3.Connection) -> None:
    """Gives a file of an older schema the tables that it lacks; another process may be about to do the same."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _identity(connection)[1]
        tables = [*([STUDIES, QUIZZES] if version < 2 else []), *([STUDY_HISTORY] if version < 3 else [])]
        if version < SCHEMA_VERSION:
            for statement in [*tables, *GAME_COLUMNS]:
                connection.execute(statement)
            for (number,) in connection.execute("SELECT number FROM game").fetchall():
                write_game_columns(connection, number)
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _identity(connection: sqlite3.Connection) -> tuple[int, int]:
    """Whose file it is, and its version, both as of one moment: another process may just be making it."""
    is_alone = not connection.in_transaction
    if is_alone:
        connection.execute("BEGIN")
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if is_alone:
        connection.execute("COMMIT")
    return application, version


def _make(path: Path, connection: sqlite3.Connection) -> None:
    """Makes the tables in an empty file; another process may be about to do the same."""
    deadline = time.monotonic() + WAITING_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError:
            # For this SQLite does not wait by itself.
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    connection.execute("BEGIN IMMEDIATE")
    try:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if _identity(connection) == (0, 0):
            if tables:
                raise ValueError(f"{path} is no library of Tengen's games")
            for statement in [*GAMES.split(";\n"), *GAME_COLUMNS, STUDIES, STUDY_HISTORY, QUIZZES]:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _describe(path: Path, error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF  # the rest of it says where
    if code == sqlite3.SQLITE_NOTADB:
        return f"{path} is no library of Tengen's games: {error}"
    if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN):
        # SQLite needs room for its log also where it only reads, and calls what it does not get an I/O error.
        with contextlib.suppress(OSError):
            if shutil.disk_usage(path.parent).free < ROOM:
                return f"cannot open {path}: the disk is full"
    if code != sqlite3.SQLITE_CORRUPT:
        return f"cannot read {path}: {error}"
    return f"{path} is damaged ({error}); what can be saved of it is by: sqlite3 {path} .recover"
