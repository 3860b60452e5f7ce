"""The layers of the source tree, read from its import lines, and the habits that every Cython file keeps.

types, bits, watch <- patterns <- position <- board <- moves, threats, evaluate <- network, policy <- worker <- search;
search <- threads <- the Python face; table <- worker; the Python face <- pbrain.
tournaments/ meets brains as processes only: nothing in it but the command imports engine or pbrain, and the board the
store of positions, engine.knowledge, which knows neither a board nor a search.
"""

import ast
import fnmatch
import os
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "pbrain", "tournaments")
SOURCES = sorted(
    path for package in PACKAGES for path in (ROOT / package).rglob("*.p*") if path.suffix in (".py", ".pyx", ".pxd")
)
CYTHON = [path for path in SOURCES if path.suffix in (".pyx", ".pxd")]

# A module of the engine imports from the layers before its own, and from its own as long as that makes no cycle.
LAYERS = (
    {
        "types",
        "network_shape",
        "policy_shape",
        "constants",
        "bits",
        "watch",
        "checks",
        "rules",
        "values",
        "win",
        "weights",
        "notation",
        "diagram",
        "knowledge",
        "whole_file",
    },
    {"patterns"},
    {"position"},
    {"board"},
    {"moves", "threats", "evaluate", "vct", "board_probe"},
    {"network", "policy"},
    {"worker"},
    {"search", "picker"},
    {"threads"},
    {"searcher", "proving", "analysis", "clock", "limits", "proof", "bench"},
    {"training"},
)
LAYER_OF = {f"engine.{name}": number for number, names in enumerate(LAYERS) for name in names}
# The table stands beside the layers: it knows words and keys, no board.
LAYER_OF["engine.table"] = 1
LAYER_OF["engine"] = LAYER_OF["engine.searcher"]
# What the brain and the board may import of the engine beyond its face: the store of positions, which searches nothing;
# and the brain the way in which files are written.
KNOWLEDGE = "engine.knowledge"
WHOLE_FILE = "engine.whole_file"
FACE = {name for name, number in LAYER_OF.items() if number == LAYER_OF["engine"]}

# The rooms of tournaments/ from the ground up: each imports those before it, and nothing that comes after it. A room is
# a folder; the board is a house of several.
ROOMS = (
    "files",
    "translations",
    "rules",
    "rivals",
    "brains",
    "stats",
    "storage",
    "setup",
    "records",
    "play",
    "joining",
    "report",
    "board.game",
    "board.engines",
    "board.review",
    "board.puzzles",
    "board.library",
    "board.openings",
    "board.terminal",
    "board.live",
    "board.messages",
    "board.server",
    "cli",
)

