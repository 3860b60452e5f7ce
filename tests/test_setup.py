"""What the build says where it cannot build, and that its archives leave nothing out."""
from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "pbrain", "tournaments")
LEFT_BY_BUILDS = (".so", ".pyd", ".pyc", ".pyo")
SOURCE_ONLY = (".pyx", ".md", ".png")  # what an installed package does without


def written_files() -> set[str]:
    """The files of the packages that a human wrote; a copy of the checkout without git has the same."""
    paths = (path for package in PACKAGES for path in (ROOT / package).rglob("*"))
    return {path.relative_to(ROOT).as_posix() for path in paths if path.is_file() and path.suffix not in LEFT_BY_BUILDS}


def run_setup(*arguments: str | Path) -> None:
    done = subprocess.run([sys.executable, "setup.py", "--quiet", *arguments], cwd=ROOT, capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, done.stderr


def test_the_archive_of_the_sources_holds_every_source(tmp_path: Path) -> None:
    run_setup("egg_info", "--egg-base", tmp_path, "sdist", "--formats", "tar", "--dist-dir", tmp_path)
    archive, = tmp_path.glob("*.tar")
    with tarfile.open(archive) as tar:
        names = {member.name.partition("/")[2] for member in tar if member.isfile()}
    assert {name for name in names if name.startswith(PACKAGES)} == written_files()
    top = {name for name in names if not name.startswith(PACKAGES)}
    assert top == {"LICENSE", "MANIFEST.in", "PKG-INFO", "README.md", "pyproject.toml", "setup.cfg", "setup.py"}


def test_an_installed_package_holds_every_module_and_every_file_that_one_reads(tmp_path: Path) -> None:
    # Without the extensions, which nothing here could forget: setup.py makes one of each .pyx file.
    run_setup("egg_info", "--egg-base", tmp_path, "build_py", "--build-lib", tmp_path / "lib")
    installed = {path.relative_to(tmp_path / "lib").as_posix() for path in (tmp_path / "lib").rglob("*")
                 if path.is_file()}
    assert installed == {name for name in written_files() if not name.endswith(SOURCE_ONLY)}


def test_a_python_of_32_bits_is_told_what_is_missing() -> None:
    pretend = "import runpy, sys; sys.maxsize = (1 << 31) - 1; runpy.run_path('setup.py')"
    done = subprocess.run([sys.executable, "-c", pretend], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Tengen needs a 64-bit Python and processor: this Python has 32 bits\n"
