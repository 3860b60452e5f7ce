"""Writes the project's public address into every file that has it, when the project is published or moves.

    python .github/address.py https://github.com/OWNER/NAME

pyproject.toml keeps it; setup.py takes it from there for the links of the package index. README.md gets the badge
of the tests below its title, and the command that clones the repository after the words "Clone this repository".
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
ADDRESS = re.compile(r"https://[\w.-]+/[\w.-]+/[\w.-]*[\w-]")


def settings_with(text: str, address: str) -> str:
    """The text of pyproject.toml with the address."""
    return once(r'^address = "[^"\n]*"$', f'address = "{address}"', text, "pyproject.toml")


def page_with(text: str, address: str) -> str:
    """The text of README.md with the badge and the command that clones, in place of those of an earlier address."""
    workflow = f"{address}/actions/workflows/test.yml"
    badge = f"[![test]({workflow}/badge.svg)]({workflow})"
    text = once(r"\A(# .*\n)\n(?:\[!\[.*\n\n)?", rf"\1\n{badge}\n\n", text, "README.md")
    return once(
        r"Clone this repository(?: \(`[^`]*`\))?", f"Clone this repository (`git clone {address}`)", text, "README.md"
    )


def once(pattern: str, replacement: str, text: str, name: str) -> str:
    """The text with its one match replaced. Exits with a sentence if there is another number of matches."""
    changed, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
    if count != 1:
        sys.exit(f"{name} has {count} places that match {pattern!r}, where the address belongs, and not one")
    return changed


def main() -> None:
    if len(sys.argv) != 2 or not ADDRESS.fullmatch(sys.argv[1]) or sys.argv[1].endswith(".git"):
        sys.exit("usage: python .github/address.py https://github.com/OWNER/NAME (without .git or / at its end)")
    changes = {TOP / "pyproject.toml": settings_with, TOP / "README.md": page_with}
    texts = {path: change(path.read_text("utf-8"), sys.argv[1]) for path, change in changes.items()}
    for path, text in texts.items():
        path.write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
