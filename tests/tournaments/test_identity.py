"""What a brain is by content: the same for equal installations, another for every change that matters."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from tournaments.brains.command import Command, parse_command
from tournaments.brains.identity import digest


def package(root: Path) -> Path:
    """A package `planner` that imports its own module and one beside it."""
    (root / "planner").mkdir(parents=True)
    (root / "planner" / "__init__.py").write_text("")
    (root / "planner" / "__main__.py").write_text("import sys\nfrom planner.search import best\n")
    (root / "planner" / "search.py").write_text("import json\nfrom helper import value\n")
    (root / "planner" / "unused.py").write_text("")
    (root / "helper.py").write_text("value = 1\n")
    return root


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = package(tmp_path / "here")
    monkeypatch.syspath_prepend(str(root))
    return root


RUN = Command((sys.executable, "-m", "planner"), "planner", "planner", "python -m planner")


def test_a_module_is_its_sources_and_what_they_import(
    module: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digest(RUN)
    assert len(before) == 64 and digest(RUN) == before
    (module / "planner" / "unused.py").write_text("changed = 1\n")
    assert digest(RUN) == before
    (module / "helper.py").write_text("value = 2\n")
    assert digest(RUN) != before
    (module / "helper.py").write_text("value = 1\n")
    assert digest(RUN) == before
    compiled = module / "planner" / f"fast{'.pyd' if os.name == 'nt' else '.so'}"
    compiled.write_bytes(b"machine code")
    assert digest(RUN) != before


def test_an_equal_installation_elsewhere_is_the_same_brain(
    module: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digest(RUN)
    shutil.rmtree(module)
    monkeypatch.syspath_prepend(str(package(tmp_path / "there")))
    elsewhere = Command(("/usr/bin/python3.11", "-m", "planner"), "planner", "planner")
    assert digest(elsewhere) == before


@pytest.mark.skipif(os.name != "posix", reason="scripts with an interpreter line")
def test_a_launcher_is_the_same_whatever_its_interpreter(module: Path, tmp_path: Path) -> None:
    sums = set()
    for name, python in (("one", tmp_path / "python"), ("two", tmp_path / "other" / "python3")):
        path = tmp_path / name / "pbrain-planner"
        path.parent.mkdir()
        path.write_text(f"#!{python}\nimport sys\nfrom planner.__main__ import main\n")
        path.chmod(0o755)
        sums.add(digest(parse_command(str(path))))
    assert len(sums) == 1
    (module / "planner" / "search.py").write_text("changed = 1\n")
    assert digest(parse_command(str(path))) not in sums


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_a_program_is_its_content_and_its_arguments(tmp_path: Path) -> None:
    program, weights = tmp_path / "brain", tmp_path / "weights.bin"
    program.write_bytes(b"\x7fELF one")
    program.chmod(0o755)
    weights.write_text("1")
    text = f"{program} --net {weights}"
    first = digest(parse_command(text))
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    for path in (program, weights):
        shutil.copy(path, moved / path.name)
    assert digest(parse_command(f"{moved / 'brain'} --net {moved / 'weights.bin'}")) == first
    others = {digest(parse_command(f"{program} --fast {weights}")), digest(parse_command(str(program)))}
    weights.write_text("2")
    others.add(digest(parse_command(text)))
    program.write_bytes(b"\x7fELF two")
    others.add(digest(parse_command(text)))
    assert len({first, *others}) == 5


def test_rivals_differ_by_name_and_depth() -> None:
    names = ["weights", "threat", "minimax --depth 1", "minimax --depth 2"]
    assert len({digest(parse_command(name)) for name in names}) == 4
