"""The games of the library: their logs of events, and the secrets of their seats.

An event is on disk before any client is told of it. Events that end a game survive a loss of power
(`synchronous=FULL`); the others survive any end of the process, and a loss of power may take the last of them (NORMAL,
in WAL mode).

Each append names the event that it follows, and one that comes too late is refused (`Stale`), so that two programs that
play in one game cannot both write the next event.
"""

import json
import secrets
import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.board.game.events import End, Event, GameSettings, NewEvent, Seat
from tournaments.board.library.game_columns import SEATING_EVENTS, write_game_columns
from tournaments.board.library.game_search import Condition
from tournaments.board.library.library_file import BrokenLibrary, LibraryFile, NoGame, Stale, new_id, to_json

_LASTING = frozenset(("created", "resigned", "timed_out", "finished"))
_SUMMARY = "number, id, settings, created, updated, events, stones, is_over, winner, ending, players"


@dataclass(frozen=True)
class GameSummary:
    """One line of a list of games; `stones` are those on the board, `events` is the number of the last event, `players`
    are Black's and White's players after that event.

    fault: why the game cannot be read, "" if it can be read; the settings of an unreadable game are not its own.
    """

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
    players: tuple[Seat, Seat]
    fault: str = ""

    @property
    def is_decided(self) -> bool:
        """Whether it has a result: not while it goes on, nor if the owner has ended it."""
        return self.is_over and self.ending != End.STOPPED


