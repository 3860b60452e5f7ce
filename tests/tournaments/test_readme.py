"""The page for organisers is true: its tests, presets, flags and commands exist."""

import ast
import re
from pathlib import Path

from pages import shell_commands, text_of

from tournaments.brains.limits import BrainLimits
from tournaments.cli.command_line import Parser
from tournaments.cli.export import PICTURES
from tournaments.cli.flags import add_brain_flags, add_flags
from tournaments.cli.main import COMMANDS
from tournaments.records.convert import FORMATS
from tournaments.rules.referee import parse_rule
from tournaments.setup.settings import PRESETS

PAGE = text_of("tournaments/README.md")


def rows_of(section: str) -> list[list[str]]:
    """The cells of the rows of a section's table, without its head."""
    text = PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_every_feature_names_tests_that_exist() -> None:
    rows = rows_of("Comparison with other managers")
    assert len(rows) > 40
    for row in rows:
        named = re.findall(r"`(test_\w+)::(test_\w+)`", row[-1])
        assert row[1] in ("yes", "yes *") and named, row[0]
        for module, function in named:
            tree = ast.parse((Path(__file__).parent / f"{module}.py").read_text(encoding="utf-8"))
            assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, function


def test_what_only_we_have_none_of_the_others_has() -> None:
    for row in rows_of("Comparison with other managers"):
        if row[1] == "yes *":
            assert not {"yes", "?"} & set(row[2:6]), row[0]


def test_the_presets_are_as_the_page_has_them() -> None:
    told = {row[0].strip("`"): row[1:] for row in rows_of("Formats and leagues")}
    assert set(told) == set(PRESETS)
    for name, (board, rule, turn, match) in told.items():
        preset = PRESETS[name]
        assert (board, parse_rule(rule)) == (f"{preset['size']}x{preset['size']}", parse_rule(preset["rule"]))
        assert (turn, match) == (f"{preset['turn_time']:g} s", f"{preset['match_time']:g} s")


def test_the_formats_are_as_the_page_has_them() -> None:
    assert {row[0].strip("`") for row in rows_of("Records")} == {*FORMATS, PICTURES}


def test_flags_and_commands_exist() -> None:
    parser = Parser()
    add_flags(parser)
    add_brain_flags(parser)
    known = set(parser._option_string_actions)
    others = {
        "--help",
        "--json",
        "--format",
        "--store",
        "--output",
        "--nthreads",
        "--log",
        "--turn-time",
        "--depth",
        "--replace",
        "--resume",
        "--game",
        "--proof",
        "--quiz",
        "--levels",
        "--watch",
        "--tournament",
        "--host",
        "--lan",
        "--try",
        "--list",
        "--language",
    }
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", PAGE)) <= known | others
    for page in ("README.md", "tournaments/README.md", "tournaments/board/README.md"):
        named = {command.split()[1] for command in shell_commands(page) if command.startswith("tengen ")}
        assert named and named <= set(COMMANDS)
    assert "(0.25 s)" in PAGE and BrainLimits().tolerance == 0.25
