"""The library: one SQLite file with all games that people have at the board, as logs of events, and their studies.

An event is on disk before anybody is told of it. Events that end a game survive a loss of power (`synchronous=FULL`);
the others survive whatever happens to the process, and a loss of power may take the last of them (NORMAL, in WAL mode).

Several processes may have the file open, and several threads a `Library`. Each append says which event it follows, and
one that comes too late is refused (`Stale`), so that two who play in one game at once cannot both be right.
"""

import contextlib
import json
import os
import re
import secrets
import shutil
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from tournaments.board.game.events import Event, GameSettings, NewEvent
from tournaments.board.library.study_tree import StudyTree
from tournaments.rules.referee import Rule

SCHEMA_VERSION = 2
"""1: without studies and quizzes."""

MOST_STUDIES = 1000
FILE_NAME = "games.sqlite"
WAITING_SECONDS = 10.0
"""How long a write waits for another process's."""

ROOM = 64 * 1024
"""Bytes that a disk must have left for the file to be opened."""

_APPLICATION_ID = 0x544E4742  # "TNGB", so that any other SQLite file is told apart
_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that are mistaken for another
_ID_LENGTH = 8
_LASTING = frozenset(("created", "resigned", "timed_out", "finished"))

_SCHEMA = """
CREATE TABLE game (
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- what people call it by in a terminal; never used again
    id TEXT NOT NULL UNIQUE,                   -- what links call it by
    settings TEXT NOT NULL,                    -- JSON, as in the event `created`
    created REAL NOT NULL,                     -- seconds since 1970, UTC
    updated REAL NOT NULL,
    events INTEGER NOT NULL,                   -- how many there are
    stones INTEGER NOT NULL,                   -- on the board
    is_over INTEGER NOT NULL,
    winner INTEGER,                            -- 0 Black, 1 White, NULL for a draw or a game that goes on
    ending TEXT NOT NULL                       -- of events.End, "" for a game that goes on
);
CREATE TABLE event (
    game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,
    n INTEGER NOT NULL,                        -- from 1
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,                        -- JSON
    PRIMARY KEY (game, n)
) WITHOUT ROWID;
CREATE TABLE secret (
    game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    digest BLOB NOT NULL,                      -- a hash of the secret, which itself is nowhere
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;
CREATE INDEX game_by_time ON game (updated)"""
_STUDIES = """
CREATE TABLE study (
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- what people call it by in a terminal, after an s; never used again
    id TEXT NOT NULL UNIQUE,                   -- what links call it by
    created REAL NOT NULL,                     -- seconds since 1970, UTC
    updated REAL NOT NULL,
    version INTEGER NOT NULL,                  -- how often it has been written
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    rule INTEGER NOT NULL,                     -- Gomocup's number
    title TEXT NOT NULL,
    nodes INTEGER NOT NULL,                    -- how many moves all its variations have
    content TEXT NOT NULL                      -- JSON, as study_tree.StudyTree reads it
)"""
_QUIZZES = """
CREATE TABLE quiz (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    game INTEGER REFERENCES game ON DELETE CASCADE,  -- NULL for a game that is not kept here
    position TEXT NOT NULL UNIQUE,             -- so that one that comes again is the same quiz
    data TEXT NOT NULL,                        -- JSON, see game_review.Quiz
    created REAL NOT NULL,                     -- seconds since 1970, UTC
    due REAL,                                  -- when it is to be asked next; NULL where it is solved
    asked INTEGER NOT NULL DEFAULT 0,
    missed INTEGER NOT NULL DEFAULT 0          -- how many of the answers were wrong
)"""
_QUIZ = "quiz.number, game.id, quiz.data, quiz.created, quiz.due, quiz.asked, quiz.missed"
_SUMMARY = "number, id, settings, created, updated, events, stones, is_over, winner, ending"
_STUDY = "number, id, created, updated, version, width, height, rule, title, nodes"


class Stale(ValueError):
    """Somebody else has added events since; read them, and decide again."""


