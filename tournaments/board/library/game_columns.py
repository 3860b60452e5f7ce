"""The columns of a game's row for lists and searches, made from its settings and its events."""

import contextlib
import json
import sqlite3

from tournaments.board.game.events import Event, GameSettings, title_of
from tournaments.board.game.game import BrokenGame, Game
from tournaments.rules.referee import BLACK, WHITE

SEATING_EVENTS = frozenset(("changed", "chosen", "sat"))
"""Events that put another player on a side, or a friend with a name."""


def write_game_columns(connection: sqlite3.Connection, number: int) -> None:
    """Writes the columns for lists and searches into a game's row, from its settings and its events."""
    (text,) = connection.execute("SELECT settings FROM game WHERE number = ?", (number,)).fetchone()
    try:
        settings = GameSettings.parse(json.loads(text))
    except (ValueError, TypeError, RecursionError):
        return  # such a game is listed with its fault
    players = settings.seats
    rows = connection.execute("SELECT n, at, kind, data FROM event WHERE game = ? ORDER BY n", (number,)).fetchall()
    if any(kind in SEATING_EVENTS for _, _, kind, _ in rows):
        # A game that is broken is listed with the players of its beginning; it cannot be opened.
        with contextlib.suppress(BrokenGame, ValueError):
            game = Game.from_events(Event(n, at, kind, json.loads(data)) for n, at, kind, data in rows)
            players = game.seats[game.seat_of(BLACK)], game.seats[game.seat_of(WHITE)]
    connection.execute(
        "UPDATE game SET rule = ?, players = ?, names = ?, origin = ? WHERE number = ?",
        (
            int(settings.rule),
            json.dumps([seat.to_json() for seat in players], ensure_ascii=False),
            "\n".join(title_of(seat) for seat in players).casefold(),
            settings.origin and settings.origin[0],
            number,
        ),
    )
