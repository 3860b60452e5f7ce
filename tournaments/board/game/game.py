"""A game at the board after its events: the log, played through the referee.

`Game.apply` takes the events one after the other, and raises `BrokenGame` for an event that is impossible. The
possible next events are in seat_rules.py. A move that decides the game is followed by the event `finished`, and both
are written at once.
"""

from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Self

from tournaments.board.game.clocks import GameClocks
from tournaments.board.game.events import LONGEST_NAME, OFFERS, End, Event, GameSettings, Seat
from tournaments.board.game.facts import SEATS, GameFacts, Lessons, PlayedMove, describe
from tournaments.board.game.fouls import forbidden_cells
from tournaments.board.game.json_values import check_text, parse_cell
from tournaments.board.game.refusal import Refused
from tournaments.board.game.snapshot import GameSnapshot
from tournaments.brains.search_info import SearchInfo
from tournaments.files.text import one_line
from tournaments.rules.referee import (
    BLACK,
    EMPTY,
    WHITE,
    Board,
    Cell,
    Foul,
    is_win,
    winning_row,
)

__all__ = ["SEATS", "BrokenGame", "Game", "GameFacts", "GameSnapshot", "PlayedMove", "Refused", "describe"]


class BrokenGame(ValueError):
    """The events do not make a game; the message is one sentence."""


