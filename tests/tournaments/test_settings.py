"""Settings: one table for file, flags and defaults, and sentences that name a fault."""

import argparse
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.cli.duration import TYPICAL_MOVES, full_game_time
from tournaments.cli.flags import add_brain_flags, add_flags, format_example, given_brains, given_flags
from tournaments.rules.openings import measured_openings
from tournaments.rules.referee import Rule
from tournaments.setup.making import (
    find_anchor,
    make_game_rules,
    make_openings,
    make_player,
    make_sprt,
    missing_packages,
)
from tournaments.setup.settings import (
    PRESETS,
    BrainSettings,
    Given,
    TournamentSettings,
    entries,
    load_file,
    read_settings,
)


def flags(*words: str) -> Given:
    parser = argparse.ArgumentParser()
    add_flags(parser)
    add_brain_flags(parser)
    options = parser.parse_args(words)
    return {**given_flags(options), **given_brains(options)}


def test_defaults_need_nothing() -> None:
    assert read_settings() == (TournamentSettings(), {})


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
        rules = make_game_rules(settings)
        found[name] = (rules.width, rules.rule, rules.limits.turn, rules.limits.match)
        assert (settings.games, rules.limits.memory, rules.limits.enforces_memory) == (24, 350 << 20, True)
        assert len(make_openings(settings, rules)) >= 12
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
    text = "\n".join(
        line.removeprefix("# ") for line in format_example({}).splitlines() if " = " in line or line.startswith("# [")
    )
    given = tomllib.loads(text)
    settings, brains = read_settings(given)
    shown = {entry.key for entry in entries() if not entry.example}
    for key in shown:
        assert getattr(settings, key) == getattr(TournamentSettings(), key)
    assert brains["other"].command == "./pbrain-other --fast" and brains["other"].info == (("max_node", "1000"),)


def test_the_example_of_a_preset_shows_what_the_preset_gives() -> None:
    example = format_example(flags("--preset", "fastgame"))
    assert 'preset = "fastgame"  # ' in example.splitlines()[4:8][1]
    for shown in ("turn_time = 5.0", "match_time = 120.0", 'size = "20"', "tolerance = 1.0", "reuse = false"):
        assert f"\n# {shown}  # " in example


