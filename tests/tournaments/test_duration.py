"""The time of a run: announced before it, and the time left while it runs."""

import json
from pathlib import Path

import pytest

from tournaments.cli.duration import Count, Countdown, describe_games, format_duration, format_estimate, full_game_time
from tournaments.cli.main import main
from tournaments.setup.settings import BrainSettings
from tournaments.setup.settings import TournamentSettings as Settings


def test_durations_have_two_units_at_most() -> None:
    seconds = (0.2, 29, 61, 3599, 4800, 90_000, 172_800)
    assert [format_duration(each) for each in seconds] == [
        "1 s",
        "29 s",
        "1 min",
        "1 h",
        "1 h 20 min",
        "1 day 1 h",
        "2 days",
    ]
    assert [format_estimate(each) for each in (364 * 86_400, 4e11)] == ["about 364 days", "more than a year"]


def test_a_run_without_an_end_in_sight_says_once_a_minute_how_far_it_has_got() -> None:
    told, times = list[str](), iter((0.0, 1.0, 60.0, 61.0, 125.0))
    count = Count("position", told.append, lambda: next(times))
    for done in (10, 4096, 5000, 8192):
        count(done)
    assert told == ["4096 positions done so far", "8192 positions done so far"]


def test_a_game_takes_its_time_limits() -> None:
    brains = [BrainSettings("a"), BrainSettings("b")]
    assert full_game_time(Settings(turn_time=1.0), brains) == 40
    assert full_game_time(Settings(turn_time=1.0, match_time=5.0), brains) == 10
    assert full_game_time(Settings(turn_time=1.0, match_time=5.0, increment=0.1), brains) == 14
    assert full_game_time(Settings(turn_time=1.0), [BrainSettings("a"), BrainSettings("b", turn_time=2.0)]) == 60
    fixed = BrainSettings("a", info=(("max_node", "1000"),))
    assert full_game_time(Settings(turn_time=60.0), [fixed, fixed]) == 4


def test_only_a_long_run_is_announced() -> None:
    brains = [BrainSettings("a"), BrainSettings("b")]
    assert describe_games(2, Settings(turn_time=0.5), brains) == ""
    assert describe_games(24, Settings(turn_time=1.0), brains) == (
        "24 games, one at a time: about 16 min if games have 40 moves and every move takes its full time; usually less"
    )
    assert describe_games(24, Settings(turn_time=1.0, concurrency=4), brains).startswith(
        "24 games, 4 at a time: about 4"
    )


def test_the_time_left_is_told_once_a_minute() -> None:
    now, told = [0.0], list[str]()
    countdown = Countdown(10, "game", told.append, done=2, clock=lambda: now[0])
    countdown.announce(59)
    assert told == []
    countdown.announce(600)
    for now[0] in (30.0, 61.0, 80.0, 125.0, 180.0, 200.0, 240.0, 300.0):
        countdown.advance()
    assert told == [
        "10 games: about 10 min at most",
        "4 of 10 games done, about 3 min left",
        "6 of 10 games done, about 2 min left",
        "8 of 10 games done, about 1 min left",
    ]


def test_a_match_announces_its_time_and_json_stays_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["match", "weights", "weights", "--size", "5", "--turn-time", "3", "--tolerance", "20", "--draw-after", "8"]
    assert main(words) == 0
    assert capsys.readouterr().out.startswith("2 games, one at a time: about 4 min if ")
    assert main([*words, "--json"]) == 0
    out, err = capsys.readouterr()
    assert all(json.loads(line) for line in out.splitlines()) and err.startswith("2 games, one at a time: about 4 min")


def test_analyse_announces_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.pos").write_text("h8i9j10\n")
    assert main(["analyse", "one.pos", "--brain", "weights", "--turn-time", "30"]) == 0
    assert capsys.readouterr().err == "3 positions: about 2 min at most\n"
