"""Time: the reference budgets, and when another iteration is worth starting."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from engine import clock
from engine.board_probe import ending_look
from engine.clock import OVERHEAD_MS, UNLIMITED_MS, Clock, budget


@pytest.mark.parametrize(
    ("turn", "match", "left", "ply", "cells", "maximum", "optimum"),
    [
        (5_000, 0, None, 10, 215, 4_970, 4_473),
        (5_000, 120_000, 120_000, 4, 221, 4_970, 3_171),
        (5_000, 120_000, 120_000, 30, 195, 4_970, 2_993),
        (5_000, 120_000, 30_000, 60, 165, 4_255, 1_363),
        (30_000, 180_000, 180_000, 6, 219, 25_684, 8_181),
        (30_000, 180_000, 60_000, 40, 185, 8_541, 2_727),
        (1_000, 100_000_000, 100_000_000, 20, 205, 970, 873),
    ],
)
def test_budgets_equal_the_reference(
    turn: int,
    match: int,
    left: int | None,
    ply: int,
    cells: int,
    maximum: int,
    optimum: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clock, "OVERHEAD_MS", clock.POSIX_OVERHEAD_MS)
    assert budget(turn, match, left, ply, cells) == (maximum, optimum)


def test_on_windows_a_move_of_a_second_ends_by_950_ms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "OVERHEAD_MS", clock.WINDOWS_OVERHEAD_MS)
    assert budget(1_000, None, None, 20, 205) == (930, 837)  # and 20 ms for the pipe


def test_without_limits_there_is_no_end() -> None:
    assert budget(None, None, None, 0, 225) == (UNLIMITED_MS, UNLIMITED_MS)
    assert budget(None, 0, None, 30, 100) == (UNLIMITED_MS, UNLIMITED_MS)


def test_the_whole_match_is_left_where_nothing_else_is_said() -> None:
    assert budget(5_000, 120_000, None, 4, 221) == budget(5_000, 120_000, 120_000, 4, 221)


def test_a_match_limit_alone_is_enough() -> None:
    maximum, optimum = budget(None, 60_000, 60_000, 10, 215)
    assert 0 < optimum < maximum <= 60_000 // 7


@pytest.mark.parametrize("left", [0, -1, -30_000, -(1 << 40)])
@pytest.mark.parametrize("turn", [None, 0, 5_000])
def test_a_clock_that_ran_out_leaves_nothing(turn: int | None, left: int) -> None:
    assert budget(turn, 60_000, left, 20, 200) == (0, 0)


def test_no_turn_time_is_no_time() -> None:
    assert budget(0, None, None, 0, 225) == (0, 0)
    assert budget(0, 60_000, 60_000, 0, 225) == (0, 0)


def test_budgets_are_never_negative_and_within_the_limits() -> None:
    for turn in (None, 0, 1, 5, 20, 29, 30, 31, 50, 100, 1_000, 300_000):
        for left in (None, -5, 0, 1, 10, 100, 1_000, 50_000, 10_000_000):
            for ply in (0, 1, 30, 100, 483):
                for cells in (0, 1, 2, 5, 30, 225, 484):
                    maximum, optimum = budget(turn, None, left, ply, cells)
                    assert 0 <= optimum <= maximum
                    if turn is not None:
                        assert maximum <= turn
                    if left is not None:
                        assert maximum <= max(left, 0)


def test_a_reserve_is_kept_for_the_pipe() -> None:
    assert budget(1_000, None, None, 0, 225)[0] == 1_000 - OVERHEAD_MS
    # A limit too short for the whole reserve keeps a part of it, and still leaves time to think.
    for turn in (5, 10, 20, 30, 60):
        assert 0 < budget(turn, None, None, 0, 225)[0] < turn


def test_more_time_never_means_less() -> None:
    for limits in ([(turn, None) for turn in range(200)], [(None, left) for left in range(0, 3_000, 7)]):
        budgets = [budget(turn, None, left, 20, 200) for turn, left in limits]
        assert budgets == sorted(budgets)


def test_the_last_moves_may_use_all_that_is_left() -> None:
    assert budget(60_000, 180_000, 10_000, 220, 2)[0] > 9_000
    assert budget(60_000, 180_000, 10_000, 200, 25)[0] < 10_000 // 6


# ---- Increments -----------------------------------------------------------------------------------------------------


def test_an_increment_buys_time_at_once() -> None:
    assert budget(None, 10_000, None, 4, 221, 0) == budget(None, 10_000, None, 4, 221)
    for left in (200, 1_000, 10_000, 50_000):
        budgets = [budget(None, 10_000, left, 20, 200, increment) for increment in (1, 10, 100, 1_000, 10_000)]
        assert budgets == sorted(budgets)
        assert budget(None, 10_000, left, 20, 200) < budgets[0]
    slightly = budget(None, 60_000, 60_000, 20, 200, 1)
    assert slightly[1] < 1.01 * budget(None, 60_000, 60_000, 20, 200)[1], "a small increment is a small change"
    budgets = [budget(None, 10_000, left, 20, 200, 100) for left in range(0, 12_000, 7)]
    assert budgets == sorted(budgets)


def test_an_increment_is_not_used_before_it_comes() -> None:
    for left in (-100, 0, 1, 50, 1_000):
        for increment in (1, 100, 10_000, 10**400):
            maximum, optimum = budget(None, 10_000, left, 20, 200, increment)
            assert 0 <= optimum <= maximum <= max(left, 0) // 2
    assert budget(None, 10_000, 1_000, 224, 1, 10_000)[0] > 900, "nothing comes after the last move"


def test_the_limit_of_a_turn_stands_above_the_increment() -> None:
    assert budget(500, 60_000, 30_000, 20, 200, 5_000) == budget(500, None, None, 20, 200)
    # 64 moves of 0.5 s take 32 s, and 15 + 63 * 0.3 s come: the match clock does not limit them.
    assert budget(500, 60_000, 15_000, 20, 200, 300) == budget(500, None, None, 20, 200)
    assert budget(500, 60_000, 15_000, 20, 200, 200)[1] < budget(500, None, None, 20, 200)[1]


def left_of_a_game(base: int, increment: int, moves: int, chance: random.Random) -> list[int]:
    """The rest of the account after each of a game's moves, in plain steps, without the increment that follows.

    A fifth of the moves is forced. The other searches go a ply deeper in 1.25 to 1.9 times the time, and change their
    move and their score at random.
    """
    account: float = base
    kept = []
    for move in range(moves):
        ply = 2 * move + 4
        maximum, optimum = budget(None, base, int(account), ply, 225 - ply, increment)
        spent, depth, best, score = 1.0, 0, 0, 0
        clock = Clock(maximum, optimum)
        is_over = chance.random() < 0.2
        while not is_over:
            depth += 1
            spent *= chance.uniform(1.25, 1.9)
            best += chance.random() < 0.15
            score += chance.randint(-25, 25)
            is_over = spent >= maximum or clock.is_time_up(spent, depth, score, best)
        account -= min(spent, maximum + 2)
        kept.append(int(account))
        account += increment
    return kept


@pytest.mark.parametrize(("base", "increment"), [(10_000, 100), (10_000, 1_000), (60_000, 600), (2_000, 1_000)])
def test_long_games_use_base_and_increments_up(base: int, increment: int) -> None:
    chance = random.Random(7)
    for moves in (40, 60, 100):
        games = [left_of_a_game(base, increment, moves, chance) for _ in range(12)]
        parts = [game[-1] / (base + increment * (moves - 1)) for game in games]
        assert max(parts) <= 0.2
        assert min(min(game) for game in games) >= 100


def test_a_match_without_increments_lasts_to_the_last_move() -> None:
    chance = random.Random(7)
    for _ in range(12):
        assert min(left_of_a_game(10_000, 0, 110, chance)) >= 200


# ---- Whether to start another iteration -----------------------------------------------------------------------------

AMPLE = budget(1_000, None, None, 0, 225)
TIGHT = budget(5_000, 120_000, 120_000, 4, 221)  # 4970, 3171


def test_with_ample_time_only_the_optimum_counts() -> None:
    clock = Clock(*AMPLE)
    for depth in range(1, 40):
        assert not clock.is_time_up(AMPLE[1] - 1, depth, -depth * 100, depth)
    assert clock.is_time_up(AMPLE[1], 40, 0, 0)


def test_a_steady_search_stops_at_the_written_formula() -> None:
    def steady(elapsed: float) -> bool:
        clock = Clock(*TIGHT)
        assert not clock.is_time_up(0, 1, 50, "h8")
        return clock.is_time_up(elapsed, 2, 50, "h8")

    # 3171 * 0.544 / 1.0125 = 1703.7
    assert not steady(1_703)
    assert steady(1_704)


def test_the_depth_rule_ends_a_deep_search() -> None:
    def unsteady(elapsed: float) -> bool:
        clock = Clock(*TIGHT)
        clock.is_time_up(0, 19, 500, "a")
        return clock.is_time_up(elapsed, 20, 0, "b")

    # 4970 / (1.25 + 0.02 * 20 ** 1.4) = 1929.5, long before 3171 * 3 * 1.5
    assert not unsteady(1_929)
    assert unsteady(1_930)


def stops_at(history: Sequence[tuple[int, object]]) -> int:
    """The elapsed time at which the last of these (score, best move) iterations stops the search."""
    low, high = 0, 10_000
    while low < high:
        middle = (low + high) // 2
        clock = Clock(*TIGHT)
        for depth, (score, best) in enumerate(history[:-1]):
            clock.is_time_up(0, depth + 1, score, best)
        if clock.is_time_up(middle, len(history), *history[-1]):
            high = middle
        else:
            low = middle + 1
    return low


def test_a_changing_move_and_a_falling_score_buy_time() -> None:
    steady = stops_at([(0, "a")] * 5)
    assert stops_at([(0, "a")] * 4 + [(0, "b")]) > steady
    assert stops_at([(0, "a")] * 4 + [(-100, "a")]) > steady
    assert stops_at([(0, "a")] * 4 + [(100, "a")]) < steady
    # The older the change, the less it counts; and a move that has stood for long needs less time still.
    assert stops_at([(0, "b")] + [(0, "a")] * 2) > stops_at([(0, "b")] + [(0, "a")] * 6)
    assert stops_at([(0, "a")] * 9) < steady


def test_the_first_iteration_is_no_change_of_mind() -> None:
    clock = Clock(*TIGHT)
    clock.is_time_up(0, 1, 0, "a")
    assert clock.changes == 0


def test_the_maximum_always_stops() -> None:
    for depth in range(1, 60):
        clock = Clock(*TIGHT)
        clock.is_time_up(0, depth, 3_000, "a")
        assert clock.is_time_up(TIGHT[0], depth + 1, -3_000, "b")


# ---- Looks at the clock within a search -----------------------------------------------------------------------------


def test_a_search_ends_with_the_last_look_that_is_surely_in_time() -> None:
    assert ending_look(range(0, 20_000, 1_000), 10_000) == 9, "the next look comes at 10 ms"
    assert ending_look(range(0, 9_000, 1_000), 10_000) is None
    assert ending_look([0, 12_000], 10_000) == 1


def test_a_machine_that_takes_the_core_away_ends_a_search_earlier() -> None:
    """4 ms with a core, 12 ms without: a look at 90 ms would be followed by one at 102."""
    looks = [start + look for start in range(0, 160_000, 16_000) for look in range(0, 5_000, 1_000)]
    place = ending_look(looks, 100_000)
    assert place is not None and looks[place] < 100_000
    assert 80_000 <= looks[place] <= 96_000


def test_one_long_wait_is_forgotten() -> None:
    place = ending_look([0, *range(50_000, 1_100_000, 1_000)], 1_000_000)
    assert place is not None and 990_000 <= 50_000 + (place - 1) * 1_000 < 1_000_000
