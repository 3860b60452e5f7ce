"""Games at the board: events played through the referee, what a seat may do, swap openings, clocks, sentences."""

import inspect
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.board.game import seat_rules
from tournaments.board.game.actions import (
    Comment,
    Draw,
    Pause,
    Play,
    Resign,
    Resume,
    Stop,
    Undo,
)
from tournaments.board.game.events import ClockSettings, End, Event, GameSettings, NewEvent, Seat
from tournaments.board.game.game import BrokenGame, Game, Refused
from tournaments.board.game.seat_rules import SeatRules
from tournaments.board.library.game_record import record_of
from tournaments.rules.notation import parse_opening
from tournaments.rules.referee import BLACK, WHITE, Board, Rule, find_foul, is_win
from tournaments.translations.catalogue import texts

FRIEND = Seat("friend")
BRAIN = Seat("brain", "tengen", level=3)


class Table:
    """A game that is played on: verbs by name, with a time that goes on by a second each."""

    def __init__(self, **values: Any) -> None:
        self.now = 1000.0
        self.events = [Event(1, self.now, "created", {"settings": GameSettings(**values).to_json()})]
        self.game = Game.from_events(self.events, "g")
        self.rules = SeatRules(self.game)

    def add(self, new_events: list[NewEvent]) -> None:
        for kind, data in new_events:
            event = Event(len(self.events) + 1, self.now, kind, json.loads(json.dumps(data)))
            self.events.append(event)
            self.game.apply(event)

    def do(self, verb: str, *values: Any, after: float = 1.0) -> list[NewEvent]:
        self.now += after
        method: Callable[..., list[NewEvent]] = getattr(SeatRules(self.game), verb)
        new_events = method(*values, self.now) if verb == "play" else method(*values)
        self.add(new_events)
        return new_events

    def moves(self, text: str) -> None:
        for cell in parse_opening(text, self.game.settings.width, self.game.settings.height):
            mover = self.game.mover
            assert mover is not None
            self.do("play", mover, cell)

    def refuses(self, verb: str, *values: Any) -> str:
        with pytest.raises(Refused) as error:
            self.do(verb, *values)
        return str(error.value)


def cell(text: str, height: int = 15) -> tuple[int, int]:
    return parse_opening(text, 15, height)[0]


def test_a_game_to_a_win() -> None:
    table = Table()
    table.moves("h8a1i8a2j8a3k8a4l8")
    game = table.game
    assert (game.phase, game.winner, game.ending, game.mover) == ("over", BLACK, End.FIVE, None)
    assert game.winning_row() == [(7 + step, 7) for step in range(5)]
    assert game.result() == "Black wins with five in a row."
    assert table.refuses("play", 0, (0, 0)) == "The game is over."
    assert table.refuses("undo", 0) == "The game is over."
    state = game.snapshot().state(table.now, (0, 1), True)
    assert json.loads(json.dumps(state)) == state
    assert (state["phase"], state["win"][0], state["you"]) == (
        "over",
        [7, 7],
        {"seats": [0, 1], "owner": True, "offered": []},
    )
    assert game.snapshot().state(table.now, language="zh")["reason"] == "黑方五连获胜。"