class NoGame(LookupError):
    """There is no such game, or no such study, in one sentence."""


class ManyStudies(ValueError):
    """There are as many studies as are kept."""


class NoQuiz(LookupError):
    """There is no such quiz, in one sentence."""


class BrokenLibrary(OSError, ValueError):
    """The file cannot be read, in one sentence."""


@dataclass(frozen=True)
class StoredQuiz:
    """A quiz of the library. `game` is the id of the game that it comes from, None where that is not kept; `data` is
    what `game_review.Quiz.to_json` gave; `due` says when it is to be asked next, None where it is solved."""

    number: int
    game: str | None
    data: dict[str, Any]
    created: float
    due: float | None
    asked: int
    missed: int


@dataclass(frozen=True)
class GameSummary:
    """One line of a list of games; `stones` are those on the board, `events` is the number of the last event."""

    number: int
    id: str
    settings: GameSettings
    created: float
    updated: float
    events: int
    stones: int
    is_over: bool
    winner: int | None
    ending: str


def data_folder() -> Path:
    """The folder for what a user's programs keep, by the system's custom; it need not be there yet."""
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "tengen"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "tengen"
    given = os.environ.get("XDG_DATA_HOME", "")
    return (Path(given) if os.path.isabs(given) else Path.home() / ".local" / "share") / "tengen"


def default_path() -> Path:
    """Where a user's games are: $TENGEN_GAMES, or `games.sqlite` in the user's data folder."""
    given = os.environ.get("TENGEN_GAMES")
    return Path(given) if given else data_folder() / FILE_NAME


@dataclass(frozen=True)
class StudySummary:
    """One line of a list of studies; `version` is how often it has been written, `nodes` are all variations' moves."""

    number: int
    id: str
    created: float
    updated: float
    version: int
    width: int
    height: int
    rule: Rule
    title: str
    nodes: int


