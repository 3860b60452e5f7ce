"""The duration of a run: a line before a run of more than a minute, and then the time that is left, once a minute."""

import sys
import time
from collections.abc import Callable, Iterable

from tournaments.files.text import printable
from tournaments.rules.words import quantity
from tournaments.setup.settings import BrainSettings, TournamentSettings
from tournaments.translations.catalogue import ENGLISH, translate

LONG = 60.0
"""Seconds from which a run is announced, and between two lines on the time that is left."""
TYPICAL_MOVES = 40
"""The moves of a game that estimates assume, both sides together."""
NODES_TIME = 0.1
"""The seconds that estimates assume for a move of a brain whose level or number of nodes is fixed."""

YEAR = 365 * 24 * 3600.0
"""Seconds from which an estimate gives no number."""


def format_duration(seconds: float, language: str = ENGLISH) -> str:
    """A duration in words, with two units at most: "45 s", "8 min", "1 h 20 min", "2 days 3 h"."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return translate("run.seconds", language, seconds=max(1, round(seconds)))
    if minutes < 60:
        return translate("run.minutes", language, minutes=minutes)
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return translate("run.hours_minutes" if minutes else "run.hours", language, hours=hours, minutes=minutes)
    days, hours = divmod(hours, 24)
    return translate("run.days_hours" if hours else "run.days", language, days=days, hours=hours)


def format_estimate(seconds: float, language: str = ENGLISH) -> str:
    """An estimated duration in words: "about 8 min", or "more than a year"."""
    if seconds >= YEAR:
        return translate("run.year", language)
    return translate("run.about", language, time=format_duration(seconds, language))


def _parts(count: int, noun: str, language: str) -> str:
    """A number of parts of a run, such as "12 moves"; the noun is one of the catalogue's, in the singular."""
    return translate(f"run.{noun}", language, count=count)


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
        times.append(min(moves * turn, match + moves * increment) if match else moves * turn)
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
            self._tell(translate("run.done_so_far", parts=_parts(done, self._noun, ENGLISH)))


class Countdown:
    """Tells at most once a minute how much of a run is done, and how much time is left at the speed so far.

    total: the number of parts; noun: the name of one part, as the catalogue has it after "run."; tell: writes a line.
    """

    def __init__(
        self,
        total: int,
        noun: str,
        tell: Callable[[str], None] = tell_user,
        done: int = 0,
        clock: Callable[[], float] = time.monotonic,
        language: str = ENGLISH,
    ) -> None:
        self._parts, self._total, self._tell, self._clock = _parts(total, noun, language), total, tell, clock
        self._language = language
        self._before = self._done = done
        self._began = self._told = clock()

    def announce(self, seconds: float) -> None:
        """Tells an upper estimate of the whole time, if it is LONG or more."""
        if seconds >= LONG:
            estimate = format_estimate(seconds, self._language)
            text = self._say("run.most", time=estimate) if seconds < YEAR else self._say("run.perhaps_year")
            self._tell(self._say("run.takes", parts=self._parts, time=text))

    def advance(self, parts: int = 1) -> None:
        """More parts are done."""
        self._done += parts
        now = self._clock()
        if now - self._told < LONG or not self._before < self._done < self._total:
            return
        self._told = now
        left = (now - self._began) / (self._done - self._before) * (self._total - self._done)
        estimate = format_estimate(left, self._language)
        self._tell(self._say("run.done", done=self._done, parts=self._parts, left=estimate))

    def _say(self, key: str, **values: object) -> str:
        return translate(key, self._language, **values)
