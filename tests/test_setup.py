"""The message of a build that cannot work, and the complete content of its archives."""

from __future__ import annotations

import ast
import email
import email.message
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from needs import needs_posix

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "pbrain", "tournaments")
FOLDERS = (*PACKAGES, "tests", ".ci", ".github")
LEFT_BY_BUILDS = (".so", ".pyd", ".pyc", ".pyo")
LEFT_BY_TOOLS = ("venv", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis")
ADDRESS = "https://example.org/someone/tengen"
SOURCE_ONLY = (".pyx", ".md", ".png")  # what an installed package does without


def written_files(*folders: str) -> set[str]:
    """The files of some folders that a human wrote; a copy of the checkout without git has the same."""
    paths = (path.relative_to(ROOT) for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file())
    return {
        path.as_posix()
        for path in paths
        if path.suffix not in LEFT_BY_BUILDS and not any(part.startswith(LEFT_BY_TOOLS) for part in path.parts)
    }


def run_setup(*arguments: str | Path, folder: Path = ROOT) -> None:
    done = subprocess.run(
        [sys.executable, "setup.py", "--quiet", *arguments], cwd=folder, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr


def link_targets(page: str) -> list[str]:
    """Where the links and pictures of a page lead, those in code left out."""
    return re.findall(r"\]\(([^()\s]+)\)", re.sub(r"```.*?```|`[^`]*`", "", page, flags=re.S))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel without the extensions, which nothing here could forget: setup.py makes one of each .pyx file."""
    folder = tmp_path_factory.mktemp("wheel")
    run_setup(
        "egg_info",
        "--egg-base",
        folder,
        "build",
        "--build-base",
        folder / "build",
        "bdist_wheel",
        "--bdist-dir",
        folder / "inside",
        "--dist-dir",
        folder,
    )
    (found,) = folder.glob("*.whl")
    return found


def test_the_archive_of_the_sources_holds_what_a_checkout_holds(tmp_path: Path) -> None:
    run_setup("egg_info", "--egg-base", tmp_path, "sdist", "--formats", "tar", "--dist-dir", tmp_path)
    (archive,) = tmp_path.glob("*.tar")
    with tarfile.open(archive) as tar:
        names = {member.name.partition("/")[2] for member in tar if member.isfile()}
    assert {name for name in names if name.startswith(FOLDERS)} == written_files(*FOLDERS)
    assert {
        "LICENSE",
        "MANIFEST.in",
        "PKG-INFO",
        "README.md",
        "pyproject.toml",
        "setup.py",
        "tests/conftest.py",
        ".ci/run",
        ".gitattributes",
        ".github/workflows/test.yml",
    } < names


def test_an_installed_package_holds_every_module_and_every_file_that_one_reads(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    about = {name for name in names if name.partition("/")[0].endswith(".dist-info")}
    assert names - about == {name for name in written_files(*PACKAGES) if not name.endswith(SOURCE_ONLY)}
    assert {"engine/weights/caro.network", "tournaments/board/page/index.html"} < names
    assert {f"{package}/py.typed" for package in PACKAGES} < names  # the types of all three are for others' checkers
    assert {name.partition("/")[2] for name in about} == {
        "METADATA",
        "RECORD",
        "WHEEL",
        "entry_points.txt",
        "licenses/LICENSE",
        "top_level.txt",
    }


def metadata_with(address: str, folder: Path) -> tuple[email.message.Message, str]:
    """The package's metadata and its page for the index, made in a folder where the project has this address."""
    for name in ("LICENSE", "README.md", "pyproject.toml", "setup.py"):
        shutil.copy(ROOT / name, folder)
    for package in {Path(name).parent for name in written_files(*PACKAGES) if name.endswith(".py")}:
        (folder / package).mkdir(parents=True, exist_ok=True)
    settings = (ROOT / "pyproject.toml").read_text("utf-8")
    settings, count = re.subn('^address = ".*"$', f'address = "{address}"', settings, flags=re.M)
    assert count == 1
    (folder / "pyproject.toml").write_text(settings, "utf-8")
    run_setup("egg_info", folder=folder)
    about = email.message_from_bytes((folder / "pbrain_tengen.egg-info" / "PKG-INFO").read_bytes())
    assert about["Description-Content-Type"] == "text/markdown"
    page = about.get_payload(decode=True)
    assert isinstance(page, bytes)
    return about, page.decode("utf-8")


def test_the_index_shows_no_broken_link_while_the_project_has_no_address(tmp_path: Path) -> None:
    about, page = metadata_with("", tmp_path)
    assert about.get_all("Project-URL") is None
    assert [target for target in link_targets(page) if not target.startswith(("https://", "#"))] == []
    words = re.findall(r"\w+", re.sub(r"\]\([^()\s]+\)", "", (ROOT / "README.md").read_text("utf-8")))
    assert len(words) > 500 and words == re.findall(r"\w+", re.sub(r"\]\([^()\s]+\)", "", page))


def test_the_index_shows_links_to_the_address_of_the_project(tmp_path: Path) -> None:
    about, page = metadata_with(ADDRESS, tmp_path)
    assert {f"Source, {ADDRESS}", f"Issues, {ADDRESS}/issues"} < set(about.get_all("Project-URL", []))
    targets = link_targets((ROOT / "README.md").read_text("utf-8"))
    expected = [
        target
        if target.startswith(("https://", "#"))
        else f"{ADDRESS}/{'raw' if target.endswith('.png') else 'blob'}/v{about['Version']}/{target}"
        for target in targets
    ]
    assert link_targets(page) == expected and expected != targets


@needs_posix
@pytest.mark.parametrize("compiler", ["no-such-compiler", "false"])
def test_a_missing_compiler_is_told_before_anything_is_translated(compiler: str) -> None:
    done = subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_ext"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "CC": compiler},
    )
    assert done.returncode == 1
    assert "Cythonizing" not in done.stdout
    assert done.stderr.startswith("Tengen cannot be built without a C compiler and Python's header files, and one of")
    assert compiler in done.stderr and "sudo apt install gcc python3-dev" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_boards_extra_has_all_that_the_board_imports_and_knows_the_newest_server() -> None:
    """A package that is missing there is found late: without psutil brains outlive the board, and nothing says so."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    wanted = {re.split(r"[\[>=<]", package)[0]: package for package in extras["board"]}
    folder = ROOT / "tournaments"
    sources = [*(folder / "board").rglob("*.py"), folder / "cli" / "serve.py", *(folder / "brains").glob("*.py")]
    nodes = [node for path in sources for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    named = [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
    named += [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    found = {str(name).partition(".")[0] for name in named}
    assert found - {*sys.stdlib_module_names, *PACKAGES} == {*wanted, "pydantic_core", "typing_extensions"}, (
        "the last two come with pydantic"
    )
    # Methods of theirs are replaced (board/server/protocols.py), so that each new version is tried first.
    assert all("<" in wanted[name] for name in ("uvicorn", "websockets"))


def test_a_python_of_32_bits_is_told_what_is_missing() -> None:
    pretend = "import runpy, sys; sys.maxsize = (1 << 31) - 1; runpy.run_path('setup.py')"
    done = subprocess.run([sys.executable, "-c", pretend], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Tengen needs a 64-bit Python and processor: this Python has 32 bits\n"


def test_a_source_that_is_not_compiled_says_that_it_hides_an_installed_engine(tmp_path: Path) -> None:
    """After `pip install .`, Python started in the checkout finds the source's folder before what is installed."""
    (tmp_path / "engine").mkdir()
    for path in (ROOT / "engine").glob("*.py"):
        shutil.copy(path, tmp_path / "engine")
    # -S, since an editable install would come first.
    done = subprocess.run(
        [sys.executable, "-S", "-c", "import engine"], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: the folder 'engine' that Python found is Tengen's source without its")
    assert "start Python in another folder" in last and "pip install -e ." in last
