"""The clocks and limits that brains are told: increments, late moves, and settings for one brain."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from tournaments.brains.clock import BrainClock
from tournaments.brains.limits import BrainLimits
from tournaments.brains.player import Player
from tournaments.brains.pool import Pool
from tournaments.play.game import FinishedGame, play_game
from tournaments.rules.ending import Ending
from tournaments.rules.referee import Rule
from tournaments.setup.game_rules import GameRules

Scripted = Callable[..., Player]

FIVE = "3,3 4,3 5,3 6,3 7,3"
EDGE = "0,0 2,0 4,0 6,0 8,0 10,0"
LIMITS = BrainLimits(turn=20.0, match=30.0, startup=20.0, tolerance=5.0, grace=0.3)


def play(black: Player, white: Player, limits: BrainLimits) -> FinishedGame:
    with Pool(watches=False) as pool:
        return play_game((black, white), GameRules(15, 15, Rule.FREESTYLE, limits), pool=pool)


@pytest.fixture
def heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], tuple[list[str], list[str]]]:
    """What (Black, White) have read; Black is asked to begin."""
    monkeypatch.setenv("TRANSCRIPT", str(tmp_path / "read"))

    def read() -> tuple[list[str], list[str]]:
        texts = [path.read_text().splitlines() for path in tmp_path.glob("read-*")]
        lines = [[line.partition(" ")[2] for line in text] for text in texts]
        white, black = sorted(lines, key=lambda said: "BEGIN" in said)
        return black, white

    return read


def time_left(lines: list[str]) -> list[int]:
    return [int(line.split()[2]) for line in lines if line.startswith("INFO time_left")]


def test_a_clock_by_itself() -> None:
    clock = BrainClock(BrainLimits(turn=5.0, match=8.0, increment=1.0, tolerance=0.5))
    turn = clock.begin(100.0)
    assert (turn.deadline, turn.late) == (105.5, Ending.TURN_TIMEOUT)
    clock.note(4.0)
    clock.charge(4.0)
    assert (clock.left, clock.used, clock.slowest) == (5.0, 4.0, 4.0)
    clock.charge(3.0)
    turn = clock.begin(200.0)
    assert (turn.deadline, turn.late) == (203.5, Ending.MATCH_TIMEOUT), "less than a turn is left of the match"
    clock.note(9.0)
    assert (clock.left, clock.used, clock.slowest) == (3.0, 7.0, 9.0), "an answer that does not count costs nothing"
    late = BrainClock(BrainLimits(match=1.0, tolerance=0.5))
    late.charge(1.2)
    assert late.begin(0.0).deadline == 0.5, "what is left may be less than nothing"
    free = BrainClock(BrainLimits(turn=0.0))
    free.charge(7.0)
    assert free.left is None and free.begin(1.0).deadline == 1.25


def test_each_move_is_paid_an_increment(scripted: Scripted, heard: Callable[[], tuple[list[str], list[str]]]) -> None:
    game = play(scripted("wins", FIVE), scripted("loses", EDGE), replace(LIMITS, increment=40.0))
    assert game.ending is Ending.FIVE
    assert all("INFO time_increment 40000" in lines for lines in heard())
    black, white = map(time_left, heard())
    assert black[0] == white[0] == 30_000, "none before the first move"
    for left in (black, white):
        steps = [after - before for before, after in pairwise(left)]
        assert len(steps) >= 3 and all(20_000 < step <= 40_000 for step in steps)


def test_an_overrun_within_the_tolerance_is_charged_but_not_lost(
    scripted: Scripted, heard: Callable[[], tuple[list[str], list[str]]]
) -> None:
    game = play(scripted("sleeps=0.4", FIVE), scripted("loses", EDGE), replace(LIMITS, turn=0.1, tolerance=15.0))
    assert not any("increment" in line for lines in heard() for line in lines)
    assert game.ending is Ending.FIVE and all(move.ms >= 400 for move in game.moves[::2])
    black, _ = map(time_left, heard())
    assert black[0] == 30_000 and all(after <= before - 400 for before, after in pairwise(black))


def test_what_is_different_for_a_brain_is_told_to_it_alone(
    scripted: Scripted, heard: Callable[[], tuple[list[str], list[str]]]
) -> None:
    own = replace(LIMITS, turn=7.0, match=None, memory=5 << 20)
    black = replace(scripted("wins", FIVE), limits=own, information=(("max_node", "9"), ("max_depth", "3")))
    game = play(black, replace(scripted("loses", EDGE), protocol_mode="board"), LIMITS)
    assert game.ending is Ending.FIVE
    first, second = heard()
    for line in (
        "INFO timeout_turn 7000",
        "INFO timeout_match 0",
        "INFO max_memory 5242880",
        "INFO max_node 9",
        "INFO max_depth 3",
    ):
        assert line in first and line not in second
    for line in ("INFO timeout_turn 20000", "INFO timeout_match 30000", "BOARD"):
        assert line in second and line not in first
    assert any(line.startswith("TURN ") for line in first) and not any(line.startswith("TURN ") for line in second)
