"""The scripts that a release runs, as its workflow runs them."""
from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pbrain

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


def release_notes(tag: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What the script of the release says in a copy of the checkout that has only the files that it reads."""
    (folder / ".github").mkdir()
    shutil.copy(ROOT / "pyproject.toml", folder)
    shutil.copy(ROOT / ".github" / "release_notes.py", folder / ".github")
    return subprocess.run([sys.executable, ".github/release_notes.py", tag], cwd=folder, capture_output=True, text=True,
                          timeout=60)


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
