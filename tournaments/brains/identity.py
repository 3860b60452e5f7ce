"""What a brain is, by its content: a hash that tells whether two machines would run the same program.

It covers the program file, every argument, and every argument that names a file, by that file's content; of a Python
program the modules that it imports from its own folder or from packages installed beside its own, in their turn, with
all compiled modules of those packages. It leaves out what differs between equal installations: the paths, and the line
of a script that names its interpreter. What a program loads by itself at run time is not seen.
"""

import ast
import hashlib
import importlib.util
import sys
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from tournaments.brains.command import Command, is_python, names_file


def digest(command: Command) -> str:
    """SHA-256 of the brain's content, hexadecimal. Raises OSError when one of its files cannot be read."""
    program, *arguments = command.arguments
    sum_ = hashlib.sha256()
    scripts: list[Path] = []
    if is_python(program):
        sum_.update(b"python\0")
        if arguments[:1] == ["-m"] and len(arguments) > 1:
            for name, content in _modules(_module_base(arguments[1]), [f"{arguments[1]}.__main__", arguments[1]]):
                _add(sum_, name, content)
    else:
        scripts.append(Path(program))
    for argument in arguments:
        if names_file(argument):
            scripts.append(Path(argument))
        else:
            _add(sum_, "argument", argument.encode())
    for path in scripts:
        content = path.read_bytes()
        if content.startswith(b"#!"):
            content = content.partition(b"\n")[2]
        _add(sum_, "file", content)
        imports = _imports(content) if _is_python_source(path) else []
        for name in sorted(imports):
            base = path.parent if (path.parent / f"{name.split('.')[0]}.py").is_file() else _module_base(name)
            for module, source in _modules(base, [name]):
                _add(sum_, module, source)
    return sum_.hexdigest()


def _add(sum_: "hashlib._Hash", name: str, content: bytes) -> None:
    sum_.update(f"{name}\0{len(content)}\0".encode())
    sum_.update(content)


def _is_python_source(path: Path) -> bool:
    if path.suffix == ".py":
        return True
    with path.open("rb") as file:
        first = file.readline(400)
    return first.startswith(b"#!") and b"python" in first


def _module_base(name: str) -> Path | None:
    """The folder that a top-level module is imported from; None for the standard library's and for unknown ones."""
    top = name.split(".")[0]
    if top in sys.stdlib_module_names:
        return None
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return None
    if spec is None or (spec.origin is None and not spec.submodule_search_locations):
        return None
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations))).parent
    return Path(str(spec.origin)).parent


def _modules(base: Path | None, names: list[str]) -> Iterator[tuple[str, bytes]]:
    """(Name, content) of modules and of all that they import from the same folder, each once, in a fixed order."""
    if base is None:
        return
    seen: set[str] = set()
    while names:
        name = names.pop()
        parts = name.split(".")
        if name in seen or parts[0] in sys.stdlib_module_names:
            continue
        seen.add(name)
        if len(parts) > 1:
            names.append(".".join(parts[:-1]))
        stem = base.joinpath(*parts)
        package = stem / "__init__.py"
        source = package if package.is_file() else stem.with_suffix(".py")
        if source.is_file():
            content = source.read_bytes()
            yield name, content
            names += sorted(_imports(content))
        if stem.is_dir():
            for path in sorted(stem.iterdir()):
                if path.name.endswith(tuple(EXTENSION_SUFFIXES)):
                    yield f"{name}.{path.name}", path.read_bytes()


def _imports(content: bytes) -> set[str]:
    """The modules that a source imports by name; with `from a import b`, both a and a.b."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return set()
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found
