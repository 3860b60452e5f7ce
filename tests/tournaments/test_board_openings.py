"""Opening rules at the board, act by act: the question and its player, refusals, and the colours of the seats."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.board.engines.renju_opening import Opening as AskedOpening
from tournaments.board.game.actions import Choose, Play
from tournaments.board.game.events import OPENINGS, Event, GameSettings, NewEvent
from tournaments.board.game.game import Game, Refused
from tournaments.board.game.opening_rules import RENJU_OPENINGS, find_equal_offer, is_central
from tournaments.board.game.seat_rules import SeatRules
from tournaments.board.messages.parts import Opening
from tournaments.brains.answer import Answer
from tournaments.brains.search_info import SearchInfo
from tournaments.rules.notation import parse_opening
from tournaments.rules.referee import Cell, Rule


class Table:
    """An opening that two people play: each act is one of a cell, a choice, and "undo"."""

    def __init__(self, opening: str) -> None:
        chosen = GameSettings(rule=Rule.RENJU if opening in RENJU_OPENINGS else Rule.FREESTYLE, opening=opening)
        self.events = [Event(1, 0.0, "created", {"settings": chosen.to_json()})]
        self.game = Game(self.events)

    def add(self, new_events: list[NewEvent]) -> None:
        for kind, data in new_events:
            self.events.append(Event(len(self.events) + 1, 0.0, kind, json.loads(json.dumps(data))))
            self.game.apply(self.events[-1])

    def act(self, seat: int, act: str) -> None:
        rules = SeatRules(self.game)
        if act == "undo":
            self.add(rules.undo(seat))
        elif act[0].isalpha() and act[1:].isdecimal():
            self.add(rules.play(seat, parse_opening(act, 15, 15)[0], 0.0))
        else:
            self.add(rules.choose(seat, act))

    def acts(self, text: str) -> None:
        """Acts such as "0:h8 1:black"; each is refused to the other seat and leaves the log as a game."""
        for word in text.split():
            seat, act = word.split(":")
            assert self.game.mover == int(seat), word
            if act != "undo":  # on one screen, either player takes back
                assert self.refuses(1 - int(seat), act) == "It is not your turn."
            self.act(int(seat), act)
            assert Game(self.events).snapshot().state(0.0) == self.game.snapshot().state(0.0)

    def refuses(self, seat: int, act: str) -> str:
        with pytest.raises(Refused) as refused:
            self.act(seat, act)
        return str(refused.value)


@pytest.mark.parametrize(
    ("opening", "acts", "black"),
    [
        ("rif", "0:h8 0:h9 0:h10 1:black 0:j8 1:g7 1:i6 0:g7 0:a1", 1),
        ("rif", "0:h8 0:i9 0:j10 1:white 1:j8 0:g7 0:i6 1:i6 1:a1 0:a2 1:a3", 0),
        ("yamaguchi", "0:h8 0:h9 0:j10 0:3 1:white 1:a1 0:b1 0:undo 0:b2 0:c1 0:d1 1:c1 1:o15", 0),
        ("yamaguchi", "0:h8 0:h9 0:j10 0:1 1:black 0:a1 1:b1 0:b1 0:o15 1:o14", 1),
        ("soosorv-8", "0:h8 0:h9 0:j10 1:white 1:a1 1:2 0:white 1:c1 1:d1 0:d1 0:o15", 1),
        ("soosorv-8", "0:h8 0:h9 0:j10 1:black 0:a1 0:1 1:black 1:c1 0:c1 0:o15", 1),
        ("taraguchi-10", "0:h8 1:black 0:i9 1:black 1:j10 0:white 0:k11 1:black 1:d4 0:black 1:a1 0:a2", 0),
        ("taraguchi-10", "0:h8 1:white 1:i9 0:black 0:j10 1:black 0:k11 1:white 0:d4 1:white 1:a1 0:a2", 0),
        (
            "taraguchi-10",
            "0:h8 1:white 1:h9 0:black 0:j8 1:white 1:e6 0:ten 0:a1 0:b1 0:c1 0:d1 0:e1 0:f1 0:g1 0:i1"
            " 0:j1 0:k1 1:e1 1:o15 0:o14",
            0,
        ),
    ],
)
def test_an_opening_of_renju(opening: str, acts: str, black: int) -> None:
    table = Table(opening)
    table.acts(acts)
    assert table.game.phase == "play" and table.game.colours.index(0) == black
    assert table.refuses(0, "black") == "There is nothing to choose now."


def test_every_illegal_act_of_an_opening_is_refused_in_a_sentence() -> None:
    table = Table("soosorv-8")
    assert table.refuses(0, "h9") == "The first stone lies in the centre of the board."
    table.acts("0:h8")
    assert table.refuses(0, "j9") == "This stone lies within the central 3 x 3 points."
    table.acts("0:h9")
    assert table.refuses(0, "k8") == "This stone lies within the central 5 x 5 points."
    assert table.refuses(0, "black") == "There is nothing to choose now."
    table.acts("0:h10")
    assert table.refuses(1, "a1") == "Make your choice before you place the next stone."
    assert table.refuses(1, "more") == "That is not one of the choices."
    table.acts("1:white 1:h7")
    assert table.refuses(1, "9") == table.refuses(1, "black") == "That is not one of the choices."
    table.acts("1:2 0:black 0:i8")
    assert table.refuses(0, "i8") == "i8 is offered already."
    assert table.refuses(0, "g8") == "g8 and i8 are the same by symmetry: offer different fifth moves."
    assert table.refuses(0, "h10") == "h10 is taken."
    table.acts("0:i9")
    assert table.refuses(1, "a1") == "Take one of the fifth moves that are offered: i8, i9."
    table.acts("1:i9")
    assert table.refuses(1, "undo") == "There is no stone to take back."


def test_an_offer_is_taken_back_until_the_game_goes_on() -> None:
    table = Table("rif")
    table.acts("0:h8 0:h9 0:h10 1:white 1:j8 0:a1 0:undo 0:a2 0:a3 1:undo 0:undo")
    assert table.game.fifth_moves == () and table.game.phase == "offer"
    table.acts("0:undo 1:j9 0:a2 0:a3 1:a2")
    assert [len(table.game.moves), table.game.phase] == [5, "play"]


def test_an_offer_that_is_sent_twice_is_not_taken() -> None:
    """On one screen both seats are the sender's, and the stones on the board are the same before and after an offer."""
    table = Table("rif")
    table.acts("0:h8 0:h9 0:h10 1:white 1:j8 0:a1")
    again = Play((0, 1), cell=(1, 14), ply=4, offered=1)
    for _ in range(2):
        table.add(SeatRules(table.game).decide(again, 0.0))
        assert (table.game.phase, len(table.game.fifth_moves), len(table.game.moves)) == ("take", 2, 4)
    with pytest.raises(Refused, match="changed"):
        SeatRules(table.game).decide(Play((0, 1), cell=(0, 14), ply=4, offered=1), 0.0)
    table.add(SeatRules(table.game).decide(Play((0, 1), cell=(1, 14), ply=4, offered=2), 0.0))
    assert (table.game.phase, len(table.game.moves)) == ("play", 5)


