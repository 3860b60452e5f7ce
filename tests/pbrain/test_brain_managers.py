"""Whole games under scripted managers, the referee watching."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from managers import MANAGERS, Manager, play, random_opening
from needs import needs_posix

pytestmark = needs_posix


@pytest.mark.parametrize(("rule", "size"), [(0, 20), (1, 15), (4, 15), (8, 15), (9, 9)])
@pytest.mark.parametrize("kind", MANAGERS)
def test_a_game_under_each_manager(tmp_path: Path, kind: type[Manager], rule: int, size: int) -> None:
    """Cases 7, 23, 24, 34 and 37: every move legal, no foul, nothing on stderr, no wild overrun."""
    players = (kind(tmp_path, size, rule, 20, 4000), kind(tmp_path, size, rule, 20, 4000))
    opening = [] if rule == 4 else random_opening(random.Random(size), size, 3)
    try:
        stones = play(players, opening, 40)
        assert len(stones) > len(opening)
        for player in players:
            assert max(player.overruns) < 5000
            player.end()
    finally:
        for player in players:
            player.brain.close()


def test_many_games_with_one_process(tmp_path: Path) -> None:
    """Case 3: c-gomoku-cli starts the next game, of another size, with START on the same process."""
    from managers import Cli

    players = (Cli(tmp_path, 15, 0, 10, None), Cli(tmp_path, 15, 0, 10, None))
    try:
        for size, rule in ((15, 0), (20, 1), (15, 4), (9, 8)):
            for player in players:
                player.size, player.rule = size, rule
                player.begin()
            play(players, [], 14)
        for player in players:
            player.end()
    finally:
        for player in players:
            player.brain.close()


@pytest.mark.slow
def test_a_hundred_games(tmp_path: Path) -> None:
    """A longer run is `python tests/pbrain/managers.py --games 1000 --turn 100`."""
    chance = random.Random(3)
    for number in range(100):
        rule = (0, 1, 4, 8, 9)[number % 5]
        first, second = (kind(tmp_path, 15, rule, 50, None) for kind in chance.choices(MANAGERS, k=2))
        try:
            play((first, second), [])
            first.end()
            second.end()
        finally:
            first.brain.close()
            second.brain.close()
