"""A game and its place in the library: what is decided is on disk before the game here knows of it."""

import contextlib
import time
from collections.abc import Callable, Sequence

from tournaments.board.game.events import Event, NewEvent, Seat
from tournaments.board.game.game import BrokenGame, Game
from tournaments.board.library.games import GameSummary
from tournaments.board.library.library import Library
from tournaments.board.library.library_file import NoGame, Stale
from tournaments.rules.referee import BLACK, WHITE

Action = Callable[[Game, float], list[NewEvent]]
"""What one of the verbs of `Game` would write down, at that time; it may raise Refused."""

_TRIES = 100


class StoredGame:
    """A game of the library, as of the last event that was read here. Of one thread at a time.

    Other processes may play in the same game: `refresh` reads what they did. `hears`, if given, is told of every event
    right after it was applied.
    """

    def __init__(
        self,
        library: Library,
        id: str,
        clock: Callable[[], float] = time.time,
        hears: Callable[[Event], None] | None = None,
    ) -> None:
        """Reads the game. Raises NoGame where there is none, BrokenGame and BrokenLibrary."""
        self._library = library
        self._clock = clock
        self._hears = hears
        self.id = id
        self.game = Game.from_events(library.games.events(id), id)

    def do(self, action: Action) -> list[Event]:
        """Writes what `decide` says of the game, and then applies it; returns the events, those of others included.

        Time that has run out ends the game first. Raises Refused, and OSError when nothing could be written; then the
        game is as it was.
        """
        events = self.refresh()
        events += self._write(lambda game, now: game.expire(now))
        return events + self._write(action)

    def wake(self) -> list[Event]:
        """What a program does with a game that it finds going on: the clock stood while no program was there."""
        return self.refresh() + self._write(lambda game, now: game.wake())

    def expire(self) -> list[Event]:
        """Ends the game if somebody's time has run out; returns the events."""
        return self.do(lambda game, now: [])

    def _write(self, action: Action) -> list[Event]:
        events: list[Event] = []
        for _ in range(_TRIES):
            now = self._clock()
            try:
                added = self._library.games.append(self.id, self.game.event, action(self.game, now), now)
            except Stale:
                events += self.refresh()
            else:
                self._take(added)
                return events + added
        raise OSError(f"others write to game {self.id} all the time")

    def refresh(self) -> list[Event]:
        """Reads the events that others have added, and applies them."""
        events = self._library.games.events(self.id, self.game.event)
        self._take(events)
        return events

    def _take(self, events: Sequence[Event]) -> None:
        for event in events:
            self.game.apply(event)
            if self._hears is not None:
                self._hears(event)


def players(library: Library, summary: GameSummary) -> tuple[Seat, Seat]:
    """Who has Black and who White; after a swap opening only the events say so. Raises BrokenLibrary."""
    seats = summary.settings.seats
    if summary.settings.opening != "free":
        # A game that is broken, or has just been deleted, is in lists all the same.
        with contextlib.suppress(BrokenGame, NoGame):
            game = Game.from_events(library.games.events(summary.id), summary.id)
            return game.seats[game.seat_of(BLACK)], game.seats[game.seat_of(WHITE)]
    return seats