def test_a_state_says_what_is_asked() -> None:
    table = Table("taraguchi-10")
    state = table.game.snapshot().state(0.0)
    assert (state["phase"], state["side"], state["mover"]) == ("opening", 1, 0)
    table.acts("0:h8 1:black 0:i9 1:white 0:j10 1:black 0:k11")
    state = table.game.snapshot().state(0.0)
    assert (state["phase"], state["choice"], state["chooser"]) == ("choice", ["black", "white", "ten"], 1)
    table.acts("1:ten 1:a1")
    state = table.game.snapshot().state(0.0)
    assert (state["phase"], state["offers"], state["fifth_moves"]) == ("offer", 10, [[0, 14]])


def test_squares_lie_around_the_centre() -> None:
    inside = [sum(is_central((x, y), side, 15, 15) for x in range(15) for y in range(15)) for side in (1, 3, 5, 7, 9)]
    assert inside == [1, 9, 25, 49, 81] and is_central((7, 7), 1, 15, 15)


@given(st.integers(0, 10**9))
@settings(max_examples=200, deadline=None)
def test_equal_offers_are_those_of_brute_force(seed: int) -> None:
    """The twin turns the whole picture, stones and offer, in every way, and compares the pictures."""
    chance = Random(seed)
    cells = [(x, y) for x in range(5) for y in range(5)]
    *stones, offer, other = chance.sample(cells, 6)
    turns: list[Callable[[tuple[int, int]], tuple[int, int]]] = [
        lambda c: c,
        lambda c: (4 - c[0], c[1]),
        lambda c: (c[0], 4 - c[1]),
        lambda c: (4 - c[0], 4 - c[1]),
        lambda c: (c[1], c[0]),
        lambda c: (4 - c[1], c[0]),
        lambda c: (c[1], 4 - c[0]),
        lambda c: (4 - c[1], 4 - c[0]),
    ]

    def picture(fifth: tuple[int, int]) -> set[tuple[tuple[int, int], str]]:
        return {*zip(stones, "xoxo", strict=True), (fifth, "5")}

    is_equal = any({(turn(cell), what) for cell, what in picture(offer)} == picture(other) for turn in turns)
    assert (find_equal_offer(tuple(stones), [other], offer, 5) == other) == is_equal


