"""Settings: one table for file, flags and defaults, and sentences that name what is wrong."""

import argparse
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tournaments.cli.flags import add_brain_flags, add_flags, format_example, given_brains, given_flags
from tournaments.rules.referee import Rule
from tournaments.settings import (
    PRESETS,
    BrainSettings,
    Given,
    Settings,
    entries,
    load_file,
    make_conditions,
    make_openings,
    make_player,
    make_sprt,
    missing_packages,
    read_settings,
)


def flags(*words: str) -> Given:
    parser = argparse.ArgumentParser()
    add_flags(parser)
    add_brain_flags(parser)
    options = parser.parse_args(words)
    return {**given_flags(options), **given_brains(options)}


def test_defaults_need_nothing() -> None:
    assert read_settings() == (Settings(), {})


def test_flags_count_more_than_the_file_and_the_file_more_than_the_preset() -> None:
    file = {"preset": "renju15", "turn_time": 2, "games": 6}
    settings, _ = read_settings(file, flags("--games", "8"))
    assert (settings.rule, settings.turn_time, settings.games) == ("renju", 2.0, 8)
    assert settings.match_time == 1000.0
    settings, _ = read_settings(file, flags("--preset", "fastgame"))
    assert (settings.size, settings.turn_time, settings.match_time, settings.freeze) == ("20", 2.0, 120.0, True)


def test_a_preset_counts_more_than_a_commands_own_defaults() -> None:
    defaults: Given = {"games": 2, "turn_time": 1.0, "brains": {"a": {"command": "weights"}}}
    settings, brains = read_settings({"preset": "renju15"}, defaults=defaults)
    assert (settings.games, settings.turn_time, list(brains)) == (24, 300.0, ["a"])
    settings, brains = read_settings({"games": 3, "brains": {"b": {"command": "tree"}}}, defaults=defaults)
    assert (settings.games, settings.turn_time, list(brains)) == (3, 1.0, ["a", "b"])


def test_presets_are_the_leagues() -> None:
    found = {}
    for name in PRESETS:
        settings, _ = read_settings({"preset": name})
        conditions = make_conditions(settings)
        found[name] = (conditions.width, conditions.rule, conditions.limits.turn, conditions.limits.match)
        assert (settings.games, conditions.limits.memory, conditions.limits.enforces_memory) == (24, 350 << 20, True)
        assert len(make_openings(settings, conditions)) >= 12
    assert found == {
        "freestyle20": (20, Rule.FREESTYLE, 300, 1000),
        "freestyle15": (15, Rule.FREESTYLE, 300, 1000),
        "fastgame": (20, Rule.FREESTYLE, 5, 120),
        "standard15": (15, Rule.STANDARD, 300, 1000),
        "renju15": (15, Rule.RENJU, 300, 1000),
        "caro15": (15, Rule.CARO, 30, 180),
    }


def test_every_setting_is_a_flag_and_a_line_of_the_file() -> None:
    parser = argparse.ArgumentParser()
    add_flags(parser)
    flags_ = {action.dest for action in parser._actions}
    example = format_example({})
    for entry in entries():
        assert entry.key in flags_
        assert f"# {entry.key} = " in example


def test_the_example_uncommented_is_what_it_says() -> None:
    text = "\n".join(line.removeprefix("# ") for line in format_example({}).splitlines()
                     if " = " in line or line.startswith("# ["))  # fmt: skip
    given = tomllib.loads(text)
    settings, brains = read_settings(given)
    shown = {entry.key for entry in entries() if not entry.example}
    for key in shown:
        assert getattr(settings, key) == getattr(Settings(), key)
    assert brains["other"].command == "./pbrain-other --fast" and brains["other"].info == (("max_node", "1000"),)


def test_the_example_of_a_preset_shows_what_the_preset_gives() -> None:
    example = format_example(flags("--preset", "fastgame"))
    assert 'preset = "fastgame"  # ' in example.splitlines()[4:8][1]
    for shown in ("turn_time = 5.0", "match_time = 120.0", 'size = "20"', "tolerance = 1.0", "reuse = false"):
        assert f"\n# {shown}  # " in example


def test_openings_begin_where_they_are_asked_to() -> None:
    settings, _ = read_settings({"shuffle": True, "seed": 3})
    found = make_openings(settings, make_conditions(settings))
    settings, _ = read_settings({"shuffle": True, "seed": 3, "first_opening": 5})
    assert make_openings(settings, make_conditions(settings)) == found[4:] + found[:4]
    settings, _ = read_settings({"first_opening": len(found) + 1})
    with pytest.raises(ValueError, match=f"there is no opening {len(found) + 1}: there are {len(found)}"):
        make_openings(settings, make_conditions(settings))


