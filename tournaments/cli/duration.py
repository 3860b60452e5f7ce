"""The duration of a run: a line before a run of more than a minute, and then the time that is left, once a minute."""

import sys
import time
from collections.abc import Callable, Iterable

from tournaments.files.text import printable
from tournaments.rules.words import quantity
from tournaments.setup.settings import BrainSettings, TournamentSettings

LONG = 60.0
"""Seconds from which a run is announced, and between two lines on the time that is left."""
TYPICAL_MOVES = 40
"""The moves of a game that estimates assume, both sides together."""
NODES_TIME = 0.1
"""The seconds that estimates assume for a move of a brain whose level or number of nodes is fixed."""

YEAR = 365 * 24 * 3600.0
"""Seconds from which an estimate gives no number."""


def format_duration(seconds: float) -> str:
    """A duration in words, with two units at most: "45 s", "8 min", "1 h 20 min", "2 days 3 h"."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{max(1, round(seconds))} s"
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(hours, 24)
    return f"{quantity(days, 'day')} {hours} h" if hours else quantity(days, "day")


def format_estimate(seconds: float) -> str:
    """An estimated duration in words: "about 8 min", or "more than a year"."""
    return f"about {format_duration(seconds)}" if seconds < YEAR else "more than a year"


def full_game_time(settings: TournamentSettings, brains: Iterable[BrainSettings]) -> float:
    """The seconds of a game of TYPICAL_MOVES in which every move takes its full time, on average over the brains."""
    times = []
    for brain in brains:
        turn = settings.turn_time if brain.turn_time is None else brain.turn_time
        match = settings.match_time if brain.match_time is None else brain.match_time
        increment = settings.increment if brain.increment is None else brain.increment
        if {key.lower() for key, _ in brain.info} & {"max_node", "level"}:
            turn = min(turn, NODES_TIME)
        moves = TYPICAL_MOVES / 2
        times.append(moves * turn if match is None else min(moves * turn, match + moves * increment))
    return 2 * sum(times) / len(times) if times else 0.0


def describe_games(games: int, settings: TournamentSettings, brains: Iterable[BrainSettings]) -> str:
    """A sentence on the time that this number of games takes, "" if that is less than LONG."""
    seconds = games * full_game_time(settings, brains) / max(1, min(games, settings.concurrency))
    if seconds < LONG:
        return ""
    at_once = "one at a time" if settings.concurrency == 1 else f"{settings.concurrency} at a time"
    return (
        f"{quantity(games, 'game')}, {at_once}: {format_estimate(seconds)} if games have {TYPICAL_MOVES} moves "
        "and every move takes its full time; usually less"
    )


def tell_user(text: str) -> None:
    """Writes a line to stderr, apart from the results on stdout."""
    print(printable(text), file=sys.stderr, flush=True)


class Count:
    """Tells at most once a minute how many parts of a run are done, if the number of all parts is not known."""

    def __init__(
        self, noun: str, tell: Callable[[str], None] = tell_user, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._noun, self._tell, self._clock = noun, tell, clock
        self._told = clock()

    def __call__(self, done: int) -> None:
        """Takes the number of parts that are done."""
        now = self._clock()
        if now - self._told >= LONG:
            self._told = now
            self._tell(f"{quantity(done, self._noun)} done so far")


class Countdown:
    """Tells at most once a minute how much of a run is done, and how much time is left at the speed so far.

    total: the number of parts; noun: the name of one part, in the singular; tell: writes a line.
    """

    def __init__(
        self,
        total: int,
        noun: str,
        tell: Callable[[str], None] = tell_user,
        done: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total, self._noun, self._tell, self._clock = total, noun, tell, clock
        self._before = self._done = done
        self._began = self._told = clock()

    def announce(self, seconds: float) -> None:
        """Tells an upper estimate of the whole time, if it is LONG or more."""
        if seconds >= LONG:
            text = f"{format_estimate(seconds)} at most" if seconds < YEAR else "perhaps more than a year"
            self._tell(f"{quantity(self._total, self._noun)}: {text}")

    def advance(self, parts: int = 1) -> None:
        """More parts are done."""
        self._done += parts
        now = self._clock()
        if now - self._told < LONG or not self._before < self._done < self._total:
            return
        self._told = now
        left = (now - self._began) / (self._done - self._before) * (self._total - self._done)
        self._tell(f"{self._done} of {quantity(self._total, self._noun)} done, {format_estimate(left)} left")
