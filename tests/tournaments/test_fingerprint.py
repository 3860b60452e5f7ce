"""The fingerprint of a brain: the same for equal installations, another one after every change that matters."""

import os
import shutil
import sys
import time
import zipfile
from pathlib import Path

import pytest
from needs import needs_posix

from tournaments.brains.command import Command, parse_command
from tournaments.brains.fingerprint import digest


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
    (module / "unused.py").write_text("changed = 1\n")
    assert digest(RUN) == before
    (module / "helper.py").write_text("value = 2\n")
    assert digest(RUN) != before
    (module / "helper.py").write_text("value = 1\n")
    assert digest(RUN) == before
    compiled = module / "planner" / f"fast{'.pyd' if os.name == 'nt' else '.so'}"
    compiled.write_bytes(b"machine code")
    assert digest(RUN) != before


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "docs/rules.md",
        "LICENSE",
        "readme.txt",
        "board.png",
        "docs/board.SVG",
        "search.pyi",
        "test_search.py",
        "search_test.py",
        "conftest.py",
        "tests/__init__.py",
        "tests/positions.json",
    ],
)
def test_a_file_that_no_program_runs_by_does_not_make_another_brain(module: Path, name: str) -> None:
    """Who mends a page or a test beside the program while a tournament runs replaces no brain."""
    before = digest(RUN)
    path = module / "planner" / name
    path.parent.mkdir(exist_ok=True)
    for content in ("one", "another"):
        path.write_text(content)
        assert digest(RUN) == before
    path.unlink()
    assert digest(RUN) == before


@pytest.mark.parametrize("name", ["weights.txt", "book.html", "latest.py", "table.bin", "license.py"])
def test_data_and_modules_of_a_package_do_make_another_brain(module: Path, name: str) -> None:
    before = digest(RUN)
    (module / "planner" / name).write_text("one = 1\n")
    assert digest(RUN) != before


def test_a_module_that_is_named_like_a_test_counts_where_the_program_imports_it(module: Path) -> None:
    (module / "planner" / "search.py").write_text("import planner.test_values\nfrom .tests import positions\n")
    (module / "planner" / "tests").mkdir()
    for path in ("test_values.py", "tests/__init__.py", "tests/positions.py"):
        (module / "planner" / path).write_text("value = 1\n")
        before = digest(RUN)
        (module / "planner" / path).write_text("value = 2\n")
        assert digest(RUN) != before, path


def test_an_equal_installation_elsewhere_is_the_same_brain(
    module: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digest(RUN)
    shutil.rmtree(module)
    monkeypatch.syspath_prepend(str(package(tmp_path / "there")))
    elsewhere = Command(("/where/it/is/there/python3.11", "-m", "planner"), "planner", "planner")
    assert digest(elsewhere) == before


@needs_posix
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


@needs_posix
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


@pytest.mark.parametrize("name", ["unused.py", "weights.bin", "data/book.txt", "deep/deeper/table.npy"])
def test_a_package_is_all_its_files(module: Path, name: str) -> None:
    path = module / "planner" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"1")
    before = digest(RUN)
    assert digest(RUN) == before
    path.write_bytes(b"2")
    changed = digest(RUN)
    assert changed != before
    path.unlink()
    assert digest(RUN) not in (before, changed)
    path.write_bytes(b"1")
    assert digest(RUN) == before
    # What Python keeps for itself is none of it.
    (path.parent / "__pycache__").mkdir(exist_ok=True)
    (path.parent / "__pycache__" / "search.cpython-311.pyc").write_bytes(b"code")
    assert digest(RUN) == before


def test_relative_imports_are_followed(module: Path) -> None:
    (module / "planner" / "inner").mkdir()
    (module / "planner" / "inner" / "__init__.py").write_text("from ..search import best\nfrom .. import search\n")
    command = Command((sys.executable, "-m", "planner.inner"), "inner", "inner")
    before = digest(command)
    (module / "planner" / "search.py").write_text("changed = 1\n")
    assert digest(command) != before


def test_files_are_read_again_only_when_they_have_changed(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest(RUN)
    time.sleep(0.2)  # what was written so shortly before it was read might have changed again, unseen
    assert digest(RUN) == before
    read: list[Path] = []
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path) or path.open("rb").read())  # type: ignore[func-returns-value]
    assert digest(RUN) == before and read == []
    os.utime(module / "helper.py")
    assert digest(RUN) == before and module / "helper.py" in read


def test_data_are_what_the_patterns_name(tmp_path: Path) -> None:
    program = tmp_path / "brain.py"
    program.write_text("import sys\n")
    (tmp_path / "nets").mkdir()
    for name in ("a.bin", "b.txt", "nets/c.nnue"):
        (tmp_path / name).write_text("1")
    command = parse_command(f'"{sys.executable}" "{program}"')
    plain, data = digest(command), digest(command, ("*.bin", "nets/*"))
    assert plain != data
    (tmp_path / "b.txt").write_text("2")
    assert (digest(command), digest(command, ("*.bin", "nets/*"))) == (plain, data)
    for name in ("a.bin", "nets/c.nnue"):
        (tmp_path / name).write_text("2")
        assert digest(command) == plain and digest(command, ("*.bin", "nets/*")) != data
        (tmp_path / name).write_text("1")
        assert digest(command, ("*.bin", "nets/*")) == data
    assert digest(command, (str(tmp_path / "*.bin"),)) not in (plain, data)
    with pytest.raises(ValueError, match=r"no file of its data is like \*\.gone in "):
        digest(command, ("*.gone",))


@needs_posix
def test_a_brain_of_another_environment_is_the_package_of_that_environment(module: Path, tmp_path: Path) -> None:
    """Two versions of one brain, each installed for a Python of its own, as authors have them."""
    sums = []
    for version in ("old", "new"):
        bin_, packages = tmp_path / version / "bin", package(tmp_path / version / "packages")
        (packages / "planner" / "search.py").write_text(f"version = {version!r}\n")
        bin_.mkdir()
        (bin_ / "python").write_text(f'#!/bin/sh\nPYTHONPATH="{packages}" exec "{sys.executable}" "$@"\n')
        (bin_ / "planner").write_text(f"#!{bin_ / 'python'}\nfrom planner.__main__ import main\n")
        for path in (bin_ / "python", bin_ / "planner"):
            path.chmod(0o755)
        sums.append(digest(parse_command(str(bin_ / "planner"))))
    assert sums[0] != sums[1]
    (packages / "planner" / "search.py").write_text("version = 'old'\n")
    assert digest(parse_command(str(bin_ / "planner"))) == sums[0]


def test_a_windows_launcher_is_the_script_in_it(module: Path, tmp_path: Path) -> None:
    sums = set()
    for stub in (b"MZ stub one", b"MZ another stub"):
        launcher = tmp_path / "planner.exe"
        with launcher.open("wb") as file:
            file.write(stub + b"\n#!C:\\python.exe\n")
            with zipfile.ZipFile(file, "w") as archive:
                archive.writestr(zipfile.ZipInfo("__main__.py"), "from planner.__main__ import main\n")
        launcher.chmod(0o755)
        sums.add(digest(Command((str(launcher),), "planner", "planner")))
    assert len(sums) == 1
    (module / "planner" / "search.py").write_text("changed = 1\n")
    assert digest(Command((str(launcher),), "planner", "planner")) not in sums


def test_rivals_differ_by_name_and_depth() -> None:
    names = ["weights", "threat", "minimax --depth 1", "minimax --depth 2"]
    assert len({digest(parse_command(name)) for name in names}) == 4
