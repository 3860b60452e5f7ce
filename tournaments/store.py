"""The record of truth of a tournament: one SQLite file in WAL mode, one tournament a file.

Every finished game is on disk, whole, before anybody is told of it (`synchronous=FULL`; those that end while the disk
is busy share a transaction), so that a manager that is killed, or a machine that loses power, loses none; and a game's
place (pairing, leg) is unique, so that none is stored twice. Readers may open the file while a manager writes it.

    tournament   one row: name, format, board, rule, settings (JSON, all that `tengen tournament resume` needs), state
    player       one row a brain, numbered from 0 in the order of the tournament file
    pairing      one row an opening pair to be played: two players, one opening, one or two games (legs). Leg 1: the
                 first player is Black. Leg 2: the second is. The id is a hash of everything that determines the games
    game         one row a finished game; a pairing is finished when all its legs are here
    move         one row a stone, the opening's included

Scores are in the units of the brain that said them, from its own point of view; `mate` counts plies to a win (> 0) or
to a loss (< 0). Names, details and messages are whatever a brain or a user wrote: printable text, escape on display.
"""

import contextlib
import json
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

from tournaments.rules.ending import Ending
from tournaments.stats.results import GameRow, PairingRow, PlayerRow

_Row = TypeVar("_Row")

SCHEMA_VERSION = 1
_APPLICATION_ID = 0x54454E47  # "TENG", so that any other SQLite file is told apart

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
    note TEXT NOT NULL               -- why it stopped, "" otherwise
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
    opening TEXT NOT NULL,           -- pos notation; "" is the empty board
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


@dataclass(frozen=True)
class TournamentRow:
    """The tournament itself; `settings` is the parsed JSON object."""

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


class Store:
    """One tournament's file. Use `Store.create` or `Store.open`; leaving the context closes it.

    Methods may be called from any thread. What the reading ones return is a copy and does not change.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._lock = threading.RLock()

    @classmethod
    def create(
        cls,
        path: Path,
        tournament: TournamentRow,
        players: Sequence[PlayerRow],
        pairings: Iterable[PairingRow],
    ) -> Self:
        """Writes a new file. Raises FileExistsError when something is there, OSError when it cannot be written."""
        if path.exists():
            raise FileExistsError(f"{path} is already there")
        # A half-made file must not pass for a tournament, so it gets its name when it is whole.
        unfinished = path.with_name(f".{path.name}.part")
        _remove(unfinished)
        try:
            connection = sqlite3.connect(unfinished, isolation_level=None)
            try:
                connection.executescript(f"BEGIN;{_SCHEMA}")
                settings = json.dumps(tournament.settings, sort_keys=True)
                row = (1, *(settings if type(value) is dict else value for value in _values(tournament)))
                connection.execute(f"INSERT INTO tournament VALUES ({_marks(row)})", row)
                _insert(connection, "player", players)
                _insert(connection, "pairing", pairings)
                connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
                connection.execute("COMMIT")
            finally:
                connection.close()
            unfinished.rename(path)
        except sqlite3.Error as error:
            raise OSError(f"cannot write {path}: {error}") from None
        finally:
            _remove(unfinished)
        return cls.open(path)

    @classmethod
    def open(cls, path: Path, read_only: bool = False) -> Self:
        """Opens an existing file. Raises ValueError, in one sentence, for a file that is missing or no tournament."""
        if not path.is_file():
            raise ValueError(f"there is no tournament {path}")
        connection = None
        try:
            mode = "ro" if read_only else "rw"
            connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, check_same_thread=False
            )
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if application != _APPLICATION_ID:
                raise ValueError(f"{path} is no tournament of Tengen's")
            if version != SCHEMA_VERSION:
                raise ValueError(f"{path} was written by another version of Tengen (schema {version})")
            if not read_only:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
        except (sqlite3.Error, ValueError) as error:
            if connection is not None:
                connection.close()
            if isinstance(error, ValueError):
                raise
            raise ValueError(f"{path} is no tournament of Tengen's: {error}") from None
        return cls(path, connection)

    def close(self) -> None:
        """Closes the file; the write-ahead log is folded in by the last connection that closes."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # Reading

    def tournament(self) -> TournamentRow:
        """The one row of `tournament`."""
        columns = "name, format, width, height, rule, settings, created, state, note"
        (row,) = self._select(f"SELECT {columns} FROM tournament", TournamentRow)
        return replace(row, settings=json.loads(str(row.settings)))

    def players(self) -> list[PlayerRow]:
        """All brains; a player's place in the list is its id."""
        return self._select("SELECT id, name, command, digest FROM player ORDER BY id", PlayerRow)

    def pairings(self) -> list[PairingRow]:
        """All pairings, played or not, in order of play."""
        return self._select(
            "SELECT number, id, round, first, second, opening_number, opening, legs FROM pairing ORDER BY number",
            PairingRow,
        )

    def games(self) -> list[GameRow]:
        """Finished games, by number. Sort them by `finished` for the order in which a sequential test saw them."""
        return self._select("SELECT * FROM game ORDER BY number", _game)

    def moves(self, number: int) -> list[MoveRow]:
        """The stones of the game with that number, in order; empty where there is no such game."""
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
            return [_add_game(connection, game, moves) for game, moves in games]

    def set_state(self, state: str, note: str = "") -> None:
        """Writes the tournament's state and why it is so. Raises OSError when it cannot be written."""
        with self._writing() as connection:
            connection.execute("UPDATE tournament SET state = ?, note = ?", (state, note))

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
                if isinstance(error, sqlite3.Error):
                    raise OSError(f"cannot write {self.path}: {error}") from None
                raise

    def _select(self, query: str, make: Callable[..., _Row], values: tuple[Any, ...] = ()) -> list[_Row]:
        with self._lock:
            rows = self._connection.execute(query, values).fetchall()
        return [make(*row) for row in rows]


def _add_game(connection: sqlite3.Connection, game: GameRow, moves: Sequence[MoveRow]) -> bool:
    row = _values(game)
    if not connection.execute(f"INSERT OR IGNORE INTO game VALUES ({_marks(row)})", row).rowcount:
        return False
    if moves:
        # One statement, for between two the games in progress would be held up by Python's lock.
        rows = ", ".join([f"({_marks(('', *MoveRow._fields))})"] * len(moves))
        connection.execute(
            f"INSERT INTO move VALUES {rows}", [value for move in moves for value in (game.number, *move)]
        )
    return True


def _game(*row: Any) -> GameRow:
    game = GameRow(*row)
    return replace(game, ending=Ending[str(game.ending)])


def _values(row: Any) -> tuple[Any, ...]:
    """The fields of a row as SQLite stores them, in the order of the table's columns."""
    values = (getattr(row, field.name) for field in fields(row))
    return tuple(value.name if isinstance(value, Ending) else value for value in values)


def _marks(row: Sequence[object]) -> str:
    return ", ".join("?" * len(row))


def _insert(connection: sqlite3.Connection, table: str, rows: Iterable[Any]) -> None:
    values = [_values(row) for row in rows]
    if values:
        connection.executemany(f"INSERT INTO {table} VALUES ({_marks(values[0])})", values)


def _remove(path: Path) -> None:
    for name in (path.name, f"{path.name}-journal", f"{path.name}-wal", f"{path.name}-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(name).unlink()
