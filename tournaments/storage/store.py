"""The record of truth of a tournament: one SQLite file in WAL mode, one tournament a file.

Every finished game is on disk, whole, before anybody is told of it (`synchronous=FULL`; those that end while the disk
is busy share a transaction), so that a manager that is killed, or a machine that loses power, loses none; and a game's
place (pairing, leg) is unique, so that none is stored twice. Readers may open the file while a manager writes it; a
second manager is refused, by a lock (see lock.py) that ends with its holder.

While a manager has the file open, its latest games may be in the write-ahead log beside it, `NAME.tengen-wal`, alone;
at most a second later they are in the file too. The manager turns the log off when it closes the file, so that a file
in WAL mode without a log is known to lack one.

    tournament   one row: name, format, board, rule, settings (JSON, all that `tengen tournament resume` needs), state
    opening      one row an opening, in the order in which they are played
    player       one row a brain, numbered from 0 in the order of the tournament file
    pairing      one row an opening pair: two players, one opening, one or two games (legs). Leg 1: the first player is
                 Black. Leg 2: the second is. The id is a hash of everything that determines the games. The rows are
                 written before their games are played, some hundreds at a time, for a schedule may have a milliard
    game         one row a finished game; a pairing is finished when all its legs are here
    move         one row a stone, the opening's included

Scores are in the units of the brain that said them, from its own point of view; `mate` counts plies to a win (> 0) or
to a loss (< 0). Names, details and messages are whatever a brain or a user wrote: printable text, escape on display.
"""

import contextlib
import json
import logging
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

from tournaments.files.scratch import Scratch
from tournaments.files.text import printable
from tournaments.rules.ending import Ending
from tournaments.rules.notation import turn_cells
from tournaments.stats.results import GameRow, PairingRow, PlayerRow
from tournaments.storage.lock import FileLock, Held, is_held, is_held_by_other_name

_Row = TypeVar("_Row")

SCHEMA_VERSION = 2
"""Version 1 counted the rows of cells, in openings and in details, from the top, and had the whole schedule from the
beginning, without `opening` and without how many games there are to be. It is read as what it means, and made into
version 2 when it is opened for writing."""
_READABLE = (1, SCHEMA_VERSION)
_APPLICATION_ID = 0x54454E47  # "TENG", so that any other SQLite file is told apart
_WAL_HEADER = b"\x02\x02"  # the 18th and 19th byte of a file in WAL mode
_CHECKPOINT_AFTER = 1.0  # seconds at least from one copying of the log into the file to the next
_MOST_SHOWN = 160  # letters of an error that a sentence repeats
_log = logging.getLogger(__name__)

