"""The pages for readers are true: their examples print the shown output, and the files, places and commands exist.

`PYTHONPATH=. python tests/test_pages.py` writes the output of every example again, after a change of the engine that
changes figures.
"""

from __future__ import annotations

import argparse
import doctest
import importlib
import importlib.util
import inspect
import pkgutil
import pydoc
import re
import shlex
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pages import LONG_PAGE, MOST_LINES_OF_README, PAGES, ROOT, blocks, prose, shell_commands, text_of

import engine
import pbrain
import tournaments
import tournaments.brains
from engine.patterns import line_pattern
from pbrain.__main__ import USAGE
from tournaments.cli.main import COMMANDS, PACKAGES, main
from tournaments.files.installing import BROWSER_PACKAGES

SOURCES = (".py", ".pyi", ".pyx", ".pxd", ".h")
WITH_EXAMPLES = ("engine/README.md", "pbrain/README.md")


class Recorder(doctest.DocTestRunner):
    """Runs examples and keeps what each one printed, right or wrong; an exception in one is an error here."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.printed: list[tuple[doctest.Example, str]] = []

    def report_success(self, out: object, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        self.printed.append((example, got))

    report_failure = report_success

    def report_unexpected_exception(
        self, out: object, test: doctest.DocTest, example: doctest.Example, exc_info: object
    ) -> None:
        raise AssertionError(f"{test.name}, line {example.lineno + 1}: {example.source}raises {exc_info}")


EXAMPLES = [
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
    for package in ("pbrain", "tournaments")
    for path in sorted((ROOT / package).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]  # those of the engine: tests/engine/test_examples.py


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_docstrings_are_true(name: str) -> None:
    failures, tries = doctest.testmod(importlib.import_module(name))
    assert failures == 0 and tries > 0


def written_anew(page: str) -> str:
    """The text of a page with what its examples print now."""
    lines = text_of(page).splitlines()
    recorder = Recorder()
    recorder.run(doctest.DocTestParser().get_doctest(text_of(page), {}, page, page, 0))
    assert recorder.printed
    for example, printed in reversed(recorder.printed):
        start = example.lineno + example.source.count("\n")
        shown = [(" " * example.indent + line).rstrip() for line in printed.splitlines()]
        lines[start : start + example.want.count("\n")] = shown
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("page", WITH_EXAMPLES)
def test_the_examples_of_a_page_print_what_it_shows(page: str) -> None:
    assert text_of(page) == written_anew(page)


def sources(page: str, name: str) -> list[Path]:
    """The files that a page may mean by a name or a path: beside it, from the top, or somewhere in the packages."""
    near = [path for path in ((ROOT / page).parent / name, ROOT / name) if path.exists()]
    return near or [
        path
        for package in ("engine", "pbrain", "tournaments", "tests")
        for path in (ROOT / package).rglob(name)
        if "/" not in name
    ]


def anchor_of(head: str) -> str:
    """What a link to the section with this head ends with, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", head).lower().replace(" ", "-")


def heads(page: Path) -> list[str]:
    return re.findall(r"^#+ (.+)$", prose(page.resolve().relative_to(ROOT).as_posix()), re.M)


@pytest.mark.parametrize("page", PAGES)
def test_the_links_of_a_page_lead_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", text_of(page))
    for link in links:
        if link.startswith("https:"):
            continue
        name, _, anchor = link.partition("#")
        target = (ROOT / page).parent / name if name else ROOT / page
        assert target.exists(), link
        assert not anchor or anchor in map(anchor_of, heads(target)), link


def test_every_page_is_read_by_these_tests() -> None:
    found = [*ROOT.glob("*.md"), *ROOT.glob(".github/*.md")]
    found += [path for package in ("engine", "pbrain", "tournaments") for path in (ROOT / package).rglob("*.md")]
    names = {path.relative_to(ROOT).as_posix() for path in found}
    assert set(PAGES) == names - {".github/PULL_REQUEST_TEMPLATE.md"}


@pytest.mark.parametrize("page", PAGES)
def test_a_long_page_begins_with_links_to_its_sections(page: str) -> None:
    text = text_of(page)
    if page == "README.md":
        assert text.count("\n") <= MOST_LINES_OF_README
    opening = text.partition("\n## ")[0]
    sections = re.findall(r"^## (.+)$", prose(page), re.M)
    listed = re.findall(r"\[([^\]]+)\]\(#([\w-]+)\)", " ".join(opening.split()))
    assert all(anchor_of(name) == anchor for name, anchor in listed if name in sections)
    if text.count("\n") > LONG_PAGE or listed:
        assert [name for name, _ in listed] == sections


