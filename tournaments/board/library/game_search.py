"""The search in the list of games: words that name a player, a rule, a result or a day."""

import re
import time
from dataclasses import dataclass
from functools import cache

from tournaments.rules.referee import Rule
from tournaments.translations.catalogue import languages, translate

LONGEST_SEARCH = 100
"""Letters of a search."""

_DAY = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?")
_RESULTS = {
    "1-0": "winner = 0",
    "0-1": "winner = 1",
    "draw": "is_over AND winner IS NULL",
    "1/2-1/2": "is_over AND winner IS NULL",
    "going": "NOT is_over",
}


@dataclass(frozen=True)
class SearchTerm:
    """One word. A game fits if one of its players has the word in the name; or if it is played by one of `rules`; or if
    it ended or goes on as `result`, an SQL condition, says; or if it began on the `days`, in seconds since 1970."""

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
            parts.append("(created >= ? AND created < ?)")
            values += self.days
        return f"({' OR '.join(parts)})", values


def parse_search(text: str) -> list[SearchTerm]:
    """The words of a search; a game is found if it fits all of them.

    A word is a part of a player's name; or of a rule's name, in any language of the board; or 1-0, 0-1, draw or going;
    or a year, a month or a day such as 2026, 2026-11 or 2026-11-25, in the time zone of this machine.
    """
    return [_term(word) for word in text[:LONGEST_SEARCH].casefold().replace("\u2013", "-").split()]


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
