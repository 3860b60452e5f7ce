"""A game at the board as a log of events, which is kept, and from which everything else follows.

A game is a list of events, numbered from 1. The first is `created`, which has the settings. Cells are [x, y], counted
from the top left, as everywhere in code. The seats are 0, who begins as Black, and 1, who begins as White; a swap
opening may give them other colours later.

    created {settings}                                    undone {plies}             resigned {seat}
    sat {seat, name?}                                     offered {seat, what}       timed_out {seat}
    move {cell, ms, depth?, score?, mate?, nodes?}        answered {seat, accepted}  finished {winner, ending, reason}
    chosen {choice}                                       paused {down?, lost?}      commented {ply, text}
    changed {seat, who}: another brain or level           resumed                    warned {kind, plies}, taught {on}
    fifth_offered {cell}, fifth_withdrawn: in an opening of renju, see opening_rules.py

`taught` switches teaching on or off; `warned` says that the last move throws the game away, see review/slips.py.
`finished` of an imported game may have `end_code` and `result_text`, see records/record.py.
A pause that is `down` means that no program had the game: since the last event, or for the seconds that were `lost`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from random import Random
from typing import Any, Self

from tournaments.board.game.json_values import (
    check_keys,
    check_on_board,
    check_rule,
    check_seconds,
    check_text,
    check_whole,
    read_cell,
    read_list,
    read_object,
)
from tournaments.board.game.opening_rules import OPENING_RULES, RENJU_OPENINGS, RENJU_SIZE
from tournaments.files.text import one_line
from tournaments.rules.notation import Opening, format_cell
from tournaments.rules.openings import check_opening
from tournaments.rules.referee import MAX_SIZE, Rule, check_size
from tournaments.translations.catalogue import ENGLISH, translate

NewEvent = tuple[str, dict[str, Any]]
"""An event that is not kept yet: its kind and its data."""

LEVELS = range(1, 11)
SEAT_KINDS = ("local", "friend", "brain")
OPENINGS = tuple(OPENING_RULES)
OFFERS = ("draw", "undo")
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
    """One side's player: a person at this screen ("local"), a person by link ("friend"), or a brain by its name.

    level: 1 to 10; turn_ms: for a move; nodes: positions looked at for a move. Only a brain has these; without them it
    plays at full strength at its own pace. follows: its level goes up in the next game if it loses, and down if it
    wins. `name` is a person's name; in an imported game, any player's.

    Raises ValueError, in one sentence, for invalid values.
    """

    kind: str = "local"
    brain: str | None = None
    level: int | None = None
    turn_ms: int | None = None
    nodes: int | None = None
    name: str = ""
    follows: bool = False

    def __post_init__(self) -> None:
        if self.kind not in SEAT_KINDS:
            raise ValueError(f"a seat's kind is one of {', '.join(SEAT_KINDS)}")
        check_text(self.name, LONGEST_NAME, "a name")
        if self.kind == "brain" and not (isinstance(self.brain, str) and BRAIN_NAME.fullmatch(self.brain)):
            raise ValueError("a brain's seat names the brain")
        if self.follows not in (True, False) or (self.follows and (self.kind != "brain" or self.level is None)):
            raise ValueError("only a brain with a level can follow the player")
        limits = (
            (self.level, LEVELS[-1], "level"),
            (self.turn_ms, MOST_TURN_MS, "milliseconds for a move"),
            (self.nodes, MOST_NODES, "nodes for a move"),
        )
        for value, most, what in limits:
            if value is not None:
                check_whole(value, 1, most, f"a brain's {what}")

    @classmethod
    def parse(cls, raw: object) -> Self:
        """Reads what `to_json` gives. Raises ValueError in one sentence."""
        found = read_object(raw, "a seat is not a JSON object")
        check_keys(found, ("kind", "brain", "level", "turn_ms", "nodes", "name", "follows"), "a seat")
        kind, name = found.get("kind"), one_line(check_text(found.get("name", ""), LONGEST_NAME, "a name"))
        if kind != "brain":
            return cls(str(kind), name=name)
        follows = found.get("follows", False)
        return cls(
            kind, found.get("brain"), found.get("level"), found.get("turn_ms"), found.get("nodes"), name, follows
        )

    def to_json(self) -> dict[str, Any]:
        """The settings of the seat as JSON for `parse`."""
        named = {"name": self.name} if self.name else {}
        if self.kind != "brain":
            return {"kind": self.kind, **named}
        values = {"brain": self.brain, "level": self.level, "turn_ms": self.turn_ms, "nodes": self.nodes}
        return {"kind": self.kind, **values, **named, **({"follows": True} if self.follows else {})}

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

    def __post_init__(self) -> None:
        check_seconds(self.main, 1, MOST_MAIN, "a clock's time")
        check_seconds(self.increment, 0, MOST_INCREMENT, "a clock's increment")

    @classmethod
    def parse(cls, raw: object) -> Self:
        """Reads the clock from a game's settings. Raises ValueError in one sentence."""
        found = read_object(raw, "a clock is not a JSON object")
        check_keys(found, ("main", "increment"), "a clock")
        return cls(found.get("main"), found.get("increment", 0.0))  # type: ignore[arg-type]  # which is checked above