@pytest.mark.parametrize("page", PAGES)
def test_commands_stand_in_blocks_that_say_so(page: str) -> None:
    """An indented block is an example of Python, so that no command hides from the tests that run them."""
    for block in re.findall(r"(?:(?<=\n\n) {4}.*\n(?:(?: {4}.*)?\n)*)", prose(page)):
        assert block.startswith("    >>> "), block
    assert not re.search(r"^ +```", text_of(page), re.M), "a block stands at the left margin"
    for block in blocks(page, ""):
        assert not re.search(r"^ *(tengen|pip|python3?|pbrain-tengen|git|cd) ", block, re.M), block


@pytest.mark.parametrize("page", PAGES)
def test_the_files_that_a_page_names_exist(page: str) -> None:
    for name in files_named(page):
        assert sources(page, name), f"{page} names {name}"


def files_named(page: str) -> list[str]:
    text = text_of(page)
    named = re.findall(r"`([\w./]+)`", text) + re.findall(r"\btests/[\w/]+\.py\b", text)
    return [
        name
        for name in named
        if (name.endswith(SOURCES) and name not in SOURCES)
        or (name.split("/")[0] in ("engine", "pbrain", "tournaments", "tests", ".ci", ".github") and "/" in name)
    ]


def test_files_are_looked_for_as_they_are_written() -> None:
    assert {"engine/network.pxd", "tests/engine/network_twin.py"} <= set(files_named("engine/training/README.md"))
    assert "engine/board.pyx" in files_named(".github/CONTRIBUTING.md")
    assert "levels.py" in files_named("pbrain/README.md")


@pytest.mark.parametrize("page", PAGES)
def test_the_places_in_the_source_that_a_page_names_exist(page: str) -> None:
    for name, defined in re.findall(r"`([\w./]+\.\w+):(\w+)`", text_of(page)):
        definition = re.compile(rf"^ *(?:(?:cdef|class|def)\b[^\n(=]*\b{defined}\b *[(:]|{defined} *=)", re.M)
        found = sources(page, name)
        assert found and any(definition.search(path.read_text(encoding="utf-8")) for path in found), f"{name}:{defined}"


def test_places_are_looked_for_as_they_are_written() -> None:
    assert len(re.findall(r"`[\w./]+\.\w+:\w+`", text_of("engine/README.md"))) >= 30


class Parsed(Exception):
    """A command line was understood."""


def commands(page: str) -> Iterator[str]:
    """The `tengen` commands of a page: those of its blocks, and those in the text that leave nothing open."""
    for command in shell_commands(page):
        for line in command.splitlines():
            if line.strip().startswith("tengen "):
                yield line.partition(" > ")[0].strip()
    yield from (
        code
        for code in re.findall(r"`(tengen [^`]+)`", " ".join(prose(page).split()))
        if not re.search(r"[\[\]]|\.\.\.", code)
    )


@pytest.mark.parametrize("page", [page for page in PAGES if list(commands(page))])
def test_the_commands_of_a_page_are_understood(
    page: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parse, parse_known = argparse.ArgumentParser.parse_args, argparse.ArgumentParser.parse_known_args

    def parse_and_stop(self: argparse.ArgumentParser, arguments: Sequence[str] | None = None) -> None:
        parse(self, arguments)
        raise Parsed

    def parse_whole_flags(self: argparse.ArgumentParser, *arguments: Any) -> tuple[argparse.Namespace, list[str]]:
        self.allow_abbrev = False  # a page names flags in full
        return parse_known(self, *arguments)

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse_and_stop)
    monkeypatch.setattr(argparse.ArgumentParser, "parse_known_args", parse_whole_flags)
    found = list(commands(page))
    assert found
    for command in found:
        words = shlex.split(command.replace("$n", "1"))[1:]
        assert words[0] in COMMANDS, command
        if len(words) == 1:
            continue  # the name of a command, which may want more
        if words[0] == "train" and "--cycle" not in words and importlib.util.find_spec("torch") is None:
            continue  # it needs PyTorch to say what it takes
        try:
            main(words)
        except Parsed:
            continue
        except SystemExit as end:
            assert end.code == 0, (command, capsys.readouterr().err)
        else:
            pytest.fail(f"{page}: {command}: {capsys.readouterr().err}")


