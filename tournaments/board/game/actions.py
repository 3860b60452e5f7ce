"""Requests to change a game, as data.

An action is handed to the thread that has the game. `SeatRules.decide` tells this thread what the action means there,
and the thread writes that down. `seats` are the seats that the sender may act for; a sender with both acts for the one
whose turn it is. `is_owner` is true for the board's owner, who may do some things without a seat.
"""

from collections.abc import Collection
from dataclasses import dataclass

from tournaments.board.game.events import Seat
from tournaments.brains.search_info import NO_INFO, SearchInfo
from tournaments.rules.referee import Cell

_PERSON = Seat()


@dataclass(frozen=True)
class Action:
    """A request; each kind is a class of its own."""

    seats: Collection[int]
    is_owner: bool = False


@dataclass(frozen=True)
class Play(Action):
    """A stone on a cell, or a fifth move that is offered. `ply` is the number of stones that the player saw, `offered`
    the number of offered fifth moves; `ms` is the time of the move, None for the time of the turn; `info` is the report
    of a brain about it."""

    cell: Cell = (0, 0)
    ply: int | None = None
    ms: int | None = None
    info: SearchInfo = NO_INFO
    offered: int | None = None


@dataclass(frozen=True)
class Choose(Action):
    """One of the choices of an opening, such as "black": see `opening_rules`. `ply` is the number of stones that the
    player saw."""

    choice: str = ""
    ply: int | None = None


@dataclass(frozen=True)
class PlaceOpening(Action):
    """A brain's answer in a swap opening, by the cells of its stones: see `SeatRules.answer_swap2`. `ply` is the number
    of stones in the question, `ms` the time that the answer took."""

    cells: tuple[Cell, ...] = ()
    ply: int = 0
    ms: int = 0


@dataclass(frozen=True)
class OfferFifths(Action):
    """All fifth moves that Black offers in an opening of renju, at once. `ply` is how many stones the player saw."""

    cells: tuple[Cell, ...] = ()
    ply: int = 0


@dataclass(frozen=True)
class Undo(Action):
    """Takes stones back, or asks the other player for it."""


@dataclass(frozen=True)
class Draw(Action):
    """Offers a draw, or accepts the other player's offer. `is_agreed`: both people at one screen have agreed."""

    is_agreed: bool = False


@dataclass(frozen=True)
class Answer(Action):
    """Accepts or declines the other player's offer. `what` is the offer that the player saw, such as "draw"."""

    accepts: bool = False
    what: str | None = None


@dataclass(frozen=True)
class Resign(Action):
    """Resigns."""


@dataclass(frozen=True)
class Pause(Action):
    """Stops clocks and moves. `is_needed`: a brain has failed, and the game waits even if pauses are not allowed."""

    is_needed: bool = False


@dataclass(frozen=True)
class Resume(Action):
    """Goes on after a pause."""


@dataclass(frozen=True)
class Stop(Action):
    """The owner ends a game of two brains, without a winner."""


@dataclass(frozen=True)
class Sit(Action):
    """A friend with that name, "" for none, takes the only seat in `seats`."""

    name: str = ""


@dataclass(frozen=True)
class Change(Action):
    """Gives the seat with that number to another brain or person."""

    seat: int = 0
    who: Seat = _PERSON


@dataclass(frozen=True)
class Teach(Action):
    """Switches teaching on or off."""

    on: bool = True


@dataclass(frozen=True)
class Warn(Action):
    """Tells that the last move throws the game away: the kind of slip, and the plies of the proved win."""

    kind: str = ""
    plies: int = 0


@dataclass(frozen=True)
class Comment(Action):
    """A comment on the position after `ply` stones."""

    ply: int = 0
    text: str = ""