_SCHEMA = """
CREATE TABLE tournament (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    format TEXT NOT NULL,            -- match, round-robin, gauntlet
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    rule INTEGER NOT NULL,           -- Gomocup's number
    settings TEXT NOT NULL,          -- JSON object
    created REAL NOT NULL,           -- seconds since 1970, UTC, as all times of day here
    state TEXT NOT NULL,             -- running, finished (every game is played), stopped (by a sequential test)
    note TEXT NOT NULL,              -- why it stopped, "" otherwise
    games INTEGER NOT NULL           -- how many there are to be
);
CREATE TABLE player (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    command TEXT NOT NULL,           -- as the user wrote it
    digest TEXT NOT NULL             -- SHA-256 of program and arguments, hexadecimal
);
CREATE TABLE pairing (
    number INTEGER PRIMARY KEY,      -- order of play, from 1
    id TEXT NOT NULL UNIQUE,         -- 16 hexadecimal digits
    round INTEGER NOT NULL,          -- from 1
    first INTEGER NOT NULL REFERENCES player,
    second INTEGER NOT NULL REFERENCES player,
    opening_number INTEGER NOT NULL, -- place in the list of openings, from 1
    opening TEXT NOT NULL,           -- pos notation, rows from the bottom; "" is the empty board
    legs INTEGER NOT NULL            -- 1 or 2 games
);
CREATE TABLE game (
    number INTEGER PRIMARY KEY,      -- 2 * pairing - 1 for leg 1, 2 * pairing for leg 2
    pairing INTEGER NOT NULL REFERENCES pairing,
    leg INTEGER NOT NULL,            -- 1 or 2
    black INTEGER NOT NULL REFERENCES player,
    white INTEGER NOT NULL REFERENCES player,
    winner INTEGER,                  -- 0 Black, 1 White, NULL for a draw
    ending TEXT NOT NULL,            -- name of a member of `Ending`, such as TURN_TIMEOUT
    detail TEXT NOT NULL,
    opening_plies INTEGER NOT NULL,  -- how many of the first stones the opening placed
    started REAL NOT NULL,
    finished REAL NOT NULL,
    black_slowest REAL NOT NULL,     -- seconds, the slowest answer
    white_slowest REAL NOT NULL,
    black_stderr INTEGER NOT NULL,   -- bytes
    white_stderr INTEGER NOT NULL,
    worker TEXT NOT NULL,            -- the machine that played it
    UNIQUE (pairing, leg)
);
CREATE TABLE move (
    game INTEGER NOT NULL REFERENCES game,
    ply INTEGER NOT NULL,            -- from 0; even plies are Black's
    x INTEGER NOT NULL,
    y INTEGER NOT NULL,
    ms INTEGER NOT NULL,             -- milliseconds by the manager's clock; 0 for a stone of the opening
    depth INTEGER,                   -- this and the next three: what the brain's last MESSAGE said, NULL if nothing
    score REAL,
    mate INTEGER,
    nodes INTEGER,
    message TEXT NOT NULL,           -- the brain's MESSAGE lines before this move, parted by line feeds; the last few
    PRIMARY KEY (game, ply)
) WITHOUT ROWID;
"""
# Apart, for files of version 1 get it later.
_OPENING_SCHEMA = """
CREATE TABLE opening (
    number INTEGER PRIMARY KEY,      -- from 1, in the order of play
    stones TEXT NOT NULL             -- pos notation, rows from the bottom; "" is the empty board
);"""


@dataclass(frozen=True)
class TournamentRow:
    """The tournament itself; `settings` is the parsed JSON object.

    `state` is "running", "finished", "stopped", or, for a reader only, "interrupted" if no process
    plays a tournament that is not finished.
    """

    name: str
    format: str
    width: int
    height: int
    rule: int
    settings: dict[str, Any]
    created: float
    state: str
    note: str


class MoveRow(NamedTuple):
    """One stone of a game; see the schema's comments. A tuple, for there are very many."""

    ply: int
    x: int
    y: int
    ms: int
    depth: int | None = None
    score: float | None = None
    mate: int | None = None
    nodes: int | None = None
    message: str = ""


class BrokenStore(OSError, ValueError):
    """A store cannot be read, in one sentence: a damaged file, most often. Bad input, and a failure of the system."""