@pytest.mark.parametrize(
    ("verb", "values", "sentence"),
    [
        ("play", (1, (0, 0)), "It is not your turn."),
        ("play", (0, (15, 0)), "That cell is off the board of 15 by 15."),
        ("play", (0, (7, 7)), "h8 is taken."),
        ("resume", (), "The game is not paused."),
        ("choose", (0, "black"), "There is nothing to choose now."),
        ("answer", (0, True), "There is no offer to answer."),
        ("sit", (0,), "This seat is taken already."),
        ("comment", (9, "x"), "The position has changed in the meantime."),
        ("comment", (0, "x" * 2001), "A comment has up to 2000 letters."),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(verb: str, values: tuple[Any, ...], sentence: str) -> None:
    table = Table()
    table.moves("h8i9")
    assert table.refuses(verb, *values) == sentence
    assert len(table.game.moves) == 2


def test_a_stale_move_is_refused_and_the_same_twice_is_one() -> None:
    table = Table()
    table.add(table.rules.play(0, (7, 7), table.now, ply=0))
    assert table.rules.play(0, (7, 7), table.now, ply=0) == []
    with pytest.raises(Refused, match="changed in the meantime"):
        table.rules.play(0, (8, 8), table.now, ply=0)
    with pytest.raises(Refused, match="changed in the meantime"):
        table.rules.play(1, (8, 8), table.now, ply=2)


def test_a_renju_foul_is_refused_with_its_reason_and_marked_before() -> None:
    table = Table(rule=Rule.RENJU)
    table.moves("h8a1i8a3j9a5j10a7")  # h8 i8 and j9 j10: j8 makes two threes
    assert table.refuses("play", 0, cell("j8")) == "j8 is forbidden for Black: a double three."
    state = table.game.snapshot().state(table.now)
    assert state["forbidden"] == [{"cell": [9, 7], "foul": "double-three"}]
    with pytest.raises(Refused) as error:
        table.rules.play(0, cell("j8"), table.now)
    assert error.value.sentence("zh").startswith("j8 是黑方的禁手点")
    table.moves("o15")
    assert table.game.snapshot().state(table.now)["forbidden"] == []  # White may go anywhere


def test_a_brain_loses_by_a_foul() -> None:
    table = Table(rule=Rule.RENJU, black=BRAIN)
    table.moves("h8a1i8a3j9a5j10a7j8")
    assert (table.game.winner, table.game.ending) == (WHITE, End.FOUL)


@given(st.integers(0, 10**9))
@settings(max_examples=8, deadline=None)
def test_the_forbidden_points_are_those_of_the_referee(seed: int) -> None:
    chance = Random(seed)
    table = Table(rule=Rule.RENJU, width=9, height=8)
    for _ in range(chance.randrange(10, 40)):
        is_black = table.game.to_move == BLACK
        free = [
            each for each in table.game.board.empty_cells() if not (is_black and find_foul(table.game.board, *each))
        ]
        near = [(x, y) for x, y in free if 2 <= x <= 6 and 2 <= y <= 6]
        mover = table.game.mover
        if mover is None or not free:
            break
        table.do("play", mover, chance.choice(near or free))
    if table.game.to_move == BLACK and not table.game.is_over:
        every = {each: find_foul(table.game.board, *each) for each in table.game.board.empty_cells()}
        assert table.game.forbidden() == {each: foul for each, foul in every.items() if foul}


def test_a_full_board_is_a_draw() -> None:
    table = Table(width=5, height=5, rule=Rule.FREESTYLE)
    # Rows of BBWWB and WWBBW in turn have no five anywhere.
    black = [(x, y) for y in range(5) for x in range(5) if (x // 2 + y) % 2 == 0]
    white = [(x, y) for y in range(5) for x in range(5) if (x // 2 + y) % 2]
    for place in range(25):
        table.do("play", place % 2, (black, white)[place % 2][place // 2])
    assert (table.game.ending, table.game.winner, table.game.result()) == (
        End.FULL_BOARD,
        None,
        "Draw: the board is full.",
    )


# Openings


def test_swap2_by_all_its_choices() -> None:
    for first, second, colours in (
        ("black", None, [1, 0]),
        ("white", None, [0, 1]),
        ("more", "black", [0, 1]),
        ("more", "white", [1, 0]),
    ):
        table = Table(opening="swap2")
        assert [table.game.phase, table.game.mover] == ["opening", 0]
        table.moves("h8i9j10")
        state = table.game.snapshot().state(table.now)
        assert (state["phase"], state["choice"], state["chooser"]) == ("choice", ["black", "white", "more"], 1)
        assert table.refuses("play", 1, (0, 0)) == "Make your choice before you place the next stone."
        assert table.refuses("choose", 0, "black") == "It is not your turn."
        table.do("choose", 1, first)
        if second:
            assert [table.game.phase, table.game.mover] == ["opening", 1]
            table.moves("a1a2")
            assert table.game.snapshot().state(table.now)["choice"] == ["black", "white"]
            assert table.refuses("choose", 0, "more") == "That is not one of the choices."
            table.do("choose", 0, second)
        assert table.game.colours == colours and table.game.phase == "play"
        assert table.game.to_move == WHITE and table.game.mover == colours.index(WHITE)
        assert table.refuses("undo", 0) == table.refuses("undo", 1) == "There is no stone to take back."


def test_swap_has_two_choices() -> None:
    table = Table(opening="swap")
    table.moves("h8i9j10")
    assert table.refuses("choose", 1, "more") == "That is not one of the choices."
    table.do("choose", 1, "white")
    assert table.game.mover == 1


# Undo, draws, pauses


def test_undo_takes_back_as_much_as_the_seat_needs() -> None:
    table = Table(white=BRAIN)
    table.moves("h8i9j10")
    assert table.do("undo", 0) == [("undone", {"plies": 1})]  # the brain has not answered yet
    table.moves("j10k11")
    assert table.do("undo", 0) == [("undone", {"plies": 2})]
    assert table.game.cells == parse_opening("h8i9", 15, 15)
    assert table.refuses("undo", 1) == "A brain plays that seat."
    assert Table(black=BRAIN).refuses("undo", 1) == "There is no stone to take back."
    two = Table()
    two.moves("h8i9")
    assert two.do("undo", 1) == [("undone", {"plies": 1})]


def test_undo_stops_at_a_position_that_was_set_up() -> None:
    table = Table(start=parse_opening("h8i9j10", 15, 15))
    assert table.refuses("undo", 0) == "There is no stone to take back."
    table.moves("a1")
    table.do("undo", 1)
    assert len(table.game.moves) == 3


def test_a_friend_has_to_agree_to_undo_and_draw() -> None:
    table = Table(white=FRIEND)
    assert table.refuses("play", 0, (0, 0)) == "The other player has not joined yet."
    table.do("sit", 1)
    table.moves("h8i9")
    table.do("undo", 0)
    assert table.game.snapshot().state(table.now)["offer"] == {"seat": 0, "what": "undo"}
    assert table.refuses("undo", 0) == "Your offer waits for an answer."
    assert table.refuses("offer_draw", 1) == "Answer the offer first."  # to take a move back
    assert table.refuses("answer", 0, True) == "There is no offer to answer."
    table.do("answer", 1, False)
    assert len(table.game.moves) == 2
    assert table.refuses("undo", 0) == "That was declined; make a move before you offer it again."
    table.moves("j10")
    table.do("undo", 0)
    table.do("answer", 1, True)
    assert len(table.game.moves) == 2
    table.do("offer_draw", 1)
    table.moves("j10")  # a player who plays on has not accepted
    assert table.game.offer is None
    table.do("offer_draw", 0)
    assert table.refuses("answer", 1, True, "undo") == "The position has changed in the meantime."
    table.do("answer", 1, True, "draw")
    assert (table.game.ending, table.game.winner) == (End.AGREEMENT, None)
    assert table.game.result() == "Draw by agreement."
    assert Table(white=BRAIN).refuses("offer_draw", 0) == "A brain does not accept draw offers."


def test_who_offers_a_draw_that_is_offered_has_accepted_it() -> None:
    table = Table(white=FRIEND)
    table.do("sit", 1)
    table.moves("h8")
    table.do("offer_draw", 0)
    table.do("offer_draw", 1)
    assert (table.game.ending, table.game.winner) == (End.AGREEMENT, None)


def test_a_friend_asks_too() -> None:
    table = Table(white=FRIEND)
    table.do("sit", 1)
    table.moves("h8i9j10")
    assert table.do("undo", 1) == [("offered", {"seat": 1, "what": "undo"})]
    assert table.do("answer", 0, True)[1] == ("undone", {"plies": 2})


def test_resigning_and_the_rematch() -> None:
    table = Table(white=BRAIN, drawn_by_lot=True)
    with pytest.raises(Refused, match="not over"):
        table.game.rematch()
    table.moves("h8i9")
    table.do("resign", 0)
    assert table.game.result() == "White wins: Black resigns."
    again = table.game.rematch()
    assert (again.black, again.white, again.drawn_by_lot) == (BRAIN, Seat(), False)
    assert again.origin == ("g", table.game.event)
    swapped = Table(opening="swap", white=BRAIN)
    swapped.moves("h8i9j10")
    swapped.do("choose", 1, "black")
    swapped.do("resign", 0)
    assert swapped.game.winner == BLACK and swapped.game.rematch().black == Seat()


def test_colours_by_lot_are_drawn_once() -> None:
    asked = GameSettings(white=BRAIN, drawn_by_lot=True)
    drawn = [asked.with_lot(Random(seed)).black for seed in range(40)]
    assert 5 < drawn.count(BRAIN) < 35
    assert all(replace(asked, drawn_by_lot=False).with_lot(Random(seed)).white == BRAIN for seed in range(9))


def test_a_seat_may_go_to_another_brain_or_a_person() -> None:
    table = Table(white=BRAIN, clock=ClockSettings(60))
    table.moves("h8")
    stronger = replace(BRAIN, level=9)
    table.do("change", 1, stronger)
    assert table.game.seats == [Seat(), stronger]
    table.do("change", 1, Seat(), after=500)
    assert table.game.is_on_one_screen and table.game.clocks is not None
    assert table.game.clocks.at(table.now + 10) == [60, 50]
    assert Table(white=FRIEND).refuses("change", 1, BRAIN) == "A friend's seat cannot be given to another player."


def test_a_log_without_end_is_refused_but_can_be_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    table.moves("h8i9")
    monkeypatch.setattr(seat_rules, "MOST_EVENTS", 6)
    assert table.refuses("play", 0, (0, 0)) == "This game is too long to continue."
    table.do("resign", 0)
    assert table.game.is_over


def test_whoever_fills_the_log_keeps_nobody_from_playing_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A friend who pauses and goes on, or comments, for hours."""
    monkeypatch.setattr(seat_rules, "MOST_EVENTS", 60)
    monkeypatch.setattr(seat_rules, "RESERVED_EVENTS", 40)
    table = Table()
    table.moves("h8i9")
    while table.game.event < 20:
        table.do("pause")
        table.do("resume")
    for verb, values in (("pause", ()), ("undo", (0,)), ("offer_draw", (0,)), ("comment", (0, "x"))):
        assert table.refuses(verb, *values) == "This game is too long to continue."
    table.moves("h9i10h10i11h11i12h12")
    assert table.game.is_over and table.game.winner == 0


def test_two_on_one_screen_agree_to_a_draw_in_one_write() -> None:
    table = Table()
    table.moves("h8i9")
    table.do("agree_draw", 0)
    assert table.game.is_over and table.game.winner is None
    table = Table(white=BRAIN)
    assert table.refuses("agree_draw", 0) == "A brain does not accept draw offers."


def test_a_friend_writes_so_many_comments_and_the_owner_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_rules, "MOST_FRIENDS_COMMENTS", 3)
    monkeypatch.setattr(seat_rules, "MOST_FRIENDS_LETTERS", 10)
    table = Table()
    table.do("comment", 0, "123456", False)
    assert table.refuses("comment", 0, "12345", False) == "This game has no room for more comments."
    for text in ("1234", ""):
        table.do("comment", 0, text, False)
    assert table.refuses("comment", 0, "1", False) == "This game has no room for more comments."
    assert table.do("comment", 0, "", False) == [], "a comment that is there already needs no room"
    table.do("comment", 0, "the owner's own")


def test_a_paused_game_takes_no_moves() -> None:
    table = Table(white=BRAIN)
    table.do("pause")
    assert table.refuses("play", 0, (0, 0)) == table.refuses("pause") == "The game is paused."
    table.do("resume", after=1000.0)
    table.do("play", 0, (0, 0))
    assert table.game.moves[0].ms == 2000  # a second before the pause and one after it
    clocked = Table(white=FRIEND, clock=ClockSettings(60))
    assert clocked.refuses("pause") == "A game with clocks against a friend cannot be paused."


def test_an_action_is_for_the_seat_whose_turn_it_is() -> None:
    table = Table()
    both = (0, 1)
    for place in range(4):
        ((kind, data),) = table.rules.decide(Play(both, cell=(place, 0)), table.now)
        assert (kind, data["cell"]) == ("move", [place, 0])
        table.add([(kind, data)])
    assert table.game.mover == 0
    assert table.rules.decide(Resign(both), table.now)[0] == ("resigned", {"seat": 0})
    assert table.rules.decide(Resign((1,)), table.now)[0] == ("resigned", {"seat": 1})
    for action in (Play(()), Undo(()), Draw(()), Resign(()), Pause(()), Resume(()), Comment((), text="x")):
        with pytest.raises(Refused, match="You have no seat in this game"):
            table.rules.decide(action, table.now)
    assert table.rules.decide(Comment((), True, text="x"), table.now) == [("commented", {"ply": 0, "text": "x"})]


def test_the_owner_pauses_and_ends_a_game_of_two_brains() -> None:
    table = Table(black=BRAIN, white=BRAIN)
    table.add(table.rules.decide(Pause((), is_owner=True), table.now))
    assert table.game.is_paused
    with pytest.raises(Refused, match="Only the owner"):
        table.rules.decide(Stop(()), table.now)
    table.add(table.rules.decide(Stop((), is_owner=True), table.now))
    assert table.game.is_over and table.game.winner is None and table.game.result() == "The owner ended this game."
    assert record_of(table.game).winner is None, "it is no draw"
    with pytest.raises(Refused, match="Only a game of two brains"):
        Table().rules.decide(Stop((), is_owner=True), table.now)


def test_a_game_waits_for_a_brain_that_failed_whatever_its_clock() -> None:
    table = Table(black=Seat("friend"), white=BRAIN, clock=ClockSettings(60))
    table.do("sit", 0)
    with pytest.raises(Refused, match="cannot be paused"):
        table.rules.decide(Pause((0,)), table.now)
    assert table.rules.decide(Pause((), is_needed=True), table.now) == [("paused", {})]


def test_comments_belong_to_plies() -> None:
    table = Table()
    table.moves("h8i9")
    table.do("comment", 2, "good")
    table.do("comment", 1, "bad")
    table.do("comment", 1, "")
    assert table.game.snapshot().state(table.now)["comments"] == [{"ply": 2, "text": "good"}]
    table.do("undo", 0)
    assert table.game.comments == {}


# Clocks


def test_clocks_run_from_the_first_move_with_increment() -> None:
    table = Table(clock=ClockSettings(60, 5))
    table.do("play", 0, (0, 0), after=100.0)  # before the first move they stand
    assert table.game.clocks is not None and table.game.clocks.left == [65, 60]
    table.do("play", 1, (1, 0), after=10.0)
    assert table.game.clocks.left == [65, 55]
    assert table.game.snapshot().state(table.now + 15)["clock"] == {
        "left": [50, 55],
        "increment": 5,
        "running": 0,
        "at": table.now + 15,
    }
    table.do("pause", after=5.0)
    table.do("resume", after=500.0)
    table.do("play", 0, (2, 0), after=20.0)
    assert table.game.clocks.left == [45, 55]
    assert table.rules.expire(table.now + 54.9) == []
    table.now += 55
    table.add(table.rules.expire(table.now))
    assert (table.game.ending, table.game.winner) == (End.TIME, BLACK)
    assert table.game.result() == "Black wins: White has no time left."
    assert table.rules.expire(table.now + 99) == []


def test_the_time_in_which_a_friend_was_awaited_is_nobodys() -> None:
    table = Table(white=Seat("friend"), clock=ClockSettings(60))
    table.do("sit", 1, after=900.0)
    ((_, data),) = table.do("play", 0, (7, 7), after=3.0)
    assert data["ms"] == 3000
    assert table.game.clocks is not None and table.game.clocks.at(table.now) == [60, 60]


def test_who_allows_to_take_back_gets_the_time_of_the_request_back() -> None:
    def ask(accepted: bool) -> list[float | None]:
        table = Table(white=Seat("friend"), clock=ClockSettings(60))
        table.do("sit", 1)
        table.moves("h8i9h9")
        table.do("undo", 0, after=5.0)
        table.do("answer", 1, accepted, after=20.0)
        assert table.game.clocks is not None
        return table.game.clocks.at(table.now)

    # White had thought for 5 seconds when Black asked, and the answer took 20.
    assert ask(False)[1] == pytest.approx(60 - 1 - 25)
    assert ask(True)[1] == pytest.approx(60 - 1 - 5)


def test_moves_made_and_taken_back_bring_no_time() -> None:
    table = Table(white=BRAIN, clock=ClockSettings(60, 30))
    assert table.game.clocks is not None
    for seconds, left in ((0, 60), (0, 60), (70, 20), (0, 30), (0, 30)):  # no player runs out of time by it
        for seat in (0, 1):
            table.do("play", seat, (seat, 0), after=0.0)
        table.do("undo", 0, after=float(seconds))
        assert table.game.clocks.left == [left, None]


def test_the_clock_stands_while_no_program_was_there() -> None:
    table = Table(clock=ClockSettings(60))
    table.moves("h8")
    table.do("play", 1, (0, 0), after=30)
    table.now += 100_000
    new_events = table.rules.wake()
    assert [kind for kind, _ in new_events] == ["paused", "resumed"]
    table.add(new_events)
    assert table.game.clocks is not None and table.game.clocks.at(table.now + 1) == [59, 30]
    assert Table().rules.wake() == []


def test_brains_and_absent_friends_have_no_running_clock() -> None:
    table = Table(white=BRAIN, clock=ClockSettings(60))
    table.moves("h8")
    assert table.game.snapshot().state(table.now + 1000)["clock"]["left"] == [60, None]
    table.do("play", 1, (0, 0), after=99)
    assert table.game.clocks is not None and table.game.clocks.running == 0


# The log


@given(st.integers(0, 10**9))
@settings(max_examples=30, deadline=None)
def test_random_games_fold_to_what_the_referee_says(seed: int) -> None:
    """Each request is refused in a sentence, or it happens, and the whole log folds to the same state."""
    chance = Random(seed)
    seats = [Seat(), FRIEND, BRAIN]
    table = Table(
        width=chance.choice((5, 6, 9)),
        height=chance.choice((5, 7)),
        rule=chance.choice(list(Rule)),
        opening=chance.choice(("free", "swap", "swap2")),
        black=chance.choice(seats),
        white=chance.choice(seats),
        clock=chance.choice((None, ClockSettings(30, 2))),
    )
    verbs = ("play",) * 12 + ("choose", "undo", "offer_draw", "answer", "pause", "resume", "sit")
    for _ in range(60):
        verb, seat = chance.choice(verbs), chance.randrange(2)
        values: tuple[Any, ...] = () if verb in ("pause", "resume") else (seat,)
        if verb == "play":
            values = (seat, (chance.randrange(table.game.settings.width), chance.randrange(8)))
        elif verb == "choose":
            values = (seat, chance.choice(("black", "white", "more")))
        elif verb == "answer":
            values = (seat, chance.random() < 0.5)
        before = table.game.snapshot().state(table.now)
        try:
            table.do(verb, *values, after=chance.random() * 3)
        except Refused as refused:
            assert re.fullmatch(r"[A-Za-z].*\.", str(refused))
            assert table.game.snapshot().state(before["clock"]["at"] if before["clock"] else 0) == before
        table.add(table.rules.expire(table.now))
        game = table.game
        assert Game.from_events(table.events, "g").snapshot().state(table.now) == game.snapshot().state(table.now)
        board = Board(game.settings.width, game.settings.height, game.settings.rule)
        for place, move in enumerate(game.moves):
            assert not game.moves[:place] or not is_win(board, *game.moves[place - 1].cell)
            board.place(*move.cell)
            assert move.colour == board.stones[-1][2]
        wins = bool(game.moves) and is_win(board, *game.moves[-1].cell)
        assert wins == (game.ending is End.FIVE)
        assert sorted(game.colours) == [BLACK, WHITE]
        assert game.clocks is None or all(left is None or left >= 0 for left in game.clocks.left)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("created", {"settings": {}}),
        ("danced", {}),
        ("move", {"cell": [7, 7]}),
        ("move", {"cell": [70, 7]}),
        ("move", {}),
        ("chosen", {"choice": "black"}),
        ("undone", {"plies": 3}),
        ("undone", {"plies": "x"}),
        ("offered", {"seat": 0, "what": "money"}),
        ("answered", {"seat": 0, "accepted": True}),
        ("resumed", {}),
        ("resigned", {"seat": 2}),
        ("timed_out", {"seat": 0}),
        ("sat", {"seat": 0}),
        ("changed", {"seat": 0, "who": {"kind": "friend"}}),
        ("changed", {"seat": 0, "who": {"kind": "brain"}}),
        ("finished", {"winner": 0, "ending": "five"}),
        ("finished", {"winner": 2, "ending": "resignation"}),
        ("finished", {"winner": 0, "ending": "boredom"}),
        ("finished", {"winner": 0, "ending": "record", "end_code": "15"}),
        ("commented", {"ply": 7, "text": ""}),
    ],
)
def test_a_log_that_cannot_be_is_broken(kind: str, data: dict[str, Any]) -> None:
    table = Table()
    table.moves("h8i9")
    with pytest.raises(BrokenGame, match=f"event 4 \\({kind}\\) cannot be: "):
        table.game.apply(Event(4, 0.0, kind, data))


def test_a_log_with_a_gap_or_without_its_end_is_broken() -> None:
    table = Table()
    table.moves("h8a1i8a2j8a3k8a4l8")
    assert [event.kind for event in table.events[-2:]] == ["move", "finished"]
    with pytest.raises(BrokenGame, match="it is number 3, not 2"):
        Game.from_events([table.events[0], *table.events[2:]])
    open_end = Game.from_events(table.events[:-1])
    with pytest.raises(BrokenGame, match="'finished' is missing"):
        open_end.apply(Event(11, 0.0, "move", {"cell": [0, 0]}))
    with pytest.raises(BrokenGame, match="begins with the event 'created'"):
        Game.from_events([])


# Settings


def test_settings_come_back_as_they_were() -> None:
    every = GameSettings(
        20,
        15,
        Rule.CARO,
        "free",
        Seat(name="Ann"),
        BRAIN,
        ClockSettings(300, 2.5),
        parse_opening("h8i9", 20, 15),
        True,
        ("abc", 7),
    )
    assert GameSettings.parse(json.loads(json.dumps(every.to_json()))) == every
    assert GameSettings.parse({}) == GameSettings()


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ([], "the settings are not a JSON object"),
        ({"size": 15}, "the settings cannot have 'size'"),
        ({"width": 4}, "a board of 4x15 is not possible"),
        ({"width": 15.0}, "the board's width is a whole number from 1 to 99"),
        ({"rule": 2}, "the rule is one of 0, 1, 4, 8, 9"),
        ({"opening": "pro"}, "the opening is one of free, swap, swap2, rif, yamaguchi, soosorv-8, taraguchi-10"),
        ({"opening": "rif"}, "the opening rif is for renju on 15x15 cells"),
        ({"black": {"kind": "ghost"}}, "a seat's kind is one of local, friend, brain"),
        ({"black": {"kind": "brain", "brain": "/bin/sh"}}, "a brain's seat names the brain"),
        ({"black": {"kind": "brain", "brain": "tengen", "level": 11}}, "a brain's level is a whole number"),
        ({"black": {"kind": "brain", "brain": "tengen", "nodes": True}}, "a brain's nodes for a move is"),
        ({"black": {"kind": "local", "name": 3}}, "a name is a text"),
        ({"clock": {"main": 0}}, "a clock's time is a number of seconds from 1 to 86400"),
        ({"clock": {"main": float("nan")}}, "a clock's time is a number of seconds"),
        ({"clock": 5}, "a clock is not a JSON object"),
        ({"start": [[7, 7], [7, 7]]}, "stone 2 (h8) stands on an earlier stone"),
        ({"start": [[7]]}, "a cell is two numbers"),
        ({"start": [["a", 1]]}, "a cell is two whole numbers"),
        ({"start": [[7, 20]]}, "a cell is off the 15x15 board"),
        ({"start": [[7, 7]], "opening": "swap2"}, "a position that is set up has a free opening"),
        ({"drawn_by_lot": 1}, "drawn_by_lot is true or false"),
        ({"from": {"game": 1}}, "a source names a game and an event"),
    ],
)
def test_settings_that_make_no_sense_are_refused(raw: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        GameSettings.parse(raw)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: GameSettings(opening="pro"), "the opening is one of"),
        (lambda: GameSettings(5, 5, start=((5, 0),)), "a cell is off the 5x5 board"),
        (lambda: GameSettings(origin=("abc", 0)), "an event's number is a whole number from 1"),
        (lambda: Seat("brain"), "a brain's seat names the brain"),
        (lambda: Seat(name="x" * 61), "a name is a text of up to 60 letters"),
        (lambda: ClockSettings(60, -1), "a clock's increment is a number of seconds from 0"),
    ],
)
def test_settings_are_checked_wherever_they_are_made(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make()


# Words


def test_every_reason_has_its_words() -> None:
    source = re.findall(r'"(refused\.\w+)"', inspect.getsource(inspect.getmodule(SeatRules)))  # type: ignore[arg-type]
    assert {key for key in texts("en") if key.startswith("refused.")} >= set(source)
    assert {f"result.{ending}" for ending in End} - {"result.agreement", "result.stopped"} <= set(texts("en"))


def test_every_text_of_the_terminal_is_said_somewhere() -> None:
    board = Path(inspect.getfile(Game)).parents[1]
    files = [*(board / "terminal").glob("*.py"), board / "game" / "events.py"]
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    beginnings = ("play.", "cell.", "seat.", "choice.", "time.")
    put_together = {"play.offered_draw", "play.offered_undo", "play.paused", "play.resumed"}
    for key in texts("en"):
        if key.startswith(("choice.", "time.")):
            assert f'f"{key.partition(".")[0]}.{{' in source, key
        elif key.startswith(beginnings) and key not in put_together:
            assert f'"{key}"' in source, f"{key} is never said"


@pytest.mark.parametrize(
    ("level", "winner", "is_next"), [(3, BLACK, 4), (3, WHITE, 2), (3, None, 3), (10, BLACK, 10), (1, WHITE, 1)]
)
def test_a_brain_that_follows_the_player_changes_its_level_after_each_game(
    level: int, winner: int | None, is_next: int
) -> None:
    brain = Seat("brain", "tengen", level, follows=True)
    settings = GameSettings(white=brain)
    assert GameSettings.parse(settings.to_json()) == settings
    game = Game.from_events([Event(1, 0.0, "created", {"settings": settings.to_json()})])
    assert game.next_level(1) is None, "the game goes on"
    kind, data = SeatRules(game).finish(winner, End.RESIGNATION if winner is not None else End.AGREEMENT)
    game.apply(Event(2, 1.0, kind, data))
    assert (game.next_level(0), game.next_level(1)) == (None, is_next)
    again = game.rematch()
    assert again.black == Seat("brain", "tengen", is_next, follows=True) and again.white == Seat()


@pytest.mark.parametrize("values", [{"follows": True}, {"kind": "brain", "brain": "kill", "follows": True}])
def test_only_a_brain_with_a_level_follows(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="only a brain with a level can follow the player"):
        Seat(**values)