def test_a_file_written_from_flags_reads_back() -> None:
    given = flags(
        "--games", "7", "--sprt", "-5", "5", "--freeze", "--no-reuse", "--openings", "o.txt", "--name", 'a "b"',
        "--brain", "x=weights", "--brain", "minimax --depth 2", "--for", "x.turn_time=3", "--for", "x.info.max_node=9",
    )  # fmt: skip
    again = tomllib.loads(format_example(given))
    assert read_settings(again) == read_settings(given)
    settings, brains = read_settings(again)
    assert (settings.name, settings.games, settings.sprt, settings.freeze) == ('a "b"', 7, (-5.0, 5.0), True)
    assert set(brains) == {"x", "minimax"}
    assert (brains["x"].turn_time, brains["x"].info) == (3.0, (("max_node", "9"),))


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"gamse": 3}, "there is no setting 'gamse'"),
        ({"games": 0}, "games = 0 is not a whole number of at least 1"),
        ({"games": True}, "games = True is not a whole number of at least 1"),
        ({"games": 2.5}, "games = 2.5 is not a whole number of at least 1"),
        ({"turn_time": "soon"}, "turn_time = soon is not a time in seconds from 0 to 1000000"),
        ({"drive": "fast"}, "drive = fast is not one of turn, board"),
        ({"freeze": "perhaps"}, "freeze = perhaps is not true or false"),
        ({"sprt": [1]}, "sprt = [1] is not two numbers, ELO0 and ELO1"),
        ({"preset": "chess"}, "preset = chess is not one of freestyle20, freestyle15"),
        ({"brains": {"a": {"commnd": "x"}}}, "brain a: there is no setting 'commnd'"),
        ({"brains": {"a": {"data": 3}}}, "brain a: data = 3 is not a list of patterns of file names"),
        ({"brains": {"a": {"data": ["x", 3]}}}, "is not a list of patterns of file names"),
        ({"brains": {"a": {"info": 3}}}, "brain a: info = 3 is not a table of INFO keys and values"),
        ({"brains": {"a": {"info": {"x\n": 3}}}}, "is not a table of INFO keys and values, each of one line"),
        ({"brains": {"a\n": {"command": "x"}}}, "a brain's name is one line of text"),
        ({"brains": ["a"]}, "brains are tables, [brains.NAME]"),
    ],
)
def test_what_is_wrong_is_named(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError) as caught:
        read_settings(given)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--games", "0"], "--games 0 is not a whole number"),
        (["--sprt", "a", "b"], "--sprt ['a', 'b'] is not two numbers"),
        (["--for", "x"], "--for x is not NAME.KEY=VALUE"),
        (["--brain", "no-such-brain"], "there is no brain 'no-such-brain'"),
    ],
)
def test_wrong_flags_are_named(words: list[str], complaint: str) -> None:
    with pytest.raises(ValueError) as caught:
        flags(*words)
    assert complaint in str(caught.value)


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot read .*gone\.toml: No such file"):
        load_file(tmp_path / "gone.toml")
    (tmp_path / "bad.toml").write_text("games = = 3")
    with pytest.raises(ValueError, match=r"bad\.toml is no TOML: .*line 1"):
        load_file(tmp_path / "bad.toml")


def test_a_path_in_a_file_is_taken_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text('openings = "o.txt"')
    assert load_file(tmp_path / "t.toml")["openings"] == str(tmp_path / "o.txt")


def test_a_brain_has_what_is_different_for_it() -> None:
    limits = make_conditions(Settings(turn_time=1.0, match_time=60.0)).limits
    assert make_player("w", BrainSettings("weights"), limits).limits is None
    player = make_player("w", BrainSettings("weights", turn_time=9.0, memory=10, drive="board"), limits)
    assert player.limits is not None and player.drive == "board" and len(player.digest) == 64
    assert (player.limits.turn, player.limits.match, player.limits.memory) == (9.0, 60.0, 10 << 20)
    with pytest.raises(ValueError, match="brain w has no command"):
        make_player("w", BrainSettings(), limits)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"preset": "fastgame"}, "this needs the package psutil: pip install 'pbrain-tengen[tournament]'"),
        ({"executor": "dask"}, "this needs the package distributed: pip install 'pbrain-tengen[dask]'"),
    ],
)
def test_a_missing_package_is_named(given: Given, complaint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    settings, _ = read_settings(given)
    monkeypatch.setattr("tournaments.settings.find_spec", lambda name: None)
    with pytest.raises(ValueError) as caught:
        missing_packages(settings)
    assert str(caught.value) == complaint
    missing_packages(Settings())


def test_a_sequential_test_is_checked() -> None:
    assert make_sprt(Settings()) is None
    with pytest.raises(ValueError, match="needs ELO0 < ELO1"):
        make_sprt(Settings(sprt=(5.0, 5.0)))
