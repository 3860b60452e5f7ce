"""The SQLite file of the library: opened, made, upgraded, and written in transactions.

Several threads may use a `LibraryFile`, and several processes have the file open.
"""

import contextlib
import errno
import json
import os
import secrets
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
    PUZZLE_ANSWERS,
    QUIZZES,
    REVIEWS,
    SCHEMA_VERSION,
    STUDIES,
    STUDY_HISTORY,
)
from tournaments.files.scratch import Scratch
from tournaments.files.sqlite_file import connect, connect_to_read, describe_damage, identity, transaction
from tournaments.files.system_error import numbered

WAITING_SECONDS = 10.0
"""How long a write waits for another process's."""

KIND = "a library of Tengen's games"

_UNWRITABLE = (errno.EROFS, errno.EACCES, errno.EPERM)
_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that are mistaken for another
_ID_LENGTH = 8


class Stale(ValueError):
    """Another program has added events since; read them, and decide again."""


class NoGame(LookupError):
    """That game or study does not exist; the message is one sentence."""


class Unwritable(OSError):
    """The file exists, and can only be read; the message is one sentence."""


class NoPlace(OSError):
    """There is no place for the file; the message is one sentence."""


class BrokenLibrary(OSError, ValueError):
    """The file cannot be read; the message is one sentence."""


class LibraryFile:
    """The connection to the file, which is made if it does not exist. Its methods may be called from any thread."""

    def __init__(self, path: Path) -> None:
        """Raises ValueError and OSError, in one sentence; see `Library`."""
        self.path = path
        self.lock = threading.RLock()
        self._copy: Scratch | None = None
        self._refusal: Unwritable | None = None
        try:
            self._connection = _connect(path)
        except Unwritable as error:
            self._refusal = error
            self._connection, self._copy = _connect_to_read(path)

    def close(self) -> None:
        """Closes the file."""
        with self.lock:
            self._connection.close()
            if self._copy is not None:
                self._copy.cleanup()

    @contextlib.contextmanager
    def writing(self, is_lasting: bool) -> Iterator[sqlite3.Connection]:
        """One transaction, rolled back after an exception. `is_lasting`: it survives a loss of power."""
        with self.lock:
            if self._refusal is not None:
                raise numbered(OSError(str(self._refusal)), self._refusal)
            try:
                self._connection.execute(f"PRAGMA synchronous = {'FULL' if is_lasting else 'NORMAL'}")
                with transaction(self._connection):
                    yield self._connection
            except (sqlite3.Error, OverflowError) as error:
                raise numbered(OSError(f"cannot write {self.path}: {error}"), error) from None

    def select(self, query: str, *values: object) -> list[Any]:
        """The rows of a query. Raises BrokenLibrary."""
        try:
            with self.lock:
                return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise BrokenLibrary(describe_damage(self.path, error, KIND)) from None


def new_id() -> str:
    """A new id of a game or study, for links."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))


def to_json(value: Any) -> str:
    """A value as the file's text."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _connect(path: Path) -> sqlite3.Connection:
    """Opens the file, and makes it if it does not exist. Raises Unwritable for one that can only be read, and
    ValueError and OSError, in one sentence."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Made before SQLite makes it, which would let other users read it; SQLite's log gets the same mode.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        if error.errno in _UNWRITABLE and path.is_file():
            raise numbered(Unwritable(f"cannot write {path}: {error.strerror or error}"), error) from None
        raise numbered(NoPlace(f"cannot open {path}: {error.strerror or error}"), error) from None
    if not path.is_file():  # a device or a pipe
        raise ValueError(f"{path} is not {KIND}")
    connection = sqlite3.connect(path, timeout=WAITING_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        if identity(connection) == (0, 0):
            _make(path, connection)
        _check(path, connection)
    except sqlite3.Error as error:
        connection.close()
        if not os.access(path.parent, os.W_OK):
            # The file itself can be written, but not the log that SQLite has beside it.
            denied = PermissionError(errno.EACCES, "its folder cannot be written")
            raise numbered(Unwritable(f"cannot write {path}: {denied.strerror}"), denied) from None
        raise BrokenLibrary(describe_damage(path, error, KIND)) from None
    except BaseException:
        connection.close()
        raise
    return connection


def _connect_to_read(path: Path) -> tuple[sqlite3.Connection, Scratch | None]:
    """Opens a file that cannot be written, or a copy of it; one of an older schema is upgraded in memory. Raises
    ValueError and OSError, in one sentence."""
    copy = None
    try:
        connection, copy = connect_to_read(path, _open)
        try:
            if identity(connection)[1] not in (0, SCHEMA_VERSION):
                new = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
                connection.backup(new)
                connection.close()
                connection = new
            _check(path, connection)
        except BaseException:
            connection.close()
            raise
    except BaseException as error:
        if copy is not None:
            copy.cleanup()
        if isinstance(error, sqlite3.Error):
            raise BrokenLibrary(describe_damage(path, error, KIND)) from None
        raise
    return connection, copy


def _open(path: Path, mode: str) -> sqlite3.Connection:
    """A connection that has read something: before that, SQLite does not know whether it can. Raises sqlite3.Error."""
    connection = connect(path, mode)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _check(path: Path, connection: sqlite3.Connection) -> None:
    """Upgrades a file of an older schema. Raises sqlite3.Error, and ValueError for a file that is not a library, or is
    of a newer version."""
    application, version = identity(connection)
    if application != APPLICATION_ID:
        raise ValueError(f"{path} is not {KIND}")
    if version > SCHEMA_VERSION:
        raise ValueError(f"{path} was written by a newer version of Tengen (schema {version}): use that one")
    if version < SCHEMA_VERSION:
        _upgrade(connection)
    for table in ("game", "study", "quiz", "puzzle_answer", "review"):
        connection.execute(f"SELECT count(*) FROM {table}").fetchone()


def _upgrade(connection: sqlite3.Connection) -> None:
    """Gives a file of an older schema the tables that it lacks; another process may be about to do the same."""
    with transaction(connection):
        version = identity(connection)[1]
        if version < 2:
            connection.execute(STUDIES)
            connection.execute(QUIZZES)
        if version < 3:
            connection.execute(STUDY_HISTORY)
        if version < 4:
            for statement in GAME_COLUMNS:
                connection.execute(statement)
            for (number,) in connection.execute("SELECT number FROM game").fetchall():
                write_game_columns(connection, number)
        if version < 5:
            connection.execute(PUZZLE_ANSWERS)
        if version < SCHEMA_VERSION:
            connection.execute(REVIEWS)
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


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
    with transaction(connection):
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if identity(connection) == (0, 0):
            if tables:
                raise ValueError(f"{path} is not {KIND}")
            others = (STUDIES, STUDY_HISTORY, QUIZZES, PUZZLE_ANSWERS, REVIEWS)
            for statement in [*GAMES.split(";\n"), *GAME_COLUMNS, *others]:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
