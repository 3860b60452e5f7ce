"""The actions that each seat has now in a game at the board.

The events so far are in game.py, the view for others in snapshot.py, the requests in actions.py. The verbs - `play`,
`choose`, `undo` and so on - return the new events that an action means, or raise `Refused`. They change nothing: the
caller writes the events to the library and then applies them, see library/stored_game.py. `now` is always seconds since
1970 (UTC).
"""

from collections.abc import Sequence

from tournaments.board.game.actions import (
    Action,
    Answer,
    Change,
    Choose,
    Comment,
    Draw,
    OfferFifths,
    Pause,
    PlaceOpening,
    Play,
    Resign,
    Resume,
    Sit,
    Stop,
    Teach,
    Undo,
    Warn,
)
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
from tournaments.board.game.facts import SEATS, describe
from tournaments.board.game.game import Game
from tournaments.board.game.opening_rules import Stage, find_equal_offer, is_central
from tournaments.board.game.refusal import Refused
from tournaments.brains.search_info import NO_INFO, SearchInfo
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import BLACK, WHITE, Cell, Rule, find_foul, would_win


class SeatRules:
    """The actions of the players of a game."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def decide(self, action: Action, now: float) -> list[NewEvent]:
        """The events that an action means in the game now. Raises Refused."""
        match action:
            case Play():
                return self.play(
                    self._seat_of(action), action.cell, now, action.ply, action.ms, action.info, action.offered
                )
            case Choose():
                return self.choose(self._seat_of(action), action.choice, action.ply)
            case PlaceOpening():
                if len(self._game.moves) != action.ply:
                    raise Refused("refused.stale")
                return self.answer_swap2(self._seat_of(action), action.cells, action.ms)
            case OfferFifths():
                if len(self._game.moves) != action.ply:
                    raise Refused("refused.stale")
                return self.offer_fifths(self._seat_of(action), action.cells)
            case Undo():
                return self.undo(self._seat_of(action))
            case Draw():
                return (self.agree_draw if action.is_agreed else self.offer_draw)(self._seat_of(action))
            case Answer():
                return self.answer(self._asked_of(action), action.accepts, action.what)
            case Resign():
                return self.resign(self._seat_of(action))
            case Pause():
                return self.pause(action.is_needed or self._seat_or_owner(action))
            case Resume():
                self._seat_or_owner(action)
                return self.resume()
            case Stop():
                return self.stop(action.is_owner)
            case Sit():
                return self.sit(self._seat_of(action), action.name)
            case Change():
                return self.change(action.seat, action.who)
            case Teach():
                self._seat_or_owner(action)
                return self.teach(action.on)
            case Warn():
                return self.warn(action.kind, action.plies)
            case Comment():
                self._seat_or_owner(action)
                return self.comment(action.ply, action.text, action.is_owner)
        raise TypeError(f"the action {action} is unknown")

    def _seat_of(self, action: Action) -> int:
        """The seat that acts: of two seats the one whose turn it is. Raises Refused without a seat."""
        if not action.seats:
            raise Refused("server.not_seated")
        mover = self._game.mover
        return mover if mover is not None and mover in action.seats else min(action.seats)

    def _asked_of(self, action: Action) -> int:
        """The seat that answers: the one that was asked, if the sender has it. Raises Refused otherwise."""
        asked = None if self._game.offer is None else 1 - self._game.offer[0]
        return asked if asked is not None and asked in action.seats else self._seat_of(action)

    def _seat_or_owner(self, action: Action) -> bool:
        """Raises Refused for a sender who has no seat and does not own the board; false otherwise."""
        if not action.is_owner:
            self._seat_of(action)
        return False

    # The actions of a seat

    def play(
        self,
        seat: int,
        cell: Cell,
        now: float,
        ply: int | None = None,
        ms: int | None = None,
        info: SearchInfo = NO_INFO,
        offered: int | None = None,
    ) -> list[NewEvent]:
        """A stone of that seat. `ply` is the number of stones that the player saw, and `offered` the number of offered
        fifth moves; the same move twice gives no events, and the same offer twice does not take it.

        A foul of a person is refused; a foul of a brain loses. `ms`: the time that the move took, by default since the
        turn began. Raises Refused.
        """
        name = format_cell(*cell, self._game.settings.height)
        if ply is not None and ply < len(self._game.moves) and self._game.moves[ply].cell == cell:
            return []
        self._check_going()
        if ply is not None and ply != len(self._game.moves):
            raise Refused("refused.stale")
        if offered is not None and offered != len(self._game.fifth_moves):
            if cell in self._game.fifth_moves[offered:]:
                return []
            raise Refused("refused.stale")
        if self._game.phase == "choice":
            raise Refused("refused.choose_first")
        self._check_turn(seat)
        self._check_free(cell)
        foul = find_foul(self._game.board, *cell) if self._game.to_move == BLACK else None
        if foul is not None and self._game.kind(seat) != "brain":
            raise Refused("refused.foul", cell=name, foul=foul)
        took = round(1000 * max(0.0, now - self._game.turn_at)) if ms is None else ms
        said = {"depth": info.depth, "score": info.score, "mate": info.mate, "nodes": info.nodes}
        data = {"cell": list(cell), "ms": took, **{key: value for key, value in said.items() if value is not None}}
        stage = self._game.stage
        if stage is not None:
            self._check_opening(stage, cell, self._game.fifth_moves)
            if stage.offers:
                return [("fifth_offered", {"cell": list(cell)})]
        new_events: list[NewEvent] = [("move", data)]
        if foul is not None:
            return [*new_events, self.finish(WHITE, End.FOUL)]
        return new_events + self._decision(cell)

    def offer_fifths(self, seat: int, cells: Sequence[Cell]) -> list[NewEvent]:
        """All fifth moves of an opening of renju. Raises Refused."""
        self._check_going()
        self._check_turn(seat)
        stage, offered = self._game.stage, self._game.fifth_moves
        if stage is None or not stage.offers or len(offered) + len(cells) != stage.offers:
            raise Refused("refused.no_choice")
        for cell in cells:
            self._check_free(cell)
            self._check_opening(stage, cell, offered)
            offered = (*offered, cell)
        return [("fifth_offered", {"cell": list(cell)}) for cell in cells]

    def _check_free(self, cell: Cell) -> None:
        """Raises Refused for a cell that is off the board or taken."""
        settings = self._game.settings
        if not self._game.board.is_on_board(*cell):
            raise Refused("refused.off_board", width=settings.width, height=settings.height)
        if self._game.board.cell(*cell) in (BLACK, WHITE):
            raise Refused("refused.taken", cell=format_cell(*cell, settings.height))

    def _check_opening(self, stage: Stage, cell: Cell, offered: tuple[Cell, ...]) -> None:
        """Raises Refused for a cell that the opening does not allow now."""
        settings = self._game.settings
        if stage.side is not None and not is_central(cell, stage.side, settings.width, settings.height):
            raise Refused("refused.centre" if stage.side == 1 else "refused.central", side=stage.side)
        if stage.offers:
            equal = find_equal_offer(self._game.cells, offered, cell, settings.width)
            if equal == cell:
                raise Refused("refused.fifth_twice", cell=format_cell(*cell, settings.height))
            if equal is not None:
                raise Refused(
                    "refused.fifth_equal",
                    cell=format_cell(*cell, settings.height),
                    other=format_cell(*equal, settings.height),
                )
        if stage.is_taking and cell not in offered:
            cells = tuple(format_cell(*each, settings.height) for each in offered)
            raise Refused("refused.fifth_take", cells=cells)

    def _decision(self, cell: Cell) -> list[NewEvent]:
        """`finished`, if a stone of the side to move at this cell decides the game."""
        colour = self._game.to_move
        if would_win(self._game.board, *cell, colour):
            return [self.finish(colour, End.FIVE)]
        self._game.board.place(*cell)
        try:
            if self._game.board.is_full():
                return [self.finish(None, End.FULL_BOARD)]
            if (
                self._game.settings.rule == Rule.RENJU
                and colour == WHITE
                and all(find_foul(self._game.board, *left) is not None for left in self._game.board.empty_cells())
            ):
                return [self.finish(WHITE, End.FOUL)]
        finally:
            self._game.board.undo()
        return []

    def choose(self, seat: int, choice: str, ply: int | None = None) -> list[NewEvent]:
        """One of the choices of an opening, such as "black". `ply` is the number of stones that the player saw. Raises
        Refused."""
        self._check_going()
        if ply is not None and ply != len(self._game.moves):
            raise Refused("refused.stale")
        stage = self._game.stage
        if stage is None or not stage.choices:
            raise Refused("refused.no_choice")
        self._check_turn(seat)
        if choice not in stage.choices:
            raise Refused("refused.not_offered")
        return [("chosen", {"choice": choice})]

    def answer_swap2(self, seat: int, placed: Sequence[Cell], ms: int = 0) -> list[NewEvent]:
        """The events of a brain's answer to SWAP2BOARD in a swap opening: stones, a choice, or a choice and stones.

        An answer without stones takes Black; one stone takes White and is White's move; two stones leave the choice to
        the other seat, or take White if that choice does not exist. `ms`: the time that the answer took. Raises
        Refused, also for stones that cannot stand there.
        """
        self._check_going()
        stage = self._game.stage
        if stage is None:
            raise Refused("refused.no_choice")
        self._check_turn(seat)
        for place, cell in enumerate(placed):
            self._check_free(cell)
            if cell in placed[:place]:
                raise Refused("refused.taken", cell=format_cell(*cell, self._game.settings.height))
        moves: list[NewEvent] = [
            ("move", {"cell": list(cell), "ms": ms if cell == placed[-1] else 0}) for cell in placed
        ]
        if not stage.choices:
            return moves[: stage.stones - len(self._game.moves)]
        if len(placed) > 1:
            return [*self.choose(seat, "more"), *moves[:2]] if "more" in stage.choices else self.choose(seat, "white")
        return [*self.choose(seat, "white" if placed else "black"), *moves]

    def undo(self, seat: int) -> list[NewEvent]:
        """Takes stones back until the seat is to move again; against a person elsewhere, offers that.

        Two people on one screen take back one stone at a time. Raises Refused.
        """
        self._check_going(pause_matters=False, is_needed=False)
        self._check_person(seat)
        is_offering = self._game.phase == "offer" and self._game.mover == seat
        if self._game.fifth_moves and (is_offering or (self._game.phase == "take" and self._game.is_on_one_screen)):
            return [("fifth_withdrawn", {})]
        plies = self._plies_back(seat)
        if self._game.kind(1 - seat) != "brain" and not self._game.is_on_one_screen and self._game.phase == "play":
            return self._offer(seat, "undo")
        return [("undone", {"plies": plies})]

    def _plies_back(self, seat: int) -> int:
        """How many stones to take back until that seat is to move again. Raises Refused if that is impossible."""
        last = len(self._game.moves) - 1
        if self._game.is_on_one_screen:
            places = [last]
        elif self._game.phase == "play":
            places = [place for place in range(last, -1, -1) if place % 2 == self._game.colours[seat]]
        else:
            places = [last] if self._game.phase == "opening" and self._game.mover == seat else []
        for place in places:
            if place >= self._game.opening_plies:
                return len(self._game.moves) - place
        raise Refused("refused.nothing_back")

    def offer_draw(self, seat: int) -> list[NewEvent]:
        """Offers a draw to the person opposite, or accepts that person's offer. Raises Refused."""
        self._check_going(pause_matters=False, is_needed=False)
        self._check_person(seat)
        if self._game.offer == (1 - seat, "draw"):
            return self.answer(seat, True)
        if self._game.kind(1 - seat) == "brain":
            raise Refused("refused.brain_draws")
        return self._offer(seat, "draw")

    def agree_draw(self, seat: int) -> list[NewEvent]:
        """As `offer_draw`; two people on one screen are asked together, and agree at once. Raises Refused."""
        new_events = self.offer_draw(seat)
        if not self._game.is_on_one_screen or new_events[0][0] != "offered":
            return new_events
        return [*new_events, ("answered", {"seat": 1 - seat, "accepted": True}), self.finish(None, End.AGREEMENT)]

    def _offer(self, seat: int, what: str) -> list[NewEvent]:
        if self._game.is_missing_somebody:
            raise Refused("refused.missing")
        if self._game.offer is not None:
            raise Refused("refused.offer_stands" if self._game.offer[0] == seat else "refused.answer_first")
        if (seat, what) in self._game.refused_offers:
            raise Refused("refused.offer_again")
        return [("offered", {"seat": seat, "what": what})]

    def answer(self, seat: int, accepted: bool, what: str | None = None) -> list[NewEvent]:
        """Accepts or declines the other player's offer. `what` is the offer that the player saw. Raises Refused."""
        self._check_going(pause_matters=False)
        if self._game.offer is None or self._game.offer[0] == seat:
            raise Refused("refused.no_offer")
        if what is not None and self._game.offer[1] != what:
            raise Refused("refused.stale")
        new_events: list[NewEvent] = [("answered", {"seat": seat, "accepted": accepted})]
        if accepted and self._game.offer[1] == "draw":
            new_events.append(self.finish(None, End.AGREEMENT))
        elif accepted:
            new_events.append(("undone", {"plies": self._plies_back(self._game.offer[0])}))
        return new_events

    def resign(self, seat: int) -> list[NewEvent]:
        """Resigns. Raises Refused."""
        if self._game.is_over:
            raise Refused("refused.over")
        return [("resigned", {"seat": seat}), self.finish(1 - self._game.colours[seat], End.RESIGNATION)]

    def stop(self, is_owner: bool) -> list[NewEvent]:
        """Ends a game of two brains, undecided. Raises Refused for a guest, and in a game with people."""
        if self._game.is_over:
            raise Refused("refused.over")
        if not is_owner:
            raise Refused("server.owner_only")
        if any(self._game.kind(seat) != "brain" for seat in SEATS):
            raise Refused("refused.resign_instead")
        return [self.finish(None, End.STOPPED)]

    def pause(self, is_needed: bool = False) -> list[NewEvent]:
        """Stops clocks and moves. Raises Refused, also if that would stop a friend's clock without need."""
        self._check_going(is_needed=is_needed)
        if not is_needed and self._game.clocks is not None and "friend" in map(self._game.kind, SEATS):
            raise Refused("refused.no_pause")
        return [("paused", {})]

    def resume(self) -> list[NewEvent]:
        """Goes on after a pause. Raises Refused."""
        self._check_going(pause_matters=False)
        if not self._game.is_paused:
            raise Refused("refused.not_paused")
        return [("resumed", {})]

    def sit(self, seat: int, name: str = "") -> list[NewEvent]:
        """A friend takes the seat, also one that was taken by a friend with another name. Raises Refused."""
        self._check_going(pause_matters=False)
        is_other = self._game.kind(seat) == "friend" and name not in ("", self._game.seats[seat].name)
        if self._game.is_taken(seat) and not is_other:
            raise Refused("refused.seat_taken")
        return [("sat", {"seat": seat, **({"name": name} if name else {})})]

    def change(self, seat: int, who: Seat) -> list[NewEvent]:
        """Gives the seat to another brain, the same at another level, or a person at this screen. Raises Refused."""
        self._check_going(pause_matters=False, is_needed=False)
        if "friend" in (who.kind, self._game.kind(seat)):
            raise Refused("refused.friends_stay")
        return [("changed", {"seat": seat, "who": who.to_json()})]

    def teach(self, on: bool) -> list[NewEvent]:
        """Switches teaching on or off. Raises Refused."""
        self._check_going(pause_matters=False, is_needed=False)
        return [] if on == self._game.lessons.is_on else [("taught", {"on": on})]

    def warn(self, kind: str, plies: int) -> list[NewEvent]:
        """Tells that the last move throws the game away; no events if that was told already. Raises Refused."""
        self._check_going(pause_matters=False, is_needed=False)
        return [] if self._game.lessons.is_open else [("warned", {"kind": kind, "plies": plies})]

    def comment(self, ply: int, text: str, is_owner: bool = True) -> list[NewEvent]:
        """A comment on the position after `ply` stones; "" takes it away. No events if the position already has
        this text. Only the owner may write without limit. Raises Refused."""
        if not 0 <= ply <= len(self._game.moves):
            raise Refused("refused.stale")
        if self._game.comments.get(ply, "") == text:
            return []  # a page that got no answer sends its comment again
        if len(text) > LONGEST_COMMENT:
            raise Refused("refused.long_comment", most=LONGEST_COMMENT)
        letters = self._game.comment_letters + len(text)
        if not is_owner and (self._game.commented >= MOST_FRIENDS_COMMENTS or letters > MOST_FRIENDS_LETTERS):
            raise Refused("refused.many_comments")
        self._check_length(is_needed=False)
        return [("commented", {"ply": ply, "text": text})]

    def expire(self, now: float) -> list[NewEvent]:
        """The loss on time of the seat whose clock has run out; no events while there is time."""
        seat = None if self._game.clocks is None or self._game.is_over else self._game.clocks.expired(now)
        if seat is None:
            return []
        return [("timed_out", {"seat": seat}), self.finish(1 - self._game.colours[seat], End.TIME)]

    def wake(self) -> list[NewEvent]:
        """The events that a program writes when it finds a game in progress that another program has left.

        The clock that ran is not charged the time since the last event. No events if no clock ran.
        """
        if self._game.is_over or self._game.is_paused or self._game.clocks is None or self._game.clocks.running is None:
            return []
        return [("paused", {"down": True}), ("resumed", {})]

    def forgive(self, lost: float) -> list[NewEvent]:
        """The events that a program writes after it did not run for some seconds of this turn: no seat is charged them.

        No events if no seconds were lost, or if no clock ran.
        """
        game = self._game
        if lost <= 0 or game.is_over or game.is_paused or game.clocks is None or game.clocks.running is None:
            return []
        return [("paused", {"down": True, "lost": round(lost, 3)}), ("resumed", {})]

    def finish(self, winner: int | None, ending: End) -> NewEvent:
        """The event that ends the game in this way."""
        return "finished", {"winner": winner, "ending": str(ending), "reason": describe(winner, ending)}

    def _check_going(self, pause_matters: bool = True, is_needed: bool = True) -> None:
        """`is_needed`: the event helps to bring the game to its end. Raises Refused."""
        if self._game.is_over:
            raise Refused("refused.over")
        if pause_matters and self._game.is_paused:
            raise Refused("refused.paused")
        self._check_length(is_needed)

    def _check_length(self, is_needed: bool) -> None:
        if self._game.event >= MOST_EVENTS - (3 if is_needed else RESERVED_EVENTS):
            raise Refused("refused.long_game")

    def _check_turn(self, seat: int) -> None:
        if self._game.is_missing_somebody:
            raise Refused("refused.missing")
        if self._game.mover != seat:
            raise Refused("refused.not_your_turn")

    def _check_person(self, seat: int) -> None:
        if self._game.kind(seat) == "brain":
            raise Refused("refused.brains_never")
