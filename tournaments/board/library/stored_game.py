"""A game and its place in the library: what is decided is on disk before the game here knows of it."""

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
    """A game of the library, as of the last event that was read here. Of one thread at a time.

    Other processes may play in the same game: `refresh` reads what they did. `hears`, if given, is told of every event
    right after it was applied.
    """

    def __init__(
        self,
        library: Library,
        id: str,
        clock: Callable[[], float] = process_now,
        hears: Callable[[Event], None] | None = None,
        lost: Callable[[float, float], float] = PROCESS_TIME.lost,
    ) -> None:
        """Reads the game. Raises NoGame where there is none, BrokenGame and BrokenLibrary.

        clock: seconds since 1970. lost: how many of the seconds between two times of that clock are nobody's.
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
        """The time in this game, which goes on from its last event where the system's clock was set back. This may be
        asked for in any thread."""
        return self._clock() + self._ahead

    def _follow(self) -> None:
        self._ahead = max(self._ahead, self.game.last_at - self._clock())

    def do(self, action: Action) -> list[Event]:
        """Writes what the action means in the game, and then applies it; returns the events, those of others included.

        Time in which this process did not run is nobody's. Time that has run out ends the game first. Raises Refused,
        and OSError when nothing could be written; then the game is as it was.
        """
        return self.expire() + self._write(lambda rules, now: rules.decide(action, now))

    def wake(self) -> list[Event]:
        """What a program does with a game that it finds going on: the clock stood while no program was there."""
        return self.refresh() + self._write(lambda rules, now: rules.wake())

    def expire(self) -> list[Event]:
        """Ends the game if somebody's time has run out; returns the events, those of others included."""
        events = self.refresh()
        events += self._write(lambda rules, now: rules.forgive(self._lost_of(now)))
        return events + self._write(lambda rules, now: rules.expire(now))

    def _lost_of(self, now: float) -> float:
        """The seconds of the running clock that are nobody's."""
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