def test_a_file_of_a_tournament_names_the_measured_openings(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text('openings = "measured"\n')
    settings, _ = read_settings(load_file(tmp_path / "t.toml"))
    found = make_openings(settings, make_game_rules(settings))
    assert found == measured_openings(15, 15, 0) and len(found[0]) >= 4
    settings, _ = read_settings({"openings": "measured", "size": "9", "rule": "caro"})
    with pytest.raises(ValueError, match="no measured openings for caro-9x9"):
        make_openings(settings, make_game_rules(settings))


def test_openings_begin_where_they_are_asked_to() -> None:
    settings, _ = read_settings({"shuffle": True, "seed": 3})
    found = make_openings(settings, make_game_rules(settings))
    settings, _ = read_settings({"shuffle": True, "seed": 3, "first_opening": 5})
    assert make_openings(settings, make_game_rules(settings)) == found[4:] + found[:4]
    settings, _ = read_settings({"first_opening": len(found) + 1})
    with pytest.raises(ValueError, match=f"there is no opening {len(found) + 1}: there are {len(found)}"):
        make_openings(settings, make_game_rules(settings))


def test_a_file_written_from_flags_reads_back() -> None:
    given = flags(
        "--games",
        "7",
        "--sprt",
        "-5",
        "5",
        "--freeze",
        "--no-reuse",
        "--openings",
        "o.txt",
        "--name",
        'a "b"',
        "--brain",
        "x=weights",
        "--brain",
        "minimax --depth 2",
        "--for",
        "x.turn_time=3",
        "--for",
        "x.info.max_node=9",
    )
    again = tomllib.loads(format_example(given))
    assert read_settings(again) == read_settings(given)
    settings, brains = read_settings(again)
    assert (settings.name, settings.games, settings.sprt, settings.freeze) == ('a "b"', 7, (-5.0, 5.0), True)
    assert list(brains) == ["x", "minimax"]
    assert (brains["x"].turn_time, brains["x"].info) == (3.0, (("max_node", "9"),))


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"gamse": 3}, "'gamse' is not a setting: do you mean 'games'?"),
        ({"xyz": 3}, "'xyz' is not a setting"),
        ({"games": 0}, "games = 0 is not a whole number of at least 1"),
        ({"games": 99999999999}, "games = 99999999999 is not a whole number from 1 to 1000000000"),
        ({"games": "\u0663"}, "is not a whole number of at least 1"),
        ({"name": "a\nb"}, "is not a text of one line"),
        ({"anchor": "a"}, "anchor = a is not NAME=ELO"),
        ({"anchor": "a=much"}, "anchor = a=much is not NAME=ELO"),
        ({"brains": {"a": {"env": {"X=Y": "1"}}}}, "is not a table of environment variables"),
        ({"brains": {" a": {"command": "x"}}}, "a brain's name is one line of text"),
        ({"games": True}, "games = True is not a whole number of at least 1"),
        ({"games": 2.5}, "games = 2.5 is not a whole number of at least 1"),
        ({"turn_time": "soon"}, "turn_time = soon is not a time in seconds from 0 to 1000000"),
        ({"drive": "fast"}, "drive = fast is not one of turn, board"),
        ({"freeze": "perhaps"}, "freeze = perhaps is not true or false"),
        ({"sprt": [1]}, "sprt = [1] is not two numbers, ELO0 and ELO1"),
        ({"preset": "chess"}, "preset = chess is not one of freestyle20, freestyle15"),
        ({"brains": {"a": {"commnd": "x"}}}, "brain a: 'commnd' is not a setting: do you mean 'command'?"),
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
    with pytest.raises(ValueError, match=r"bad\.toml is not valid TOML: .*line 1"):
        load_file(tmp_path / "bad.toml")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("# games\n\ngamse = 3\n", ", line 3: 'gamse' is not a setting: do you mean 'games'?"),
        ('games = 3\n[brains.a]\n"commnd" = "x"\n', ", line 3: 'commnd' is not a setting: do you mean 'command'?"),
        ("[brain.a]\ncommand = 'x'\n", ": 'brain' is not a setting: do you mean 'brains'?"),
        ("[brains]\na = {commnd = 'x'}\n", ": 'commnd' is not a setting: do you mean 'command'?"),
    ],
)
def test_a_setting_that_a_file_spells_wrong_is_named_with_its_line(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(ValueError) as caught:
        load_file(path)
    assert str(caught.value) == f"{path}{complaint}"


def test_a_path_in_a_file_is_taken_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text('openings = "o.txt"')
    assert load_file(tmp_path / "t.toml")["openings"] == str(tmp_path / "o.txt")


def test_a_brain_has_what_is_different_for_it() -> None:
    limits = make_game_rules(TournamentSettings(turn_time=1.0, match_time=60.0)).limits
    assert make_player("w", BrainSettings("weights"), limits).limits is None
    player = make_player("w", BrainSettings("weights", turn_time=9.0, memory=10, drive="board"), limits)
    assert player.limits is not None and player.protocol_mode == "board" and len(player.digest) == 64
    assert (player.limits.turn, player.limits.match, player.limits.memory) == (9.0, 60.0, 10 << 20)
    with pytest.raises(ValueError, match="brain w has no command"):
        make_player("w", BrainSettings(), limits)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"preset": "fastgame"}, "this needs the package psutil: pip install psutil"),
        ({"processes": 8}, "this needs the package psutil: pip install psutil"),
        ({"executor": "dask"}, "this needs the package distributed: pip install distributed"),
    ],
)
def test_a_missing_package_is_named(given: Given, complaint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    settings, _ = read_settings(given)
    monkeypatch.setattr("tournaments.setup.making.find_spec", lambda name: None)
    with pytest.raises(ValueError) as caught:
        missing_packages(settings)
    assert str(caught.value) == complaint
    missing_packages(TournamentSettings())


def test_a_sequential_test_is_checked() -> None:
    assert make_sprt(TournamentSettings()) is None
    with pytest.raises(ValueError, match="needs ELO0 < ELO1"):
        make_sprt(TournamentSettings(sprt=(5.0, 5.0)))


def test_brains_keep_the_order_in_which_they_are_named() -> None:
    given = flags("--brain", "kill", "--brain", "b=weights", "--brain", "minimax --depth 2", "--brain", "a=tree")
    assert [(name, table["command"]) for name, table in given["brains"].items()] == [
        ("kill", "kill"),
        ("b", "weights"),
        ("minimax", "minimax --depth 2"),
        ("a", "tree"),
    ]


def test_a_name_is_given_once_or_made_distinct() -> None:
    twice = flags("--brain", "kill=weights", "--brain", "kill", "--brain", "kill")
    assert list(twice["brains"]) == ["kill", "kill (2)", "kill (3)"]
    with pytest.raises(ValueError) as caught:
        flags("--brain", "a=weights", "--brain", "a=kill")
    assert str(caught.value) == "there are two brains named a: give each a name of its own, as NAME=COMMAND"


def test_a_name_may_have_blanks() -> None:
    assert flags("--brain", "my brain=weights", "--brain", "ours, new = kill")["brains"] == {
        "my brain": {"command": "weights"},
        "ours, new": {"command": " kill"},
    }
    assert flags("--brain", "minimax --depth=2")["brains"] == {"minimax": {"command": "minimax --depth=2"}}
    assert list(flags("--brain", "weights x=y")["brains"]) == ["weights"], "a program and its argument"


def brain_flags(known: Collection[str], *words: str) -> Given:
    parser = argparse.ArgumentParser()
    add_brain_flags(parser)
    return given_brains(parser.parse_args(words), known)["brains"]


def test_brains_of_a_file_keep_their_names() -> None:
    with pytest.raises(ValueError, match=r"two brains named a: .* change the first one by --for a.command=COMMAND"):
        brain_flags(["a"], "--brain", "a=kill")
    assert brain_flags(["kill"], "--brain", "kill") == {"kill (2)": {"command": "kill"}}
    assert brain_flags(["a"], "--for", "a.command=kill") == {"a": {"command": "kill"}}


def test_what_is_different_for_a_brain_is_for_one_that_is_there() -> None:
    assert brain_flags(["a.b", "a"], "--for", "a.b.drive=board", "--for", "a.env.X=1=2") == {
        "a.b": {"drive": "board"},
        "a": {"env": {"X": "1=2"}},
    }
    with pytest.raises(ValueError, match=r"--for tree\.drive=board: there is no brain tree; the brains are a, b"):
        brain_flags(["a", "b"], "--for", "tree.drive=board")
    with pytest.raises(ValueError, match="info has a value already"):
        brain_flags(["a"], "--for", "a.info=1", "--for", "a.info.x=2")


def test_a_flag_for_one_key_leaves_the_files_others() -> None:
    file = {"brains": {"a": {"command": "weights", "info": {"x": "1", "y": "2"}}}}
    _, brains = read_settings(file, {"brains": {"a": {"info": {"y": "3"}}}})
    assert dict(brains["a"].info) == {"x": "1", "y": "3"}


def test_a_byte_order_mark_is_no_part_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text("games = 6", encoding="utf-8-sig")
    assert load_file(tmp_path / "t.toml") == {"games": 6}
    (tmp_path / "o.txt").write_text("h8\n", encoding="utf-8-sig")
    settings, _ = read_settings({"openings": str(tmp_path / "o.txt")})
    assert make_openings(settings, make_game_rules(settings)) == [((7, 7),)]


def test_what_is_quoted_in_a_sentence_moves_no_cursor() -> None:
    with pytest.raises(ValueError) as caught:
        read_settings({"drive": "\x1b[2J"})
    assert str(caught.value).isprintable()


def test_a_match_time_of_zero_is_no_limit() -> None:
    """As in the protocol; no other value takes a preset's limit away."""
    settings, _ = read_settings({"preset": "fastgame"}, flags("--match-time", "0"))
    assert make_game_rules(settings).limits.match is None
    settings, brains = read_settings(flags("--preset", "fastgame", "--brain", "kill", "--for", "kill.match_time=0"))
    limits = make_game_rules(settings).limits
    own = make_player("kill", brains["kill"], limits).limits
    assert limits.match == 120.0 and own is not None and (own.match, own.turn) == (None, limits.turn)
    assert full_game_time(settings, brains.values()) == TYPICAL_MOVES * limits.turn


def test_a_brain_has_a_folder_and_an_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.toml").write_text('[brains.a]\ncommand = "weights"\ndir = "data"\nenv = { X = "1" }\n')
    (tmp_path / "data").mkdir()
    _, brains = read_settings(load_file(tmp_path / "t.toml"))
    limits = make_game_rules(TournamentSettings()).limits
    player = make_player("a", brains["a"], limits)
    assert (player.folder, player.environment) == (str(tmp_path / "data"), (("X", "1"),))
    (tmp_path / "data").rmdir()
    with pytest.raises(ValueError, match=r"brain a: there is no folder .*data for the brain to run in"):
        make_player("a", brains["a"], limits)


def test_an_anchor_is_a_brain_and_a_rating() -> None:
    settings, _ = read_settings({"anchor": "a=b=1500"})
    assert find_anchor(settings, ["x", "a=b"]) == (1, 1500.0)
    assert read_settings({"anchor": ["x", 3]})[0].anchor == ("x", 3.0)
    with pytest.raises(ValueError, match="anchor = a=b=1500: there is no brain a=b; the brains are x"):
        find_anchor(settings, ["x"])


VALUES: dict[str, st.SearchStrategy[str]] = {
    "name": st.text(st.characters(exclude_categories=("C", "Z")), min_size=1),
    "games": st.integers(1, 10**9).map(str),
    "rule": st.sampled_from(["freestyle", "renju", "8"]),
    "turn_time": st.floats(0, 1e6).map(str),
    "win_score": st.floats(0, 1e12).map(str),
    "drive": st.sampled_from(["turn", "board"]),
    "log": st.text(st.characters(exclude_categories=("C", "Z")), min_size=1),
}
NAMES = st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters="=/\\'\""), min_size=1, max_size=8)
COMMANDS = st.sampled_from(["weights", "minimax --depth 2", "tree --x='a \"b\"'", "kill"])