class Store:
    """One tournament's file. Use `Store.create` or `Store.open`; leaving the context closes it.

    Methods may be called from any thread. What the reading ones return is a copy and does not change; they raise
    BrokenStore when the file cannot be read.
    """

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        lock: FileLock | None = None,
        copy: Scratch | None = None,
    ) -> None:
        """`lock`: held by a store that may write. `copy`: the folder that the file is read from instead of its own."""
        self.path = path
        self._connection = connection
        self._file_lock = lock
        self._copy = copy
        self._lock = threading.RLock()
        self._checkpointed = time.monotonic()

    @classmethod
    def create(
        cls,
        path: Path,
        tournament: TournamentRow,
        players: Sequence[PlayerRow],
        pairings: Iterable[PairingRow],
        openings: Iterable[str] = (),
        games: int | None = None,
    ) -> Self:
        """Writes a new file. `games`: how many there are to be, where these pairings are only the first.

        Raises FileExistsError when something is there, OSError when it cannot be written, and ValueError when another
        process is about to write it.
        """
        if path.exists():
            raise FileExistsError(f"{path} is already there")
        lock = _acquire(path)
        # A half-made file must not pass for a tournament, so it gets its name when it is whole.
        unfinished = path.with_name(f".{path.name}.part")
        try:
            if path.exists():
                raise FileExistsError(f"{path} is already there")
            _remove(unfinished)
            rows = list(pairings)
            planned = sum(row.legs for row in rows) if games is None else games
            connection = sqlite3.connect(unfinished, isolation_level=None)
            try:
                connection.executescript(f"BEGIN;{_SCHEMA}{_OPENING_SCHEMA}")
                settings = json.dumps(tournament.settings, sort_keys=True)
                row = (1, *(settings if type(value) is dict else value for value in _values(tournament)), planned)
                connection.execute(f"INSERT INTO tournament VALUES ({_marks(row)})", row)
                _insert(connection, "player", map(_values, players))
                _insert(connection, "opening", enumerate(openings, start=1))
                _insert(connection, "pairing", map(_values, rows))
                connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
                connection.execute("COMMIT")
            finally:
                connection.close()
            unfinished.rename(path)
            lock.cover_links()
            return cls._open_to_write(path, lock)
        except BaseException as error:
            lock.release()
            if isinstance(error, sqlite3.Error):
                raise OSError(f"cannot write {path}: {error}") from None
            raise
        finally:
            _remove(unfinished)

    @classmethod
    def open(cls, path: Path, read_only: bool = False) -> Self:
        """Opens an existing file, unless `read_only` as the one process that may write it.

        Raises ValueError, in one sentence, for a file that is missing or no tournament, or that another process
        writes, and OSError when nothing can be written beside it. Warns of a file that lacks its write-ahead log.
        """
        if not path.is_file():
            raise ValueError(f"there is no tournament {path}")
        if read_only:
            connection, copy = _connect_to_read(path)
            return cls(path, _read_as_now(path, connection), copy=copy)
        lock = _acquire(path)
        try:
            return cls._open_to_write(path, lock)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def _open_to_write(cls, path: Path, lock: FileLock) -> Self:
        if _lacks_log(path):
            _warn_of_log(path)
        connection = None
        try:
            connection = _connect(path, "mode=rw")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            if _version_of(connection) == 1:
                _upgrade(path, connection)
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        except (sqlite3.Error, BrokenStore) as error:
            if connection is not None:
                connection.close()
            if isinstance(error, BrokenStore):
                raise
            raise OSError(f"cannot write {path}: {error}") from None
        return cls(path, connection, lock)

    def close(self) -> None:
        """Closes the file. The one that may write it leaves all games in the file itself, without a log beside it."""
        with self._lock:
            if self._file_lock is not None:
                # Not while another process reads it; the next writer does it then.
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("PRAGMA busy_timeout = 0")
                    self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                    self._connection.execute("PRAGMA journal_mode = DELETE")
            self._connection.close()
            if self._file_lock is not None:
                self._file_lock.release()
            if self._copy is not None:
                self._copy.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # Reading

    def tournament(self) -> TournamentRow:
        """The one row of `tournament`."""
        columns = "name, format, width, height, rule, settings, created, state, note"
        (row,) = self._select(f"SELECT {columns} FROM tournament", _tournament, rows=1)
        if row.state == "running" and self._file_lock is None and not is_held(self.path):
            return replace(row, state="interrupted")
        return row

    def planned_games(self) -> int:
        """How many games the tournament is to have."""
        (games,) = self._select("SELECT games FROM tournament", int, rows=1)
        return games

    def openings(self) -> list[str]:
        """The openings in order of play, in pos notation."""
        return self._select("SELECT stones FROM opening ORDER BY number", str)

    def players(self) -> list[PlayerRow]:
        """All brains; a player's place in the list is its id."""
        return self._select("SELECT id, name, command, digest FROM player ORDER BY id", PlayerRow)

    def pairings(self) -> list[PairingRow]:
        """The pairings so far, in order of play: all that have games, and some hundreds that are to come."""
        return self._select(
            "SELECT number, id, round, first, second, opening_number, opening, legs FROM pairing ORDER BY number",
            PairingRow,
        )

    def games(self) -> list[GameRow]:
        """Finished games, by number. Sort them by `finished` for the order in which a sequential test saw them."""
        return self._select("SELECT * FROM game ORDER BY number", _game)

    def moves(self, number: int) -> list[MoveRow]:
        """The stones of the game with that number, in order; empty if there is no such game."""
        return self._select(
            "SELECT ply, x, y, ms, depth, score, mate, nodes, message FROM move WHERE game = ? ORDER BY ply",
            MoveRow,
            (number,),
        )

    # Writing

    def add_game(self, game: GameRow, moves: Sequence[MoveRow]) -> bool:
        """`add_games` for one."""
        return self.add_games([(game, moves)])[0]

    def add_games(self, games: Iterable[tuple[GameRow, Sequence[MoveRow]]]) -> list[bool]:
        """Writes finished games in one transaction; they are on disk when this returns.

        False for a game whose place is taken, of which nothing is written: it was played before. Raises OSError when
        they cannot be written; then none is.
        """
        with self._writing() as connection:
            added = [_add_game(connection, game, moves) for game, moves in games]
        self._checkpoint()
        return added

    def add_pairings(self, pairings: Iterable[PairingRow]) -> None:
        """Writes the next pairings of the schedule. Raises OSError when they cannot be written."""
        with self._writing() as connection:
            _insert(connection, "pairing", map(_values, pairings))

    def set_state(self, state: str, note: str = "") -> None:
        """Writes the tournament's state and why it is so. Raises OSError when it cannot be written."""
        with self._writing() as connection:
            connection.execute("UPDATE tournament SET state = ?, note = ?", (state, note))

    def extend(
        self,
        settings: dict[str, Any],
        players: Sequence[PlayerRow],
        pairings: Iterable[PairingRow],
        games: int,
        gone: Mapping[int, int],
    ) -> None:
        """Writes other settings, players and pairings in the place of those that there are; games stay.

        `games`: how many there are to be. `gone`: players by the number that they had, with the number under which
        their games are kept from now on. Raises OSError when it cannot be written; then nothing is.
        """
        with self._writing() as connection:
            changes = "settings = ?, games = ?, state = 'running', note = ''"
            connection.execute(f"UPDATE tournament SET {changes}", (json.dumps(settings, sort_keys=True), games))
            for old, new in gone.items():
                for colour in ("black", "white"):
                    connection.execute(f"UPDATE game SET {colour} = ? WHERE {colour} = ?", (new, old))
            connection.execute("DELETE FROM player")
            connection.execute("DELETE FROM pairing")
            _insert(connection, "player", map(_values, players))
            _insert(connection, "pairing", map(_values, pairings))

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, taken back when it is left by an exception."""
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException as error:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                # Not the database's errors alone: a value that no column holds is an OverflowError or a ValueError.
                if isinstance(error, Exception) and not isinstance(error, OSError):
                    raise OSError(f"cannot write {self.path}: {error}") from error
                raise

    def _checkpoint(self) -> None:
        """Copies the log into the file, so that the log stays short, and a copy of the file alone has nearly all."""
        with self._lock:
            if time.monotonic() - self._checkpointed >= _CHECKPOINT_AFTER:
                # It fails where a reader is in the way, and is done the next time.
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
                self._checkpointed = time.monotonic()

    def _select(
        self, query: str, make: Callable[..., _Row], values: tuple[Any, ...] = (), rows: int | None = None
    ) -> list[_Row]:
        """`rows`: how many there must be. Raises BrokenStore."""
        try:
            with self._lock:
                found = self._connection.execute(query, values).fetchall()
            if rows is not None and len(found) != rows:
                raise ValueError("a row is missing")
            return [make(*row) for row in found]
        except (sqlite3.Error, ValueError, TypeError, KeyError) as error:
            raise BrokenStore(_describe_damage(self.path, error)) from None


def _version_of(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _read_as_now(path: Path, connection: sqlite3.Connection) -> sqlite3.Connection:
    """A connection to read the file through: its own, or, for version 1, one to a copy in memory that is upgraded."""
    copy = None
    try:
        if _version_of(connection) == SCHEMA_VERSION:
            return connection
        copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        connection.backup(copy)
        _upgrade(path, copy)
        copy.execute("PRAGMA query_only = ON")
    except BaseException as error:
        if copy is not None:
            copy.close()
        connection.close()
        if isinstance(error, sqlite3.Error):
            raise BrokenStore(_describe_damage(path, error)) from None
        raise
    connection.close()
    return copy


def _upgrade(path: Path, connection: sqlite3.Connection) -> None:
    """Makes version 2 of a file of version 1, all or nothing; `path` is its name in sentences.

    Of its openings those are known that it has pairs with. Raises sqlite3.Error, and BrokenStore for rows that cannot
    be.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        (height,) = connection.execute("SELECT height FROM tournament").fetchone()
        pairings = connection.execute("SELECT opening, number FROM pairing").fetchall()
        turned = [(turn_cells(opening, height), number) for opening, number in pairings]
        connection.executemany("UPDATE pairing SET opening = ? WHERE number = ?", turned)
        games = [_game(*row) for row in connection.execute("SELECT * FROM game")]
        details = [(_turned(game, height).detail, game.number) for game in games]
        connection.executemany("UPDATE game SET detail = ? WHERE number = ?", details)
        connection.execute("ALTER TABLE tournament ADD COLUMN games INTEGER NOT NULL DEFAULT 0")
        connection.execute("UPDATE tournament SET games = (SELECT coalesce(sum(legs), 0) FROM pairing)")
        connection.execute(_OPENING_SCHEMA)
        # An opening comes as it is in the first round that has it, and mirrored or turned in later ones.
        connection.execute(
            "INSERT INTO opening SELECT opening_number, opening FROM pairing WHERE number IN "
            "(SELECT min(number) FROM pairing GROUP BY opening_number)"
        )
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException as error:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        if isinstance(error, ValueError | TypeError | KeyError):
            raise BrokenStore(_describe_damage(path, error)) from None
        raise


