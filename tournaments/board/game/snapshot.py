"""A game after one event. It never changes, so that the thread that has the game can hand it to others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.board.game.clocks import GameClocks
from tournaments.board.game.events import End, GameSettings, Seat
from tournaments.board.game.facts import SEATS, GameFacts, Lessons, PlayedMove
from tournaments.board.game.opening_rules import Progress, Stage
from tournaments.rules.referee import Cell, Foul
from tournaments.translations.catalogue import ENGLISH


@dataclass(frozen=True)
class GameSnapshot(GameFacts):
    """The facts of a game, and the referee's verdict on its position.

    forbidden: the cells where Black, who is to move, may not play. winning_row: the cells of the row that won, none
    if no row did. `clocks` are a copy that never changes.
    """

    id: str
    event: int
    settings: GameSettings
    moves: tuple[PlayedMove, ...]
    choices: tuple[str, ...]
    taken_back: int
    lessons: Lessons
    fifth_moves: tuple[Cell, ...]
    seats: tuple[Seat, ...]
    colours: tuple[int, ...]
    sat: frozenset[int]
    opening_plies: int
    clocks: GameClocks | None
    is_paused: bool
    is_over: bool
    winner: int | None
    ending: End | None
    reason: str
    end_code: int | None
    result_text: str
    offer: tuple[int, str] | None
    comments: Mapping[int, str]
    created: float
    forbidden: Mapping[Cell, Foul]
    winning_row: tuple[Cell, ...]

    def state(
        self,
        now: float,
        seats: Sequence[int] = (),
        is_owner: bool = False,
        thinking: bool = False,
        language: str = ENGLISH,
        offered: Sequence[int] = (),
    ) -> dict[str, Any]:
        """The whole game at the time `now`, as JSON for a client who may move for `seats`, and whose link offers the
        seats `offered`; `messages.answers.State` explains the keys.

        `mover` is the seat that is to place or choose. A brain's seconds on the clock are null.
        """
        opening = self.opening
        stage = None if self.is_over else opening.stage
        choice = list(stage.choices) if stage is not None and stage.choices else None
        return {
            "type": "state",
            "game": self.id,
            "event": self.event,
            "width": self.settings.width,
            "height": self.settings.height,
            "rule": int(self.settings.rule),
            "opening": self.settings.opening,
            "moves": [_move_to_json(move, self._placed_in(opening, ply)) for ply, move in enumerate(self.moves)],
            "to_move": self.to_move,
            "phase": self.phase,
            "mover": self.mover,
            "choice": choice,
            "chooser": stage.seat if stage is not None and choice else None,
            "chosen": [
                {"seat": seat, "choice": made} for seat, made in zip(opening.choosers, self.choices, strict=True)
            ],
            "placing": stage and self._placing_to_json(stage),
            "side": stage and stage.side,
            "fifth_moves": [list(cell) for cell in self.fifth_moves],
            "offers": stage.offers if stage is not None else 0,
            "seats": [self._seat_to_json(seat) for seat in SEATS],
            "clock": self._clock_to_json(now),
            "paused": self.is_paused,
            "offer": self.offer and {"seat": self.offer[0], "what": self.offer[1]},
            "winner": self.winner,
            "ending": self.ending and str(self.ending),
            "reason": self.result(language),
            "win": [list(cell) for cell in self.winning_row],
            "forbidden": [{"cell": list(cell), "foul": foul.value} for cell, foul in self.forbidden.items()],
            "comments": [{"ply": ply, "text": text} for ply, text in sorted(self.comments.items())],
            "thinking": thinking,
            "you": {"seats": list(seats), "owner": is_owner, "offered": list(offered)},
            "created": self.created,
            "taken_back": self.taken_back,
            "set_up": self.opening_plies,
            "teaches": self.lessons.is_on,
            "lessons": {"warned": self.lessons.warned, "heeded": self.lessons.heeded},
        }

    def _placed_in(self, opening: Progress, ply: int) -> int:
        """The seat that placed the stone with that index."""
        return opening.placers[ply] if ply < len(opening.placers) else self.seat_of(ply % 2)

    def _placing_to_json(self, stage: Stage) -> dict[str, Any] | None:
        """Which of the stones of an opening is placed next, None if it is not a stone's turn."""
        if not stage.stones:
            return None
        return {"number": len(self.moves) - self.opening_plies + 1, "count": stage.stones - self.opening_plies}

    def _seat_to_json(self, seat: int) -> dict[str, Any]:
        who = self.seats[seat]
        return {
            "kind": who.kind,
            "name": who.title,
            "brain": who.brain,
            "level": who.level,
            "turn_ms": who.turn_ms,
            "nodes": who.nodes,
            "follows": who.follows,
            "next_level": self.next_level(seat),
            "colour": self.colours[seat],
            "taken": self.is_taken(seat),
        }

    def _clock_to_json(self, now: float) -> dict[str, Any] | None:
        if self.clocks is None:
            return None
        increment = self.clocks.settings.increment
        return {"left": self.clocks.at(now), "increment": increment, "running": self.clocks.running, "at": now}


def _move_to_json(move: PlayedMove, seat: int) -> dict[str, Any]:
    info = move.info
    said = {"depth": info.depth, "score": info.score, "mate": info.mate, "nodes": info.nodes}
    return {"cell": list(move.cell), "colour": move.colour, "seat": seat, "ms": move.ms, **said}
