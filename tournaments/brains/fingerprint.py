"""A brain's content as a hash: equal hashes mean that two machines, or two days, run the same program.

It covers

- the program file, every argument, and every argument that names a file, by that file's content;
- of a Python program the modules that it imports, in their turn, from its own folder or from where the first of them is
  installed, each with all files of its package: compiled modules and data too, but not caches, pages, pictures, type
  stubs, or tests that nothing imports;
- the files that the brain's `data` names, which are patterns such as `*.nnue`, taken from the program's folder.

It leaves out what differs between equal installations: the paths, and the line of a script that names its interpreter.
Other files that a program loads while it runs are not covered.
"""

import ast
import contextlib
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator, Sequence
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from tournaments.brains.command import Command, is_python, names_file

_CACHES = ("__pycache__",)
_CACHED = (".pyc", ".pyo")
# Pages, pictures and type stubs. Not .txt, .rst or .html, which an engine may read weights or openings from.
_NOT_RUN = (".md", ".pyi", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico")
_PAGES = ("readme", "license", "licence", "changelog", "authors", "copying", "notice")
_PAGE_ENDINGS = ("", ".txt", ".rst")
_TESTS = ("test", "tests")
_TICK = 100_000_000  # nanoseconds; a file that changed this shortly before it was read may have changed again unnoticed
# Asks another Python where it finds modules: a list of folders or files for each, as JSON.
_WHERE = """
import importlib.util, json, sys
def find(name):
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    return spec and (list(spec.submodule_search_locations or ()) or [spec.origin])[0]
print(json.dumps(find(sys.argv[1])))
"""

_Signature = tuple[int, int, int, int]
_known: dict[tuple[Command, tuple[str, ...]], "_Content"] = {}


def digest(command: Command, data: tuple[str, ...] = ()) -> str:
    """SHA-256 of the brain's content, hexadecimal; `data` are patterns of further files.

    Reads only what has changed since it was asked last. Raises OSError when a file cannot be read, and ValueError, in
    one sentence, for a pattern that no file has.
    """
    known = _known.get((command, data))
    if known is None or not known.is_current():
        known = _Content(command, data)
        _known[command, data] = known
    return known.digest


class _Content:
    """The state of a brain's files when they were read."""

    def __init__(self, command: Command, data: tuple[str, ...]) -> None:
        self._read_at = time.time_ns()
        self._seen: dict[Path, _Signature] = {}
        self._sum = hashlib.sha256()
        self._add_command(command)
        for pattern in data:
            self._add_data(_folder_of(command), pattern)
        self.digest = self._sum.hexdigest()

    def is_current(self) -> bool:
        """False if a file or folder may have changed since."""
        try:
            return all(
                _signature(path) == seen and max(seen[:2]) + _TICK < self._read_at for path, seen in self._seen.items()
            )
        except OSError:
            return False

    def _add(self, name: str, content: bytes) -> None:
        self._sum.update(f"{name}\0{len(content)}\0".encode())
        self._sum.update(content)

    def _read(self, path: Path) -> bytes:
        self._seen[path] = _signature(path)
        return path.read_bytes()

    def _add_command(self, command: Command) -> None:
        program, *arguments = command.arguments
        scripts: list[Path] = []
        if is_python(program):
            self._sum.update(b"python\0")
            if arguments[:1] == ["-m"] and len(arguments) > 1:
                self._add_modules(_Finder(program), [f"{arguments[1]}.__main__", arguments[1]])
        else:
            scripts.append(Path(program))
        for argument in arguments:
            if names_file(argument):
                scripts.append(Path(argument))
            else:
                self._add("argument", argument.encode())
        for path in scripts:
            self._add_script(path, program if is_python(program) else "")

    def _add_script(self, path: Path, python: str) -> None:
        content = self._read(path)
        if not python and path.suffix.lower() == ".exe" and zipfile.is_zipfile(path):
            # A launcher as pip makes it for Windows: the script is in an archive at the end of the file.
            with zipfile.ZipFile(path) as archive, contextlib.suppress(KeyError):
                content = b"#!python\n" + archive.read("__main__.py")
        first, _, rest = content.partition(b"\n") if content.startswith(b"#!") else (b"", b"", content)
        self._add("file", rest)
        if path.suffix == ".py" or b"python" in first:
            finder = _Finder(python or _interpreter(first))
            for name in sorted(_imports(content)):
                is_beside = (path.parent / f"{name.split('.')[0]}.py").is_file()
                self._add_modules(finder, [name], path.parent if is_beside else None)

    def _add_modules(self, finder: "_Finder", names: list[str], base: Path | None = None) -> None:
        """Modules and all that they import from the same folder, each once, in a fixed order."""
        base = base or finder.base_of(names[0])
        if base is None:
            return
        seen: set[str] = set()
        packages: set[Path] = set()
        while names:
            name = names.pop()
            parts = name.split(".")
            if name in seen or parts[0] in sys.stdlib_module_names:
                continue
            seen.add(name)
            stem = base.joinpath(*parts)
            is_package = (stem / "__init__.py").is_file() or (stem.is_dir() and len(parts) == 1)
            source = stem / "__init__.py" if is_package else stem.with_suffix(".py")
            if not is_package and len(parts) > 1:
                names.append(".".join(parts[:-1]))
            if is_package and packages.isdisjoint([stem, *stem.parents]):
                packages.add(stem)
                self._add_folder(name, stem)
                for above in stem.relative_to(base).parents:
                    if (base / above / "__init__.py").is_file():
                        self._add(f"{above.as_posix()}/__init__.py", self._read(base / above / "__init__.py"))
            if len(parts) == 1 and not is_package:
                for path in sorted(base.glob(f"{name}.*")):
                    if path.name.endswith(tuple(EXTENSION_SUFFIXES)):
                        self._add(path.name.partition(".")[0], self._read(path))
            if source.is_file():
                content = self._read(source)
                is_left_out = any(
                    source.is_relative_to(package) and not _runs(source.relative_to(package)) for package in packages
                )
                if (not is_package and len(parts) == 1) or is_left_out:
                    self._add(name, content)
                names += sorted(_imports(content, parts if is_package else parts[:-1]))

    def _add_folder(self, name: str, folder: Path) -> None:
        """All files of a package that a program may run by, in its folders too."""
        for path in _walk(folder):
            if path.is_dir():
                self._seen[path] = _signature(path)
            elif _runs(path.relative_to(folder)):
                self._add(f"{name}/{path.relative_to(folder).as_posix()}", self._read(path))

    def _add_data(self, folder: Path, pattern: str) -> None:
        where = Path(pattern)
        base = Path(where.anchor) if where.is_absolute() else folder
        found = sorted(base.glob(str(where.relative_to(base)) if where.is_absolute() else pattern))
        files = [path for path in found if path.is_file()]
        if not files:
            raise ValueError(f"no file of its data is like {pattern} in {base}")
        for path in files:
            self._seen.setdefault(path.parent, _signature(path.parent))
            name = path.name if where.is_absolute() else path.relative_to(base).as_posix()
            self._add(f"data {name}", self._read(path))


class _Finder:
    """The places in which a Python finds modules; those of the running Python if that one cannot be asked."""

    def __init__(self, python: str = "") -> None:
        self._python = python if python and os.path.isfile(python) and not _is_ours(python) else ""

    def base_of(self, name: str) -> Path | None:
        """The folder that a top-level module is imported from; None for the standard library's and for unknown ones."""
        top = name.split(".")[0]
        if top in sys.stdlib_module_names:
            return None
        where = self._ask(top) if self._python else _find(top)
        return None if where is None else Path(where).parent

    def _ask(self, top: str) -> str | None:
        try:
            done = subprocess.run(
                [self._python, "-c", _WHERE, top], capture_output=True, timeout=30, check=True, stdin=subprocess.DEVNULL
            )
            where = json.loads(done.stdout)
        except (OSError, ValueError, subprocess.SubprocessError):
            return None
        return where if isinstance(where, str) else None


def _find(top: str) -> str | None:
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return None
    return None if spec is None else next(iter(spec.submodule_search_locations or ()), spec.origin)


def _is_ours(python: str) -> bool:
    # Links are not followed: the Python of a virtual environment is a link, and finds its own modules.
    return Path(python).absolute().parent == Path(sys.executable).parent


def _interpreter(line: bytes) -> str:
    """The program that the first line of a script names, "" if there is none."""
    words = line[2:].decode(errors="replace").split()
    if words and Path(words[0]).name == "env":
        words = [word for word in words[1:] if not word.startswith("-")]
    return (shutil.which(words[0]) or "") if words else ""


def _folder_of(command: Command) -> Path:
    """The folder of a brain's data: the folder of its script or of its program."""
    program, *arguments = command.arguments
    script = next((word for word in arguments if names_file(word)), program) if is_python(program) else program
    return Path(script).parent


def _signature(path: Path) -> _Signature:
    status = path.stat()
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _walk(folder: Path) -> Iterator[Path]:
    """The folder and everything in it, in a fixed order, without the files that Python itself keeps there."""
    yield folder
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if path.name not in _CACHES:
                yield from _walk(path)
        elif path.suffix not in _CACHED:
            yield path


def _runs(path: Path) -> bool:
    """False for files of a package that do not change how a program runs: a page, a picture, a test."""
    stem, ending = path.stem.lower(), path.suffix.lower()
    return not (
        ending in _NOT_RUN
        or (stem in _PAGES and ending in _PAGE_ENDINGS)
        or any(folder.lower() in _TESTS for folder in path.parts[:-1])
        or (ending == ".py" and (stem == "conftest" or stem.startswith("test_") or stem.endswith("_test")))
    )


def _imports(content: bytes, package: Sequence[str] = ()) -> set[str]:
    """The modules that a source of that package imports by name; with `from a import b`, both a and a.b."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return set()
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level <= len(package):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            if module:
                found.add(module)
                found.update(f"{module}.{alias.name}" for alias in node.names)
    return found
