"""What the build says where it cannot build, and that its archives leave nothing out."""
from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "pbrain", "tournaments")
FOLDERS = (*PACKAGES, "tests", ".ci", ".github")
LEFT_BY_BUILDS = (".so", ".pyd", ".pyc", ".pyo")
LEFT_BY_TOOLS = ("venv", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis")
SOURCE_ONLY = (".pyx", ".md", ".png")  # what an installed package does without


def written_files(*folders: str) -> set[str]:
    """The files of some folders that a human wrote; a copy of the checkout without git has the same."""
    paths = (path.relative_to(ROOT) for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file())
    return {path.as_posix() for path in paths if path.suffix not in LEFT_BY_BUILDS
            and not any(part.startswith(LEFT_BY_TOOLS) for part in path.parts)}


def run_setup(*arguments: str | Path) -> None:
    done = subprocess.run([sys.executable, "setup.py", "--quiet", *arguments], cwd=ROOT, capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel without the extensions, which nothing here could forget: setup.py makes one of each .pyx file."""
    folder = tmp_path_factory.mktemp("wheel")
    run_setup("egg_info", "--egg-base", folder, "build", "--build-base", folder / "build",
              "bdist_wheel", "--bdist-dir", folder / "inside", "--dist-dir", folder)
    found, = folder.glob("*.whl")
    return found


def test_the_archive_of_the_sources_holds_what_a_checkout_holds(tmp_path: Path) -> None:
    run_setup("egg_info", "--egg-base", tmp_path, "sdist", "--formats", "tar", "--dist-dir", tmp_path)
    archive, = tmp_path.glob("*.tar")
    with tarfile.open(archive) as tar:
        names = {member.name.partition("/")[2] for member in tar if member.isfile()}
    assert {name for name in names if name.startswith(FOLDERS)} == written_files(*FOLDERS)
    assert {"LICENSE", "MANIFEST.in", "PKG-INFO", "README.md", "pyproject.toml", "setup.py", "tests/conftest.py",
            ".ci/run", ".gitattributes", ".github/workflows/test.yml"} < names


def test_an_installed_package_holds_every_module_and_every_file_that_one_reads(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    about = {name for name in names if name.partition("/")[0].endswith(".dist-info")}
    assert names - about == {name for name in written_files(*PACKAGES) if not name.endswith(SOURCE_ONLY)}
    assert {"engine/weights/caro.network", "tournaments/board/page/index.html"} < names
    assert {f"{package}/py.typed" for package in PACKAGES} < names  # the types of all three are for others' checkers
    assert {name.partition("/")[2] for name in about} == {
        "METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "top_level.txt"}


def test_a_python_of_32_bits_is_told_what_is_missing() -> None:
    pretend = "import runpy, sys; sys.maxsize = (1 << 31) - 1; runpy.run_path('setup.py')"
    done = subprocess.run([sys.executable, "-c", pretend], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Tengen needs a 64-bit Python and processor: this Python has 32 bits\n"
