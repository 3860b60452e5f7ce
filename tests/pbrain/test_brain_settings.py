"""The settings from INFO lines, and the limits of a search that follow from them."""

from __future__ import annotations

import random

import pytest

import pbrain.settings as settings_module
from engine.clock import OVERHEAD_MS, budget
from pbrain.settings import DEFAULT_TURN_MS, MAX_TABLE, MIB, MIN_TABLE, MOVE_LAG_MS, Settings, table_bytes
from pbrain.thinker import Allowance


def told(*lines: str) -> Settings:
    settings = Settings()
    for line in lines:
        settings.update(line)
    return settings


@pytest.mark.parametrize(
    ("told_rule", "engine_rule"),
    [(0, 0), (1, 1), (4, 4), (8, 8), (9, 9), (2, 0), (3, 1), (6, 4), (5, 4), (7, 4), (10, 8), (11, 9)],
)
def test_rules_with_and_without_the_continuous_bit(told_rule: int, engine_rule: int) -> None:
    """Case 19."""
    settings = told(f"rule {told_rule}")
    assert settings.rule_fault is None
    assert settings.engine_rule == engine_rule


@pytest.mark.parametrize(("number", "engine_rule"), [(2, 4), (5, 0), (6, 0), (0, 0), (1, 1), (4, 4), (9, 9)])
def test_guis_have_rule_numbers_of_their_own(number: int, engine_rule: int) -> None:
    settings = told(f"rule {number}")
    settings.is_gui = True
    assert settings.rule_fault is None
    assert settings.engine_rule == engine_rule


@pytest.mark.parametrize("rule", ["12", "13", "16", "-1", "99999999999999999999", "renju", ""])
def test_a_rule_that_nobody_plays_is_named(rule: str) -> None:
    settings = told(f"rule {rule}")
    fault = settings.rule_fault
    assert fault is not None
    assert f"'{rule}'" in fault
    settings.update("rule 0")
    assert settings.rule_fault is None


@pytest.mark.parametrize(
    ("max_memory", "hash_bytes", "low", "high"),
    [
        (350 * MIB, None, 260 * MIB, 320 * MIB),
        (0, None, 260 * MIB, 320 * MIB),
        (83886080, None, 48 * MIB, 60 * MIB),
        (32 * MIB, None, 8 * MIB, 15 * MIB),
        (10 * MIB, None, MIN_TABLE, MIN_TABLE),
        (1, None, MIN_TABLE, MIN_TABLE),
        (1 << 62, None, MAX_TABLE, MAX_TABLE),
        (350 * MIB, 64 * MIB, 64 * MIB, 64 * MIB),
        (83886080, 1024 * MIB, 48 * MIB, 60 * MIB),
        (0, 1024 * MIB, 1024 * MIB, 1024 * MIB),
        (0, 1, MIN_TABLE, MIN_TABLE),
    ],
)
def test_the_table_fits_the_memory(max_memory: int, hash_bytes: int | None, low: int, high: int) -> None:
    assert low <= table_bytes(max_memory, hash_bytes) <= high


def test_threads_are_no_more_than_the_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings_module, "processors", lambda: 4)
    assert told().threads == 1
    for number, threads in ((1, 1), (3, 3), (4, 4), (64, 4), (0, 1), (-5, 1), (1 << 62, 4)):
        assert told(f"thread_num {number}").threads == threads
    assert told("thread_num 2", "thread_num many").threads == 2
    monkeypatch.undo()
    assert 1 <= settings_module.processors() <= settings_module.MAX_THREADS


def test_threads_take_their_memory_from_the_table() -> None:
    assert table_bytes(80 * MIB, None, None, 9) == table_bytes(80 * MIB) - 8 * settings_module.THREAD_MEMORY * 7 // 8
    assert table_bytes(80 * MIB, None, None, 64) == MIN_TABLE


def test_hash_size_is_in_kilobytes_and_max_memory_in_bytes() -> None:
    settings = told("max_memory 367001600", "hash_size 4096")
    assert (settings.max_memory, settings.hash_bytes) == (350 * MIB, 4 * MIB)
    settings.update("hash_size 0")
    assert settings.hash_bytes is None


@pytest.mark.parametrize(
    ("lines", "turn", "left"),
    [
        ([], DEFAULT_TURN_MS, None),
        (["timeout_turn 1000"], 1000, None),
        (["timeout_turn 0"], 0, None),
        (["timeout_turn -7"], 0, None),
        (["timeout_turn 1000", "timeout_match 0", "time_left 2147483647"], 1000, None),
        (["timeout_turn 1000", "timeout_match 60000", "time_left 2147483647"], 1000, None),
        (["timeout_turn 1000", "timeout_match 60000"], 1000, 60000),
        (["timeout_match 60000"], None, 60000),
        (["timeout_turn 1000", "timeout_match 60000", "time_left 500"], 1000, 500),
        (["timeout_turn 1000", "time_left -20"], 1000, -20),
        (["timeout_turn 2147483647", "timeout_match 99999999999"], DEFAULT_TURN_MS, None),
        (["timeout_turn 1500.7"], 1500, None),
        (["timeout_turn 700", "timeout_turn fast", "timeout_turn"], 700, None),
    ],
)
def test_the_time_of_a_move(lines: list[str], turn: int | None, left: int | None) -> None:
    """Case 21."""
    limits = told(*lines).limits(0)
    assert (limits["turn_ms"], limits["left_ms"]) == (turn, left)


