"""The scripts for publishing: the notes of a release, and the project's address."""

from __future__ import annotations

import os
import plistlib
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from needs import needs_posix
from waiting import wait_until

import pbrain
from tournaments.cli.desktop.starters import START

ROOT = Path(__file__).parents[1]
CHANGELOG = f"""# Changelog

## [Unreleased]

- Not yet.

## [{pbrain.__version__}] - 2030-01-01

### Added

- The first thing.

## [0.0.1] - 2029-01-01

- An older thing.
"""


def written_with(address: str, folder: Path) -> tuple[int, str, str]:
    """The exit status of the script for the address in a copy of the checkout, and the two files that it writes."""
    done = subprocess.run(
        [sys.executable, ".github/address.py", address], cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "" and done.stderr.count("\n") == (done.returncode != 0)
    return done.returncode, (folder / "pyproject.toml").read_text("utf-8"), (folder / "README.md").read_text("utf-8")


def test_the_address_is_written_everywhere_and_replaced_when_the_project_moves(tmp_path: Path) -> None:
    (tmp_path / ".github").mkdir()
    for name in ("pyproject.toml", "README.md", ".github/address.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    first, second = "https://example.org/someone/tengen", "https://example.org/others/tengen-2"
    before = (tmp_path / "README.md").read_text("utf-8")
    status, settings, page = written_with(first, tmp_path)
    assert status == 0 and f'\naddress = "{first}"\n' in settings
    assert page.startswith(f"# Tengen\n\n[![test]({first}/actions/workflows/test.yml/badge.svg)]({first}/")
    assert f"Clone this repository (`git clone {first}`)" in page
    assert len(page.splitlines()) == len(before.splitlines()) + 2
    status, settings, page = written_with(second, tmp_path)
    assert status == 0 and first not in settings + page
    assert (page.count(second), settings.count(second)) == (3, 1)
    for wrong in ("", "someone/tengen", f"{second}.git", f"{second}/", f"{second} x", "http://example.org/a/b"):
        assert written_with(wrong, tmp_path) == (1, settings, page)


def test_the_first_page_has_the_address_of_the_settings(tmp_path: Path) -> None:
    settings, page = ((ROOT / name).read_text("utf-8") for name in ("pyproject.toml", "README.md"))
    address = tomllib.loads(settings)["tool"]["tengen"]["address"]
    if not address:
        assert "git clone http" not in page and "[![" not in page
        return
    (tmp_path / ".github").mkdir()
    for name in ("pyproject.toml", "README.md", ".github/address.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    assert written_with(address, tmp_path) == (0, settings, page)


def release_notes(tag: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What the script of the release says in a copy of the checkout that has only the files that it reads."""
    (folder / ".github").mkdir()
    shutil.copy(ROOT / "pyproject.toml", folder)
    shutil.copy(ROOT / ".github" / "release_notes.py", folder / ".github")
    return subprocess.run(
        [sys.executable, ".github/release_notes.py", tag], cwd=folder, capture_output=True, text=True, timeout=60
    )


def test_the_notes_of_a_release_are_its_section_of_the_changelog(tmp_path: Path) -> None:
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG, "utf-8")
    done = release_notes(f"v{pbrain.__version__}", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "### Added\n\n- The first thing.\n", "")


@pytest.mark.parametrize(
    ("tag", "changelog", "fault"),
    [
        ("v99.0", CHANGELOG, f"the tag is v99.0, but pyproject.toml has the version {pbrain.__version__}"),
        (pbrain.__version__, CHANGELOG, f"whose tag is v{pbrain.__version__}"),
        (f"v{pbrain.__version__}", "", f"CHANGELOG.md lacks a section '## [{pbrain.__version__}]'"),
        (f"v{pbrain.__version__}", f"## [{pbrain.__version__}]\n\n## [0.0.1]\n\n- Old.\n", "CHANGELOG.md lacks a"),
    ],
)
def test_a_wrong_tag_and_a_missing_section_stop_it(tag: str, changelog: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "CHANGELOG.md").write_text(changelog, "utf-8")
    done = release_notes(tag, tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert fault in done.stderr and done.stderr.count("\n") == 1


FAKE_UV = """#!/bin/sh
echo "$@" >> "$CALLS"
if [ "$1" = python ]; then
    python="$6/cpython-3.13.7-macos-aarch64-none/bin"
    mkdir -p "$python"
    ln -s cpython-3.13.7-macos-aarch64-none "$6/cpython-3.13-macos-aarch64-none"
    printf '#!/bin/sh\\nprintf "%%s\\\\n" "$@" > "$STARTED"\\n' > "$python/python3"
    chmod +x "$python/python3"
else
    touch "$(dirname "$4")/pbrain-tengen"
fi
"""
"""uv with a Python that writes down its arguments."""


@needs_posix
def test_the_application_for_macos_starts_its_own_python_wherever_it_is(tmp_path: Path) -> None:
    uv = tmp_path / "uv"
    uv.write_text(FAKE_UV)
    uv.chmod(0o755)
    calls, started = tmp_path / "calls", tmp_path / "started"
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "CALLS": str(calls), "STARTED": str(started)}
    words = [sys.executable, ".github/macos_app.py", "tengen.whl", str(tmp_path / "made"), "1.2.3"]
    subprocess.run(words, cwd=ROOT, env=environment, check=True, timeout=60)
    assert calls.read_text().splitlines()[1].endswith(" --break-system-packages tengen.whl[board]")
    moved = tmp_path / "with a blank" / "Tengen.app"
    moved.parent.mkdir()
    (tmp_path / "made" / "Tengen.app").rename(moved)
    facts = plistlib.loads((moved / "Contents" / "Info.plist").read_bytes())
    assert facts["CFBundleShortVersionString"] == "1.2.3"
    programs = moved / "Contents" / "Resources" / "python" / "bin"
    start, brain = moved / "Contents" / "MacOS" / facts["CFBundleExecutable"], programs / "pbrain-tengen"
    for program, expected in ((start, ["tournaments.cli", *START]), (brain, ["pbrain"])):
        subprocess.run([program], env=environment, check=True, timeout=60)
        text = "\n".join(["-I", "-m", *expected, ""])
        wait_until(lambda text=text: started.exists() and started.read_text() == text, 60, "Python is started")
        started.unlink()