def _turned(game: GameRow, height: int) -> GameRow:
    """A game of version 1 with the cells that its detail names as version 2 names them.

    Only what the referee says names cells; a brain's own words, quoted in other details, stay as they are.
    """
    is_referees = game.ending in (Ending.FOUL, Ending.PROVED_WIN) or (
        game.ending is Ending.GARBAGE and game.detail.startswith("stone ")
    )
    return replace(game, detail=turn_cells(game.detail, height)) if is_referees else game


def _add_game(connection: sqlite3.Connection, game: GameRow, moves: Sequence[MoveRow]) -> bool:
    row = _values(game)
    if not connection.execute(f"INSERT OR IGNORE INTO game VALUES ({_marks(row)})", row).rowcount:
        return False
    if moves:
        # Many rows a statement: sqlite3 gives up Python's lock for each, and where another thread is busy it gets it
        # back only 5 ms later. SQLite limits the values of a statement, to 999 before its version 3.32.
        values = (1 + len(MoveRow._fields)) * [""]
        most = connection.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER) // len(values)
        for start in range(0, len(moves), most):
            some = moves[start : start + most]
            rows = ", ".join([f"({_marks(values)})"] * len(some))
            connection.execute(
                f"INSERT INTO move VALUES {rows}", [value for move in some for value in (game.number, *move)]
            )
    return True