@dataclass(frozen=True)
class GameSettings:
    """The settings of a game; they never change. `black` and `white` are the players who begin so: seats 0 and 1.

    `start` are stones that are there from the beginning, Black's first. `origin` is the game and the event from which
    this game goes on, as a rematch does. `teaches`: the game begins with teaching switched on. `date`: the day on which
    a game from a file was played, such as 2026-11-21, if the file names it.

    Raises ValueError, in one sentence, for values that make no sense.
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
    teaches: bool = False
    date: str = ""

    def __post_init__(self) -> None:
        width, height = self.width, self.height
        check_whole(width, 1, 99, "the board's width")
        check_whole(height, 1, 99, "the board's height")
        check_size(width, height)
        if self.opening not in OPENINGS:
            raise ValueError(f"the opening is one of {', '.join(OPENINGS)}")
        for place, cell in enumerate(self.start):
            check_on_board(cell, width, height)
            if cell in self.start[:place]:
                raise ValueError(f"stone {place + 1} ({format_cell(*cell, height)}) stands on an earlier stone")
        if self.start and self.opening != "free":
            raise ValueError("a position that is set up has a free opening")
        is_renju = self.rule == Rule.RENJU and (width, height) == (RENJU_SIZE, RENJU_SIZE)
        if self.opening in RENJU_OPENINGS and not is_renju:
            raise ValueError(f"the opening {self.opening} is for renju on {RENJU_SIZE}x{RENJU_SIZE} cells")
        check_opening(self.start, width, height, self.rule)
        if self.teaches not in (True, False):
            raise ValueError("teaches is true or false")
        if self.date != "" and not is_day(self.date):
            raise ValueError("a date is a day such as 2026-11-21")
        if self.origin is not None:
            check_text(self.origin[0], LONGEST_NAME, "the id of a source")
            check_whole(self.origin[1], 1, MOST_EVENTS, "an event's number")

    @classmethod
    def parse(cls, raw: object) -> Self:
        """Reads the output of `to_json`. Raises ValueError in one sentence."""
        found = read_object(raw, "the settings are not a JSON object")
        check_keys(
            found,
            (
                "width",
                "height",
                "rule",
                "opening",
                "black",
                "white",
                "clock",
                "start",
                "drawn_by_lot",
                "from",
                "teaches",
                "date",
            ),
            "the settings",
        )
        cells = read_list(found.get("start"), MAX_SIZE * MAX_SIZE, "the stones of a position are a list of cells")
        lot, clock, origin = found.get("drawn_by_lot", False), found.get("clock"), found.get("from")
        if not isinstance(lot, bool):
            raise ValueError("drawn_by_lot is true or false")
        black, white = (Seat.parse(found.get(colour, {"kind": "local"})) for colour in ("black", "white"))
        return cls(
            found.get("width", 15),
            found.get("height", 15),
            check_rule(found.get("rule", 0)),
            found.get("opening", "free"),
            black,
            white,
            None if clock is None else ClockSettings.parse(clock),
            tuple(map(read_cell, cells)),
            lot,
            None if origin is None else _origin(origin),
            found.get("teaches", False),
            found.get("date", ""),
        )

    def to_json(self) -> dict[str, Any]:
        """The settings of the game as JSON for `parse`."""
        clock = self.clock and {"main": self.clock.main, "increment": self.clock.increment}
        origin = self.origin and {"game": self.origin[0], "event": self.origin[1]}
        return {
            "width": self.width,
            "height": self.height,
            "rule": int(self.rule),
            "opening": self.opening,
            "black": self.black.to_json(),
            "white": self.white.to_json(),
            "clock": clock,
            "start": [list(cell) for cell in self.start],
            "drawn_by_lot": self.drawn_by_lot,
            "from": origin,
            **({"teaches": True} if self.teaches else {}),
            **({"date": self.date} if self.date else {}),
        }

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """By number."""
        return self.black, self.white

    def with_lot(self, chance: Random) -> Self:
        """The settings with the colours drawn by lot, if that is asked for."""
        swap = self.drawn_by_lot and chance.random() < 0.5
        return replace(self, black=self.white, white=self.black) if swap else self


def is_day(text: object) -> bool:
    """Whether this is a day of the calendar such as 2026-11-21."""
    try:
        return isinstance(text, str) and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _origin(raw: object) -> tuple[str, int]:
    found = read_object(raw, "a source is not a JSON object")
    check_keys(found, ("game", "event"), "a source")
    if found.keys() != {"game", "event"}:
        raise ValueError("a source names a game and an event")
    return found["game"], found["event"]
