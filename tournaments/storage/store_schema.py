"""The tables of a tournament's file, and how rows of Python are put into them and taken out."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from tournaments.rules.ending import Ending
from tournaments.stats.results import GameRow

SCHEMA_VERSION = 2
"""Version 1 counted the rows of cells, in openings and in details, from the top. It had the whole schedule from the
beginning, without `opening` and without the number of all games. Reading translates it, and opening it for writing
makes it version 2."""
READABLE = (1, SCHEMA_VERSION)
APPLICATION_ID = 0x54454E47  # "TENG", so that any other SQLite file is told apart

SCHEMA = """
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
    games INTEGER NOT NULL           -- the number of all games of the tournament
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
OPENING_SCHEMA = """
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


def add_game(connection: sqlite3.Connection, game: GameRow, moves: Sequence[MoveRow]) -> bool:
    """Writes a game and its moves; returns False, and writes nothing, if the store has this game already."""
    row = values_of(game)
    if not connection.execute(f"INSERT OR IGNORE INTO game VALUES ({placeholders(row)})", row).rowcount:
        return False
    if moves:
        # Many rows a statement: sqlite3 gives up Python's lock for each, and where another thread is busy it gets it
        # back only 5 ms later. SQLite limits the values of a statement, to 999 before its version 3.32.
        values = (1 + len(MoveRow._fields)) * [""]
        most = connection.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER) // len(values)
        for start in range(0, len(moves), most):
            some = moves[start : start + most]
            rows = ", ".join([f"({placeholders(values)})"] * len(some))
            connection.execute(
                f"INSERT INTO move VALUES {rows}", [value for move in some for value in (game.number, *move)]
            )
    return True


def tournament_of(*row: Any) -> TournamentRow:
    """Returns a row of the table tournament, its settings parsed."""
    tournament = TournamentRow(*row)
    return replace(tournament, settings=json.loads(str(tournament.settings)))


def game_of(*row: Any) -> GameRow:
    """Returns a row of the table game. Raises KeyError for an ending that is not known."""
    game = GameRow(*row)
    return replace(game, ending=Ending[str(game.ending)])


def values_of(row: Any) -> tuple[Any, ...]:
    """The fields of a row as SQLite stores them, in the order of the table's columns."""
    values = (getattr(row, field.name) for field in fields(row))
    return tuple(value.name if isinstance(value, Ending) else value for value in values)


def placeholders(row: Sequence[object]) -> str:
    """Returns a question mark for each value of a row, as a statement of SQL takes them."""
    return ", ".join("?" * len(row))


def insert(connection: sqlite3.Connection, table: str, rows: Iterable[Sequence[Any]]) -> None:
    """Writes rows of the same length into a table."""
    values = list(rows)
    if values:
        connection.executemany(f"INSERT INTO {table} VALUES ({placeholders(values[0])})", values)