class Games:
    """The table of games. Methods that read raise BrokenLibrary and NoGame, those that write OSError, in one sentence;
    then nothing has been written."""

    def __init__(self, file: LibraryFile) -> None:
        self._file = file

    def all(
        self,
        most: int = -1,
        only_going: bool = False,
        skip: int = 0,
        search: Sequence[Condition] = (),
        empty_since: float | None = None,
        only_played: bool = False,
    ) -> list[GameSummary]:
        """The games, the last played first; `most` of them after the first `skip`, or all.

        only_going: without those that are over. search: only those that fit all conditions. empty_since: games without
        a stone only if they have an event later than that, in seconds since 1970. only_played: without those that came
        from a file, until a player goes on with them here. A game that cannot be read is in the list, with its fault.
        """
        where, values = _conditions(only_going, search, empty_since, only_played)
        rows = self._file.select(
            f"SELECT {_SUMMARY} FROM game {where} ORDER BY updated DESC, number DESC LIMIT ? OFFSET ?",
            *values,
            most,
            skip,
        )
        return [self._summary(row) for row in rows]

    def count(self, search: Sequence[Condition] = (), empty_since: float | None = None) -> int:
        """The number of games that `all` would return."""
        where, values = _conditions(False, search, empty_since)
        return int(self._file.select(f"SELECT count(*) FROM game {where}", *values)[0][0])

    def find(self, name: str) -> GameSummary:
        """The game with that id or number. Raises NoGame."""
        is_number = name.isascii() and name.isdecimal() and len(name) < 10
        by_number = self._file.select(f"SELECT {_SUMMARY} FROM game WHERE number = ?", int(name)) if is_number else []
        rows = self._file.select(f"SELECT {_SUMMARY} FROM game WHERE id = ?", name) or by_number
        if not rows:
            raise NoGame(f"there is no game {name}")
        return self._summary(rows[0])

    def rematch_of(self, id: str) -> str | None:
        """The id of the first game that goes on from this one; None if there is none."""
        rows = self._file.select("SELECT id FROM game WHERE origin = ? ORDER BY number LIMIT 1", id)
        return str(rows[0][0]) if rows else None

    def events(self, id: str, after: int = 0) -> list[Event]:
        """The events of a game that come after number `after`, in order. Raises NoGame."""
        with self._file.lock:
            rows = self._file.select(
                "SELECT n, at, kind, data FROM event WHERE game = (SELECT number FROM game WHERE id = ?) AND n > ? "
                "ORDER BY n",
                id,
                after,
            )
            if not rows:
                self._number_of(id)
        try:
            return [Event(n, at, kind, json.loads(data)) for n, at, kind, data in rows]
        except ValueError as error:
            raise BrokenLibrary(f"game {id} in {self._file.path} is damaged: {error}") from None

    def seats_of(self, id: str, digest: bytes) -> tuple[int, ...]:
        """The seats of the game that the secret with this hash is for; compares in constant time. Raises NoGame."""
        rows = self._file.select("SELECT seat, digest FROM secret WHERE game = ? ORDER BY seat", self._number_of(id))
        return tuple(seat for seat, kept in rows if secrets.compare_digest(kept, digest))

    def is_seated(self, digest: bytes) -> bool:
        """Whether the secret with this hash is for a seat in any game."""
        return bool(self._file.select("SELECT 1 FROM secret WHERE digest = ? LIMIT 1", digest))

    def create(self, settings: GameSettings, new_events: Sequence[NewEvent] = (), at: float | None = None) -> str:
        """Adds a game, with events that follow its first one, and returns its id. Raises OSError."""
        (id,) = self.create_all([(settings, new_events)], at)
        return id

    def create_all(
        self, games: Iterable[tuple[GameSettings, Sequence[NewEvent]]], at: float | None = None
    ) -> list[str]:
        """Adds games, all or none, and returns their ids. Raises OSError."""
        at = time.time() if at is None else at
        ids = []
        with self._file.writing(is_lasting=True) as connection:
            for settings, new_events in games:
                ids.append(new_id())
                connection.execute(
                    "INSERT INTO game (id, settings, created, updated, events, stones, is_over, ending) "
                    "VALUES (?, ?, ?, ?, 0, ?, 0, '')",
                    (ids[-1], to_json(settings.to_json()), at, at, len(settings.start)),
                )
                _add_events(connection, ids[-1], 0, [("created", {"settings": settings.to_json()}), *new_events], at)
        return ids

    def append(self, id: str, expected: int, new_events: Sequence[NewEvent], at: float | None = None) -> list[Event]:
        """Adds events after event number `expected`, all or none, and returns them; they are kept when this returns.

        Raises Stale if that is not the last event any more, NoGame if the game does not exist, and OSError.
        """
        if not new_events:
            return []
        at = time.time() if at is None else at
        with self._file.writing(is_lasting=any(kind in _LASTING for kind, _ in new_events)) as connection:
            return _add_events(connection, id, expected, new_events, at)

    def delete(self, ids: Sequence[str]) -> int:
        """Deletes these games with all that belongs to them; returns how many existed. Raises OSError."""
        with self._file.writing(is_lasting=True) as connection:
            return sum(connection.execute("DELETE FROM game WHERE id = ?", (id,)).rowcount for id in ids)

    def set_secret(self, id: str, seat: int, digest: bytes | None) -> None:
        """Keeps the hash of the secret for a seat, and drops the earlier one; None only drops it.

        Raises NoGame and OSError.
        """
        number = self._number_of(id)
        with self._file.writing(is_lasting=True) as connection:
            connection.execute("DELETE FROM secret WHERE game = ? AND seat = ?", (number, seat))
            if digest is not None:
                connection.execute("INSERT INTO secret VALUES (?, ?, ?)", (number, seat, digest))

    def pass_on(self, id: str, digest: bytes, new: bytes) -> tuple[int, ...]:
        """Gives the seats of the secret with this hash to another secret; the first does not open them any more.

        Returns these seats; if several clients have the secret, the first gets the seats, and the others none. Raises
        NoGame and OSError.
        """
        number = self._number_of(id)
        with self._file.writing(is_lasting=True) as connection:
            seats = self.seats_of(id, digest)
            for seat in seats:
                connection.execute("UPDATE secret SET digest = ? WHERE game = ? AND seat = ?", (new, number, seat))
            return seats

    def _number_of(self, id: str) -> int:
        """The number of the game with that id. Raises NoGame, also for a number in its place."""
        rows = self._file.select("SELECT number FROM game WHERE id = ?", id)
        if not rows:
            raise NoGame(f"there is no game {id}")
        return int(rows[0][0])

    def _summary(self, row: Sequence[Any]) -> GameSummary:
        number, id, settings, created, updated, events, stones, is_over, winner, ending, players = row
        fault = ""
        try:
            parsed = GameSettings.parse(json.loads(settings))
            black, white = (Seat.parse(seat) for seat in json.loads(players)) if players else parsed.seats
        except (ValueError, TypeError, RecursionError) as error:
            # It may be damaged, or written by a newer version: the other games are not to suffer from it.
            parsed, fault = GameSettings(), f"game {number} cannot be read: {error}"
            black, white = parsed.seats
        return GameSummary(
            number, id, parsed, created, updated, events, stones, bool(is_over), winner, ending, (black, white), fault
        )


def _conditions(
    only_going: bool, search: Sequence[Condition], empty_since: float | None, only_played: bool = False
) -> tuple[str, list[object]]:
    """The end of a query for the games that `Games.all` describes, and its values."""
    conditions: list[str] = ["NOT is_over"] if only_going else []
    values: list[object] = []
    for each in search:
        condition, more = each.condition()
        conditions.append(condition)
        values += more
    if empty_since is not None:
        conditions.append("(stones > 0 OR updated > ?)")
        values.append(empty_since)
    if only_played:  # the events of a game from a file are written together
        conditions.append("(events = 1 OR updated > created)")
    return f"WHERE {' AND '.join(conditions)}" if conditions else "", values


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
    rows = [(number, event.n, event.at, event.kind, to_json(event.data)) for event in events]
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
    if any(kind == "created" or kind in SEATING_EVENTS for kind, _ in new_events):
        write_game_columns(connection, number)
    return events
