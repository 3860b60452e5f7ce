"""A game and its place in the library: new events are on disk before the game here has them."""

from collections.abc import Callable, Sequence

from tournaments.board.game.actions import Action
from tournaments.board.game.events import Event, NewEvent
from tournaments.board.game.game import Game
from tournaments.board.game.seat_rules import SeatRules
from tournaments.board.game.steady_time import PROCESS_TIME, process_now
from tournaments.board.library.library import Library
from tournaments.board.library.library_file import Stale

_TRIES = 100


class StoredGame:
    """A game of the library, after the last event that was read here. For one thread at a time.

    Other processes may play in the same game: `refresh` reads their events. `hears`, if given, is called with every
    event, right after it was applied.
    """

    def __init__(
        self,
        library: Library,
        id: str,
        clock: Callable[[], float] = process_now,
        hears: Callable[[Event], None] | None = None,
        lost: Callable[[float, float], float] = PROCESS_TIME.lost,
    ) -> None:
        """Reads the game. Raises NoGame if there is none, BrokenGame and BrokenLibrary.

        clock: seconds since 1970. lost: how many of the seconds between two times of that clock no player is charged.
        """
        self._library = library
        self._clock = clock
        self._hears = hears
        self._lost = lost
        self._ahead = 0.0
        self.id = id
        self.game = Game.from_events(library.games.events(id), id)
        self._follow()

    def now(self) -> float:
        """The time in this game; if the system's clock was set back, the time goes on from the last event. May be
        called in any thread."""
        return self._clock() + self._ahead

    def _follow(self) -> None:
        self._ahead = max(self._ahead, self.game.last_at - self._clock())

    def do(self, action: Action) -> list[Event]:
        """Writes the action's events, and then applies them; returns the new events, also those of other programs.

        No player is charged time in which this process did not run. If a player's time has run out, that ends the game
        first. Raises Refused, and OSError if nothing could be written; then the game is unchanged.
        """
        return self.expire() + self._write(lambda rules, now: rules.decide(action, now))

    def wake(self) -> list[Event]:
        """Goes on with a game that another program has left: the clock stood while no program had the game."""
        return self.refresh() + self._write(lambda rules, now: rules.wake())

    def expire(self) -> list[Event]:
        """Ends the game if a player's time has run out; returns the new events, also those of other programs."""
        events = self.refresh()
        events += self._write(lambda rules, now: rules.forgive(self._lost_of(now)))
        return events + self._write(lambda rules, now: rules.expire(now))

    def _lost_of(self, now: float) -> float:
        """The seconds of the running clock that no player is charged."""
        clocks = self.game.clocks
        return 0.0 if clocks is None else self._lost(clocks.since - self._ahead, now - self._ahead)

    def _write(self, decide: Callable[[SeatRules, float], list[NewEvent]]) -> list[Event]:
        events: list[Event] = []
        for _ in range(_TRIES):
            now = self.now()
            try:
                added = self._library.games.append(self.id, self.game.event, decide(SeatRules(self.game), now), now)
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
        self._follow()