def _tournament(*row: Any) -> TournamentRow:
    tournament = TournamentRow(*row)
    return replace(tournament, settings=json.loads(str(tournament.settings)))


def _game(*row: Any) -> GameRow:
    game = GameRow(*row)
    return replace(game, ending=Ending[str(game.ending)])


def _values(row: Any) -> tuple[Any, ...]:
    """The fields of a row as SQLite stores them, in the order of the table's columns."""
    values = (getattr(row, field.name) for field in fields(row))
    return tuple(value.name if isinstance(value, Ending) else value for value in values)


def _marks(row: Sequence[object]) -> str:
    return ", ".join("?" * len(row))


def _insert(connection: sqlite3.Connection, table: str, rows: Iterable[Sequence[Any]]) -> None:
    values = list(rows)
    if values:
        connection.executemany(f"INSERT INTO {table} VALUES ({_marks(values[0])})", values)


def _acquire(path: Path) -> FileLock:
    """The lock of the one that writes the file. Raises ValueError and OSError, in one sentence."""
    try:
        return FileLock.acquire(path)
    except Held as error:
        raise ValueError(f"{path} is being played by another manager, {error}") from None
    except OSError as error:
        raise OSError(f"cannot write beside {path}: {error.strerror or error}") from None


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """Opens a tournament's file. Raises ValueError, in one sentence, for any other."""
    connection = None
    try:
        uri = f"{path.absolute().as_uri()}?{mode}"
        connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if application != _APPLICATION_ID:
            raise ValueError(f"{path} is not a tournament of Tengen's")
        if version not in _READABLE:
            raise ValueError(f"{path} was written by another version of Tengen (schema {version})")
        # What is asked for here is on the first page; whether the log can be read shows with the next one.
        connection.execute("SELECT count(*) FROM tournament").fetchone()
    except BaseException as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.OperationalError):
            raise  # the system's, most often, and not the file's
        if isinstance(error, sqlite3.Error):
            raise BrokenStore(_describe_damage(path, error)) from None
        raise
    return connection


