"""The margin that learns: after a late answer the next moves end earlier, and later again with every move in time."""

from __future__ import annotations

import random

import pytest
from transcript import Talk

from engine import clock
from engine.clock import POSIX_OVERHEAD_MS, budget
from pbrain.margin import MAX_MS, SURPLUS, Margin


def after(*lates: int, maximum: int = 1000, reserve: int = 30) -> Margin:
    """A margin that has seen these moves, each answered so long after the end of its search."""
    margin = Margin()
    for late in lates:
        margin.begin(7, maximum, reserve)
        margin.end(7 + maximum + late)
    return margin


def test_answers_in_time_need_no_margin() -> None:
    assert Margin().within(1000) == 0
    assert after(-900, -5, 0, 3, 10).within(1000) == 0


def test_a_late_answer_and_a_nearly_late_one_make_it_grow() -> None:
    assert after(12).within(1000) == 15, "a third of the reserve was used"
    assert after(200).within(1000) == 250
    assert after(200, 150).within(1000) == 248 == after(200, -5).within(1000)
    assert after(50, 200).within(1000) == 250


def test_it_shrinks_slowly() -> None:
    assert 120 <= after(200, *[0] * 69).within(1000) <= 130
    assert after(200, *[0] * 700).within(1000) == 0


def test_there_is_always_time_to_think() -> None:
    margin = after(400)
    assert [margin.within(limit) for limit in (-100, 0, 1, 300, 10_000)] == [0, 0, 0, 150, 500]


def test_a_machine_that_slept_teaches_little() -> None:
    assert after(3_600_000, maximum=60_000).within(60_000) == SURPLUS * MAX_MS
    assert after(3_600_000, maximum=80).within(60_000) == 100, "else many short moves would end early for it"


def test_of_a_short_move_a_smaller_delay_is_nearly_late() -> None:
    assert after(8, maximum=12).within(20) == 10


def test_an_answer_without_a_search_under_a_limit_teaches_nothing() -> None:
    margin = after(100)
    margin.end(5_000)
    assert margin.within(1000) == 125


def test_the_brain_ends_moves_earlier_after_a_late_answer(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "OVERHEAD_MS", POSIX_OVERHEAD_MS)

    def takes(seconds: float) -> None:
        talk.engine.iterations = 1
        talk.engine.between_iterations = lambda: setattr(talk, "now", talk.now + seconds)

    def turn() -> int | None:
        turn_ms: int | None = talk.engine.limits[-1].turn_ms
        return turn_ms

    for line in ("START 15", "INFO timeout_turn 300", "INFO timeout_match 60000"):
        talk.say(line)
    takes(0.562)
    talk.say("BEGIN")
    assert turn() == 300
    takes(0.1)
    turns = []
    for _ in range(60):  # games on the same machine
        for line in ("RESTART", "BEGIN", "TURN 0,0", "TURN 0,14"):
            talk.say(line)
        turns.append(turn() or 0)
    assert turns[0] == 150, "the search should have ended by 270 ms"
    assert turns == sorted(turns) and 220 < turns[-1] < 260


def late_answers(limit: int, chance: random.Random, learns: bool) -> tuple[int, float]:
    """Late answers in 2,000 moves on a busy machine, and the part of the limit that moves think for.

    For one move in thirty a core comes only after up to 160 ms; that comes in bad times, which last some 40 moves.
    """
    margin = Margin()
    late, thought, is_bad = 0, 0, False
    for _ in range(2000):
        is_bad = is_bad != (chance.random() < 0.025)
        turn = limit - margin.within(limit) if learns else limit
        maximum, _ = budget(turn, None, None, 20, 200)
        margin.begin(0, maximum, POSIX_OVERHEAD_MS)
        took = maximum + (chance.randrange(160) if is_bad and chance.random() < 0.07 else 2)
        margin.end(took)
        late += took > limit
        thought += maximum
    return late, thought / 2000 / limit


def test_a_busy_machine_makes_fewer_answers_late() -> None:
    without, _ = late_answers(300, random.Random(5), learns=False)
    late, thought = late_answers(300, random.Random(5), learns=True)
    assert without >= 40
    assert late <= without / 3
    assert thought >= 0.6
