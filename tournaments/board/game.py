"""A game at the board: the fold of its events through the referee, and what each seat may do now.

`Game.apply` takes what has happened; it raises `BrokenGame` for an event that could not have. The other verbs - `play`,
`choose`, `undo` and so on - say what would have to be written down for it, as drafts of events, or raise `Refused` with
a sentence that says why not. They change nothing: whoever calls them writes the drafts to the library and then applies
them, see kept_game.py. `now` is always seconds since 1970 (UTC).

A move that decides the game comes with the event `finished` behind it, and both are written at once.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from tournaments.board.catalogue import ENGLISH, texts, translate
from tournaments.board.clocks import Clocks
from tournaments.board.events import (
    CHOICES,
    LONGEST_COMMENT,
    MOST_EVENTS,
    OFFERS,
    Draft,
    End,
    Event,
    Seat,
    Settings,
    parse_cell,
)
from tournaments.board.opening_rules import ALL_STONES, FIRST_STONES, Stage, stage_of
from tournaments.brains.thought import SILENCE, Thought
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import (
    BLACK,
    BLOCKED,
    COLOUR_NAMES,
    DIRECTIONS,
    WHITE,
    Board,
    Cell,
    Foul,
    Rule,
    find_foul,
    is_win,
    winning_row,
    would_win,
)

SEATS = (0, 1)


class Refused(ValueError):
    """Somebody asked for what cannot be done now; `key` and `values` say why in any language, str() in English."""

    def __init__(self, key: str, **values: object) -> None:
        self.key = key
        self.values = values
        super().__init__(self.sentence())

    def sentence(self, language: str = ENGLISH) -> str:
        """The reason in one of the catalogue's languages; a foul that is among the values is named in it too."""
        values = {name: _word(value, language) for name, value in self.values.items()}
        return translate(self.key, language, **values)


class BrokenGame(ValueError):
    """The events are no game, in one sentence."""


@dataclass(frozen=True)
class Move:
    """A stone on the board. `ms` is how long it took; the thought is a brain's own."""

    cell: Cell
    colour: int
    ms: int = 0
    thought: Thought = SILENCE


