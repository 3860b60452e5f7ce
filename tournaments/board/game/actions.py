"""What somebody wants to be done in a game, as data.

An action is handed down to the thread that has the game, which finds out by `SeatRules.decide` what it means there, and
writes that down. `seats` are those that the sender may act for: of two the one that it concerns, which is the one whose
turn it is. `is_owner` is true where the board's owner asks, who may do some things without a seat.
"""

from collections.abc import Collection
from dataclasses import dataclass

from tournaments.board.game.events import Seat
from tournaments.brains.search_info import NO_INFO, SearchInfo
from tournaments.rules.referee import Cell

_PERSON = Seat()


@dataclass(frozen=True)
class Action:
    """What somebody wants; each kind is a class of its own."""

    seats: Collection[int]
    is_owner: bool = False


@dataclass(frozen=True)
class Play(Action):
    """A stone on a cell. `ply` is how many stones the player saw; `ms` how long it took, None for the time of the turn;
    `info` what a brain said of it."""

    cell: Cell = (0, 0)
    ply: int | None = None
    ms: int | None = None
    info: SearchInfo = NO_INFO


@dataclass(frozen=True)
class Choose(Action):
    """A choice of a swap opening: "black", "white" or "more"."""

    choice: str = ""


@dataclass(frozen=True)
class PlaceOpening(Action):
    """A brain's answer in a swap opening, by the cells of its stones: see `SeatRules.answer_swap2`. `ply` is how many
    stones it was asked about, `ms` how long the answer took."""

    cells: tuple[Cell, ...] = ()
    ply: int = 0
    ms: int = 0


@dataclass(frozen=True)
class Undo(Action):
    """Takes back, or asks the other player for it."""


@dataclass(frozen=True)
class Draw(Action):
    """Offers a draw, or accepts the one that is offered. `is_agreed`: two people at one screen have been asked both."""

    is_agreed: bool = False


@dataclass(frozen=True)
class Answer(Action):
    """Accepts or declines what the other player has offered."""

    accepts: bool = False


@dataclass(frozen=True)
class Resign(Action):
    """Gives the game up."""


@dataclass(frozen=True)
class Pause(Action):
    """Stops clocks and moves. `is_needed`: a brain has failed, and the game waits also where pauses are not allowed."""

    is_needed: bool = False


@dataclass(frozen=True)
class Resume(Action):
    """Goes on after a pause."""


@dataclass(frozen=True)
class Stop(Action):
    """The owner ends a game of two brains, which nobody has won then."""


@dataclass(frozen=True)
class Sit(Action):
    """A friend takes the one seat of `seats`."""


@dataclass(frozen=True)
class Change(Action):
    """Gives the seat with that number to another brain or person."""

    seat: int = 0
    who: Seat = _PERSON


@dataclass(frozen=True)
class Comment(Action):
    """A comment on the position after `ply` stones."""

    ply: int = 0
    text: str = ""
