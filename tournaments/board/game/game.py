"""A game at the board: what each seat may do now, and what others are told of it.

What has happened is in game_state.py. The verbs - `play`, `choose`, `undo` and so on - say what would have to be
written down for it, as drafts of events, or raise `Refused` with a sentence that says why not. They change nothing:
whoever calls them writes the drafts to the library and then applies them, see library/stored_game.py. `now` is always
seconds since 1970 (UTC).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tournaments.board.game.events import LONGEST_COMMENT, MOST_EVENTS, End, GameSettings, NewEvent, Seat
from tournaments.board.game.game_state import SEATS, BrokenGame, GameState, PlayedMove
from tournaments.board.translations.catalogue import ENGLISH, texts, translate
from tournaments.brains.thought import SILENCE, Thought
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import (
    BLACK,
    COLOUR_NAMES,
    EMPTY,
    WHITE,
    Cell,
    Foul,
    Rule,
    find_foul,
    would_win,
)

__all__ = ["SEATS", "BrokenGame", "Game", "PlayedMove", "Refused", "describe"]


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


class Game(GameState):
    """A game that goes on, or is over: what its events make of it, and the verbs of those who sit at it."""

    # What a seat may do

    def play(self, seat: int, cell: Cell, now: float, ply: int | None = None, ms: int | None = None,
             thought: Thought = SILENCE) -> list[NewEvent]:  # fmt: skip
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
        new_events: list[NewEvent] = [("move", data)]
        if foul is not None:
            return [*new_events, self.finish(WHITE, End.FOUL)]
        return new_events + self._decision(cell)

    def _decision(self, cell: Cell) -> list[NewEvent]:
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

    def choose(self, seat: int, choice: str) -> list[NewEvent]:
        """A choice of a swap opening: "black", "white" or "more". Raises Refused."""
        self._check_going()
        stage = self.stage
        if stage is None or not stage.choices:
            raise Refused("refused.no_choice")
        self._check_turn(seat)
        if choice not in stage.choices:
            raise Refused("refused.not_offered")
        return [("chosen", {"choice": choice})]

    def answer_swap2(self, seat: int, placed: Sequence[Cell], ms: int = 0) -> list[NewEvent]:
        """What a brain's answer to SWAP2BOARD does in a swap opening: stones, a choice, or a choice and stones.

        No stones take Black, one takes White and is its move, two leave the choice to the other, or where there is no
        such choice take White. `ms`: how long the answer took. Raises Refused, also for stones that cannot stand there.
        """
        self._check_going()
        stage = self.stage
        if stage is None:
            raise Refused("refused.no_choice")
        self._check_turn(seat)
        for place, cell in enumerate(placed):
            if not self.board.is_on_board(*cell):
                raise Refused("refused.off_board", width=self.settings.width, height=self.settings.height)
            if self.board.cell(*cell) != EMPTY or cell in placed[:place]:
                raise Refused("refused.taken", cell=format_cell(*cell, self.settings.height))
        moves: list[NewEvent] = [
            ("move", {"cell": list(cell), "ms": ms if cell == placed[-1] else 0}) for cell in placed
        ]
        if not stage.choices:
            return moves[: stage.stones - len(self.moves)]
        if len(placed) > 1:
            return [*self.choose(seat, "more"), *moves[:2]] if "more" in stage.choices else self.choose(seat, "white")
        return [*self.choose(seat, "white" if placed else "black"), *moves]

    def undo(self, seat: int) -> list[NewEvent]:
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

    def offer_draw(self, seat: int) -> list[NewEvent]:
        """Offers a draw to the person opposite, or accepts the one that is offered. Raises Refused."""
        self._check_going(pause_matters=False)
        self._check_person(seat)
        if self.offer == (1 - seat, "draw"):
            return self.answer(seat, True)
        if self._kind(1 - seat) == "brain":
            raise Refused("refused.brain_draws")
        return self._offer(seat, "draw")

    def _offer(self, seat: int, what: str) -> list[NewEvent]:
        if self.is_missing_somebody:
            raise Refused("refused.missing")
        if self.offer is not None:
            raise Refused("refused.offer_stands" if self.offer[0] == seat else "refused.answer_first")
        if (seat, what) in self.refused_offers:
            raise Refused("refused.offer_again")
        return [("offered", {"seat": seat, "what": what})]

    def answer(self, seat: int, accepted: bool) -> list[NewEvent]:
        """Accepts or declines what the other one has offered. Raises Refused."""
        self._check_going(pause_matters=False)
        if self.offer is None or self.offer[0] == seat:
            raise Refused("refused.no_offer")
        new_events: list[NewEvent] = [("answered", {"seat": seat, "accepted": accepted})]
        if accepted and self.offer[1] == "draw":
            new_events.append(self.finish(None, End.AGREEMENT))
        elif accepted:
            new_events.append(("undone", {"plies": self._plies_back(self.offer[0])}))
        return new_events

    def resign(self, seat: int) -> list[NewEvent]:
        """Gives the game up. Raises Refused."""
        if self.is_over:
            raise Refused("refused.over")
        return [("resigned", {"seat": seat}), self.finish(1 - self.colours[seat], End.RESIGNATION)]

    def pause(self, seat: int) -> list[NewEvent]:
        """Stops clocks and moves. Raises Refused, also where a friend's clock could be stopped by it."""
        self._check_going()
        if self.clocks is not None and "friend" in map(self._kind, SEATS):
            raise Refused("refused.no_pause")
        return [("paused", {})]

    def resume(self, seat: int) -> list[NewEvent]:
        """Goes on after a pause. Raises Refused."""
        self._check_going(pause_matters=False)
        if not self.is_paused:
            raise Refused("refused.not_paused")
        return [("resumed", {})]

    def sit(self, seat: int) -> list[NewEvent]:
        """A friend takes the seat. Raises Refused."""
        self._check_going(pause_matters=False)
        if self.is_taken(seat):
            raise Refused("refused.seat_taken")
        return [("sat", {"seat": seat})]

    def change(self, seat: int, who: Seat) -> list[NewEvent]:
        """Gives the seat to another brain, the same at another level, or a person at this screen. Raises Refused."""
        self._check_going(pause_matters=False)
        if "friend" in (who.kind, self._kind(seat)):
            raise Refused("refused.friends_stay")
        return [("changed", {"seat": seat, "who": who.to_json()})]

    def comment(self, ply: int, text: str) -> list[NewEvent]:
        """A comment on the position after so many stones; "" takes it away. Raises Refused."""
        if not 0 <= ply <= len(self.moves):
            raise Refused("refused.stale")
        if len(text) > LONGEST_COMMENT:
            raise Refused("refused.long_comment", most=LONGEST_COMMENT)
        if self.event >= MOST_EVENTS:
            raise Refused("refused.long_game")
        return [("commented", {"ply": ply, "text": text})]

    def expire(self, now: float) -> list[NewEvent]:
        """The loss on time of the one whose clock has run out; no drafts while there is time."""
        seat = None if self.clocks is None or self.is_over else self.clocks.expired(now)
        if seat is None:
            return []
        return [("timed_out", {"seat": seat}), self.finish(1 - self.colours[seat], End.TIME)]

    def wake(self) -> list[NewEvent]:
        """What a program writes that finds the game going on, after the one that kept it was killed or had gone.

        The clock that ran then stands for the time since the last event. No drafts where none ran.
        """
        if self.is_over or self.is_paused or self.clocks is None or self.clocks.running is None:
            return []
        return [("paused", {"down": True}), ("resumed", {})]

    def rematch(self) -> GameSettings:
        """The settings of another game with the colours swapped. Raises Refused before this one is over."""
        if not self.is_over:
            raise Refused("refused.not_over")
        black, white = self.seats[self.seat_of(WHITE)], self.seats[self.seat_of(BLACK)]
        return replace(self.settings, black=black, white=white, drawn_by_lot=False, origin=(self.id, self.event))

    def finish(self, winner: int | None, ending: End) -> NewEvent:
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


def describe(winner: int | None, ending: End, language: str = ENGLISH) -> str:
    """How a game ended, in one sentence such as "Black wins by five in a row."."""
    if winner is None:
        key = f"result.draw.{ending}" if f"result.draw.{ending}" in texts(language) else "result.draw"
        return translate(key, language)
    colours = [translate(f"colour.{name.lower()}", language) for name in COLOUR_NAMES]
    return translate(f"result.{ending}", language, winner=colours[winner], loser=colours[1 - winner])


def _move_to_json(move: PlayedMove) -> dict[str, Any]:
    thought = move.thought
    said = {"depth": thought.depth, "score": thought.score, "mate": thought.mate, "nodes": thought.nodes}
    return {"cell": list(move.cell), "colour": move.colour, "ms": move.ms, **said}


def _word(value: object, language: str) -> object:
    return translate(f"foul.{value.value}", language) if isinstance(value, Foul) else value