@pytest.mark.parametrize("page", PAGES)
def test_the_brains_flags_and_the_extras_of_a_page_exist(page: str) -> None:
    for arguments in re.findall(r"pbrain-tengen((?: --[a-z]+)+)", text_of(page)):
        assert all(flag in USAGE for flag in arguments.split() if flag not in ("--for", "--brain")), arguments
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    for extras in re.findall(r"pip install [^\n`]*\[([\w,]+)\]", text_of(page)):
        assert set(extras.split(",")) <= set(project["optional-dependencies"]), extras


def test_a_player_who_copies_a_block_runs_no_tests() -> None:
    """A button copies a whole block: the commands for contributors stand in another block than those for players."""
    assert not [block for block in blocks("README.md", "sh") if "tengen match" in block and "pytest" in block]


@pytest.mark.parametrize("page", PAGES)
def test_the_file_of_saved_games_is_named_by_the_flag_that_the_help_shows(page: str) -> None:
    assert "--games FILE" not in text_of(page)


@pytest.mark.parametrize("page", PAGES)
def test_further_packages_are_asked_for_in_one_way(page: str) -> None:
    """From the sources, or with a wheel's file: the name alone may belong to another project's package."""
    found = re.findall(r"pip install ([^\n`]*\[[^\n`]*)", text_of(page))
    for words in found:
        assert re.match(r"""(-e )?'\.\[[a-z,]+\]'|"\$\(echo dist/pbrain_tengen-\*\.whl\)\[board\]"$""", words), words
        if page != "README.md":
            assert words.startswith("-e ") <= ("contributor" in text_of(page)), words
        if page == ".github/CONTRIBUTING.md":
            assert words.startswith("-e "), words
    assert not re.search(r"pip install (-U )?[\"']?pbrain-tengen", text_of(page))


