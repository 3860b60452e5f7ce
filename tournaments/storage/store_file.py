"""A tournament's file: opened to write or to read, its write-ahead log, older versions, and sentences about damage."""

import contextlib
import logging
import sqlite3
from dataclasses import replace
from pathlib import Path

from tournaments.files import sqlite_file
from tournaments.files.scratch import Scratch
from tournaments.files.sqlite_file import log_of, transaction
from tournaments.rules.ending import Ending
from tournaments.rules.notation import turn_cells
from tournaments.stats.results import GameRow
from tournaments.storage.lock import FileLock, Held, is_held, is_held_by_other_name
from tournaments.storage.store_schema import APPLICATION_ID, OPENING_SCHEMA, READABLE, SCHEMA_VERSION, game_of

_WAL_HEADER = b"\x02\x02"  # the 18th and 19th byte of a file in WAL mode
SUFFIX = ".tengen"
KIND = "a tournament of Tengen's"
_log = logging.getLogger(__name__)


class BrokenStore(OSError, ValueError):
    """A store cannot be read, in one sentence: a damaged file, most often. Bad input, and a failure of the system."""


class HeldStore(ValueError):
    """Another process writes the store; the message is one sentence."""


def acquire(path: Path) -> FileLock:
    """The lock of the one that writes the file. Raises HeldStore and OSError, in one sentence."""
    try:
        return FileLock.acquire(path)
    except Held as error:
        raise HeldStore(f"{path} is being played by another manager, {error}") from None
    except OSError as error:
        raise OSError(f"cannot write beside {path}: {error.strerror or error}") from None


def check_not_settings(path: Path) -> None:
    """Raises ValueError, in one sentence, for the file of settings that a tournament was begun with."""
    if path.suffix.lower() == ".toml":
        raise ValueError(f"{path} has the settings of a tournament: its games are in a {SUFFIX} file") from None


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Opens a tournament's file. Raises ValueError, in one sentence, for any other."""
    connection = None
    try:
        connection = sqlite_file.connect(path, mode)
        application, version = sqlite_file.identity(connection)
        if application != APPLICATION_ID:
            raise ValueError(f"{path} is not {KIND}")
        if version not in READABLE:
            raise ValueError(f"{path} was written by another version of Tengen (schema {version})")
        # The questions above need only the file's first page. The next one shows whether the log can be read.
        connection.execute("SELECT count(*) FROM tournament").fetchone()
    except BaseException as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.OperationalError):
            raise  # the system's, most often, and not the file's
        if isinstance(error, sqlite3.Error):
            check_not_settings(path)
            raise BrokenStore(describe_damage(path, error)) from None
        raise
    return connection


def connect_to_read(path: Path) -> tuple[sqlite3.Connection, Scratch | None]:
    """Opens a file also where nothing can be written beside it, as SQLite does for a log; see `Store.__init__`."""
    if is_held_by_other_name(path):
        # Its log is beside that name, and what is copied from the log may be half written here.
        raise BrokenStore(f"{path} is another name of a store that is being played: read it by the name that is played")
    try:
        if lacks_log(path) and not is_held(path):
            warn_of_log(path)
            return connect(path, "mode=ro&immutable=1"), None
        return sqlite_file.connect_to_read(path, connect)
    except sqlite3.OperationalError as error:
        raise BrokenStore(describe_damage(path, error)) from None
    except BrokenStore:
        raise
    except OSError as error:
        raise BrokenStore(f"cannot read {path}: {error.strerror or error}") from None


def lacks_log(path: Path) -> bool:
    """True for a file in WAL mode without a log, which its manager has not closed, or has open and not yet written.

    Managers that wrote version 1 closed their files like that.
    """
    try:
        with path.open("rb") as file:
            head = file.read(64)
    except OSError as error:
        raise BrokenStore(f"cannot read {path}: {error.strerror or error}") from None
    is_old = head[60:] == (1).to_bytes(4, "big")
    return head[18:20] == _WAL_HEADER and not is_old and not log_of(path).exists()


def warn_of_log(path: Path) -> None:
    """Logs a warning that the file was copied without its write-ahead log."""
    name = log_of(path).name
    _log.warning("%s was copied or moved without %s, which may hold its latest games: put that beside it", path, name)


def describe_damage(path: Path, error: Exception) -> str:
    """Returns one sentence about a file that SQLite, or a row's reader, could not read."""
    return sqlite_file.describe_damage(path, error, KIND)


def remove(path: Path) -> None:
    """Removes the file, its journal, its write-ahead log and its shared memory."""
    for name in (path.name, f"{path.name}-journal", f"{path.name}-wal", f"{path.name}-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(name).unlink()


def version_of(connection: sqlite3.Connection) -> int:
    """Returns the version of the file's schema."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def read_as_now(path: Path, connection: sqlite3.Connection) -> sqlite3.Connection:
    """A connection to read the file through: its own, or, for version 1, one to a copy in memory that is upgraded."""
    copy = None
    try:
        if version_of(connection) == SCHEMA_VERSION:
            return connection
        copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        connection.backup(copy)
        upgrade(path, copy)
        copy.execute("PRAGMA query_only = ON")
    except BaseException as error:
        if copy is not None:
            copy.close()
        connection.close()
        if isinstance(error, sqlite3.Error):
            raise BrokenStore(describe_damage(path, error)) from None
        raise
    connection.close()
    return copy


def upgrade(path: Path, connection: sqlite3.Connection) -> None:
    """Makes version 2 of a file of version 1, all or nothing; `path` is its name in sentences.

    Of its openings those are known that it has pairs with. Raises sqlite3.Error, and BrokenStore for rows that cannot
    be.
    """
    try:
        with transaction(connection):
            (height,) = connection.execute("SELECT height FROM tournament").fetchone()
            pairings = connection.execute("SELECT opening, number FROM pairing").fetchall()
            turned = [(turn_cells(opening, height), number) for opening, number in pairings]
            connection.executemany("UPDATE pairing SET opening = ? WHERE number = ?", turned)
            games = [game_of(*row) for row in connection.execute("SELECT * FROM game")]
            details = [(_turned(game, height).detail, game.number) for game in games]
            connection.executemany("UPDATE game SET detail = ? WHERE number = ?", details)
            connection.execute("ALTER TABLE tournament ADD COLUMN games INTEGER NOT NULL DEFAULT 0")
            connection.execute("UPDATE tournament SET games = (SELECT coalesce(sum(legs), 0) FROM pairing)")
            connection.execute(OPENING_SCHEMA)
            # An opening comes as it is in the first round that has it, and mirrored or turned in later ones.
            connection.execute(
                "INSERT INTO opening SELECT opening_number, opening FROM pairing WHERE number IN "
                "(SELECT min(number) FROM pairing GROUP BY opening_number)"
            )
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    except (ValueError, TypeError, KeyError) as error:
        raise BrokenStore(describe_damage(path, error)) from None


def _turned(game: GameRow, height: int) -> GameRow:
    """A game of version 1 with the cells that its detail names as version 2 names them.

    Only what the referee says names cells; a brain's own words, quoted in other details, stay as they are.
    """
    is_referees = game.ending in (Ending.FOUL, Ending.PROVED_WIN) or (
        game.ending is Ending.GARBAGE and game.detail.startswith("stone ")
    )
    return replace(game, detail=turn_cells(game.detail, height)) if is_referees else game
