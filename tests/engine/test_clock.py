"""Time: the reference budgets, and when another iteration is worth starting."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine import clock
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