class Game(GameFacts):
    """A game after its events so far, for one thread. Read its attributes; only `apply` changes them.

    commented, comment_letters: how often comments have been written, including those that were replaced, and how many
    letters they had.
    """

    def __init__(self, events: Iterable[Event], id: str = "") -> None:
        """Folds the events. Raises BrokenGame."""
        self.id = id
        self.event = 0
        self.settings = GameSettings()
        self.board = Board()
        self.moves: list[PlayedMove] = []
        self.choices: tuple[str, ...] = ()
        self.fifth_moves: tuple[Cell, ...] = ()
        self.seats: list[Seat] = [Seat(), Seat()]
        self.colours: list[int] = [BLACK, WHITE]
        self.sat: set[int] = set()
        self.clocks: GameClocks | None = None
        self.is_paused = False
        self.is_over = False
        self.winner: int | None = None
        self.ending: End | None = None
        self.reason = ""
        self.end_code: int | None = None
        self.result_text = ""
        self.offer: tuple[int, str] | None = None
        self.refused_offers: set[tuple[int, str]] = set()
        self.comments: dict[int, str] = {}
        self.commented = 0
        self.comment_letters = 0
        self.taken_back = 0
        self.lessons = Lessons()
        self.created = 0.0
        self.last_at = 0.0
        self.turn_at = 0.0
        self._spent = 0.0
        self._offered_at = 0.0
        self.opening_plies = 0
        self._forbidden: tuple[tuple[Cell, ...], dict[Cell, Foul]] | None = None
        for event in events:
            self.apply(event)
        if not self.event:
            raise BrokenGame("a game begins with the event 'created', and there is no event")

    # The stones on the board

    def forbidden(self) -> dict[Cell, Foul]:
        """The empty cells where Black, who is to move, may not play; none in other rules and at White's turn."""
        if self.is_over or self.to_move != BLACK:
            return {}
        if self._forbidden is None or self._forbidden[0] != self.cells:
            self._forbidden = self.cells, forbidden_cells(self.board)
        return self._forbidden[1]

    def winning_row(self) -> list[Cell]:
        """The cells of the row that won, none if no row did."""
        return winning_row(self.board, *self.moves[-1].cell) if self.moves and self.ending is End.FIVE else []

    def snapshot(self) -> GameSnapshot:
        """The game as it is now, for other threads."""
        return GameSnapshot(
            self.id,
            self.event,
            self.settings,
            tuple(self.moves),
            self.choices,
            self.taken_back,
            self.lessons,
            self.fifth_moves,
            tuple(self.seats),
            tuple(self.colours),
            frozenset(self.sat),
            self.opening_plies,
            self.clocks and self.clocks.copy(),
            self.is_paused,
            self.is_over,
            self.winner,
            self.ending,
            self.reason,
            self.end_code,
            self.result_text,
            self.offer,
            MappingProxyType(dict(self.comments)),
            self.created,
            MappingProxyType(dict(self.forbidden())),
            tuple(self.winning_row()),
        )

    # Events

    def apply(self, event: Event) -> None:
        """Takes the next event. Raises BrokenGame; then the game must not be used any more."""
        try:
            if event.n != self.event + 1:
                raise ValueError(f"it is number {event.n}, not {self.event + 1}")
            if (event.kind == "created") != (event.n == 1):
                raise ValueError("a game begins with 'created', once")
            verb = _VERBS.get(event.kind)
            if verb is None:
                raise ValueError("there is no such kind")
            if self.is_over and event.kind != "commented":
                raise ValueError("the game is over")
            if self._is_decided() and event.kind != "finished":
                raise ValueError("the game is decided, and 'finished' is missing")
            verb(self, event.data, event.at)
        except (KeyError, TypeError, ValueError) as error:
            raise BrokenGame(f"event {event.n} ({event.kind}) cannot be: {error}") from None
        self.event = event.n
        self.last_at = max(self.last_at, event.at)

    def _is_decided(self) -> bool:
        """True when the last stone ended the game by the rules, and the event `finished` has not come yet."""
        if not self.moves or self.is_over or len(self.moves) == len(self.settings.start):
            return False
        return is_win(self.board, *self.moves[-1].cell) or self.board.is_full()

    def _apply_created(self, data: Any, at: float) -> None:
        self.settings = settings = GameSettings.parse(data["settings"])
        self.seats = list(settings.seats)
        self.lessons = Lessons(settings.teaches)
        self.board = Board(settings.width, settings.height, settings.rule)
        for x, y in settings.start:
            self.moves.append(PlayedMove((x, y), self.to_move))
            self.board.place(x, y)
        self.opening_plies = len(self.moves)
        if settings.clock is not None:
            self.clocks = GameClocks(settings.clock, [self._time_of(seat) for seat in settings.seats])
        self.created = self.turn_at = at

    def _time_of(self, who: Seat) -> float | None:
        clock = self.settings.clock
        return None if clock is None or who.kind == "brain" else clock.main

    def _apply_changed(self, data: Any, at: float) -> None:
        seat, who = _seat(data), Seat.parse(data["who"])
        if "friend" in (who.kind, self.kind(seat)):
            raise ValueError("a friend's seat stays a friend's")
        if self.clocks is not None:
            self.clocks.stop(at)
            if (who.kind == "brain") != (self.kind(seat) == "brain"):
                self.clocks.left[seat] = self._time_of(who)
        self.seats[seat] = who
        self._run_clock(at)

    def _apply_sat(self, data: Any, at: float) -> None:
        seat, name = _seat(data), one_line(check_text(data.get("name", ""), LONGEST_NAME, "a name"))
        is_taken = seat in self.sat
        if self.kind(seat) != "friend" or (is_taken and not name):
            raise ValueError("this seat cannot be taken")
        if name:
            self.seats[seat] = replace(self.seats[seat], name=name)
        if is_taken:  # another friend has the seat now
            return
        self.sat.add(seat)
        # The time of waiting for a friend does not count for the first move.
        self._spent = 0.0
        self._turn(at)

    def _apply_move(self, data: Any, at: float) -> None:
        cell = parse_cell(data["cell"], self.settings.width, self.settings.height)
        if self.phase not in ("opening", "play", "take"):
            raise ValueError("no stone is due")
        is_taken = self.phase == "take"
        if is_taken and cell not in self.fifth_moves:
            raise ValueError("that fifth move was not offered")
        mover = self.mover
        assert mover is not None, "the game goes on"
        self.board.place(*cell)
        info = SearchInfo(*(data.get(name) for name in ("depth", "score", "mate", "nodes")))
        self.moves.append(PlayedMove(cell, self.to_move, int(data.get("ms", 0)), info))
        self.offer = None
        self.lessons = replace(self.lessons, is_open=False)
        self.refused_offers = {each for each in self.refused_offers if each[0] != mover}
        if self.clocks is not None:
            self.clocks.stop(at)
            self.clocks.add_increment(mover)
        if is_taken:
            self.opening_plies = len(self.moves)
        self._turn(at)

    def _apply_fifth_offered(self, data: Any, at: float) -> None:
        cell = parse_cell(data["cell"], self.settings.width, self.settings.height)
        if self.phase != "offer" or cell in self.fifth_moves or self.board.cell(*cell) != EMPTY:
            raise ValueError("that fifth move cannot be offered")
        self.fifth_moves = (*self.fifth_moves, cell)
        self._turn(at)

    def _apply_fifth_withdrawn(self, data: Any, at: float) -> None:
        if self.phase not in ("offer", "take") or not self.fifth_moves:
            raise ValueError("no fifth move is offered")
        self.fifth_moves = self.fifth_moves[:-1]
        self._turn(at)

    def _apply_chosen(self, data: Any, at: float) -> None:
        stage, choice = self.stage, data["choice"]
        if stage is None or choice not in stage.choices:
            raise ValueError("nothing like that is to be chosen")
        self.choices = (*self.choices, choice)
        self.colours = self.opening.colours
        self.opening_plies = len(self.moves)
        self.offer = None
        self._turn(at)

    def _apply_undone(self, data: Any, at: float) -> None:
        plies = data["plies"]
        if not 1 <= plies <= len(self.moves) - self.opening_plies:
            raise ValueError(f"{plies} stones cannot be taken back")
        if self.clocks is not None:
            self.clocks.stop(at)
        for _ in range(plies):
            self.moves.pop()
            self.board.undo()
            if self.clocks is not None:
                self.clocks.take_increment_back(self.placed_by(len(self.moves)))
        self.comments = {ply: text for ply, text in self.comments.items() if ply <= len(self.moves)}
        self.taken_back += 1
        self.lessons = replace(self.lessons, heeded=self.lessons.heeded + self.lessons.is_open, is_open=False)
        self.offer = None
        self._turn(at)

    def _apply_taught(self, data: Any, at: float) -> None:
        self.lessons = replace(self.lessons, is_on=bool(data["on"]))

    def _apply_warned(self, data: Any, at: float) -> None:
        if self.lessons.is_open or not self.moves:
            raise ValueError("nothing is to be told of the last move")
        self.lessons = replace(self.lessons, warned=self.lessons.warned + 1, is_open=True)

    def _apply_offered(self, data: Any, at: float) -> None:
        if data["what"] not in OFFERS or self.offer is not None:
            raise ValueError("nothing like that can be offered")
        self.offer = _seat(data), data["what"]
        self._offered_at = at

    def _apply_answered(self, data: Any, at: float) -> None:
        if self.offer is None or self.offer[0] == _seat(data):
            raise ValueError("nothing is to be answered")
        if not data["accepted"]:
            self.refused_offers.add(self.offer)
        elif self.offer[1] == "undo":
            self._give_back(data["seat"], at)
        self.offer = None

    def _apply_paused(self, data: Any, at: float) -> None:
        if self.is_paused:
            raise ValueError("the game is paused already")
        is_down, lost = bool(data.get("down")), data.get("lost")
        self.is_paused = True
        # No seat is charged the time without a program: all since the last event, or the seconds that were lost.
        counted = at if not is_down else self.last_at if lost is None else max(self.turn_at, at - lost)
        self._spent = counted - self.turn_at
        if self.clocks is not None and is_down and lost is None:
            self.clocks.forget()
        elif self.clocks is not None:
            self.clocks.stop(counted)

    def _apply_resumed(self, data: Any, at: float) -> None:
        if not self.is_paused:
            raise ValueError("the game is not paused")
        self.is_paused = False
        self._turn(at)
        self.turn_at -= self._spent

    def _apply_resigned(self, data: Any, at: float) -> None:
        _seat(data)

    def _apply_timed_out(self, data: Any, at: float) -> None:
        if self.clocks is None or self.clocks.left[_seat(data)] is None:
            raise ValueError("that seat has no clock")
        self.clocks.stop(at)
        self.clocks.left[data["seat"]] = 0.0

    def _apply_finished(self, data: Any, at: float) -> None:
        winner, ending = data["winner"], End(data["ending"])
        if winner not in (None, BLACK, WHITE):
            raise ValueError("the winner is not a colour")
        last = self.moves[-1] if self.moves else None
        wins = last is not None and is_win(self.board, *last.cell)
        if wins != (ending is End.FIVE) or (last is not None and wins and winner != last.colour):
            raise ValueError("the stones say otherwise")
        if self.clocks is not None:
            self.clocks.stop(at)
        self.is_over, self.winner, self.ending, self.reason = True, winner, ending, str(data.get("reason", ""))
        self.end_code, self.result_text = data.get("end_code"), str(data.get("result_text", ""))
        if self.end_code is not None and type(self.end_code) is not int:
            raise ValueError("the end code is not a whole number")
        self.offer, self.is_paused = None, False

    def _apply_commented(self, data: Any, at: float) -> None:
        ply, text = data["ply"], str(data["text"])
        if not 0 <= ply <= len(self.moves):
            raise ValueError("there is no such ply")
        self.commented += 1
        self.comment_letters += len(text)
        self.comments.pop(ply, None)
        if text:
            self.comments[ply] = text

    def _give_back(self, seat: int, at: float) -> None:
        """A player who allows the other one to take back gets the time back in which the request waited."""
        clocks = self.clocks
        if clocks is None or clocks.running != seat:
            return
        waited = at - max(self._offered_at, clocks.since)
        clocks.stop(at)
        left = clocks.left[seat]
        if left is not None:
            clocks.left[seat] = left + max(0.0, waited)
        clocks.run(seat, at)

    def _turn(self, at: float) -> None:
        """A turn begins."""
        self.turn_at = at
        self._run_clock(at)

    def _run_clock(self, at: float) -> None:
        if self.clocks is None:
            return
        self.clocks.stop(at)
        has_begun = len(self.moves) > len(self.settings.start)
        if has_begun and not (self.is_paused or self.is_over or self.is_missing_somebody) and self.mover is not None:
            self.clocks.run(self.mover, at)

    @classmethod
    def from_events(cls, events: Iterable[Event], id: str = "") -> Self:
        """The game that these events are. Raises BrokenGame."""
        return cls(events, id)


_VERBS = {name.removeprefix("_apply_"): verb for name, verb in vars(Game).items() if name.startswith("_apply_")}


def _seat(data: Any) -> int:
    seat = data["seat"]
    if seat not in SEATS:
        raise ValueError("there is no such seat")
    return int(seat)