class Game:
    """A game as its events so far leave it. Read its attributes; only `apply` changes them.

    choices: made in a swap opening. seats: who sits there now. colours: the colour of each seat. moves: the stones on
    the board, those of the set-up position included; undone ones are gone. winner: a colour, None for a draw or while
    the game goes on. offer: (seat, what) that waits for an answer. comments: by ply.
    """

    def __init__(self, events: Iterable[Event], id: str = "") -> None:
        """Folds the events. Raises BrokenGame."""
        self.id = id
        self.event = 0
        self.settings = Settings()
        self.board = Board()
        self.moves: list[Move] = []
        self.choices: tuple[str, ...] = ()
        self.seats = [Seat(), Seat()]
        self.colours = [BLACK, WHITE]
        self.sat: set[int] = set()
        self.clocks: Clocks | None = None
        self.is_paused = False
        self.is_over = False
        self.winner: int | None = None
        self.ending: End | None = None
        self.reason = ""
        self.offer: tuple[int, str] | None = None
        self.refused_offers: set[tuple[int, str]] = set()
        self.comments: dict[int, str] = {}
        self.created = 0.0
        self.last_at = 0.0
        self.turn_at = 0.0
        self._spent = 0.0
        self._floor = 0
        self._forbidden: tuple[tuple[Cell, ...], dict[Cell, Foul]] | None = None
        for event in events:
            self.apply(event)
        if not self.event:
            raise BrokenGame("a game begins with the event 'created', and there is no event")

    # What stands on the board

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Where the stones lie, in order."""
        return tuple(move.cell for move in self.moves)

    @property
    def to_move(self) -> int:
        """The colour of the next stone."""
        return len(self.moves) % 2

    @property
    def stage(self) -> Stage | None:
        """Where a swap opening stands, None outside one."""
        return stage_of(self.settings.opening, len(self.moves), self.choices)

    @property
    def phase(self) -> str:
        """ "opening" and "choice" in a swap opening, "play" or "over"."""
        stage = self.stage
        if self.is_over:
            return "over"
        return "play" if stage is None else "choice" if stage.choices else "opening"

    @property
    def mover(self) -> int | None:
        """The seat that is to place a stone or to choose, None when the game is over."""
        if self.is_over:
            return None
        stage = self.stage
        return self.placed_by(len(self.moves)) if stage is None else stage.seat

    @property
    def opening_plies(self) -> int:
        """How many of the first stones are the set-up position's, or were placed before the last choice of colours."""
        return self._floor

    def seat_of(self, colour: int) -> int:
        """Who has that colour now."""
        return self.colours.index(colour)

    def placed_by(self, ply: int) -> int:
        """The seat that placed the stone with that index, or will place it; in a swap opening one seat places several.
        """
        if self.settings.opening != "free" and ply < FIRST_STONES:
            return 0
        return 1 if "more" in self.choices and ply < ALL_STONES else self.seat_of(ply % 2)

    def is_taken(self, seat: int) -> bool:
        """True where somebody sits: anybody but a friend who has not come yet."""
        return self.seats[seat].kind != "friend" or seat in self.sat

    @property
    def is_missing_somebody(self) -> bool:
        """True while a friend has not taken the seat."""
        return not all(map(self.is_taken, SEATS))

    def _kind(self, seat: int) -> str:
        return self.seats[seat].kind

    @property
    def is_on_one_screen(self) -> bool:
        """True where both are people at this screen."""
        return self._kind(0) == self._kind(1) == "local"

    def forbidden(self) -> dict[Cell, Foul]:
        """The empty cells where Black, who is to move, may not play; none in other rules and at White's turn."""
        if self.settings.rule != Rule.RENJU or self.to_move != BLACK or self.is_over:
            return {}
        if self._forbidden is None or self._forbidden[0] != self.cells:
            found = {cell: foul for cell in self._suspects() if (foul := find_foul(self.board, *cell)) is not None}
            self._forbidden = self.cells, found
        return self._forbidden[1]

    def _suspects(self) -> Iterator[Cell]:
        """The empty cells where the stones allow a foul: two black ones in each of two lines, or four in one of them.

        Asking the referee about every cell takes several times as long.
        """
        for x, y in self.board.empty_cells():
            counts = sorted(self._black_beside(x, y, dx, dy) for dx, dy in DIRECTIONS)
            if counts[-1] >= 4 or counts[-2] >= 2:
                yield x, y

    def _black_beside(self, x: int, y: int, dx: int, dy: int) -> int:
        """Black stones on a line through the cell, on both sides up to a white stone, the edge, or five cells away."""
        found = 0
        for sign in (1, -1):
            for step in range(1, 6):
                colour = self.board.cell(x + sign * step * dx, y + sign * step * dy)
                if colour in (WHITE, BLOCKED):
                    break
                found += colour == BLACK
        return found

    def winning_row(self) -> list[Cell]:
        """The cells of the row that won, none where no row did."""
        return winning_row(self.board, *self.moves[-1].cell) if self.moves and self.ending is End.FIVE else []

    # What has happened

    def apply(self, event: Event) -> None:
        """Takes the next event. Raises BrokenGame, and then changes nothing that matters: the game is not to be used.
        """
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
        """True when the last stone ended the game by the rules, and nothing has said so yet."""
        if not self.moves or self.is_over or len(self.moves) == len(self.settings.start):
            return False
        return is_win(self.board, *self.moves[-1].cell) or self.board.is_full()

    def _apply_created(self, data: Any, at: float) -> None:
        self.settings = settings = Settings.parse(data["settings"])
        self.seats = list(settings.seats)
        self.board = Board(settings.width, settings.height, settings.rule)
        for x, y in settings.start:
            self.moves.append(Move((x, y), self.to_move))
            self.board.place(x, y)
        self._floor = len(self.moves)
        if settings.clock is not None:
            self.clocks = Clocks(settings.clock, [self._time_of(seat) for seat in settings.seats])
        self.created = self.turn_at = at

    def _time_of(self, who: Seat) -> float | None:
        clock = self.settings.clock
        return None if clock is None or who.kind == "brain" else clock.main

    def _apply_changed(self, data: Any, at: float) -> None:
        seat, who = _seat(data), Seat.parse(data["who"])
        if "friend" in (who.kind, self._kind(seat)):
            raise ValueError("a friend's seat stays a friend's")
        if self.clocks is not None:
            self.clocks.stop(at)
            if (who.kind == "brain") != (self._kind(seat) == "brain"):
                self.clocks.left[seat] = self._time_of(who)
        self.seats[seat] = who
        self._run_clock(at)

    def _apply_sat(self, data: Any, at: float) -> None:
        seat = _seat(data)
        if self._kind(seat) != "friend" or seat in self.sat:
            raise ValueError("nobody can sit there")
        self.sat.add(seat)
        self._run_clock(at)

    def _apply_move(self, data: Any, at: float) -> None:
        cell = parse_cell(data["cell"], self.settings.width, self.settings.height)
        if self.phase not in ("opening", "play"):
            raise ValueError("no stone is due")
        mover = self.mover
        assert mover is not None, "the game goes on"
        self.board.place(*cell)
        thought = Thought(*(data.get(name) for name in ("depth", "score", "mate", "nodes")))
        self.moves.append(Move(cell, self.to_move, int(data.get("ms", 0)), thought))
        self.offer = None
        self.refused_offers = {each for each in self.refused_offers if each[0] != mover}
        if self.clocks is not None:
            self.clocks.stop(at)
            self.clocks.add_increment(mover)
        self._turn(at)

    def _apply_chosen(self, data: Any, at: float) -> None:
        stage, choice = self.stage, data["choice"]
        if stage is None or choice not in stage.choices:
            raise ValueError("nothing like that is to be chosen")
        self.choices = (*self.choices, choice)
        if choice != "more":
            self.colours[stage.seat] = CHOICES.index(choice)
            self.colours[1 - stage.seat] = 1 - CHOICES.index(choice)
        self._floor = len(self.moves)
        self.offer = None
        self._turn(at)

    def _apply_undone(self, data: Any, at: float) -> None:
        plies = data["plies"]
        if not 1 <= plies <= len(self.moves) - self._floor:
            raise ValueError("so many stones cannot be taken back")
        for _ in range(plies):
            self.moves.pop()
            self.board.undo()
        self.comments = {ply: text for ply, text in self.comments.items() if ply <= len(self.moves)}
        self.offer = None
        self._turn(at)

    def _apply_offered(self, data: Any, at: float) -> None:
        if data["what"] not in OFFERS or self.offer is not None:
            raise ValueError("nothing like that can be offered")
        self.offer = _seat(data), data["what"]

    def _apply_answered(self, data: Any, at: float) -> None:
        if self.offer is None or self.offer[0] == _seat(data):
            raise ValueError("nothing is to be answered")
        if not data["accepted"]:
            self.refused_offers.add(self.offer)
        self.offer = None

    def _apply_paused(self, data: Any, at: float) -> None:
        if self.is_paused:
            raise ValueError("the game is paused already")
        is_down = bool(data.get("down"))
        self.is_paused = True
        self._spent = (self.last_at if is_down else at) - self.turn_at
        if self.clocks is not None and is_down:
            self.clocks.forget()
        elif self.clocks is not None:
            self.clocks.stop(at)

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
            raise ValueError("nobody of that colour plays")
        last = self.moves[-1] if self.moves else None
        wins = last is not None and is_win(self.board, *last.cell)
        if wins != (ending is End.FIVE) or (last is not None and wins and winner != last.colour):
            raise ValueError("the stones say otherwise")
        if self.clocks is not None:
            self.clocks.stop(at)
        self.is_over, self.winner, self.ending, self.reason = True, winner, ending, str(data.get("reason", ""))
        self.offer, self.is_paused = None, False

    def _apply_commented(self, data: Any, at: float) -> None:
        ply, text = data["ply"], str(data["text"])
        if not 0 <= ply <= len(self.moves):
            raise ValueError("there is no such ply")
        self.comments.pop(ply, None)
        if text:
            self.comments[ply] = text

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

    # What a seat may do

    def play(self, seat: int, cell: Cell, now: float, ply: int | None = None, ms: int | None = None,
             thought: Thought = SILENCE) -> list[Draft]:  # fmt: skip
        """A stone of that seat. `ply` is how many stones the player saw; the same move twice gives no drafts.

        A foul is refused to people and loses for a brain. `ms`: how long it took, by default the time since the turn
        began. Raises Refused.
        """
        name = format_cell(*cell, self.settings.height)
        if ply is not None and ply < len(self.moves) and self.moves[ply].cell == cell:
            return []
        self._check_going()
        if ply is not None and ply != len(self.moves):
            raise Refused("refused.stale")
        if self.phase == "choice":
            raise Refused("refused.choose_first")
        self._check_turn(seat)
        if not self.board.is_on_board(*cell):
            raise Refused("refused.off_board", width=self.settings.width, height=self.settings.height)
        if self.board.cell(*cell) in (BLACK, WHITE):
            raise Refused("refused.taken", cell=name)
        foul = find_foul(self.board, *cell) if self.to_move == BLACK else None
        if foul is not None and self._kind(seat) != "brain":
            raise Refused("refused.foul", cell=name, foul=foul)
        took = round(1000 * max(0.0, now - self.turn_at)) if ms is None else ms
        said = {"depth": thought.depth, "score": thought.score, "mate": thought.mate, "nodes": thought.nodes}
        data = {"cell": list(cell), "ms": took, **{key: value for key, value in said.items() if value is not None}}
        drafts: list[Draft] = [("move", data)]
        if foul is not None:
            return [*drafts, self.finish(WHITE, End.FOUL)]
        return drafts + self._decision(cell)

    def _decision(self, cell: Cell) -> list[Draft]:
        """`finished`, if a stone of the side to move at this cell decides the game."""
        colour = self.to_move
        if would_win(self.board, *cell, colour):
            return [self.finish(colour, End.FIVE)]
        self.board.place(*cell)
        try:
            if self.board.is_full():
                return [self.finish(None, End.FULL_BOARD)]
            if self.settings.rule == Rule.RENJU and colour == WHITE and all(
                find_foul(self.board, *left) is not None for left in self.board.empty_cells()
            ):  # fmt: skip
                return [self.finish(WHITE, End.FOUL)]
        finally:
            self.board.undo()
        return []

    def choose(self, seat: int, choice: str) -> list[Draft]:
        """A choice of a swap opening: "black", "white" or "more". Raises Refused."""
        self._check_going()
        stage = self.stage
        if stage is None or not stage.choices:
            raise Refused("refused.no_choice")
        self._check_turn(seat)
        if choice not in stage.choices:
            raise Refused("refused.not_offered")
        return [("chosen", {"choice": choice})]

    def undo(self, seat: int) -> list[Draft]:
        """Takes back so much that the seat is to move again, or, with a person elsewhere opposite, offers that.

        Two people on one screen take back one stone at a time, whoever asks. Raises Refused.
        """
        self._check_going(pause_matters=False)
        self._check_person(seat)
        plies = self._plies_back(seat)
        if self._kind(1 - seat) != "brain" and not self.is_on_one_screen and self.phase == "play":
            return self._offer(seat, "undo")
        return [("undone", {"plies": plies})]

    def _plies_back(self, seat: int) -> int:
        """How many stones to take back for that seat to move again. Raises Refused for none."""
        last = len(self.moves) - 1
        if self.is_on_one_screen:
            places = [last]
        elif self.phase == "play":
            places = [place for place in range(last, -1, -1) if place % 2 == self.colours[seat]]
        else:
            places = [last] if self.phase == "opening" and self.mover == seat else []
        for place in places:
            if place >= self._floor:
                return len(self.moves) - place
        raise Refused("refused.nothing_back")

    def offer_draw(self, seat: int) -> list[Draft]:
        """Offers a draw to the person opposite. Raises Refused."""
        self._check_going(pause_matters=False)
        self._check_person(seat)
        if self._kind(1 - seat) == "brain":
            raise Refused("refused.brain_draws")
        return self._offer(seat, "draw")

    def _offer(self, seat: int, what: str) -> list[Draft]:
        if self.is_missing_somebody:
            raise Refused("refused.missing")
        if self.offer is not None:
            raise Refused("refused.offer_stands" if self.offer[0] == seat else "refused.answer_first")
        if (seat, what) in self.refused_offers:
            raise Refused("refused.offer_again")
        return [("offered", {"seat": seat, "what": what})]

    def answer(self, seat: int, accepted: bool) -> list[Draft]:
        """Accepts or declines what the other one has offered. Raises Refused."""
        self._check_going(pause_matters=False)
        if self.offer is None or self.offer[0] == seat:
            raise Refused("refused.no_offer")
        drafts: list[Draft] = [("answered", {"seat": seat, "accepted": accepted})]
        if accepted and self.offer[1] == "draw":
            drafts.append(self.finish(None, End.AGREEMENT))
        elif accepted:
            drafts.append(("undone", {"plies": self._plies_back(self.offer[0])}))
        return drafts

    def resign(self, seat: int) -> list[Draft]:
        """Gives the game up. Raises Refused."""
        if self.is_over:
            raise Refused("refused.over")
        return [("resigned", {"seat": seat}), self.finish(1 - self.colours[seat], End.RESIGNATION)]

    def pause(self, seat: int) -> list[Draft]:
        """Stops clocks and moves. Raises Refused, also where a friend's clock could be stopped by it."""
        self._check_going()
        if self.clocks is not None and "friend" in map(self._kind, SEATS):
            raise Refused("refused.no_pause")
        return [("paused", {})]

    def resume(self, seat: int) -> list[Draft]:
        """Goes on after a pause. Raises Refused."""
        self._check_going(pause_matters=False)
        if not self.is_paused:
            raise Refused("refused.not_paused")
        return [("resumed", {})]

    def sit(self, seat: int) -> list[Draft]:
        """A friend takes the seat. Raises Refused."""
        self._check_going(pause_matters=False)
        if self.is_taken(seat):
            raise Refused("refused.seat_taken")
        return [("sat", {"seat": seat})]

    def change(self, seat: int, who: Seat) -> list[Draft]:
        """Gives the seat to another brain, the same at another level, or a person at this screen. Raises Refused."""
        self._check_going(pause_matters=False)
        if "friend" in (who.kind, self._kind(seat)):
            raise Refused("refused.friends_stay")
        return [("changed", {"seat": seat, "who": who.to_json()})]

    def comment(self, ply: int, text: str) -> list[Draft]:
        """A comment on the position after so many stones; "" takes it away. Raises Refused."""
        if not 0 <= ply <= len(self.moves):
            raise Refused("refused.stale")
        if len(text) > LONGEST_COMMENT:
            raise Refused("refused.long_comment", most=LONGEST_COMMENT)
        if self.event >= MOST_EVENTS:
            raise Refused("refused.long_game")
        return [("commented", {"ply": ply, "text": text})]

    def expire(self, now: float) -> list[Draft]:
        """The loss on time of the one whose clock has run out; no drafts while there is time."""
        seat = None if self.clocks is None or self.is_over else self.clocks.expired(now)
        if seat is None:
            return []
        return [("timed_out", {"seat": seat}), self.finish(1 - self.colours[seat], End.TIME)]

    def wake(self) -> list[Draft]:
        """What a program writes that finds the game going on, after the one that kept it was killed or had gone.

        The clock that ran then stands for the time since the last event. No drafts where none ran.
        """
        if self.is_over or self.is_paused or self.clocks is None or self.clocks.running is None:
            return []
        return [("paused", {"down": True}), ("resumed", {})]

    def rematch(self) -> Settings:
        """The settings of another game with the colours swapped. Raises Refused before this one is over."""
        if not self.is_over:
            raise Refused("refused.not_over")
        black, white = self.seats[self.seat_of(WHITE)], self.seats[self.seat_of(BLACK)]
        return replace(self.settings, black=black, white=white, drawn_by_lot=False, origin=(self.id, self.event))

    def finish(self, winner: int | None, ending: End) -> Draft:
        """The event that ends the game so."""
        return "finished", {"winner": winner, "ending": str(ending), "reason": describe(winner, ending)}

    def _check_going(self, pause_matters: bool = True) -> None:
        if self.is_over:
            raise Refused("refused.over")
        if pause_matters and self.is_paused:
            raise Refused("refused.paused")
        if self.event >= MOST_EVENTS - 3:
            raise Refused("refused.long_game")

    def _check_turn(self, seat: int) -> None:
        if self.is_missing_somebody:
            raise Refused("refused.missing")
        if self.mover != seat:
            raise Refused("refused.not_your_turn")

    def _check_person(self, seat: int) -> None:
        if self._kind(seat) == "brain":
            raise Refused("refused.brains_never")

    # What others are told

    def state(self, now: float, seats: Sequence[int] = (), is_owner: bool = False, thinking: bool = False,
              language: str = ENGLISH) -> dict[str, Any]:  # fmt: skip
        """The game as JSON for one who may move for `seats`, whole, as it is at `now`; see the board's page for keys.

        `mover` is the seat that is to place or choose. A brain's seconds on the clock are null.
        """
        stage = None if self.is_over else self.stage
        choice = list(stage.choices) if stage is not None and stage.choices else None
        return {
            "type": "state",
            "game": self.id,
            "event": self.event,
            "width": self.settings.width,
            "height": self.settings.height,
            "rule": int(self.settings.rule),
            "opening": self.settings.opening,
            "moves": [_move_to_json(move) for move in self.moves],
            "to_move": self.to_move,
            "phase": self.phase,
            "mover": self.mover,
            "choice": choice,
            "chooser": stage.seat if stage is not None and choice else None,
            "seats": [self._seat_to_json(seat) for seat in SEATS],
            "clock": self._clock_to_json(now),
            "paused": self.is_paused,
            "offer": self.offer and {"seat": self.offer[0], "what": self.offer[1]},
            "winner": self.winner,
            "ending": self.ending and str(self.ending),
            "reason": self.result(language),
            "win": [list(cell) for cell in self.winning_row()],
            "forbidden": [{"cell": list(cell), "foul": foul.value} for cell, foul in self.forbidden().items()],
            "comments": [{"ply": ply, "text": text} for ply, text in sorted(self.comments.items())],
            "thinking": thinking,
            "you": {"seats": list(seats), "owner": is_owner},
            "created": self.created,
        }

    def result(self, language: str = ENGLISH) -> str:
        """How the game ended, in one sentence; "" while it goes on."""
        if self.ending is None:
            return ""
        if self.ending is End.RECORD and self.reason:
            return self.reason
        return describe(self.winner, self.ending, language)

    def _seat_to_json(self, seat: int) -> dict[str, Any]:
        who = self.seats[seat]
        return {
            "kind": who.kind,
            "name": who.title,
            "brain": who.brain,
            "level": who.level,
            "turn_ms": who.turn_ms,
            "nodes": who.nodes,
            "colour": self.colours[seat],
            "taken": self.is_taken(seat),
        }

    def _clock_to_json(self, now: float) -> dict[str, Any] | None:
        if self.clocks is None:
            return None
        increment = self.clocks.settings.increment
        return {"left": self.clocks.at(now), "increment": increment, "running": self.clocks.running, "at": now}

    @classmethod
    def fold(cls, events: Iterable[Event], id: str = "") -> Self:
        """The game that these events are. Raises BrokenGame."""
        return cls(events, id)


_VERBS = {name.removeprefix("_apply_"): verb for name, verb in vars(Game).items() if name.startswith("_apply_")}


def describe(winner: int | None, ending: End, language: str = ENGLISH) -> str:
    """How a game ended, in one sentence such as "Black wins by five in a row."."""
    if winner is None:
        key = f"result.draw.{ending}" if f"result.draw.{ending}" in texts(language) else "result.draw"
        return translate(key, language)
    colours = [translate(f"colour.{name.lower()}", language) for name in COLOUR_NAMES]
    return translate(f"result.{ending}", language, winner=colours[winner], loser=colours[1 - winner])


def _move_to_json(move: Move) -> dict[str, Any]:
    thought = move.thought
    said = {"depth": thought.depth, "score": thought.score, "mate": thought.mate, "nodes": thought.nodes}
    return {"cell": list(move.cell), "colour": move.colour, "ms": move.ms, **said}


def _seat(data: Any) -> int:
    seat = data["seat"]
    if seat not in SEATS:
        raise ValueError("there is no such seat")
    return int(seat)


def _word(value: object, language: str) -> object:
    return translate(f"foul.{value.value}", language) if isinstance(value, Foul) else value
