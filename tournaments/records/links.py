"""Positions in links: gomocalc's, the renju portals', and our own, recognised by their form.

https://gomocalc.com/#/h8i9j10        stones in pos notation; 15x15, and no rule
.../board?mvs=778698                  two hexadecimal digits a stone, column and row from the top left; renju
http://.../#15/renju/h8i9j10.2;n=1    size, rule, stones, how many of them are shown, and what was analysed
"""

import re
from urllib.parse import parse_qs, urlsplit

from tournaments.records.record import Record
from tournaments.rules.notation import Opening, format_pos, parse_opening
from tournaments.rules.referee import Rule, check_size, parse_rule

MOST_LETTERS = 4000
"""The longest link that is looked at; the longest game has 1,452 letters in pos notation."""

_OURS = re.compile(
    r"/?([0-9]{1,2})(?:x([0-9]{1,2}))?/([a-z0-9-]{1,20})/((?:[a-z][0-9]{1,2})*)(?:\.[0-9]{1,3})?(?:;.*)?", re.IGNORECASE
)
_GOMOCALC = re.compile(r"/?((?:[a-z][0-9]{1,2})+)(?:/.*)?", re.IGNORECASE)
_PORTAL = re.compile("(?:[0-9a-e]{2})*", re.IGNORECASE)


def is_link(text: str) -> bool:
    """True for a text that is a link, not a record."""
    start = text.strip()[:200].lower()
    return start.startswith(("http://", "https://", "#", "/#")) and len(text.split()) == 1


def parse_link(text: str) -> Record:
    """The position of a link. Raises ValueError, in one sentence, for a link of another kind or with a fault in it."""
    text = text.strip()
    shown = text if len(text) <= 60 else f"{text[:60]}..."
    if len(text) > MOST_LETTERS:
        raise ValueError(f"'{shown}' is longer than any position's link")
    try:
        parts = urlsplit(text)
    except ValueError:
        raise ValueError(f"'{shown}' is not a link") from None
    ours = _OURS.fullmatch(parts.fragment)
    if ours is not None:
        width, height = int(ours[1]), int(ours[2] or ours[1])
        check_size(width, height)
        cells = parse_opening(ours[4], width, height) if ours[4] else ()
        return _record(width, height, cells, parse_rule(ours[3]))
    gomocalc = _GOMOCALC.fullmatch(parts.fragment)
    if gomocalc is not None:
        return _record(15, 15, parse_opening(gomocalc[1], 15, 15), None)
    moves = parse_qs(parts.query).get("mvs", [])
    if moves and _PORTAL.fullmatch(moves[0]):
        names = re.findall("..", moves[0])
        cells = tuple((int(name[0], 16), int(name[1], 16)) for name in names)
        if len(set(cells)) < len(cells):
            raise ValueError(f"'{shown}' has two stones on one cell")
        return _record(15, 15, cells, Rule.RENJU)
    raise ValueError(f"'{shown}' is not a link to a position, as gomocalc, the renju portals and this board make them")


def format_link(record: Record, ply: int | None = None) -> str:
    """The fragment of a link to the position after `ply` stones (default: the last), such as "15/renju/h8i9.2"."""
    size = str(record.width) if record.width == record.height else f"{record.width}x{record.height}"
    shown = len(record.cells) if ply is None else ply
    return f"{size}/{record.known_rule(Rule.FREESTYLE).title}/{format_pos(record.cells, record.height)}.{shown}"


def _record(width: int, height: int, cells: Opening, rule: Rule | None) -> Record:
    title = None if rule is None else rule.title.capitalize()
    return Record(width, height, tuple((x, y, 0) for x, y in cells), rule=title)
