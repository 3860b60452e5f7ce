"""A game at the board: what each seat may do now.

What has happened is in game_state.py, what others are told of it in snapshot.py. The verbs - `play`, `choose`, `undo`
and so on - say what would have to be written down for it, as drafts of events, or raise `Refused` with a sentence that
says why not. They change nothing: whoever calls them writes the drafts to the library and then applies them, see
library/stored_game.py. `now` is always seconds since 1970 (UTC).
"""

from collections.abc import Sequence

from tournaments.board.game.events import (
    LONGEST_COMMENT,
    MOST_EVENTS,
    MOST_FRIENDS_COMMENTS,
    MOST_FRIENDS_LETTERS,
    RESERVED_EVENTS,
    End,
    NewEvent,
    Seat,
)
from tournaments.board.game.facts import SEATS, GameFacts, PlayedMove, describe
from tournaments.board.game.game_state import BrokenGame, GameState
from tournaments.board.game.refusal import Refused
from tournaments.board.game.snapshot import GameSnapshot
from tournaments.brains.search_info import NO_INFO, SearchInfo
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import BLACK, EMPTY, WHITE, Cell, Rule, find_foul, would_win

__all__ = ["SEATS", "BrokenGame", "Game", "GameFacts", "GameSnapshot", "PlayedMove", "Refused", "describe"]


class Game(GameState):
    """A game that goes on, or is over: what its events make of it, and the verbs of those who sit at it."""

    # What a seat may do

    def play(self, seat: int, cell: Cell, now: float, ply: int | None = None, ms: int | None = None,
             info: SearchInfo = NO_INFO) -> list[NewEvent]:  # fmt: skip
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
        said = {"depth": info.depth, "score": info.score, "mate": info.mate, "nodes": info.nodes}
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
        self._check_going(pause_matters=False, is_needed=False)
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
            if place >= self.opening_plies:
                return len(self.moves) - place
        raise Refused("refused.nothing_back")

    def offer_draw(self, seat: int) -> list[NewEvent]:
        """Offers a draw to the person opposite, or accepts the one that is offered. Raises Refused."""
        self._check_going(pause_matters=False, is_needed=False)
        self._check_person(seat)
        if self.offer == (1 - seat, "draw"):
            return self.answer(seat, True)
        if self._kind(1 - seat) == "brain":
            raise Refused("refused.brain_draws")
        return self._offer(seat, "draw")

    def agree_draw(self, seat: int) -> list[NewEvent]:
        """As `offer_draw`; of two people on one screen, who are asked at once, both agree. Raises Refused."""
        new_events = self.offer_draw(seat)
        if not self.is_on_one_screen or new_events[0][0] != "offered":
            return new_events
        return [*new_events, ("answered", {"seat": 1 - seat, "accepted": True}), self.finish(None, End.AGREEMENT)]

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
        self._check_going(is_needed=False)
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
        self._check_going(pause_matters=False, is_needed=False)
        if "friend" in (who.kind, self._kind(seat)):
            raise Refused("refused.friends_stay")
        return [("changed", {"seat": seat, "who": who.to_json()})]

    def comment(self, ply: int, text: str, is_owner: bool = True) -> list[NewEvent]:
        """A comment on the position after so many stones; "" takes it away. Whoever does not own the board may write
        only so much. Raises Refused."""
        if not 0 <= ply <= len(self.moves):
            raise Refused("refused.stale")
        if len(text) > LONGEST_COMMENT:
            raise Refused("refused.long_comment", most=LONGEST_COMMENT)
        letters = self.comment_letters + len(text)
        if not is_owner and (self.commented >= MOST_FRIENDS_COMMENTS or letters > MOST_FRIENDS_LETTERS):
            raise Refused("refused.many_comments")
        self._check_length(is_needed=False)
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

    def forgive(self, lost: float) -> list[NewEvent]:
        """What a program writes that did not run for so many seconds of this turn: they are nobody's.

        No drafts where none were lost, or where no clock ran.
        """
        if lost <= 0 or self.is_over or self.is_paused or self.clocks is None or self.clocks.running is None:
            return []
        return [("paused", {"down": True, "lost": round(lost, 3)}), ("resumed", {})]

    def finish(self, winner: int | None, ending: End) -> NewEvent:
        """The event that ends the game so."""
        return "finished", {"winner": winner, "ending": str(ending), "reason": describe(winner, ending)}

    def _check_going(self, pause_matters: bool = True, is_needed: bool = True) -> None:
        """`is_needed`: without it no game could be brought to its end. Raises Refused."""
        if self.is_over:
            raise Refused("refused.over")
        if pause_matters and self.is_paused:
            raise Refused("refused.paused")
        self._check_length(is_needed)

    def _check_length(self, is_needed: bool) -> None:
        if self.event >= MOST_EVENTS - (3 if is_needed else RESERVED_EVENTS):
            raise Refused("refused.long_game")

    def _check_turn(self, seat: int) -> None:
        if self.is_missing_somebody:
            raise Refused("refused.missing")
        if self.mover != seat:
            raise Refused("refused.not_your_turn")

    def _check_person(self, seat: int) -> None:
        if self._kind(seat) == "brain":
            raise Refused("refused.brains_never")
