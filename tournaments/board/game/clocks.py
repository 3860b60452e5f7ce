"""The clocks of a game: a time for the whole game and an increment for each move (Fischer), for people alone.

A clock runs from one event to the next and uses only the times of events, so that applying the events of a game again
gives the same times. It stands before the first move, in a pause, while a player is missing, and while no program had
the game.
"""

from dataclasses import dataclass, field, replace
from typing import Self

from tournaments.board.game.events import ClockSettings


@dataclass
class GameClocks:
    """`left` are the seconds of each seat at the time `since`, None for a brain, which has no clock.

    `running` is the seat whose clock runs since `since` (seconds since 1970), None while both stand.
    """

    settings: ClockSettings
    left: list[float | None]
    running: int | None = None
    since: float = field(default=0.0)

    def copy(self) -> Self:
        """The same clocks, which run on their own."""
        return replace(self, left=list(self.left))

    def at(self, now: float) -> list[float | None]:
        """The seconds of both seats at that moment, none below 0."""
        left = list(self.left)
        if self.running is not None:
            mine = left[self.running]
            left[self.running] = None if mine is None else max(0.0, mine - max(0.0, now - self.since))
        return left

    def stop(self, now: float) -> None:
        """Charges the time up to `now`, and both stand."""
        self.left = self.at(now)
        self.running = None

    def forget(self) -> None:
        """Both stand, and no seat is charged the time since the last event."""
        self.running = None

    def run(self, seat: int, now: float) -> None:
        """Lets the clock of a seat run from now on; a brain's never does."""
        self.running = None if self.left[seat] is None else seat
        self.since = now

    def add_increment(self, seat: int) -> None:
        """After a move of that seat."""
        mine = self.left[seat]
        if mine is not None:
            self.left[seat] = mine + self.settings.increment

    def take_increment_back(self, seat: int) -> None:
        """After a move of that seat was taken back, so that moves made again and again bring no time.

        A seat that has less than that keeps what it has.
        """
        mine, increment = self.left[seat], self.settings.increment
        if mine is not None:
            self.left[seat] = max(mine - increment, min(mine, increment))

    def expired(self, now: float) -> int | None:
        """The seat that has no time left, None while there is some."""
        return self.running if self.running is not None and self.at(now)[self.running] == 0.0 else None
