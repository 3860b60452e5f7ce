"""Prints the notes of a release, its section of CHANGELOG.md, and refuses a tag with another version.

    python .github/release_notes.py v0.1.0

Exits with 1 and a sentence if the tag is not the version in pyproject.toml, or if CHANGELOG.md lacks the section.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]


def notes(tag: str, version: str, changelog: str) -> str:
    """The section of the version in a page whose sections begin with `## [VERSION]`. Raises ValueError."""
    if tag != f"v{version}":
        raise ValueError(f"the tag is {tag}, but pyproject.toml has the version {version}, whose tag is v{version}")
    sections = re.findall(rf"^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    if len(sections) != 1 or not sections[0].strip():
        raise ValueError(f"CHANGELOG.md lacks a section '## [{version}]' that says what the release brings")
    text: str = sections[0].strip()
    return text


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: python .github/release_notes.py TAG")
    version = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    changelog = TOP / "CHANGELOG.md"
    try:
        print(notes(sys.argv[1], version, changelog.read_text("utf-8") if changelog.is_file() else ""))
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