def test_the_program_names_the_packages_that_it_lacks() -> None:
    """By their own names: in an index ours may belong to another project, and a contributor's `-e` would be lost."""
    extras = tomllib.loads(text_of("pyproject.toml"))["project"]["optional-dependencies"]
    names = [{re.split(r"[>=<]", package)[0] for package in packages} for packages in extras.values()]
    found = []
    for folder in ("engine", "pbrain", "tournaments"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert "pbrain-tengen[" not in text, path
            assert not re.search(r"this needs [^\"\n]*: pip ", text), f"{path}: packages_needed makes the hint"
            asked = [re.findall(r"'(\w+)'", words) for words in re.findall(r"\{packages_needed\(('[^()]*)\)\}", text)]
            found += [(path.name, frozenset(packages)) for packages in asked]
    found += [("installing.py", frozenset(BROWSER_PACKAGES)), *((name, frozenset(PACKAGES[name])) for name in PACKAGES)]
    for name, packages in found:
        assert packages and any(packages <= extra for extra in names), (name, packages)
    assert {"installing.py", "train"} <= {name for name, _ in found}


def test_a_verdict_says_no_more_than_its_interval() -> None:
    section = text_of("engine/training/EXPERIMENTS.md").partition("\n## Ideas and verdicts\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    assert len(rows) > 15
    for idea, _, nodes, pairs, elo, verdict in rows:
        figures = re.fullmatch(r"([+-]?\d+) \[([+-]?\d+), ([+-]?\d+)\]", elo)
        assert figures, idea
        middle, low, high = map(int, figures.groups())
        assert low < middle < high and int(pairs) > 0 and re.search(r"\d,000$", nodes), idea
        assert verdict == ("yes" if low > 0 else "no" if high < 5 else "not known"), idea


def test_patterns_classes_and_steps_are_those_of_the_source() -> None:
    page, types = text_of("engine/README.md"), text_of("engine/types.pxd")
    rows = [re.split(r" *\| *", line.strip("| ")) for line in page.splitlines() if re.match(r"\| \d+ \|", line)]
    patterns, classes = rows[:14], rows[14:28]
    assert [int(row[0]) for row in patterns] == [int(row[0]) for row in classes] == list(range(13, -1, -1))
    for number, name, *line in patterns:
        word = re.split("[:,(]", name)[0].strip().upper().replace(" ", "_")
        assert re.search(rf"^    {word} = {number}\b", types, re.M), name
        if line:
            assert line_pattern(0, 0, line[0].strip("`")) == int(number), line
    for number, name, _ in classes:
        assert re.search(rf"^    CLASS_{name.upper().replace(' ', '_')} = {number}\b", types, re.M), name
    steps = re.findall(r"^ +# Step (\d+)\.", text_of("engine/search.pyx"), re.M)
    assert f"in {len(steps)} numbered steps" in page and steps == [str(n) for n in range(1, len(steps) + 1)]


def public_modules() -> Iterator[ModuleType]:
    """Every module of the packages, those for training aside."""
    for package in (engine, pbrain, tournaments):
        yield package
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if not found.name.startswith("engine.training.") and not found.name.endswith("__main__"):
                yield importlib.import_module(found.name)


def has_doc(thing: object, name: str) -> bool:
    """Whether there is a docstring, the signature that Cython puts on top of it left out."""
    doc = inspect.getdoc(thing) or ""
    return bool((doc.partition("\n")[2] if re.match(rf"(\w+\.)?{name}\(", doc) else doc).strip())


def undocumented(modules: Sequence[ModuleType]) -> Iterator[str]:
    """What is public and has no docstring, its own or one of what it implements."""
    things = [
        (module, name, thing)
        for module in modules
        for name, thing in vars(module).items()
        if not name.startswith("_") and getattr(thing, "__module__", None) == module.__name__
    ]
    implemented = {
        (module.__package__, name)
        for module, _, kind in things
        if getattr(kind, "_is_protocol", False)
        for name, part in vars(kind).items()
        if inspect.isfunction(part) and part.__doc__
    }
    implemented |= {("tournaments.cli", name) for package, name in implemented if package == "tournaments.play"}
    yield from (module.__name__ for module in modules if not module.__doc__)
    for module, name, thing in things:
        if callable(thing) and not has_doc(thing, name):
            yield f"{module.__name__}.{name}"
        for part, value in vars(thing).items() if inspect.isclass(thing) else ():
            is_told = callable(value) or isinstance(value, property | classmethod) or inspect.isgetsetdescriptor(value)
            # An attribute of a compiled class has no docstring but that of its class.
            is_attribute = inspect.isgetsetdescriptor(value) and f"{part}: " in (thing.__doc__ or "")
            if not (
                part.startswith("_")
                or not is_told
                or is_attribute
                or (module.__package__, part) in implemented
                or has_doc(getattr(thing, part), part)
            ):
                yield f"{module.__name__}.{name}.{part}"


def test_all_that_is_public_has_a_docstring() -> None:
    assert list(undocumented(list(public_modules()))) == []


@pytest.mark.parametrize("package", [engine, tournaments.brains], ids=["engine", "brains"])
def test_pydoc_has_a_page_of_what_a_package_offers(package: ModuleType) -> None:
    text = pydoc.render_doc(package, renderer=pydoc.plaintext)
    for name in package.__all__:
        thing = getattr(package, name)
        doc = inspect.getdoc(thing) if callable(thing) else name
        assert doc and doc.splitlines()[0] in text, name
        for part in vars(thing) if inspect.isclass(thing) else ():
            if not part.startswith("_"):
                assert re.search(rf"^ +\|  {part}\b", text, re.M), f"{name}.{part}"


def examples() -> str:
    """The lines of Python that tests run: those of the pages, and those of the engine's docstrings."""
    line = re.compile(r"^ *(?:>>>|\.\.\.) (.*)$", re.M)
    found = [example for page in PAGES for example in (*line.findall(text_of(page)), *blocks(page, "python"))]
    for path in sorted((ROOT / "engine").glob("*.py*")):
        if path.suffix in (".py", ".pyx"):
            found += line.findall(path.read_text(encoding="utf-8"))
    return "\n".join(found)


def test_every_name_of_the_library_stands_in_an_example_or_on_a_page() -> None:
    shown = examples() + "\n".join(re.findall(r"`([^`\n]+)`", "".join(prose(page) for page in PAGES)))
    names = {name: getattr(engine, name) for name in engine.__all__}
    wanted = {*names} | {
        part for thing in names.values() if inspect.isclass(thing) for part in vars(thing) if not part.startswith("_")
    }
    assert len(wanted) > 80 and {name for name in wanted if not re.search(rf"\b{name}\b", shown)} == set()


def test_the_docstring_of_the_brain_names_its_modules() -> None:
    named = re.findall(r"(?:^|; )(\w+):? ", pbrain.__doc__ or "", re.M)
    assert {found.name for found in pkgutil.iter_modules(pbrain.__path__)} <= set(named)


if __name__ == "__main__":
    for page in WITH_EXAMPLES:
        text = written_anew(page)
        (ROOT / page).write_text(text, encoding="utf-8")
