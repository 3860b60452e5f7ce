"""The archives of `tengen pack` from given parts; test_windows_program.py tests the program itself."""

from __future__ import annotations

import errno
import importlib.util
import io
import marshal
import os
import re
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import pbrain
from pbrain.windows import icon, pack, pack_board

ROOT = Path(__file__).parents[2]
MODULES = [*sorted(path.stem for path in (ROOT / "engine").glob("*.pyi")), "knowledge/keys"]
PROGRAM = b"MZ launcher"
WHOLE = pack.archive({"abc.pyc": bytes(range(256)) * 9})
DAMAGED = WHOLE[:60] + bytes(20) + WHOLE[80:]  # within the compressed bytes of its file


def embeddable(magic: bytes = importlib.util.MAGIC_NUMBER) -> pack.Files:
    """What matters here of python.org's archive; a module's text stands for its code."""
    library = {f"{name}.pyc": magic + name.encode() for name in ("abc", "threading", "os", "turtle", "ctypes/__init__")}
    return {
        "python311.zip": pack.archive(library),
        "LICENSE.txt": b"Python's licence",
        pack.OUR_PYTHON: b"MZ library",
        "python.exe": b"MZ",
        "vcruntime140.dll": b"MZ runtime",
        "_ctypes.pyd": b"MZ ctypes",
        "libffi-8.dll": b"MZ ffi",
        "_sqlite3.pyd": b"MZ sqlite",
        "sqlite3.dll": b"MZ library of sqlite",
        "_ssl.pyd": b"MZ ssl",
    }


def write(folder: Path, files: pack.Files) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def tree(folder: Path) -> bytes:
    """All files below a folder as a zip."""
    return pack.archive({str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()})


@pytest.fixture
def parts(tmp_path: Path) -> list[str]:
    """The command line with a folder for each part."""
    engine = write(tmp_path / "build", {f"engine/{name}.pyd": name.encode() for name in MODULES})
    python = write(tmp_path / "python", embeddable())
    launcher = tmp_path / "some.exe"
    launcher.write_bytes(PROGRAM)
    output = tmp_path / "out.zip"
    return ["--engine", str(engine), "--python", str(python), "--launcher", str(launcher), "-o", str(output)]


def packed(parts: list[str]) -> pack.Files:
    assert pack.main(parts) == 0
    return pack.read_zip("the archive", Path(parts[-1]))