@pytest.mark.parametrize("opening", RENJU_OPENINGS)
def test_random_acts_are_refused_or_happen(opening: str) -> None:
    chance = Random(opening)
    words = ["black", "white", "ten", "more", "undo", *map(str, range(1, 14))]
    for _ in range(5):
        table = Table(opening)
        for _ in range(100):
            cell = f"{chance.choice('fghij')}{chance.randint(6, 10)}"
            act = chance.choice((*words, *[cell] * 30))
            try:
                table.act(chance.randrange(2), act)
            except Refused as refused:
                assert str(refused).endswith(".")
            assert Game(table.events).snapshot().state(0.0) == table.game.snapshot().state(0.0)
            assert sorted(table.game.colours) == [0, 1]
            if table.game.phase == "play":
                assert len(table.game.opening.placers) in (5, len(table.game.moves))
                break


class FakeBrain:
    """Scores a trial by the distance of its last stone from the centre, so that the nearest to even lie at the edge."""

    def __init__(self, score: float | None = 50.0) -> None:
        self.score = score
        self.asked: list[tuple[int, int]] = []

    def play(self, moves: tuple[Cell, ...]) -> Answer:
        cell = next((x, 0) for x in range(15) if (x, 0) not in moves)
        return Answer(len(moves), cell, SearchInfo(5, self.score, None, 100), (), 0.25)

    def propose(self, moves: tuple[Cell, ...]) -> tuple[Cell, ...]:
        raise AssertionError("no opening of renju is swap2")

    def survey(self, moves: tuple[Cell, ...], trials: Sequence[tuple[Cell, ...]]) -> list[int]:
        assert len(set(trials)) == len(trials) and not any(cell in moves for trial in trials for cell in trial)
        self.asked.append((len(moves), len(trials)))
        return [50 * (7 - max(abs(x - 7), abs(y - 7))) for *_, (x, y) in trials]


def play_opening(opening: str, brain: FakeBrain, chance: Random) -> tuple[Table, list[str]]:
    """Brains play both sides of the opening; also the choices and numbers of offers."""
    table, acts = Table(opening), []
    while (stage := table.game.stage) is not None:
        action = AskedOpening(stage, table.game.cells, table.game.fifth_moves, 15).answer(brain, chance)
        table.add(SeatRules(table.game).decide(action, 0.0))
        acts.append(action.choice if isinstance(action, Choose) else type(action).__name__)
    return table, acts


def test_brains_play_openings_of_renju() -> None:
    """They take the side that stands better, and offer the fifth moves that are best for Black."""
    brain = FakeBrain()
    table, acts = play_opening("soosorv-8", brain, Random(1))
    assert acts == ["Play", "Play", "Play", "white", "Play", acts[5], "black", "OfferFifths", "Play"]
    # 26 openings, in pairs of a second and a third stone, and then the third stones after the second.
    assert brain.asked[0] == (1, 26) and brain.asked[1][0] == 2
    table, acts = play_opening("yamaguchi", FakeBrain(-50.0), Random(1))
    assert acts[:5] == ["Play", "Play", "Play", acts[3], "black"]
    assert int(acts[3]) == len(table.game.fifth_moves)
    scores = FakeBrain().survey((), [(cell,) for cell in table.game.fifth_moves])
    assert scores == sorted(scores, reverse=True) and table.game.cells[4] == table.game.fifth_moves[-1]
    assert play_opening("rif", FakeBrain(None), Random(1))[1] == [
        "Play",
        "Play",
        "Play",
        "black",
        "Play",
        "OfferFifths",
        "Play",
    ]
    for seed in range(10):
        table, acts = play_opening("taraguchi-10", FakeBrain(chance_score(seed)), Random(seed))
        assert acts.count("Play") == 5 and len(acts) == 10 and table.game.phase == "play"