CIMPORT = re.compile(r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+c?import[ \t]+\(?([^#\n]*)|c?import[ \t]+([\w., \t]+))", re.M)
QUOTED = re.compile(r'""".*?"""', re.S)
# The end of a function's signature that says nogil: from the closing bracket to the colon, or to the end of the line.
NOGIL_TAIL = re.compile(r"\)([^()\n:]*\bnogil\b[^()\n:]*)")


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def module_of(path: Path) -> str:
    """The dotted name of a source file; a .pyx and its .pxd are one module."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path) for path in SOURCES}


def target(module: str, name: str) -> str:
    """What `from module import name` reaches: the module of that name if there is one, else `module` itself."""
    return f"{module}.{name}" if f"{module}.{name}" in MODULES else module


def cython_imports(text: str) -> Iterator[str]:
    """The modules that a Cython source names in import and cimport lines."""
    for module, names, modules in CIMPORT.findall(QUOTED.sub("", text)):
        if modules:
            yield from (words.split()[0] for words in modules.split(","))
        else:
            yield from (target(module, words.split()[0]) for words in names.rstrip(") ").split(",") if words.strip())


def python_imports(tree: ast.AST) -> Iterator[str]:
    """The modules that a Python source imports, in functions too, also through import_module("name")."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, "imports are absolute"
            yield from (target(node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            assert isinstance(node.args[0], ast.Constant), "an import by name spells the name out"
            yield str(node.args[0].value)


def imports_of(path: Path) -> set[str]:
    """Which of our own modules a file imports, itself left out; those for the type checker alone count too."""
    text = path.read_text(encoding="utf-8")
    found = python_imports(ast.parse(text)) if path.suffix == ".py" else cython_imports(text)
    return {name for name in found if name.split(".")[0] in PACKAGES} - {module_of(path)}


def nogil_without_clause(text: str) -> list[str]:
    """The nogil functions, declared or defined, that do not say what becomes of an exception."""
    bare = re.sub(r"#[^\n]*", "", QUOTED.sub("", text))
    return [tail.strip() for tail in NOGIL_TAIL.findall(bare) if not re.search(r"\b(noexcept|except)\b", tail)]


def test_the_readers_see_what_they_look_for() -> None:
    text = (
        '"""from engine.search cimport hidden"""\n'
        "from engine.board cimport (Board, Position,\n    State)\n"
        "cimport engine.table\nfrom engine cimport bits\nfrom engine.clock import Clock\nimport engine.moves as m\n"
    )
    assert list(cython_imports(text)) == [
        "engine.board",
        "engine.board",
        "engine.table",
        "engine.bits",
        "engine.clock",
        "engine.moves",
    ]
    lazy = ast.parse("def f():\n    from engine import board, Info\n    import_module('engine.bench')")
    assert set(python_imports(lazy)) == {"engine.board", "engine", "engine.bench"}
    typed = ast.parse("if TYPE_CHECKING:\n    import engine\nimport pbrain")
    assert set(python_imports(typed)) == {"engine", "pbrain"}
    assert "engine.table" in imports_of(ROOT / "engine" / "search.pyx")
    assert "engine" in imports_of(ROOT / "pbrain" / "__main__.py")
    assert nogil_without_clause("cdef int f(int x,\n           int y) nogil:\n    pass\n") == ["nogil"]
    assert nogil_without_clause("cdef int f() except -1 nogil\ncdef void g() noexcept nogil:  # f() nogil\n") == []


def layer_of(module: str) -> int:
    """The layer of a module of the engine; a folder's modules are in the folder's."""
    while module not in LAYER_OF and "." in module:
        module = module.rpartition(".")[0]
    return LAYER_OF[module]


def room_of(module: str) -> int:
    """The place of a module of tournaments/ in ROOMS, -1 for a package that has rooms."""
    parts = module.split(".")[1:]
    if parts in ([], ["board"]):
        return -1
    return ROOMS.index(".".join(parts[: 2 if parts[0] == "board" else 1]))


def sources_of(package: str) -> list[Path]:
    return [path for path in SOURCES if module_of(path).split(".")[0] == package]


@pytest.mark.parametrize("path", sources_of("engine"), ids=relative)
def test_engine_modules_import_from_lower_layers(path: Path) -> None:
    module = module_of(path)
    parent = module.rpartition(".")[0]
    assert module in LAYER_OF or (parent in LAYER_OF and parent != "engine"), f"{module} has no place in the layers"
    for name in imports_of(path):
        assert name.startswith("engine"), f"{module} imports {name}, which is no part of the engine"
        assert layer_of(name) <= layer_of(module), f"{module} imports {name} from a higher layer"
        if module == "engine.table":
            assert layer_of(name) == 0, f"{module} imports {name}, but it knows types and bits alone"


@pytest.mark.parametrize("path", sources_of("pbrain"), ids=relative)
def test_the_brain_knows_only_the_face_of_the_engine(path: Path) -> None:
    for name in imports_of(path):
        assert name.startswith(("pbrain", KNOWLEDGE, WHOLE_FILE)) or name in FACE, f"{module_of(path)} imports {name}"


def test_the_page_has_the_rooms_in_their_order() -> None:
    page = (ROOT / ".github/CONTRIBUTING.md").read_text("utf-8")
    listed = [name.replace("/", ".") for name in re.findall(r"^\| `tournaments/(\S+)/` \|", page, re.M)]
    without_python = ("board", "board.page")
    assert [name for name in reversed(listed) if name not in without_python] == list(ROOMS)


@pytest.mark.parametrize("path", sources_of("tournaments"), ids=relative)
def test_rooms_of_the_manager_import_from_lower_rooms(path: Path) -> None:
    """And it meets brains as processes: only the command imports the engine and the brain; the board, its store."""
    module = module_of(path)
    for name in imports_of(path):
        if not name.startswith("tournaments"):
            is_store = module.startswith("tournaments.board") and name.startswith(KNOWLEDGE)
            assert module.startswith("tournaments.cli") or is_store, f"{module} imports {name}"
        else:
            assert room_of(name) <= room_of(module), f"{module} imports {name} from a higher room"


def test_there_are_no_import_cycles() -> None:
    graph: dict[str, set[str]] = {}
    for path in SOURCES:
        graph.setdefault(module_of(path), set()).update(imports_of(path))
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("a cycle of imports: " + " <- ".join(error.args[1]))


def test_no_file_is_too_long_to_read_in_one_sitting() -> None:
    long = {relative(path): text.count("\n") for path in SOURCES if (text := path.read_text("utf-8")).count("\n") > 700}
    assert long == {}


def test_tournaments_has_short_files_and_folders_that_are_seen_at_a_glance() -> None:
    tournaments = ROOT / "tournaments"
    sources = [path for path in tournaments.rglob("*") if path.suffix in (".py", ".js")]
    most = {".py": 500, ".js": 350}
    lines = {relative(path): len(path.read_text(encoding="utf-8").splitlines()) for path in sources}
    assert len(sources) > 150 and {path for path in sources if lines[relative(path)] > most[path.suffix]} == set()
    folders = {path.parent for path in sources}
    assert {folder for folder in folders if sum(path.parent == folder for path in sources) > 24} == set()


def test_no_twelve_lines_stand_twice() -> None:
    """Blank lines, lone brackets and imports do not count."""
    length, known = 12, dict[tuple[str, ...], str]()
    twice = []
    sources = [*SOURCES, *(path for package in PACKAGES for path in (ROOT / package).rglob("*.js"))]
    for path in (path for path in sources if path.suffix != ".pyi"):  # a stub repeats what it describes
        lines = [(number, line.strip()) for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)]
        lines = [
            (number, line)
            for number, line in lines
            if re.search(r"\w", line) and not re.match(r"(from|c?import)\b", line)
        ]
        for first in range(len(lines) - length + 1):
            here = f"{relative(path)}:{lines[first][0]}"
            before = known.setdefault(tuple(line for _, line in lines[first : first + length]), here)
            if before != here:
                twice.append((before, here))
    assert len(known) > 20_000 and twice == []


@pytest.mark.parametrize("path", CYTHON, ids=relative)
def test_cython_files_open_with_what_they_are_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    opening = re.match(r'"""(.+?)"""\n' if path.suffix == ".pyx" else r"((?:#[^\n]*\n)+)", text, re.S)
    assert opening, "no docstring" if path.suffix == ".pyx" else "no comment paragraph"
    words = opening[1].replace("#", "").split()
    assert len(words) >= 5 and words[-1].endswith((".", ")", ":")), "the opening is no sentence"


@pytest.mark.parametrize("path", CYTHON, ids=relative)
def test_directives_are_set_in_setup_alone(path: Path) -> None:
    assert not re.search(r"^\s*#\s*(cython|distutils)\s*:", path.read_text(encoding="utf-8"), re.M)


@pytest.mark.parametrize("path", CYTHON, ids=relative)
def test_nogil_functions_say_what_becomes_of_exceptions(path: Path) -> None:
    assert nogil_without_clause(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", [path for path in CYTHON if path.suffix == ".pyx"], ids=relative)
def test_compiled_modules_have_a_stub(path: Path) -> None:
    assert path.with_suffix(".pyi").is_file()


TOP = {
    "setup.py",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "MANIFEST.in",
    "engine",
    "pbrain",
    "tests",
    "tournaments",
}


def test_the_top_level_holds_little() -> None:
    """Aside from files that begin with a dot, virtual environments, and all that .gitignore names."""
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    left = [
        name
        for name in os.listdir(ROOT)
        if not name.startswith(".")
        and not (ROOT / name / "pyvenv.cfg").exists()
        and not any(fnmatch.fnmatch(name, pattern.strip("/")) for pattern in ignored)
    ]
    assert set(left) == TOP