@given(
    st.fixed_dictionaries({}, optional=VALUES),
    st.lists(st.tuples(NAMES, COMMANDS, st.floats(0, 1e6)), unique_by=lambda brain: brain[0], max_size=6),
)
@settings(deadline=None, max_examples=60, derandomize=True)
def test_flags_to_a_file_to_settings(values: dict[str, str], brains: list[tuple[str, str, float]]) -> None:
    words = [f"--{key.replace('_', '-')}={value}" for key, value in values.items()]
    for name, command, seconds in brains:
        words += [f"--brain={name}={command}", f"--for={name}.turn_time={seconds}", f"--for={name}.info.key={command}"]
    from_flags = flags(*words)
    from_file = tomllib.loads(format_example(from_flags))
    assert read_settings(from_file) == read_settings(from_flags)
    _, read = read_settings(from_file)
    assert [(name, brain.command, brain.turn_time) for name, brain in read.items()] == brains


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("turn_time = " + 400 * "9", "turn_time = 9{80}\\.\\.\\. is not a time in seconds from 0 to 1000000"),
        ("sprt = [0, " + 400 * "9" + "]", "is not two numbers, ELO0 and ELO1"),
        ("anchor = ['a', " + 400 * "9" + "]", "is not NAME=ELO"),
        ("games = " + 5000 * "9", "cup.toml is not valid TOML: "),
        ("games = 0x" + 5000 * "f", "games = a number of thousands of digits is not a whole number"),
        (
            "games = " + 3000 * "[" + 3000 * "]",
            "cup.toml is not TOML that can be read: its brackets are nested too deeply",
        ),
    ],
)
def test_numbers_and_brackets_without_end_are_one_sentence(text: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(text)
    with pytest.raises(ValueError, match=complaint) as caught:
        read_settings(load_file(tmp_path / "cup.toml"))
    assert len(str(caught.value)) < 400 + len(str(tmp_path))
