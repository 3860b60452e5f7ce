"""`tengen pack`: one zip with everything that the brain needs on Windows, as Piskvork starts it and Gomocup takes it.

    pbrain-tengen64.exe          the launcher
    python3XX.dll and so on      what the launcher loads
    tengen/lib.zip               the brain, and the modules of the standard library that it can import
    tengen/                      the engine, its weights, and compiled modules of Python
    README.txt, CONTENTS.txt     how to use it; every file with its size
    LICENSE.txt, LICENSE-Python.txt

It is made from three parts: the engine compiled for Windows (a wheel, or a folder), python.org's embeddable Python of
the version that runs this command (its zip, or a folder), and the launcher. The same parts give the same bytes. With
--board the archive has the board too: see pack_board.py.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import io
import marshal
import re
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from importlib import metadata
from pathlib import Path

from engine.whole_file import replacing
from pbrain.windows import pack_board
from pbrain.windows.pack_board import WrongPart

PROGRAM = "pbrain-tengen64.exe"
LAUNCHER = "pbrain/windows/launcher.c"  # in the sources
HOME = "tengen/"  # the launcher's name for the folder
LARGEST = 8_000_000  # bytes of the archive: what organisers take, with a margin
PACKAGES = ("pbrain", "engine")
ENGINE = ("engine/", "engine/knowledge/")  # the folders of its compiled modules
NOT_PACKED = ("engine/training/", "engine/bench.py", "pbrain/windows/")
DATA = (".bin", ".network", ".policy", ".shard")
ALWAYS = ("encodings", "encodings.aliases", "encodings.utf_8")  # Python itself asks for them before the brain runs
ASKED_ELSEWHERE = ("collections.abc", "runpy")  # by .pyx files, and by the launcher
OUR_PYTHON = f"python{sys.version_info[0]}{sys.version_info[1]}.dll"
DYNAMIC_LIBRARIES = (OUR_PYTHON, "vcruntime140.dll")  # what the launcher, the engine and Python itself load
NEEDED_BESIDE = {"_ctypes": ("libffi-8.dll",), "_sqlite3": ("sqlite3.dll",)}
DATE = (2020, 1, 1, 0, 0, 0)  # of every file, so that two archives of one brain are the same
# Later versions of marshal write references where an object happens to be shared in memory; Python 3.14 needs them.
MARSHAL_VERSION = 2 if sys.version_info < (3, 14) else marshal.version

README = """Tengen, a gomoku brain for Windows on 64-bit processors.

Unpack the whole archive into a folder of its own. In Piskvork choose Players, then the file {program} as one of
the two players, and start a game. Any other manager that speaks the Gomocup protocol starts the same program. Nothing
is installed. The program reads and writes only files of this folder, and files that the manager names.
"""

Files = dict[str, bytes]


class PackError(Exception):
    """A part is missing or does not fit; its text is one sentence."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `tengen pack`; 0 for success, 1 if nothing can be written, 2 for parts that do not fit together."""
    parser = argparse.ArgumentParser(
        prog="tengen pack",
        description="Packs the brain as a program for Windows: one zip for Piskvork and Gomocup,\nwith its own Python. "
        "With --board, the zip also holds the board for players.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Examples:\n  tengen pack --engine tengen.whl --python python.zip --launcher brain.exe\n"
        "  tengen pack --board b.exe --wheels w --engine e --python p --launcher l.exe",
    )
    add = parser.add_argument
    add("--engine", required=True, metavar="PATH", help="the engine compiled for Windows: a wheel, or a folder")
    add("--python", required=True, metavar="PATH", help="python.org's embeddable Python: its zip, or a folder")
    add("--launcher", required=True, metavar="EXE", help=f"the compiled {LAUNCHER}")
    add(
        "--board", metavar="EXE", help=f"pack the board too: {LAUNCHER}, compiled with BOARD (default: the brain alone)"
    )
    add(
        "--wheels",
        metavar="DIR",
        help="a folder with the wheels of the board's packages (default: none, without --board)",
    )
    add("-o", "--output", metavar="ZIP", help="the archive (default: pbrain-tengen64.zip, with --board tengen64.zip)")
    options = parser.parse_args(arguments)
    if (options.board is None) != (options.wheels is None):
        parser.error("--board and --wheels go together")
    if options.output is None:
        options.output = "pbrain-tengen64.zip" if options.board is None else "tengen64.zip"
    largest = LARGEST if options.board is None else pack_board.LARGEST
    try:
        check_output(Path(options.output))
        python = read_files(Path(options.python))
        engine = {name: data for part in ENGINE for name, data in read_files(Path(options.engine), part).items()}
        files = contents(engine, python, Path(options.launcher))
        if options.board is not None:
            add_board(files, python, Path(options.board), Path(options.wheels))
        list_contents(files)
        data = archive(files)
        if len(data) > largest:
            raise PackError(f"the archive would have {len(data)} bytes, more than the {largest} that it may have")
    except (PackError, WrongPart, OSError) as error:
        named = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
        print(f"tengen pack: {named}", file=sys.stderr)
        return 2
    try:
        write_whole(Path(options.output), data)
    except OSError as error:
        print(f"tengen pack: cannot write {options.output}: {error.strerror}", file=sys.stderr)
        return 1
    print(files["CONTENTS.txt"].decode("ascii"), end="")
    print(f"{len(data):9} {options.output}")
    return 0


