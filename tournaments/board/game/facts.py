"""The facts of a game at the board, and what follows from them without a search for rows of stones.

A `Game` has them while the game goes on, for the one thread that has the game. A `GameSnapshot` has the facts after
one event: it never changes, so that any thread may use it.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from tournaments.board.game.clocks import GameClocks
from tournaments.board.game.events import LEVELS, End, GameSettings, Seat
from tournaments.board.game.opening_rules import Progress, Stage, follow
from tournaments.board.game.refusal import Refused
from tournaments.brains.search_info import NO_INFO, SearchInfo
from tournaments.rules.ending import END_TIMEOUT
from tournaments.rules.referee import BLACK, COLOUR_NAMES, WHITE, Cell
from tournaments.translations.catalogue import ENGLISH, texts, translate

SEATS = (0, 1)


@dataclass(frozen=True)
class PlayedMove:
    """A stone on the board. `ms` is the time that it took; `info` is the brain's report of its search, if any."""

    cell: Cell
    colour: int
    ms: int = 0
    info: SearchInfo = NO_INFO


@dataclass(frozen=True)
class Lessons:
    """Teaching in a game. is_on: moves that throw the game away are told. warned, heeded: how often that was done, and
    how often the move was then taken back. is_open: it was told of the last move."""

    is_on: bool = False
    warned: int = 0
    heeded: int = 0
    is_open: bool = False


class GameFacts:
    """A game after event number `event`.

    choices: made in the opening. fifth_moves: offered in an opening of renju. seats: who sits there now. colours: the
    colour of each seat. sat: the seats that friends have taken. moves: the stones on the board, those of the set-up
    position included; undone ones are gone. opening_plies: how many of the first stones are the set-up position's, or
    were placed before the last choice of the opening. winner: a colour, None for a draw or while the game goes on.
    offer: (seat, what) that waits for an answer. comments: by ply. created: seconds since 1970 (UTC). taken_back: how
    often stones were taken back.
    """

    id: str
    event: int
    settings: GameSettings
    moves: Sequence[PlayedMove]
    choices: tuple[str, ...]
    taken_back: int
    lessons: Lessons
    fifth_moves: tuple[Cell, ...]
    seats: Sequence[Seat]
    colours: Sequence[int]
    sat: Set[int]
    opening_plies: int
    clocks: GameClocks | None
    is_paused: bool
    is_over: bool
    winner: int | None
    ending: End | None
    reason: str
    result_text: str
    end_code: int | None
    offer: tuple[int, str] | None
    comments: Mapping[int, str]
    created: float

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the stones, in order."""
        return tuple(move.cell for move in self.moves)

    @property
    def to_move(self) -> int:
        """The colour of the next stone."""
        return len(self.moves) % 2

    @property
    def stage(self) -> Stage | None:
        """The next step of the opening, None after its end."""
        return self.opening.stage

    @property
    def opening(self) -> Progress:
        """How far the opening has come."""
        return follow(self.settings.opening, len(self.moves), self.choices, len(self.fifth_moves))

    @property
    def phase(self) -> str:
        """The phase: "opening", "choice", "offer" and "take" in an opening, "play" or "over"."""
        stage = self.stage
        if self.is_over:
            return "over"
        if stage is None:
            return "play"
        return "choice" if stage.choices else "offer" if stage.offers else "take" if stage.is_taking else "opening"

    @property
    def mover(self) -> int | None:
        """The seat that is to place a stone or to choose, None when the game is over."""
        if self.is_over:
            return None
        stage = self.stage
        return self.placed_by(len(self.moves)) if stage is None else stage.seat

    def seat_of(self, colour: int) -> int:
        """The seat that has that colour now."""
        return self.colours.index(colour)

    def placed_by(self, ply: int) -> int:
        """The seat that placed the stone with that index, or will place it; in an opening a seat may place several."""
        opening = self.opening
        if ply < len(opening.placers):
            return opening.placers[ply]
        stage = opening.stage
        return stage.seat if stage is not None and stage.stones > ply else self.seat_of(ply % 2)

    def is_taken(self, seat: int) -> bool:
        """True if the seat is taken: always, unless it waits for a friend."""
        return self.seats[seat].kind != "friend" or seat in self.sat

    @property
    def is_missing_somebody(self) -> bool:
        """True while a friend has not taken the seat."""
        return not all(map(self.is_taken, SEATS))

    def kind(self, seat: int) -> str:
        """The kind of player there: "local", "friend" or "brain"."""
        return self.seats[seat].kind

    @property
    def is_on_one_screen(self) -> bool:
        """True if both are people at this screen."""
        return self.kind(0) == self.kind(1) == "local"

    def rematch(self) -> GameSettings:
        """The settings of another game with the colours swapped. Raises Refused before this one is over."""
        if not self.is_over:
            raise Refused("refused.not_over")
        black, white = (self._next_player(self.seat_of(colour)) for colour in (WHITE, BLACK))
        return replace(
            self.settings,
            black=black,
            white=white,
            drawn_by_lot=False,
            origin=(self.id, self.event),
            teaches=self.lessons.is_on,
            date="",
        )

    def next_level(self, seat: int) -> int | None:
        """The level of the brain there in the next game, if it follows the player: one up after the player's win, one
        down after a loss. None before this game is over, and for others."""
        who = self.seats[seat]
        if not self.is_over or not who.follows or who.level is None:
            return None
        step = 0 if self.winner is None else -1 if self.winner == self.colours[seat] else 1
        return min(max(who.level + step, LEVELS[0]), LEVELS[-1])

    def _next_player(self, seat: int) -> Seat:
        level = self.next_level(seat)
        return self.seats[seat] if level is None else replace(self.seats[seat], level=level)

    def result(self, language: str = ENGLISH) -> str:
        """How the game ended, in one sentence; "" while it goes on."""
        if self.ending is None:
            return ""
        ending = self.ending
        if ending is End.RECORD:
            if self.reason:
                return self.reason
            if self.end_code == END_TIMEOUT:
                ending = End.TIME
            elif self.winner is not None and is_resignation(self.result_text, self.winner):
                ending = End.RESIGNATION
        return describe(self.winner, ending, language)


def is_resignation(result_text: str, winner: int) -> bool:
    """Whether the result of an SGF file, such as "B+R", says that the loser resigned."""
    side, _, word = result_text.partition("+")
    return side.upper() == "BW"[winner] and word.strip().lower() in ("r", "resign")


def describe(winner: int | None, ending: End, language: str = ENGLISH) -> str:
    """How a game ended, in one sentence such as "Black wins by five in a row."."""
    if winner is None:
        key = f"result.draw.{ending}" if f"result.draw.{ending}" in texts(language) else "result.draw"
        return translate(key, language)
    colours = [translate(f"colour.{name.lower()}", language) for name in COLOUR_NAMES]
    return translate(f"result.{ending}", language, winner=colours[winner], loser=colours[1 - winner])
