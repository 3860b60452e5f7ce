"""A game at the board as a log of events, which is kept, and from which everything else follows.

A game is a list of events, numbered from 1. The first is `created`, which has the settings. Cells are [x, y], counted
from the top left, as everywhere in code. The seats are 0, who begins as Black, and 1, who begins as White; a swap
opening may give them other colours later.

    created {settings}                                    undone {plies}             resigned {seat}
    sat {seat}                                            offered {seat, what}       timed_out {seat}
    move {cell, ms, depth?, score?, mate?, nodes?}        answered {seat, accepted}  finished {winner, ending, reason}
    chosen {choice}                                       paused {down?, lost?}      commented {ply, text}
    changed {seat, who}: another brain or level           resumed

A pause that is `down` means that no program had the game: since the last event, or for the seconds that were `lost`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random
from typing import Any, Self

from tournaments.board.translations.catalogue import ENGLISH, translate
from tournaments.files.text import one_line
from tournaments.rules.notation import Opening, format_cell
from tournaments.rules.openings import check_opening
from tournaments.rules.referee import Rule, check_size

NewEvent = tuple[str, dict[str, Any]]
"""An event that is not kept yet: its kind and its data."""

LEVELS = range(1, 11)
SEAT_KINDS = ("local", "friend", "brain")
OPENINGS = ("free", "swap", "swap2")
OFFERS = ("draw", "undo")
CHOICES = ("black", "white", "more")
MOST_MAIN = 86400
MOST_INCREMENT = 3600
MOST_TURN_MS = 3_600_000
MOST_NODES = 10**10
LONGEST_NAME = 60
LONGEST_COMMENT = 2000
MOST_EVENTS = 20_000
RESERVED_EVENTS = 2000
"""The longest log of a game: undo, offers and comments could go on for ever. The last places are kept for events that
bring a game to its end."""

MOST_FRIENDS_COMMENTS = 1000
MOST_FRIENDS_LETTERS = 100_000
"""How many comments of a game may be written, and how many letters, before a friend may not write any more."""

BRAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._()+-]{0,59}")


class End(StrEnum):
    """Why a game is over. RECORD: an imported game; its file names the winner, and its stones do not show it.
    STOPPED: the owner of the board ended it."""

    FIVE = "five"
    FULL_BOARD = "full-board"
    FOUL = "foul"
    RESIGNATION = "resignation"
    TIME = "time"
    AGREEMENT = "agreement"
    RECORD = "record"
    STOPPED = "stopped"


@dataclass(frozen=True)
class Event:
    """One event. `n` counts from 1, `at` is seconds since 1970 (UTC), `data` depends on the kind."""

    n: int
    at: float
    kind: str
    data: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """As it is sent."""
        return {"n": self.n, "at": self.at, "kind": self.kind, **self.data}


@dataclass(frozen=True)
class Seat:
    """Who sits on one side: a person at this screen ("local"), a person by link ("friend"), or a brain by its name.

    level: 1 to 10; turn_ms: for a move; nodes: positions looked at for a move. Only a brain has these; without them it
    plays at full strength at its own pace. `name` is a person's name; in an imported game, any player's.
    """

    kind: str = "local"
    brain: str | None = None
    level: int | None = None
    turn_ms: int | None = None
    nodes: int | None = None
    name: str = ""

    @classmethod
    def parse(cls, raw: object) -> Self:
        """Reads what `to_json` gives. Raises ValueError in one sentence."""
        found = _mapping(raw, "a seat", ("kind", "brain", "level", "turn_ms", "nodes", "name"))
        kind, brain = found.get("kind"), found.get("brain")
        if kind not in SEAT_KINDS:
            raise ValueError(f"a seat's kind is one of {', '.join(SEAT_KINDS)}")
        name = found.get("name", "")
        if not isinstance(name, str) or len(name) > LONGEST_NAME:
            raise ValueError(f"a name is a text of up to {LONGEST_NAME} letters")
        if kind != "brain":
            return cls(kind, name=one_line(name))
        if not isinstance(brain, str) or not BRAIN_NAME.fullmatch(brain):
            raise ValueError("a brain's seat names the brain")
        return cls(
            kind,
            brain,
            _whole(found.get("level"), LEVELS[0], LEVELS[-1], "a brain's level"),
            _whole(found.get("turn_ms"), 1, MOST_TURN_MS, "a brain's milliseconds for a move"),
            _whole(found.get("nodes"), 1, MOST_NODES, "a brain's nodes for a move"),
            one_line(name),
        )

    def to_json(self) -> dict[str, Any]:
        """What `parse` reads."""
        named = {"name": self.name} if self.name else {}
        if self.kind != "brain":
            return {"kind": self.kind, **named}
        values = {"brain": self.brain, "level": self.level, "turn_ms": self.turn_ms, "nodes": self.nodes}
        return {"kind": self.kind, **values, **named}

    @property
    def title(self) -> str:
        """The name that it goes by; "" for a person without one."""
        return self.name or self.brain or ""


def title_of(seat: Seat, language: str = ENGLISH) -> str:
    """The brain in that seat with its level, such as "tengen, level 3"; "" for a person without a name."""
    if seat.kind != "brain" or seat.level is None:
        return seat.title
    return translate("seat.level", language, name=seat.title, level=seat.level)


@dataclass(frozen=True)
class ClockSettings:
    """Seconds for the whole game, and seconds that each move adds."""

    main: float
    increment: float = 0.0


@dataclass(frozen=True)
class GameSettings:
    """The settings of a game; they never change. `black` and `white` are the players who begin so: seats 0 and 1.

    `start` are stones that are there from the beginning, Black's first. `origin` is the game and the event from which
    this game goes on, as a rematch does.
    """

    width: int = 15
    height: int = 15
    rule: Rule = Rule.FREESTYLE
    opening: str = "free"
    black: Seat = Seat()
    white: Seat = Seat()
    clock: ClockSettings | None = None
    start: Opening = ()
    drawn_by_lot: bool = False
    origin: tuple[str, int] | None = None

    @classmethod
    def parse(cls, raw: object) -> Self:
        """Reads and checks the output of `to_json`, which may come from a stranger. Raises ValueError in one sentence.
        """
        keys = ("width", "height", "rule", "opening", "black", "white", "clock", "start", "drawn_by_lot", "from")
        found = _mapping(raw, "the settings", keys)
        width, height = (_whole(found.get(side, 15), 1, 99, f"the board's {side}") for side in ("width", "height"))
        if width is None or height is None:
            raise ValueError("the board's width and height are whole numbers")
        check_size(width, height)
        rule = _whole(found.get("rule", 0), 0, 99, "the rule")
        if rule not in list(Rule):
            known = ", ".join(str(int(each)) for each in Rule)
            raise ValueError(f"the rule is one of {known}, as Gomocup numbers them")
        opening = found.get("opening", "free")
        if opening not in OPENINGS:
            raise ValueError(f"the opening is one of {', '.join(OPENINGS)}")
        start = _cells(found.get("start") or [], width, height)
        if start and opening != "free":
            raise ValueError("a position that is set up has a free opening")
        check_opening(start, width, height, rule)
        lot = found.get("drawn_by_lot", False)
        if not isinstance(lot, bool):
            raise ValueError("drawn_by_lot is true or false")
        black, white = (Seat.parse(found.get(colour, {"kind": "local"})) for colour in ("black", "white"))
        return cls(width, height, Rule(rule), opening, black, white, _clock(found.get("clock")), start, lot,
                   _origin(found.get("from")))  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """What `parse` reads."""
        clock = self.clock and {"main": self.clock.main, "increment": self.clock.increment}
        origin = self.origin and {"game": self.origin[0], "event": self.origin[1]}
        return {
            "width": self.width, "height": self.height, "rule": int(self.rule), "opening": self.opening,
            "black": self.black.to_json(), "white": self.white.to_json(), "clock": clock,
            "start": [list(cell) for cell in self.start], "drawn_by_lot": self.drawn_by_lot, "from": origin,
        }  # fmt: skip

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """By number."""
        return self.black, self.white

    def with_lot(self, chance: Random) -> Self:
        """The settings with the colours drawn by lot, if that is asked for."""
        swap = self.drawn_by_lot and chance.random() < 0.5
        return replace(self, black=self.white, white=self.black) if swap else self


def _mapping(raw: object, what: str, keys: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise ValueError(f"{what} is no JSON object" if what.startswith("a ") else f"{what} are no JSON object")
    for key in raw:
        if key not in keys:
            raise ValueError(f"{what} cannot have '{one_line(str(key))[:LONGEST_NAME]}'")
    return raw


def _whole(value: object, least: int, most: int, what: str) -> int | None:
    """The value if it is a whole number in range, None for None."""
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{what} is a whole number from {least} to {most}")
    return value


def _seconds(value: object, least: float, most: float, what: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{what} is a number of seconds from {least:g} to {most:g}")
    return float(value)


def _clock(raw: object) -> ClockSettings | None:
    if raw is None:
        return None
    found = _mapping(raw, "a clock", ("main", "increment"))
    main = _seconds(found.get("main"), 1, MOST_MAIN, "a clock's time")
    return ClockSettings(main, _seconds(found.get("increment", 0), 0, MOST_INCREMENT, "a clock's increment"))


def _origin(raw: object) -> tuple[str, int] | None:
    if raw is None:
        return None
    found = _mapping(raw, "a source", ("game", "event"))
    game, event = found.get("game"), _whole(found.get("event"), 1, MOST_EVENTS, "an event's number")
    if not isinstance(game, str) or len(game) > LONGEST_NAME or event is None:
        raise ValueError("a source names a game and an event")
    return game, event


def parse_cell(raw: object, width: int, height: int) -> tuple[int, int]:
    """A cell of JSON, [x, y]. Raises ValueError in one sentence for anything else and for a cell off the board."""
    if not isinstance(raw, list | tuple) or len(raw) != 2:
        raise ValueError("a cell is two numbers, [x, y]")
    if any(not isinstance(value, int) or isinstance(value, bool) for value in raw):
        raise ValueError("a cell is two whole numbers, [x, y]")
    x, y = raw
    if not (0 <= x < width and 0 <= y < height):
        raise ValueError(f"a cell is off the {width}x{height} board")
    return x, y


def _cells(raw: object, width: int, height: int) -> Opening:
    if not isinstance(raw, list | tuple) or len(raw) > width * height:
        raise ValueError("the stones of a position are a list of cells")
    cells = tuple(parse_cell(cell, width, height) for cell in raw)
    for place, cell in enumerate(cells):
        if cell in cells[:place]:
            raise ValueError(f"stone {place + 1} ({format_cell(*cell, height)}) stands on an earlier stone")
    return cells
