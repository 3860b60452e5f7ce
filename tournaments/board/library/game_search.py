"""The search in the list of games: words and quoted phrases that name a player, a rule, a result or a day."""

import re
import time
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from tournaments.board.game.events import End
from tournaments.rules.referee import Rule
from tournaments.translations.catalogue import languages, translate

LONGEST_SEARCH = 100
"""Letters of a search."""

_QUOTES = dict.fromkeys(map(ord, "\u201c\u201d\u201e\u00ab\u00bb\uff02\u300c\u300d"), '"')
_WORD = re.compile(r'"([^"]*)"?|([^\s"]+)')  # the second mark may be missing: it is still being written
_DAY = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?")
_DRAWN = f"is_over AND winner IS NULL AND ending <> '{End.STOPPED}'"
_RESULTS = {
    "1-0": "winner = 0",
    "0-1": "winner = 1",
    "draw": _DRAWN,
    "1/2-1/2": _DRAWN,
    "going": "NOT is_over",
}


@dataclass(frozen=True)
class SearchTerm:
    """One word or phrase. A game fits if one of its players has it in the name; or if it is played by one of `rules`;
    or if it ended or goes on as `result`, an SQL condition, says; or if it was played on the `days`, in seconds since
    1970."""

    word: str
    rules: tuple[int, ...] = ()
    result: str = ""
    days: tuple[float, float] | None = None

    def condition(self) -> tuple[str, list[object]]:
        """The SQL condition on a row of `game`, and its values."""
        parts, values = ["instr(names, ?)"], [self.word]  # type: tuple[list[str], list[object]]
        if self.rules:
            parts.append(f"rule IN ({', '.join('?' * len(self.rules))})")
            values += self.rules
        if self.result:
            parts.append(f"({self.result})")
        if self.days is not None:
            parts.append(_ON_DAYS)
            values += _day_values(self.days)
        return f"({' OR '.join(parts)})", values


_DATE = "CASE WHEN json_valid(settings) THEN json_extract(settings, '$.date') END"
_ON_DAYS = f"CASE WHEN {_DATE} IS NULL THEN created >= ? AND created < ? ELSE {_DATE} >= ? AND {_DATE} < ? END"
"""A game was played then: as its file says, or else when it began here."""


def _day_values(days: tuple[float, float]) -> list[object]:
    """The values of `_ON_DAYS`."""
    return [*days, *(time.strftime("%Y-%m-%d", time.localtime(end)) for end in days)]


_SEATS = [f"CASE WHEN json_valid(players) THEN json_extract(players, '$[{side}].kind') END" for side in (0, 1)]
_ALONE = f"({_SEATS[0]} = 'local') + ({_SEATS[1]} = 'local') = 1"
_KINDS = {
    "brain": f"{_ALONE} AND 'brain' IN ({', '.join(_SEATS)})",
    "brains": f"{_SEATS[0]} = 'brain' AND {_SEATS[1]} = 'brain'",
    "friend": f"'friend' IN ({', '.join(_SEATS)})",
    "local": f"{_SEATS[0]} = 'local' AND {_SEATS[1]} = 'local'",
}
_CHOSEN_RESULTS = {
    "black": _RESULTS["1-0"],
    "white": _RESULTS["0-1"],
    "draw": _RESULTS["draw"],
    "going": _RESULTS["going"],
    "won": f"{_ALONE} AND CASE winner WHEN 0 THEN {_SEATS[0]} WHEN 1 THEN {_SEATS[1]} END = 'local'",
    "lost": f"{_ALONE} AND CASE winner WHEN 0 THEN {_SEATS[1]} WHEN 1 THEN {_SEATS[0]} END = 'local'",
}


@dataclass(frozen=True)
class GameFilter:
    """A choice among the games, by a player's whole name or a part of it, a rule, a result, the kind of the players and
    a day; "" and None choose all.

    result: black, white, draw or going; won or lost by the only person at this screen. kind: that person against a
    brain or a friend, two people at this screen (local), or brains.
    """

    player: str = ""
    rule: int | None = None
    result: str = ""
    kind: str = ""
    day: str = ""

    def condition(self) -> tuple[str, list[object]]:
        """The SQL condition on a row of `game`, and its values."""
        parts: list[str] = ["1"]
        values: list[object] = []
        if self.player:
            parts.append("instr(names, ?)")
            values.append(self.player.casefold())
        if self.rule is not None:
            parts.append("rule = ?")
            values.append(self.rule)
        if self.result:
            parts.append(f"({_CHOSEN_RESULTS[self.result]})")
        if self.kind:
            parts.append(f"({_KINDS[self.kind]})")
        if self.day:
            days = _days_of(self.day)
            parts.append("0" if days is None else _ON_DAYS)
            values += () if days is None else _day_values(days)
        return " AND ".join(parts), values


@dataclass(frozen=True)
class SeatHolder:
    """The games in which a browser has a seat, by the hash of its key."""

    digest: bytes

    def condition(self) -> tuple[str, list[object]]:
        """The SQL condition on a row of `game`, and its values."""
        return "number IN (SELECT game FROM secret WHERE digest = ?)", [self.digest]


class Condition(Protocol):
    """A choice among the games."""

    def condition(self) -> tuple[str, list[object]]:
        """The SQL condition on a row of `game`, and its values."""


def parse_search(text: str) -> list[SearchTerm]:
    """The words of a search; a game is found if it fits all of them. Words within quotation marks are one phrase.

    A word is a part of a player's name; or of a rule's name, in any language of the board; or 1-0, 0-1, draw or going;
    or a year, a month or a day such as 2026, 2026-11 or 2026-11-25, in the time zone of this machine.
    """
    plain = text[:LONGEST_SEARCH].casefold().replace("\u2013", "-").translate(_QUOTES)
    words = [" ".join((phrase or word).split()) for phrase, word in _WORD.findall(plain)]
    return [_term(word) for word in words if word]


def _term(word: str) -> SearchTerm:
    rules = tuple(rule for rule, names in _rule_names().items() if any(word in name for name in names))
    return SearchTerm(word, rules, _RESULTS.get(word.replace("\u00bd", "1/2"), ""), _days_of(word))


@cache
def _rule_names() -> dict[int, tuple[str, ...]]:
    return {
        int(rule): (rule.title, *(translate(f"page.rule_{int(rule)}", language).casefold() for language in languages()))
        for rule in Rule
    }


def _days_of(word: str) -> tuple[float, float] | None:
    found = _DAY.fullmatch(word)
    if found is None:
        return None
    year, month, day = (int(part) if part else 0 for part in found.groups())
    if month > 12 or day > 31:
        return None
    ends = (year, month, day + 1) if day else (year, month + 1, 1) if month else (year + 1, 1, 1)
    try:
        begin, end = (time.mktime((*date, 0, 0, 0, 0, 0, -1)) for date in ((year, month or 1, day or 1), ends))
    except (OverflowError, ValueError):
        return None
    return begin, end