def check_output(path: Path) -> None:
    """Raises PackError if no file can be written there, or if there is a file that this command did not make."""
    if not path.name or path.is_dir():
        raise PackError(f"the output '{path}' is a folder")
    if not path.parent.is_dir():
        raise PackError(f"the folder of the output {path} does not exist")
    if path.is_file() and not is_archive(path):
        raise PackError(f"{path} exists already and was not made by this command, so it is not overwritten")


def is_archive(path: Path) -> bool:
    """Whether a file is an archive that this command made; none of the parts that it takes is one."""
    if not zipfile.is_zipfile(path):
        return False
    return not {PROGRAM, HOME + "lib.zip"} - read_zip(str(path), path).keys()


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file whole or not at all: an earlier file stays until the new one is complete. Raises OSError."""
    if path.exists() and not path.is_file():  # a device or a pipe
        path.write_bytes(data)
        return
    with replacing(path) as file:
        file.write(data)


def read_files(path: Path, folder: str = "") -> Files:
    """The files in `folder` of a folder or a zip, by their paths from its top. Raises PackError and OSError.

    Folders in it are not read: the folder of a cross build may have other things in them.
    """
    if path.is_dir():
        return {folder + file.name: file.read_bytes() for file in sorted((path / folder).glob("*")) if file.is_file()}
    return {name: data for name, data in read_zip(str(path), path).items() if name.rpartition("/")[0] == folder[:-1]}


def read_zip(name: str, file: Path | io.BytesIO) -> Files:
    """All files of a zip by their paths. Raises PackError, with the name, for one that cannot be read, and OSError."""
    try:
        with zipfile.ZipFile(file) as packed:
            return {entry: packed.read(entry) for entry in packed.namelist() if not entry.endswith("/")}
    # Of an unknown method or a password; of a damaged file.
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, ValueError, zlib.error) as error:
        raise PackError(f"{name} is not a zip file, or is damaged: {error}") from None


def contents(engine: Files, python: Files, launcher: Path) -> Files:
    """The files of the brain's archive by name. Raises PackError and OSError."""
    library = standard_library(python)
    files = {PROGRAM: launcher.read_bytes()}
    if files[PROGRAM][:2] != b"MZ":
        raise PackError(f"{launcher} is not a program for Windows")
    sources = dict(own_files())
    files |= {HOME + name: data for name, data in compiled(engine).items()}
    check_versions(files)
    files |= {name: part(python, name) for name in DYNAMIC_LIBRARIES}
    packed: Files = {}
    for name, data in sources.items():
        if name.endswith(DATA):
            files[HOME + name] = data
        elif name.startswith("engine/"):  # beside its compiled modules, which no archive can hold
            files[HOME + name + "c"] = to_bytecode(name, data)
        else:
            packed[name + "c"] = to_bytecode(name, data)
    for module in sorted(loaded_modules(asked_for(sources))):
        stem = module.replace(".", "/")
        for name in (f"{stem}.pyc", f"{stem}/__init__.pyc"):
            if name in library:
                packed[name] = library[name]
        if f"{module}.pyd" in python:
            for name in (f"{module}.pyd", *NEEDED_BESIDE.get(module, ())):
                files[HOME + name] = part(python, name)
    # Not compressed twice: the archive around it does it better, and Python reads it sooner.
    files[HOME + "lib.zip"] = archive(packed, zipfile.ZIP_STORED)
    files["README.txt"] = windows_text(README.format(program=PROGRAM))
    files["LICENSE.txt"] = windows_text(own_licence())
    files["LICENSE-Python.txt"] = python["LICENSE.txt"]
    return files


def add_board(files: Files, python: Files, launcher: Path, wheels: Path) -> None:
    """Adds the board to the files of the brain's archive. Raises PackError, WrongPart and OSError."""
    library = standard_library(python)
    added = pack_board.board_files(launcher.read_bytes(), python, wheels, lambda path: read_zip(str(path), path))
    check_versions(added)
    for name, data in added.items():
        if name.endswith(".py"):
            # Other people's code may read its docstrings.
            is_ours = name.startswith(pack_board.BOARD + "tournaments/")
            files[name + "c"] = to_bytecode(name.removeprefix(pack_board.BOARD), data, 2 if is_ours else 0)
        else:
            files[name] = data
    files[pack_board.BOARD + "lib.zip"] = archive(library, zipfile.ZIP_STORED)
    files["README.txt"] = windows_text(pack_board.README.format(board=pack_board.PROGRAM, brain=PROGRAM))


def list_contents(files: Files) -> None:
    """Adds the list of all files with their sizes."""
    files["CONTENTS.txt"] = windows_text("".join(f"{len(files[name]):9} {name}\n" for name in sorted(files)))