def _connect_to_read(path: Path) -> tuple[sqlite3.Connection, Scratch | None]:
    """Opens a file also where nothing can be written beside it, as SQLite does for a log; see `Store.__init__`."""
    log = _log_of(path)
    if is_held_by_other_name(path):
        # Its log is beside that name, and what is copied from the log may be half written here.
        raise BrokenStore(f"{path} is another name of a store that is being played: read it by the name that is played")
    if _lacks_log(path) and not is_held(path):
        _warn_of_log(path)
        return _connect_or_fail(path, "mode=ro&immutable=1"), None
    try:
        return _connect(path, "mode=ro"), None
    except sqlite3.OperationalError:
        if not log.is_file():
            return _connect_or_fail(path, "mode=ro&immutable=1"), None
    try:
        copy = Scratch("store")
    except OSError as error:
        raise BrokenStore(f"cannot read {path}: no folder for a copy of it: {error.strerror or error}") from None
    try:
        shutil.copyfile(path, Path(copy.name) / path.name)
        shutil.copyfile(log, Path(copy.name) / f"{path.name}-wal")
        return _connect_or_fail(Path(copy.name) / path.name, "mode=rw"), copy
    except BaseException as error:
        copy.cleanup()
        if isinstance(error, OSError) and not isinstance(error, BrokenStore):
            raise BrokenStore(f"cannot read {path}: {error.strerror or error}") from None
        raise


def _connect_or_fail(path: Path, mode: str) -> sqlite3.Connection:
    try:
        return _connect(path, mode)
    except sqlite3.OperationalError as error:
        raise BrokenStore(_describe_damage(path, error)) from None


def _lacks_log(path: Path) -> bool:
    """True for a file in WAL mode without a log, which its manager has not closed, or has open and not yet written.

    Managers that wrote version 1 closed their files like that.
    """
    try:
        with path.open("rb") as file:
            head = file.read(64)
    except OSError as error:
        raise BrokenStore(f"cannot read {path}: {error.strerror or error}") from None
    is_old = head[60:] == (1).to_bytes(4, "big")
    return head[18:20] == _WAL_HEADER and not is_old and not _log_of(path).exists()


def _log_of(path: Path) -> Path:
    """The write-ahead log: SQLite has it beside the file itself, not beside a symbolic link to it."""
    target = path.resolve()
    return target.with_name(f"{target.name}-wal")


def _warn_of_log(path: Path) -> None:
    name = _log_of(path).name
    _log.warning("%s was copied or moved without %s, which may hold its latest games: put that beside it", path, name)


def _describe_damage(path: Path, error: Exception) -> str:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF  # the rest of it says where
    if code == sqlite3.SQLITE_NOTADB:
        return f"{path} is not a tournament of Tengen's: {error}"
    # Errors of ours may repeat what they could not read: the settings, all of them.
    why = printable(str(error))
    why = why if len(why) <= _MOST_SHOWN else f"{why[:_MOST_SHOWN]}..."
    if code != sqlite3.SQLITE_CORRUPT:
        return f"cannot read {path}: {why}"
    return f"{path} is damaged ({why}); what can be saved of it is by: sqlite3 {path} .recover"


def _remove(path: Path) -> None:
    for name in (path.name, f"{path.name}-journal", f"{path.name}-wal", f"{path.name}-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(name).unlink()
