"""Schedules: the brains meet as the format says, openings come twice, and ids depend on the content."""

import dataclasses
import itertools
import re

import pytest

from tournaments.brains.command import Command
from tournaments.brains.limits import BrainLimits
from tournaments.brains.player import Player
from tournaments.play.schedule import duels, named_duels, opening_of, pairing_id, schedule
from tournaments.rules.notation import parse_opening
from tournaments.rules.openings import shuffled
from tournaments.rules.referee import Rule
from tournaments.setup.game_rules import GameRules
from tournaments.setup.settings import BrainSettings

PLAYERS = [Player(name, Command((f"/bin/{name}",), name, name, name), digest=name * 64) for name in "abcde"]
RULES = GameRules(15, 15, Rule.FREESTYLE, BrainLimits())
OPENINGS = [parse_opening(text, 15, 15) for text in ("h8", "h8i10", "a1o15")]


@pytest.mark.parametrize("players", range(2, 9))
def test_in_a_round_robin_everybody_meets_everybody_once(players: int) -> None:
    met = duels("round-robin", players)
    assert sorted(met) == [(a, b) for a in range(players) for b in range(a + 1, players)]
    # At any time no brain is more than a round ahead.
    counts = [0] * players
    for pair in met:
        for player in pair:
            counts[player] += 1
        assert max(counts) - min(counts) <= 2


def test_in_a_gauntlet_the_first_meets_all_others() -> None:
    assert duels("gauntlet", 4) == [(0, 1), (0, 2), (0, 3)]


def test_in_a_gauntlet_of_two_challengers_both_meet_all_others() -> None:
    assert duels("gauntlet", 4, challengers=2) == [(0, 2), (1, 2), (0, 3), (1, 3)]
    rows = list(schedule("gauntlet", PLAYERS, RULES, OPENINGS, 2, challengers=2))
    assert [(row.first, row.second) for row in rows] == [(0, 2), (1, 2), (0, 3), (1, 3), (0, 4), (1, 4)]
    with pytest.raises(ValueError, match="4 challengers of 4 brains leave no opponents"):
        duels("gauntlet", 4, challengers=4)


def test_chosen_pairs_are_those_that_brains_name() -> None:
    brains = {"a": BrainSettings(meets=("c",)), "b": BrainSettings(), "c": BrainSettings(meets=("a", "b"))}
    named = named_duels(list(brains), brains)
    assert named == [(0, 2), (1, 2)], "each pair once, whoever names the other"
    rows = list(schedule("chosen", PLAYERS[:3], RULES, OPENINGS, 4, named=named))
    assert [(row.round, row.first, row.second, row.legs) for row in rows] == [
        (1, 0, 2, 2),
        (1, 1, 2, 2),
        (2, 0, 2, 2),
        (2, 1, 2, 2),
    ]
    for name in ("d", "a"):
        with pytest.raises(ValueError, match=f"brain a cannot meet {name}: the brains are a, b"):
            named_duels(["a", "b"], {"a": BrainSettings(meets=(name,)), "b": BrainSettings()})


@pytest.mark.parametrize(
    ("format_", "players", "complaint"),
    [
        ("chosen", 3, "no pairings: with format = chosen, list each brain's opponents in `meets`"),
        ("match", 3, "a match has two brains, not 3"),
        ("round-robin", 1, "at least two brains"),
        ("swiss", 4, "unknown format 'swiss': choose one of round-robin"),
    ],
)
def test_impossible_formats_are_named(format_: str, players: int, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        duels(format_, players)


def test_a_league_of_five_with_twelve_openings() -> None:
    rows = list(schedule("round-robin", PLAYERS, RULES, OPENINGS, 24))
    assert len(rows) == 10 * 12 and {row.legs for row in rows} == {2}
    assert [row.number for row in rows] == list(range(1, 121))
    assert len({row.id for row in rows}) == 120
    for row in rows:
        assert row.opening_number == (row.round - 1) % 3 + 1
    # All brains get the same stones in a round, and after three rounds a new symmetry.
    by_round = {row.round: row.opening for row in rows}
    assert all(row.opening == by_round[row.round] for row in rows)
    assert len({by_round[number] for number in (2, 5, 8, 11)}) == 4


def test_an_odd_number_of_games_ends_with_half_a_pair() -> None:
    assert [row.legs for row in schedule("match", PLAYERS[:2], RULES, OPENINGS, 5)] == [2, 2, 1]


def test_a_schedule_longer_than_any_memory_begins_at_once_and_goes_on_after_any_of_its_pairs() -> None:
    rows = list(itertools.islice(schedule("round-robin", PLAYERS, RULES, OPENINGS, 10**9), 100))
    assert [row.number for row in rows] == list(range(1, 101)) and rows[-1].round == 10
    known = {(row.round, row.first, row.second) for row in rows[:37]}
    rest = schedule("round-robin", PLAYERS, RULES, OPENINGS, 10**9, known=known)
    assert list(itertools.islice(rest, 63)) == rows[37:]
    # What comes to be known in another order, after a late entry, is not repeated either.
    known = {(row.round, row.first, row.second) for row in rows[::2]}
    rest = itertools.islice(schedule("round-robin", PLAYERS, RULES, OPENINGS, 10**9, known=known), 50)
    assert [(row.number, row.id) for row in rest] == [(51 + n, row.id) for n, row in enumerate(rows[1::2])]


def test_the_same_pair_has_the_same_id_anywhere_and_another_pair_another() -> None:
    a, b = PLAYERS[:2]
    first = pairing_id((a, b), RULES, OPENINGS[0], 0)
    elsewhere = dataclasses.replace(a, command=Command(("/opt/a",), "a", "a", "elsewhere/a"))
    assert pairing_id((elsewhere, b), RULES, OPENINGS[0], 0) == first
    others = [
        pairing_id((b, a), RULES, OPENINGS[0], 0),
        pairing_id((dataclasses.replace(a, digest="f" * 64), b), RULES, OPENINGS[0], 0),
        pairing_id((dataclasses.replace(a, limits=BrainLimits(turn=9.0)), b), RULES, OPENINGS[0], 0),
        pairing_id((a, b), dataclasses.replace(RULES, rule=Rule.RENJU), OPENINGS[0], 0),
        pairing_id((a, b), RULES, OPENINGS[1], 0),
        pairing_id((a, b), RULES, OPENINGS[0], 1),
    ]
    assert len({first, *others}) == 7 and all(re.fullmatch("[0-9a-f]{16}", name) for name in others)


def test_shuffling_is_settled_by_its_seed() -> None:
    many = [((x, y),) for x in range(8) for y in range(8)]
    assert shuffled(many, 1) == shuffled(many, 1) != shuffled(many, 2)
    assert sorted(shuffled(many, 1)) == sorted(many)


def test_openings_come_round_again_in_other_symmetries() -> None:
    seen = [opening_of(pair, OPENINGS, 15, 15) for pair in range(24)]
    assert [place for place, _ in seen] == [0, 1, 2] * 8
    assert len({opening for place, opening in seen if place == 1}) == 8