def test_one_program_at_the_top_and_a_list_of_everything(parts: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    files = packed(parts)
    assert [name for name in files if name.endswith(".exe")] == [pack.PROGRAM]
    assert files[pack.PROGRAM] == PROGRAM
    listed = files["CONTENTS.txt"].decode("ascii").splitlines()
    sizes = {name: len(data) for name, data in files.items() if name != "CONTENTS.txt"}
    assert {line.split()[1]: int(line.split()[0]) for line in listed} == sizes
    assert capsys.readouterr().out.splitlines()[:-1] == listed
    assert files["LICENSE-Python.txt"] == b"Python's licence"
    assert files["LICENSE.txt"].startswith(b"MIT License")
    assert {pack.OUR_PYTHON, "vcruntime140.dll"} < set(files)


def test_the_engine_with_its_weights_and_no_training(parts: list[str]) -> None:
    files = packed(parts)
    assert {f"tengen/engine/{name}.pyd" for name in MODULES} < set(files)
    assert files["tengen/engine/weights/freestyle.network"] == (ROOT / "engine/weights/freestyle.network").read_bytes()
    assert not [name for name in files if "training" in name]


def test_the_standard_library_as_far_as_the_brain_can_ask_for_it(parts: list[str]) -> None:
    files = packed(parts)
    with zipfile.ZipFile(io.BytesIO(files["tengen/lib.zip"])) as library:
        names = set(library.namelist())
    assert {"threading.pyc", "os.pyc", "ctypes/__init__.pyc", "pbrain/__main__.pyc", "pbrain/session.pyc"} < names
    assert "turtle.pyc" not in names
    assert "pbrain/windows/pack.pyc" not in names
    assert {"tengen/_ctypes.pyd", "tengen/libffi-8.dll"} < set(files)
    assert {"tengen/_sqlite3.pyd", "tengen/sqlite3.dll", "tengen/engine/knowledge/store.pyc"} < set(files), "for a book"
    assert "tengen/_ssl.pyd" not in files


def test_the_same_parts_make_the_same_bytes_in_another_process_too(parts: list[str], tmp_path: Path) -> None:
    pack.main(parts)
    other = tmp_path / "other.zip"
    command = [sys.executable, "-m", "tournaments.cli", "pack", *parts[:-1], str(other)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0
    assert other.read_bytes() == Path(parts[-1]).read_bytes()


def test_every_user_of_a_machine_may_read_the_files(parts: list[str]) -> None:
    packed(parts)
    with zipfile.ZipFile(parts[-1]) as archive:
        assert {oct(entry.external_attr >> 16) for entry in archive.infolist()} == {"0o100644"}


def test_the_icon_is_as_it_is_drawn() -> None:
    assert (ROOT / "pbrain/windows/launcher.ico").read_bytes() == icon.icon()


def test_the_program_has_the_version_of_the_package() -> None:
    resources = (ROOT / "pbrain/windows/launcher.rc").read_text("utf-8")
    numbers = ", ".join([*pbrain.__version__.split("."), "0"])
    assert re.findall(r"VERSION (\d.*)", resources) == [numbers, numbers]
    assert re.findall(r'"(?:File|Product)Version", "(.*)"', resources) == [pbrain.__version__] * 2


def test_packed_code_does_what_its_source_says() -> None:
    data = pack.to_bytecode("pbrain/x.py", b'"""A docstring."""\nanswer = [6 * 7, (1, "a")]\n')
    assert data[:4] == importlib.util.MAGIC_NUMBER
    scope: dict[str, object] = {"__doc__": "nothing yet"}
    exec(marshal.loads(data[16:]), scope)
    assert (scope["answer"], scope["__doc__"]) == ([42, (1, "a")], "nothing yet")


def test_a_wheel_of_another_compiler_serves_too(parts: list[str], tmp_path: Path) -> None:
    wheel = tmp_path / "some.whl"
    wheel.write_bytes(pack.archive({f"engine/{name}.cp311-win_amd64.pyd": b"MSVC" for name in MODULES}))
    parts[1] = str(wheel)
    assert packed(parts)["tengen/engine/board.pyd"] == b"MSVC"


@pytest.mark.parametrize(
    ("part", "file", "data", "fault"),
    [
        (1, "engine/vct.pyd", None, "the compiled engine lacks engine/vct.pyd for 64-bit Windows"),
        (1, "engine/knowledge/keys.pyd", None, "the compiled engine lacks engine/knowledge/keys.pyd for 64-bit"),
        (3, "LICENSE.txt", None, "the embeddable Python must have one python3XX.zip and a LICENSE.txt at its top"),
        (3, "python311.zip", b"no zip", "python311.zip is not a zip file, or is damaged: File is not a zip file"),
        (3, "python311.zip", DAMAGED, "python311.zip is not a zip file, or is damaged: "),
        (3, "", b"no zip", "python is not a zip file, or is damaged: File is not a zip file"),
        (3, pack.OUR_PYTHON, None, f"the embeddable Python lacks {pack.OUR_PYTHON}"),
        (3, "vcruntime140.dll", None, "the embeddable Python lacks vcruntime140.dll"),
        (3, "libffi-8.dll", None, "the embeddable Python lacks libffi-8.dll"),
        (3, "python311.zip", pack.archive({"abc.pyc": b"\x01\x02\r\n"}), "python311.zip is not of Python"),
        (1, "engine/vct.pyd", b"MZ python39.dll", "tengen/engine/vct.pyd was compiled for python39.dll, not for"),
        (5, "", b"MZ python399.dll", "pbrain-tengen64.exe was compiled for python399.dll, not for python3"),
        (5, "", b"#!/bin/sh", "some.exe is not a program for Windows"),
        (5, "", None, "No such file or directory"),
    ],
)
def test_parts_that_do_not_fit_are_named(
    parts: list[str], part: int, file: str, data: bytes | None, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(parts[part]) / file if file else Path(parts[part])
    if path.is_dir():
        path = path.with_name("other") / path.name
        path.parent.mkdir()
        parts[part] = str(path)
    if data is None:
        path.unlink()
    else:
        path.write_bytes(data)
    assert pack.main(parts) == 2
    told = capsys.readouterr()
    assert told.err.startswith("tengen pack: ")
    assert fault in told.err
    assert told.err.count("\n") == 1
    assert not Path(parts[-1]).exists()


def test_an_output_never_destroys_a_part_nor_any_other_file(
    parts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.zip").write_bytes(pack.archive({"a": b"b"}))
    (tmp_path / "folder.zip").mkdir()
    before = pack.read_zip("", io.BytesIO(tree(tmp_path)))
    outputs = {
        parts[5]: "not overwritten",
        f"{parts[1]}/engine/board.pyd": "not overwritten",
        f"{parts[3]}/python311.zip": "not overwritten",
        f"{tmp_path}/game.zip": "not overwritten",
        f"{tmp_path}/folder.zip": "is a folder",
        "": "is a folder",
        f"{tmp_path}/nowhere/x.zip": "does not exist",
    }
    for output, fault in outputs.items():
        assert pack.main([*parts[:-1], output]) == 2
        told = capsys.readouterr().err
        assert fault in told and told.count("\n") == 1, told
    assert pack.read_zip("", io.BytesIO(tree(tmp_path))) == before
    assert pack.main(parts) == pack.main(parts) == 0  # an archive of before is made anew


def test_a_full_disk_leaves_the_archive_of_before(
    parts: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output = Path(parts[-1])
    packed(parts)
    before, names = output.read_bytes(), sorted(path.name for path in output.parent.iterdir())

    def fill(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fill)
    capsys.readouterr()
    assert pack.main(parts) == 1
    assert capsys.readouterr().err == f"tengen pack: cannot write {output}: No space left on device\n"
    assert output.read_bytes() == before
    assert sorted(path.name for path in output.parent.iterdir()) == names


def test_what_lies_below_the_parts_is_not_read(parts: list[str]) -> None:
    for folder, inside in ((parts[1], "engine/"), (parts[3], "")):
        write(Path(folder), {f"{inside}deep/a.pyd": b"another"})
        names = pack.read_files(Path(folder), inside)
        assert names and not [name for name in names if "deep" in name]


def test_an_archive_that_is_too_large_is_not_written(
    parts: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pack, "LARGEST", 1000)
    assert pack.main(parts) == 2
    assert "more than the 1000 that it may have" in capsys.readouterr().err
    assert not Path(parts[-1]).exists()


def test_only_what_is_imported_for_the_type_checker_is_left_out() -> None:
    source = b"import zlib\nif TYPE_CHECKING:\n    import turtle\ndef f():\n    from random import Random\n"
    asked = pack.asked_for({"engine/a.py": source, "engine/b.bin": b"\xff"})
    assert asked == {"zlib", "random", *pack.ASKED_ELSEWHERE}


@pytest.fixture
def board(parts: list[str], tmp_path: Path) -> list[str]:
    """The command line with the board: its launcher, and a wheel for each package."""
    launcher = tmp_path / "board.exe"
    launcher.write_bytes(b"MZ board")
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    for name in pack_board.PACKAGES:
        code = b'"""Its docstring."""\n'
        files = {f"{name}.py": code} if name.startswith("typing") else {f"{name}/__init__.py": code}
        files |= {f"{name}-1.0.dist-info/{part}": b"text" for part in ("METADATA", "RECORD", "licenses/LICENSE")}
        if name == "numpy":
            files |= {f"numpy/{part}": b"x = 1" for part in ("core/tests/test_a.py", "core/include/a.h", "a.pyi")}
            files |= {"numpy/core/umath.cp311-win_amd64.pyd": b"MZ", "numpy.libs/blas.dll": b"MZ blas"}
        (wheels / f"{name}-1.0-py3-none-any.whl").write_bytes(pack.archive(files))
    write(
        Path(parts[3]), {"python3.dll": b"MZ stable", "vcruntime140_1.dll": b"MZ more", "_asyncio.pyd": b"MZ asyncio"}
    )
    return [*parts[:-2], "--board", str(launcher), "--wheels", str(wheels), *parts[-2:]]


def test_the_board_is_beside_the_brain(board: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    files = packed(board)
    assert {name for name in files if "/" not in name} == {
        *("Tengen.exe", pack.PROGRAM, pack.OUR_PYTHON, "python3.dll", "vcruntime140.dll", "vcruntime140_1.dll"),
        *("README.txt", "CONTENTS.txt", "LICENSE.txt", "LICENSE-Python.txt"),
    }
    assert b"Tengen.exe" in files["README.txt"] and b"Tengen.exe" in files["CONTENTS.txt"]
    assert {"tengen/_asyncio.pyd", "tengen/_ssl.pyd", "tengen/engine/board.pyd", "tengen/lib.zip"} < set(files)
    with zipfile.ZipFile(io.BytesIO(files["tengen/board/lib.zip"])) as library:
        assert {"abc.pyc", "turtle.pyc", "ctypes/__init__.pyc"} <= set(library.namelist()), "all of it"
    listed = capsys.readouterr().out
    assert "tengen/board/numpy.libs/blas.dll" in listed and "out.zip" in listed


def test_the_manager_is_packed_with_its_pages_and_words(board: list[str]) -> None:
    files = packed(board)
    ours = {name.removeprefix("tengen/board/") for name in files if name.startswith("tengen/board/tournaments/")}
    page = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tournaments/board/page").rglob("*.*")}
    assert page and page <= ours
    code = {f"{path.relative_to(ROOT).as_posix()}c" for path in (ROOT / "tournaments").rglob("*.py")}
    assert code <= ours
    assert {"tournaments/translations/en.json", "tournaments/board/puzzles/renju.jsonl"} < ours
    assert not [name for name in ours if name.endswith((".py", ".md", "board.png"))]


def test_packages_are_packed_without_their_tests_and_with_their_licences(board: list[str]) -> None:
    files = packed(board)
    inside = {name.removeprefix("tengen/board/") for name in files if "numpy" in name}
    assert inside == {
        *("numpy/__init__.pyc", "numpy/core/umath.cp311-win_amd64.pyd", "numpy.libs/blas.dll"),
        *("numpy-1.0.dist-info/METADATA", "numpy-1.0.dist-info/licenses/LICENSE"),
    }
    scope: dict[str, object] = {}
    exec(marshal.loads(files["tengen/board/anyio/__init__.pyc"][16:]), scope)
    assert scope["__doc__"] == "Its docstring."


def test_the_board_has_all_packages_that_it_needs() -> None:
    """Those of the extra `board`, but for the terminal's, and all that they need on Windows."""
    needed, seen = ["numpy", *(name for name in requirements("pbrain-tengen", "board"))], set[str]()
    while needed:
        name = needed.pop().replace("-", "_")
        if name not in seen and name != "prompt_toolkit":
            seen.add(name)
            needed += requirements(name, "")
    # click colours its output by it, and does without it.
    assert seen - {"colorama"} == set(pack_board.PACKAGES)


def requirements(name: str, extra: str) -> list[str]:
    """The packages that a package needs on Windows with this extra."""
    found = []
    for line in metadata.requires(name) or ():
        requirement = Requirement(line)
        system = {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt", "extra": extra}
        if requirement.marker is None or requirement.marker.evaluate(system):
            found.append(requirement.name)
    return found


@pytest.mark.parametrize(
    ("wheel", "fault"),
    [
        ("another-1.0-py3-none-any.whl", "has no wheel of the package numpy"),
        ("pydantic-2.0-py3-none-any.whl", "has two wheels of the package pydantic"),
        ("numpy-1.0-cp311-cp311-manylinux2014_x86_64.whl", "is not a wheel for Python 3.11 on 64-bit Windows"),
        ("numpy-1.0-cp39-cp39-win_amd64.whl", "is not a wheel for Python 3.11 on 64-bit Windows"),
        ("numpy-1.0-cp311-cp311-win32.whl", "is not a wheel for Python 3.11 on 64-bit Windows"),
        ("numpy-1.whl", "is not a wheel for Python 3.11 on 64-bit Windows"),
        ("numpy-1.0-cp311-cp311-win_amd64.whl", ""),
        ("numpy-1.0-1-cp37-abi3-win_amd64.whl", ""),
        ("", "has no wheel of the package numpy"),
    ],
)
def test_wheels_that_do_not_fit_are_named(
    board: list[str], wheel: str, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    version = "".join(map(str, sys.version_info[:2]))
    (given,) = Path(board[9]).glob("numpy-*")
    if wheel:
        given.rename(given.with_name(wheel.replace("311", version)))
    else:
        given.unlink()
    assert pack.main(board) == (2 if fault else 0)
    assert fault.replace("3.11", f"3.{version[1:]}") in capsys.readouterr().err


def test_a_board_without_wheels_and_with_a_wrong_launcher_is_refused(
    board: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        pack.main([*board[:8], *board[10:]])
    assert "--board and --wheels go together" in capsys.readouterr().err
    Path(board[7]).write_bytes(b"#!/bin/sh")
    assert pack.main(board) == 2
    assert "the board's launcher is not a program for Windows" in capsys.readouterr().err
    Path(board[7]).write_bytes(b"MZ python399.dll")
    assert pack.main(board) == 2
    assert "Tengen.exe was compiled for python399.dll, not for python3" in capsys.readouterr().err
    board[9] += "-elsewhere"
    with pytest.raises(OSError) as missing:
        os.listdir(board[9])
    assert pack.main(board) == 2
    assert capsys.readouterr().err == f"tengen pack: {board[9]}: {missing.value.strerror}\n"
