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

Scores are in the units of the brain that gave them, from its own point of view; `mate` counts plies to a win (> 0) or
to a loss (< 0). Names, details and messages are texts of brains or users: printable, to be escaped on display.
"""

import contextlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self, TypeVar

from tournaments.files.scratch import Scratch
from tournaments.files.sqlite_file import transaction
from tournaments.stats.results import GameRow, PairingRow, PlayerRow
from tournaments.storage.lock import FileLock, is_held
from tournaments.storage.store_file import (
    BrokenStore,
    acquire,
    connect,
    connect_to_read,
    describe_damage,
    lacks_log,
    read_as_now,
    remove,
    upgrade,
    version_of,
    warn_of_log,
)
from tournaments.storage.store_schema import (
    APPLICATION_ID,
    OPENING_SCHEMA,
    SCHEMA,
    SCHEMA_VERSION,
    MoveRow,
    TournamentRow,
    add_game,
    game_of,
    insert,
    placeholders,
    tournament_of,
    values_of,
)

_Row = TypeVar("_Row")

_CHECKPOINT_AFTER = 1.0  # seconds at least from one copying of the log into the file to the next


class Store:
    """One tournament's file. Use `Store.create` or `Store.open`; leaving the context closes it.

    Any thread may call the methods. Methods that read return copies, which do not change; they raise BrokenStore if the
    file cannot be read.
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
        """Writes a new file. `games`: the number of all games, if these pairings are only the first ones.

        Raises FileExistsError if the path exists, OSError if the file cannot be written, and HeldStore if another
        process is about to write it.
        """
        if os.path.lexists(path):  # also a link that leads to nothing, which would be replaced
            raise FileExistsError(f"{path} is already there")
        lock = acquire(path)
        # A half-made file must not pass for a tournament, so it gets its name when it is whole.
        unfinished = path.with_name(f".{path.name}.part")
        try:
            if path.exists():
                raise FileExistsError(f"{path} is already there")
            remove(unfinished)
            rows = list(pairings)
            planned = sum(row.legs for row in rows) if games is None else games
            connection = sqlite3.connect(unfinished, isolation_level=None)
            try:
                connection.executescript(f"BEGIN;{SCHEMA}{OPENING_SCHEMA}")
                settings = json.dumps(tournament.settings, sort_keys=True)
                row = (1, *(settings if type(value) is dict else value for value in values_of(tournament)), planned)
                connection.execute(f"INSERT INTO tournament VALUES ({placeholders(row)})", row)
                insert(connection, "player", map(values_of, players))
                insert(connection, "opening", enumerate(openings, start=1))
                insert(connection, "pairing", map(values_of, rows))
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
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
            remove(unfinished)

    @classmethod
    def open(cls, path: Path, read_only: bool = False) -> Self:
        """Opens an existing file, unless `read_only` as the one process that may write it.

        Raises ValueError, in one sentence, for a file that is missing or no tournament, or that another process
        writes, and OSError when nothing can be written beside it. Warns of a file that lacks its write-ahead log.
        """
        if not path.is_file():
            raise ValueError(f"there is no tournament {path}")
        if read_only:
            connection, copy = connect_to_read(path)
            return cls(path, read_as_now(path, connection), copy=copy)
        lock = acquire(path)
        try:
            return cls._open_to_write(path, lock)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def _open_to_write(cls, path: Path, lock: FileLock) -> Self:
        if lacks_log(path):
            warn_of_log(path)
        connection = None
        try:
            connection = connect(path, "mode=rw")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            if version_of(connection) == 1:
                upgrade(path, connection)
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
        (row,) = self._select(f"SELECT {columns} FROM tournament", tournament_of, rows=1)
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
        return self._select("SELECT * FROM game ORDER BY number", game_of)

    def game(self, number: int) -> GameRow | None:
        """The finished game with that number, None if there is no such game."""
        found = self._select("SELECT * FROM game WHERE number = ?", game_of, (number,))
        return found[0] if found else None

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

        False for a game that was stored before; it is not written again. Raises OSError if the games cannot be written;
        then none of them is.
        """
        with self._writing() as connection:
            added = [add_game(connection, game, moves) for game, moves in games]
        self._checkpoint()
        return added

    def add_pairings(self, pairings: Iterable[PairingRow]) -> None:
        """Writes the next pairings of the schedule. Raises OSError when they cannot be written."""
        with self._writing() as connection:
            insert(connection, "pairing", map(values_of, pairings))

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
        replaced_ids: Mapping[int, int],
    ) -> None:
        """Replaces the settings, players and pairings; the finished games stay.

        `games`: the number of games planned. `replaced_ids`: the old id of each replaced player, and the id under which
        its finished games are kept from now on. Raises OSError if the file cannot be written; then nothing changes.
        """
        with self._writing() as connection:
            changes = "settings = ?, games = ?, state = 'running', note = ''"
            connection.execute(f"UPDATE tournament SET {changes}", (json.dumps(settings, sort_keys=True), games))
            for old, new in replaced_ids.items():
                for colour in ("black", "white"):
                    connection.execute(f"UPDATE game SET {colour} = ? WHERE {colour} = ?", (new, old))
            connection.execute("DELETE FROM player")
            connection.execute("DELETE FROM pairing")
            insert(connection, "player", map(values_of, players))
            insert(connection, "pairing", map(values_of, pairings))

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, taken back when it is left by an exception."""
        with self._lock:
            try:
                with transaction(self._connection):
                    yield self._connection
            except OSError:
                raise
            except Exception as error:
                # Not the database's errors alone: a value that no column holds is an OverflowError or a ValueError.
                raise OSError(f"cannot write {self.path}: {error}") from error

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
            raise BrokenStore(describe_damage(self.path, error)) from None
