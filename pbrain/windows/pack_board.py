"""The board in the archive of `tengen pack --board`: its files, its packages, and the rest of Python.

Tengen.exe               the launcher, compiled for the board
tengen/board/lib.zip     the modules of the standard library that the brain does not need
tengen/board/            the manager's code and pages, and the packages from wheels
tengen/                  all compiled modules of Python
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

Files = dict[str, bytes]

PROGRAM = "Tengen.exe"
HOME = "tengen/"
BOARD = HOME + "board/"
LARGEST = 40_000_000  # bytes of the archive
PACKAGES = (
    "annotated_types",
    "anyio",
    "click",
    "h11",
    "idna",
    "numpy",
    "psutil",
    "pydantic",
    "pydantic_core",
    "starlette",
    "typing_extensions",
    "typing_inspection",
    "uvicorn",
    "websockets",
)
"""The packages that the board imports, and those that they import."""

_DATA = (".json", ".jsonl", ".txt", ".css", ".js")  # of the manager; pages of documentation and their pictures stay
_PAGE = "tournaments/board/page/"
_BESIDE_PROGRAM = re.compile(r"(python3|vcruntime140\w*)\.dll")
_TAGS = re.compile(r"[^-]+-[^-]+(?:-\d[^-]*)?-([^-]+)-([^-]+)-([^-]+)\.whl")
_NOT_NEEDED = re.compile(r"(.*/)?(tests|_pyinstaller|include)/|[^/]+\.data/|.*\.(pyi|pyx|pxd|h|c|lib|a|exe)$")
_OF_A_LIST = re.compile(r"[^/]+\.dist-info/(RECORD|WHEEL|INSTALLER|REQUESTED|direct_url\.json|top_level\.txt)$")

README = """Tengen: play five in a row against the computer or a friend, solve puzzles, study games. For 64-bit Windows.

Unpack the whole archive into a folder of its own, and start {board} there. It opens the board in your browser; a second
start opens it again. The program ends by itself when its pages have been closed for ten minutes. Nothing is installed.

Games are saved in the folder %LOCALAPPDATA%\\tengen, and stay there when you delete this folder or unpack a newer
version in its place. End the program before that: close its pages, and wait, or end it in the Task Manager.

The file {brain} is the brain alone, for Piskvork and other managers of the Gomocup protocol.
"""


class WrongPart(Exception):
    """A part of the board is missing or does not fit; the message is one sentence."""


def board_files(launcher: bytes, python: Files, wheels: Path, read_wheel: Callable[[Path], Files]) -> Files:
    """The files beyond those of the brain, but for the standard library; Python's code as its source. Raises
    WrongPart, and OSError for a folder of wheels that cannot be read."""
    if launcher[:2] != b"MZ":
        raise WrongPart("the board's launcher is not a program for Windows")
    files = {PROGRAM: launcher}
    for name, data in python.items():
        if _BESIDE_PROGRAM.fullmatch(name):
            files[name] = data
        elif name.endswith((".pyd", ".dll")) and not name.startswith("python"):
            files[HOME + name] = data
    files |= {BOARD + name: data for name, data in manager_files()}
    files |= {BOARD + name: data for name, data in package_files(wheels, read_wheel)}
    return files


def manager_files() -> Iterator[tuple[str, bytes]]:
    """The manager's code, data and pages, by their paths from the top."""
    top = Path(__file__).resolve().parents[2]
    for path in sorted((top / "tournaments").rglob("*")):
        name = path.relative_to(top).as_posix()
        is_page = name.startswith(_PAGE) and "__pycache__" not in name
        if path.is_file() and (path.suffix in (".py", *_DATA) or is_page):
            yield name, path.read_bytes()


def package_files(wheels: Path, read_wheel: Callable[[Path], Files]) -> Iterator[tuple[str, bytes]]:
    """The files of the wheels in a folder, as they are installed, without tests and headers. Wheels of packages that
    the board does not need are left out. Raises WrongPart and OSError."""
    missing = set(PACKAGES)
    for wheel in sorted(path for path in wheels.iterdir() if path.suffix == ".whl"):
        package = wheel.name.partition("-")[0].lower().replace(".", "_")
        if package not in PACKAGES:
            continue
        check_tags(wheel.name)
        if package not in missing:
            raise WrongPart(f"the folder {wheels} has two wheels of the package {package}")
        missing.remove(package)
        for name, data in read_wheel(wheel).items():
            if not _NOT_NEEDED.match(name) and not _OF_A_LIST.match(name):
                yield name, data
    if missing:
        raise WrongPart(f"the folder {wheels} has no wheel of the package {min(missing)}")


def check_tags(name: str) -> None:
    """Raises WrongPart for the name of a wheel that this Python cannot use on 64-bit Windows."""
    found = _TAGS.fullmatch(name)
    ours = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    if found is not None:
        pythons, abis, systems = (set(tags.split(".")) for tags in found.groups())
        if systems == {"any"} and "py3" in pythons:
            return
        if "win_amd64" in systems and ("abi3" in abis or (ours in pythons and ours in abis)):
            return
    raise WrongPart(f"{name} is not a wheel for Python {ours[2]}.{ours[3:]} on 64-bit Windows")