def test_a_brain_goes_on_with_the_offers_of_a_person() -> None:
    table = Table("rif")
    table.acts("0:h8 0:h9 0:h10 1:white 1:h7 0:i8")
    stage = table.game.stage
    assert stage is not None
    action = AskedOpening(stage, table.game.cells, table.game.fifth_moves, 15).answer(FakeBrain(), Random(1))
    table.add(SeatRules(table.game).decide(action, 0.0))
    assert table.game.phase == "take" and table.game.fifth_moves[0] == (8, 7) and (6, 7) not in table.game.fifth_moves


class Ranked(FakeBrain):
    """Its third best fifth move, and those after it, lose for Black."""

    def survey(self, moves: tuple[Cell, ...], trials: Sequence[tuple[Cell, ...]]) -> list[int]:
        return [50 - 20 * place for place in range(len(trials))]


@pytest.mark.parametrize(("declared", "choice"), [("2", "black"), ("5", "white")])
def test_a_brain_counts_on_the_worst_of_the_declared_fifth_moves(declared: str, choice: str) -> None:
    table = Table("soosorv-8")
    table.acts(f"0:h8 0:h9 0:h10 1:white 1:j8 1:{declared}")
    stage = table.game.stage
    assert stage is not None
    opening = AskedOpening(stage, table.game.cells, (), 15, declared=int(declared))
    assert opening.answer(Ranked(), Random(1)) == Choose((stage.seat,), choice=choice, ply=4)


def test_a_brain_takes_the_side_with_a_mate() -> None:
    table = Table("rif")
    table.acts("0:h8 0:h9 0:h10")
    stage = table.game.stage
    assert stage is not None

    class Mate(FakeBrain):
        def play(self, moves: tuple[Cell, ...]) -> Answer:
            return replace(super().play(moves), info=SearchInfo(5, None, 5, 100))

    answer = AskedOpening(stage, table.game.cells, (), 15).answer(Mate(), Random(1))
    assert answer == Choose((1,), choice="white", ply=3)


def test_a_choice_that_comes_late_counts_for_no_other_question() -> None:
    table = Table("taraguchi-10")
    table.acts("0:h8 1:black 0:i9")
    with pytest.raises(Refused, match="The position has changed in the meantime"):
        SeatRules(table.game).choose(1, "white", ply=1)
    table.add(SeatRules(table.game).choose(1, "white", ply=2))
    assert table.game.mover == 0


def chance_score(seed: int) -> float:
    return Random(seed).uniform(-100, 100)


@pytest.mark.long
@pytest.mark.parametrize("opening", RENJU_OPENINGS)
def test_two_real_brains_play_an_opening_of_renju(opening: str, tmp_path: Path) -> None:
    words = ["--rule", "renju", "--opening", opening, "--black", "tengen", "--white", "tengen", "--turn-time", "0.1"]
    play = [sys.executable, "-m", "tournaments.cli", "play", "--library", str(tmp_path / "g"), *words]
    done = subprocess.run(play, input="", capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "has failed" not in done.stdout, done.stdout
    assert "White, tengen: " in done.stdout and re.search("^(Black|White) wins|^Draw", done.stdout, re.M)


def test_the_schema_knows_every_opening() -> None:
    assert get_args(Opening) == OPENINGS


def test_settings_keep_openings_of_renju_to_renju() -> None:
    raw: dict[str, Any] = GameSettings(rule=Rule.RENJU, opening="rif").to_json()
    assert GameSettings.parse(raw).opening == "rif"
    with pytest.raises(ValueError, match="the opening rif is for renju on 15x15 cells"):
        GameSettings.parse({**raw, "width": 17, "height": 17})