def test_no_move_is_given_more_than_the_turn_or_the_match_has_left() -> None:
    """Cases 22 and 23: with all kinds of limits, waits and charges, through to the engine's own budget."""
    chance = random.Random(11)
    for _ in range(2000):
        turn, match, left = (chance.choice((0, 1, 30, 100, 1000, 5000, 30_000, 300_000)) for _ in range(3))
        settings = told(f"timeout_turn {turn}", f"timeout_match {match}", f"time_left {left - chance.choice((0, 50))}")
        settings.update(f"time_increment {chance.choice((0, 100, 5000))}")
        waited = chance.choice((0, 0, 5, 400))
        limits = settings.limits(waited)
        ply = chance.randrange(0, 200)
        maximum, _ = budget(
            limits["turn_ms"], limits["match_ms"], limits["left_ms"], ply, 400 - ply, limits["increment_ms"]
        )
        assert maximum <= max(0, turn - waited, 1 if turn else 0)
        assert maximum <= max(0, left - waited)
        allowance = settings.allowance_ms(waited)
        assert allowance is not None
        assert allowance <= max(0, min(max(turn - waited, 1 if turn else 0), left - waited))


def test_the_increment_reaches_the_search_and_tasks_of_many_searches() -> None:
    settings = told("timeout_match 60000", "time_left 10000", "time_increment 300")
    assert settings.limits(0)["increment_ms"] == 300
    assert settings.allowance_ms(0) == 10000 // 20 + 300
    assert told("time_left 400", "time_increment 5000").allowance_ms(0) == 200, "it comes after the move"
    assert told("timeout_turn 1000", "time_increment 300").limits(0)["increment_ms"] is None, "there is no match clock"


@pytest.mark.parametrize(("ms", "left"), [(5000, 5000 - OVERHEAD_MS), (10, 6), (0, 0), (None, None)])
def test_a_task_of_many_searches_keeps_the_reserve_of_a_move(ms: int | None, left: int | None) -> None:
    allowance = Allowance(lambda: 0.0, ms).with_reserve()
    assert allowance.left_ms() == left and allowance.is_static == (ms == 0)


def test_a_depth_or_node_limit_needs_no_time() -> None:
    assert told("max_depth 6").limits(0) == {
        "turn_ms": None,
        "match_ms": None,
        "left_ms": None,
        "increment_ms": None,
        "depth": 6,
        "nodes": None,
    }
    assert told("max_node 5000", "timeout_turn 100").limits(0) == {
        "turn_ms": 100,
        "match_ms": None,
        "left_ms": None,
        "increment_ms": None,
        "depth": None,
        "nodes": 5000,
    }
    assert told("max_depth 6", "max_depth 0").limits(0)["depth"] is None


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("level 1", 1),
        ("level 7", 7),
        ("level 10", 10),
        ("level 0", 1),
        ("level -3", 1),
        ("level 11", 10),
        ("level 3.9", 3),
        ("strength 0", 1),
        ("strength 19", 1),
        ("strength 20", 2),
        ("strength 99", 9),
        ("strength 100", 10),
        ("strength 1000", 10),
        ("strength -5", 1),
    ],
)
def test_level_and_strength_are_one_scale(line: str, level: int) -> None:
    assert told("level 5", line).level == level


@pytest.mark.parametrize("line", ["level", "level high", "level x3", "strength", "strength full"])
def test_a_level_that_is_no_number_changes_nothing(line: str) -> None:
    assert told("level 5", line).level == 5
    assert told(line).level == 10


def test_waiting_in_the_queue_counts_against_turn_and_match() -> None:
    limits = told("timeout_turn 1000", "time_left 5000").limits(300)
    assert (limits["turn_ms"], limits["left_ms"]) == (700, 4700)
    assert (
        told("timeout_turn 1000").limits(5000)["turn_ms"] == 1
    )  # 0 would mean no search, and the manager asked for one


def test_the_account_is_kept_where_the_manager_keeps_none() -> None:
    settings = told("timeout_match 60000")
    settings.charge(1000)
    settings.charge(500)
    assert settings.limits(0)["left_ms"] == 60000 - 1500 - 2 * MOVE_LAG_MS
    settings.begin_game()
    assert settings.limits(0)["left_ms"] == 60000


def test_what_the_manager_tells_outranks_the_account() -> None:
    settings = told("timeout_match 60000", "time_left 40000")
    settings.charge(1000)
    assert settings.limits(0)["left_ms"] == 40000 - 1000 - MOVE_LAG_MS
    settings.update("time_left 41000")
    assert settings.limits(0)["left_ms"] == 41000
    settings.begin_game()
    assert settings.limits(0)["left_ms"] == 41000, "told for the game that begins"
    settings.charge(0)
    settings.begin_game()
    assert settings.limits(0)["left_ms"] == 60000, "told for the game before"


def test_an_account_of_nothing_spent_is_the_old_games_all_the_same() -> None:
    """A move of 990 ms and 10 for the way, a second gained: the account was exactly 0, and the old time stayed."""
    settings = told("timeout_match 60000", "time_left 40000", "time_increment 1000")
    settings.charge(1000 - MOVE_LAG_MS)
    assert settings.limits(0)["left_ms"] == 40000
    settings.begin_game()
    assert settings.limits(0)["left_ms"] == 60000