class Library:
    """The file with all games, which is made when it is not there. Leaving the context closes it.

    Methods may be called from any thread. Those that read raise BrokenLibrary for a damaged file and NoGame for a
    game that is not there; those that write raise OSError, in one sentence, and then have written nothing.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Opens `path`, by default `default_path()`.

        Raises ValueError, in one sentence, for a file that is none of ours or of a newer version, and OSError where it
        cannot be made or read.
        """
        self.path = default_path() if path is None else path
        self._lock = threading.RLock()
        self._connection = _connect(self.path)

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # Reading

    def games(self, most: int = -1, only_going: bool = False) -> list[GameSummary]:
        """The games, the one that was played at last first; `most` of them, or all. `only_going`: none that are over.
        """
        where = "WHERE NOT is_over" if only_going else ""
        rows = self._select(f"SELECT {_SUMMARY} FROM game {where} ORDER BY updated DESC, number DESC LIMIT ?", most)
        return [self._summary(row) for row in rows]

    def game(self, name: str) -> GameSummary:
        """The game with that id or number. Raises NoGame."""
        is_number = name.isascii() and name.isdecimal() and len(name) < 10
        by_number = self._select(f"SELECT {_SUMMARY} FROM game WHERE number = ?", int(name)) if is_number else []
        rows = self._select(f"SELECT {_SUMMARY} FROM game WHERE id = ?", name) or by_number
        if not rows:
            raise NoGame(f"there is no game {name}")
        return self._summary(rows[0])

    def rematch_of(self, id: str) -> str | None:
        """The id of the first game that goes on from this one; None where there is none."""
        source = _to_json({"from": {"game": id}})[1:-2]
        rows = self._select("SELECT id FROM game WHERE instr(settings, ?) ORDER BY number LIMIT 1", source)
        return str(rows[0][0]) if rows else None

    def events(self, id: str, after: int = 0) -> list[Event]:
        """The events of a game that come after number `after`, in order. Raises NoGame."""
        with self._lock:
            rows = self._select(
                "SELECT n, at, kind, data FROM event WHERE game = (SELECT number FROM game WHERE id = ?) AND n > ? "
                "ORDER BY n", id, after,
            )  # fmt: skip
            if not rows:
                self._number_of(id)
        try:
            return [Event(n, at, kind, json.loads(data)) for n, at, kind, data in rows]
        except ValueError as error:
            raise BrokenLibrary(f"game {id} in {self.path} is damaged: {error}") from None

    def seats_of(self, id: str, digest: bytes) -> tuple[int, ...]:
        """The seats of the game that the secret with this hash is for; compares in constant time. Raises NoGame."""
        rows = self._select("SELECT seat, digest FROM secret WHERE game = ? ORDER BY seat", self._number_of(id))
        return tuple(seat for seat, kept in rows if secrets.compare_digest(kept, digest))

    def studies(self, most: int = -1) -> list[StudySummary]:
        """The studies, the one that was written last first; `most` of them, or all."""
        rows = self._select(f"SELECT {_STUDY} FROM study ORDER BY updated DESC, number DESC LIMIT ?", most)
        return [_study_summary(row) for row in rows]

    def study(self, name: str) -> tuple[StudySummary, StudyTree]:
        """The study with that id, or with the number after an s. Raises NoGame."""
        is_number = re.fullmatch("s[0-9]{1,9}", name) is not None
        query = f"SELECT {_STUDY}, content FROM study WHERE "
        by_number = self._select(f"{query} number = ?", int(name[1:])) if is_number else []
        rows = self._select(f"{query} id = ?", name) or by_number
        if not rows:
            raise NoGame(f"there is no study {name}")
        *summary, content = rows[0]
        try:
            return _study_summary(summary), StudyTree.parse(json.loads(content))
        except ValueError as error:
            raise BrokenLibrary(f"study {name} in {self.path} is damaged: {error}") from None

    def quizzes(self, most: int = -1) -> list[StoredQuiz]:
        """The quizzes that are kept, those first that are due next, solved ones at the end; `most` of them, or all."""
        order = "ORDER BY quiz.due IS NULL, quiz.due, quiz.number DESC LIMIT ?"
        rows = self._select(f"SELECT {_QUIZ} FROM quiz LEFT JOIN game ON game.number = quiz.game {order}", most)
        return [self._quiz(row) for row in rows]

    def quiz(self, number: int) -> StoredQuiz:
        """The quiz of that number. Raises NoQuiz."""
        where = "LEFT JOIN game ON game.number = quiz.game WHERE quiz.number = ?"
        rows = self._select(f"SELECT {_QUIZ} FROM quiz {where}", number)
        if not rows:
            raise NoQuiz(f"there is no quiz {number}")
        return self._quiz(rows[0])

    def _quiz(self, row: Sequence[Any]) -> StoredQuiz:
        number, game, data, created, due, asked, missed = row
        try:
            return StoredQuiz(number, game, json.loads(data), created, due, asked, missed)
        except ValueError as error:
            raise BrokenLibrary(f"quiz {number} in {self.path} is damaged: {error}") from None

    # Writing

    def create(self, settings: GameSettings, new_events: Sequence[NewEvent] = (), at: float | None = None) -> str:
        """Adds a game, with events that follow its first one, and returns its id. Raises OSError."""
        at = time.time() if at is None else at
        id = new_id()
        text = _to_json(settings.to_json())
        with self._writing(is_lasting=True) as connection:
            row = (id, text, at, at, len(settings.start))
            connection.execute(
                "INSERT INTO game (id, settings, created, updated, events, stones, is_over, ending) "
                "VALUES (?, ?, ?, ?, 0, ?, 0, '')", row,
            )  # fmt: skip
            _add_events(connection, id, 0, [("created", {"settings": settings.to_json()}), *new_events], at)
        return id

    def append(self, id: str, expected: int, new_events: Sequence[NewEvent], at: float | None = None) -> list[Event]:
        """Adds events behind event number `expected`, all or none, and returns them; they are kept when this returns.

        Raises Stale where that is no longer the last one, NoGame where there is no such game, and OSError.
        """
        if not new_events:
            return []
        at = time.time() if at is None else at
        with self._writing(is_lasting=any(kind in _LASTING for kind, _ in new_events)) as connection:
            return _add_events(connection, id, expected, new_events, at)

    def delete(self, ids: Sequence[str]) -> int:
        """Deletes these games with all that belongs to them; returns how many there were. Raises OSError."""
        with self._writing(is_lasting=True) as connection:
            return sum(connection.execute("DELETE FROM game WHERE id = ?", (id,)).rowcount for id in ids)

    def need_room(self, count: int) -> None:
        """Raises ManyStudies where so many studies more are too many."""
        if count and self._select("SELECT count(*) FROM study")[0][0] + count > MOST_STUDIES:
            raise ManyStudies(f"up to {MOST_STUDIES} studies are kept: delete some first")

    def keep_study(self, id: str, version: int, study: StudyTree, at: float | None = None) -> int:
        """Writes the study over its version with that number, 0 for a new one, and returns the new number.

        Writing the same once more is as writing it once. Raises Stale where another version has been written or the
        study was deleted, ManyStudies, and OSError.
        """
        at = time.time() if at is None else at
        content = _to_json(study.to_json())
        values = (at, study.width, study.height, int(study.rule), study.tree.title, len(study.tree.nodes), content)
        with self._writing(is_lasting=False) as connection:
            row = connection.execute("SELECT version, content FROM study WHERE id = ?", (id,)).fetchone()
            last, kept = row or (0, None)
            if kept == content and version in (last - 1, last):
                return int(last)
            if last != version:
                raise Stale(f"the last version of study {id} is {last}, not {version}")
            if not last:
                self.need_room(1)
                connection.execute(
                    "INSERT INTO study (id, version, created, updated, width, height, rule, title, nodes, content) "
                    "VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?)", (id, at, *values),
                )  # fmt: skip
            connection.execute(
                "UPDATE study SET version = version + 1, updated = ?, width = ?, height = ?, rule = ?, title = ?, "
                "nodes = ?, content = ? WHERE id = ?", (*values, id),
            )  # fmt: skip
        return int(last) + 1

    def delete_studies(self, ids: Sequence[str]) -> int:
        """Deletes these studies; returns how many there were. Raises OSError."""
        with self._writing(is_lasting=True) as connection:
            return sum(connection.execute("DELETE FROM study WHERE id = ?", (id,)).rowcount for id in ids)

    def set_secret(self, id: str, seat: int, digest: bytes | None) -> None:
        """Keeps the hash of the secret for a seat, in the place of the one before; None takes it away.

        Raises NoGame and OSError.
        """
        number = self._number_of(id)
        with self._writing(is_lasting=True) as connection:
            connection.execute("DELETE FROM secret WHERE game = ? AND seat = ?", (number, seat))
            if digest is not None:
                connection.execute("INSERT INTO secret VALUES (?, ?, ?)", (number, seat, digest))

    def pass_on(self, id: str, digest: bytes, new: bytes) -> tuple[int, ...]:
        """Gives the seats of the secret with this hash to another one, which the first is not for any more.

        Returns these seats; of several who have the secret, one gets them, and the others none. Raises NoGame and
        OSError.
        """
        number = self._number_of(id)
        with self._writing(is_lasting=True) as connection:
            seats = self.seats_of(id, digest)
            for seat in seats:
                connection.execute("UPDATE secret SET digest = ? WHERE game = ? AND seat = ?", (new, number, seat))
            return seats

    def keep_quiz(self, position: str, data: dict[str, Any], game: str | None = None, at: float | None = None) -> int:
        """Keeps a quiz, due at once, and returns its number. One of the same position stays as it is, with new data.

        Raises NoGame and OSError.
        """
        at = time.time() if at is None else at
        row = (None if game is None else self.game(game).number, position, _to_json(data), at, at)
        with self._writing(is_lasting=False) as connection:
            connection.execute(
                "INSERT INTO quiz (game, position, data, created, due) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (position) DO UPDATE SET data = excluded.data, game = coalesce(game, excluded.game)", row,
            )  # fmt: skip
            found = connection.execute("SELECT number FROM quiz WHERE position = ?", (position,)).fetchone()
        return int(found[0])

    def answer_quiz(self, number: int, is_right: bool, due: float | None) -> None:
        """Counts an answer to a quiz, which is due next at `due`, None where it is solved. Raises OSError."""
        with self._writing(is_lasting=False) as connection:
            connection.execute(
                "UPDATE quiz SET asked = asked + 1, missed = missed + ?, due = ? WHERE number = ?",
                (not is_right, due, number),
            )

    def forget_quiz(self, number: int) -> None:
        """Takes a quiz away. Raises OSError."""
        with self._writing(is_lasting=True) as connection:
            connection.execute("DELETE FROM quiz WHERE number = ?", (number,))

    @contextlib.contextmanager
    def _writing(self, is_lasting: bool) -> Iterator[sqlite3.Connection]:
        """One transaction, taken back when it is left by an exception. `is_lasting`: also after a loss of power."""
        with self._lock:
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

    def _number_of(self, id: str) -> int:
        """The number of the game with that id. Raises NoGame, also for a number in its place."""
        rows = self._select("SELECT number FROM game WHERE id = ?", id)
        if not rows:
            raise NoGame(f"there is no game {id}")
        return int(rows[0][0])

    def _select(self, query: str, *values: object) -> list[Any]:
        try:
            with self._lock:
                return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise BrokenLibrary(_describe(self.path, error)) from None

    def _summary(self, row: Sequence[Any]) -> GameSummary:
        number, id, settings, created, updated, events, stones, is_over, winner, ending = row
        try:
            parsed = GameSettings.parse(json.loads(settings))
        except ValueError as error:
            raise BrokenLibrary(f"game {id} in {self.path} is damaged: {error}") from None
        return GameSummary(number, id, parsed, created, updated, events, stones, bool(is_over), winner, ending)


