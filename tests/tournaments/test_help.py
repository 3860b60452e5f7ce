"""The help of every command: units, defaults, an example that the command takes, and words that every reader knows."""

import argparse
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from plain_words import find_habits

from tournaments.cli.main import COMMANDS, main

ROOT = Path(__file__).parents[2]
VERBS = {
    "tournament": ("init", "run", "resume", "status"),
    "games": ("list", "export", "import", "delete"),
    "data": ("inspect",),
    "puzzles": ("make", "rate"),
    "book": ("build", "show", "merge", "import", "export", "stats", "check", "prune"),
}
ALL = [(), *([name] for name in COMMANDS), *([name, verb] for name, verbs in VERBS.items() for verb in verbs)]

WORDS_OF_HELP = re.compile(r"\bany more\b|\bsay\b|\bsaid\b|where to\b", re.IGNORECASE)
"""Habits of help texts alone."""


class Parsed(BaseException):
    """The command's own parser has taken the words."""


def parser_of(words: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> argparse.ArgumentParser:
    """The parser that these words reach, sub-commands followed."""
    seen: list[argparse.ArgumentParser] = []

    def show(parser: argparse.ArgumentParser, *_: object) -> None:
        seen.append(parser)
        raise Parsed

    with monkeypatch.context() as patch:
        patch.setattr(argparse.ArgumentParser, "print_help", show)
        with pytest.raises(Parsed):
            main([*words, "--help"])
    return seen[0]


def examples(shown: str) -> list[str]:
    """The lines under "Examples:", which ends the help."""
    return [line.strip() for line in shown.partition("\nExamples:\n")[2].splitlines() if line.strip()]


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_help_has_examples_that_the_command_takes(words: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = examples(parser_of(words, monkeypatch).format_help())
    assert 1 <= len(lines) <= 3
    real = argparse.ArgumentParser.parse_args

    def parse(parser: argparse.ArgumentParser, *arguments: object) -> None:
        real(parser, *arguments)  # type: ignore[call-overload]
        raise Parsed

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse)
    for line in lines:
        program, *arguments = shlex.split(line.partition(" > ")[0])
        assert program == "tengen" and list(arguments[: len(words)]) == list(words)
        with pytest.raises(Parsed):
            main(arguments)


def test_help_and_review_need_no_further_package(tmp_path: Path) -> None:
    """A program whose optional packages cannot be imported shows the help of all commands, and the saved quizzes."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    names = {re.split(r"[\[>=<]", package)[0] for packages in extras.values() for package in packages}
    code = """if True:
        import sys
        sys.modules.update(dict.fromkeys(sys.argv[2].split()))
        from tournaments.cli.main import COMMANDS, main
        for name in COMMANDS:
            try:
                assert False, (name, main([name, "--help"]))
            except SystemExit as end:
                assert not end.code, name
        sys.exit(main(["review", "--list", "--library", sys.argv[1]]))
    """
    modules = " ".join({"distributed", *names} - {"pbrain-tengen"}).replace("-", "_")
    words = [sys.executable, "-c", code, str(tmp_path / "games.sqlite"), modules]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert done.stdout.count("usage: tengen ") == len(COMMANDS) and "\nThere are no quizzes yet: " in done.stdout


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_help_names_defaults(words: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    parser = parser_of(words, monkeypatch)
    assert parser.description
    for action in parser._actions:
        text = " ".join((action.help or "").split())
        is_value = action.option_strings and action.nargs != 0 and not action.required and action.default != []
        if action.help is argparse.SUPPRESS or not is_value:
            assert action.help or isinstance(action, argparse._SubParsersAction), action.dest
            continue
        assert re.search(r"default: ([^)]|%\(default\)[.\d]*[sf])+\)$", text), f"{action.option_strings}: {text}"
        if isinstance(action.default, int | float | str) and not isinstance(action.default, bool):
            assert "%(default)" in text or f"default: {action.default}" in text, action.option_strings


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_help_names_units(words: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for action in parser_of(words, monkeypatch)._actions:
        name = action.option_strings[-1] if action.option_strings else ""
        if name.endswith(("-time", "--tolerance", "--increment")):
            assert "second" in (action.help or ""), name
        if name.endswith(("--memory", "--max-output")) and action.nargs != 0 and "enforce" not in name:
            assert "megabytes" in (action.help or ""), name


def test_every_command_has_the_same_flag_for_the_file_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {
        " ".join(words): action.option_strings
        for words in ALL
        for action in parser_of(words, monkeypatch)._actions
        if action.dest == "library" and action.help is not argparse.SUPPRESS
    }
    games = {"games list", "games export", "games import", "games delete"}
    assert {"play", "serve", "review", "puzzles", "puzzles make", *games} == set(found)
    assert all(flags == ["--library"] for flags in found.values())


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_help_is_in_plain_words(words: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shown = " ".join(parser_of(words, monkeypatch).format_help().split())
    assert not (found := [words for _, words in find_habits(shown)] + WORDS_OF_HELP.findall(shown)), found


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_help_fits_a_terminal_of_80_columns(words: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    long = [line for line in parser_of(words, monkeypatch).format_help().splitlines() if len(line) > 80]
    assert not long