def check_versions(files: Files) -> None:
    """Raises PackError for a program or a module that was compiled for another Python."""
    for name, data in files.items():
        if not name.endswith((".exe", ".pyd")):
            continue
        for other in sorted(set(re.findall(rb"python3\d+\.dll", data)) - {OUR_PYTHON.encode()}):
            raise PackError(f"{name} was compiled for {other.decode()}, not for {OUR_PYTHON}")


def archive(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of the files in the order of their names; the same files give the same bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method, compresslevel=9) as packed:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, DATE)
            entry.create_system = 0  # Windows, also when another system packs it
            entry.external_attr = 0o100644 << 16  # readable for all users when unpacked on another system
            entry.compress_type = method
            packed.writestr(entry, files[name])
    return stream.getvalue()


def windows_text(text: str) -> bytes:
    """A text with the line ends that Windows' editors want."""
    return text.replace("\n", "\r\n").encode("utf-8")


def standard_library(python: Files) -> Files:
    """The compiled standard library of an embeddable Python. Raises PackError if it is of another version."""
    names = [name for name in python if re.fullmatch(r"python3\d+\.zip", name, re.ASCII)]
    if len(names) != 1 or "LICENSE.txt" not in python:
        raise PackError("the embeddable Python must have one python3XX.zip and a LICENSE.txt at its top")
    library = read_zip(names[0], io.BytesIO(python[names[0]]))
    if library.get("abc.pyc", b"")[:4] != importlib.util.MAGIC_NUMBER:
        version = ".".join(map(str, sys.version_info[:2]))
        raise PackError(f"{names[0]} is not of Python {version}, which packs: both must have the same version")
    return library


def own_files() -> Iterator[tuple[str, bytes]]:
    """The brain's and the engine's Python files and data, by their paths from the top."""
    top = Path(__file__).resolve().parents[2]
    for package in PACKAGES:
        for path in sorted((top / package).rglob("*")):
            name = path.relative_to(top).as_posix()
            if path.suffix in (".py", *DATA) and not name.startswith(NOT_PACKED):
                yield name, path.read_bytes()


def part(python: Files, name: str) -> bytes:
    """A file of the embeddable Python. Raises PackError when it is missing."""
    if name not in python:
        raise PackError(f"the embeddable Python lacks {name}")
    return python[name]


def compiled(engine: Files) -> Files:
    """The compiled modules of the engine under their plain names. Raises PackError when one is missing."""
    top = Path(__file__).resolve().parents[2]
    wanted = {f"{folder}{path.stem}" for folder in ENGINE for path in (top / folder).glob("*.pyi")}
    found: Files = {}
    for name, data in engine.items():
        module = re.fullmatch(r"(engine/[\w/]+)(\.cp3\d+-win_amd64)?\.pyd", name, re.ASCII)
        if module and module[1] in wanted:
            found[f"{module[1]}.pyd"] = data
            wanted.remove(module[1])
    if wanted:
        raise PackError(f"the compiled engine lacks {min(wanted)}.pyd for 64-bit Windows")
    return found


def asked_for(sources: Files) -> set[str]:
    """The modules of the standard library that our files import anywhere, type checkers' imports left out."""
    names = set(ASKED_ELSEWHERE)
    for name, data in sources.items():
        if name.endswith(".py"):
            names.update(imports(ast.parse(data)))
    return {name for name in names if name.partition(".")[0] in sys.stdlib_module_names}


def imports(tree: ast.AST) -> Iterator[str]:
    """The names of import lines below a node, but not those under `if TYPE_CHECKING`."""
    if isinstance(tree, ast.Import):
        yield from (alias.name for alias in tree.names)
    elif isinstance(tree, ast.ImportFrom) and tree.module:
        yield tree.module
    elif not (isinstance(tree, ast.If) and isinstance(tree.test, ast.Name) and tree.test.id == "TYPE_CHECKING"):
        for child in ast.iter_child_nodes(tree):
            yield from imports(child)


def loaded_modules(names: Iterable[str]) -> set[str]:
    """Every module that Python has loaded after importing these, in a process without settings and packages."""
    program = f"import sys, {', '.join(sorted(names))}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False)
    if done.returncode:
        raise PackError(f"this Python cannot load what the brain needs: {done.stderr.strip().splitlines()[-1]}")
    return set(done.stdout.split()) | set(ALWAYS)


def to_bytecode(name: str, source: bytes, optimize: int = 2) -> bytes:
    """A .pyc, by default without docstrings, which Python uses without a look at the date of its source."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=optimize)
    return importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8) + marshal.dumps(code, MARSHAL_VERSION)


def own_licence() -> str:
    """The text of Tengen's licence, from a checkout or an installed package."""
    path = Path(__file__).resolve().parents[2] / "LICENSE"
    if path.is_file():
        return path.read_text("utf-8")
    return metadata.distribution("pbrain-tengen").read_text("licenses/LICENSE") or ""