def new_id() -> str:
    """What links may call a new game or study by."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))


def _study_summary(row: Sequence[Any]) -> StudySummary:
    number, id, created, updated, version, width, height, rule, title, nodes = row
    return StudySummary(number, id, created, updated, version, width, height, Rule(rule), title, nodes)


def _add_events(
    connection: sqlite3.Connection, id: str, expected: int, new_events: Sequence[NewEvent], at: float
) -> list[Event]:
    row = connection.execute("SELECT number, events, updated, stones FROM game WHERE id = ?", (id,)).fetchone()
    if row is None:
        raise NoGame(f"there is no game {id}")
    number, last, updated, stones = row
    if last != expected:
        raise Stale(f"the last event of game {id} is {last}, not {expected}")
    at = max(at, updated)  # the system's clock may have been set back
    events = [Event(expected + place, at, kind, data) for place, (kind, data) in enumerate(new_events, start=1)]
    rows = [(number, event.n, event.at, event.kind, _to_json(event.data)) for event in events]
    connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?)", rows)
    stones += sum(1 if kind == "move" else -data["plies"] if kind == "undone" else 0 for kind, data in new_events)
    connection.execute(
        "UPDATE game SET events = ?, updated = ?, stones = ? WHERE number = ?", (last + len(events), at, stones, number)
    )
    for kind, data in new_events:
        if kind == "finished":
            connection.execute(
                "UPDATE game SET is_over = 1, winner = ?, ending = ? WHERE number = ?",
                (data["winner"], data["ending"], number),
            )
    return events


def _to_json(value: Any) -> str:
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
        if application != _APPLICATION_ID:
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
    """Gives a file of schema 1 its tables of studies and quizzes; another process may be about to do the same."""
    connection.execute("BEGIN IMMEDIATE")
    if _identity(connection)[1] < SCHEMA_VERSION:
        connection.execute(_STUDIES)
        connection.execute(_QUIZZES)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.execute("COMMIT")


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
            for statement in [*_SCHEMA.split(";\n"), _STUDIES, _QUIZZES]:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
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
