"""The pages for readers, and how tests read them.

A page shows commands for a shell in blocks marked `sh`, Python in blocks marked `python`, and conversations and
drawings in other marked or unmarked blocks. Indented blocks are examples of Python with `>>>`.
"""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = (
    "README.md",
    "CHANGELOG.md",
    ".github/CONTRIBUTING.md",
    ".github/SECURITY.md",
    "engine/README.md",
    "engine/STRENGTH.md",
    "engine/knowledge/README.md",
    "engine/training/README.md",
    "engine/training/EXPERIMENTS.md",
    "pbrain/README.md",
    "tournaments/README.md",
    "tournaments/board/README.md",
)
MOST_LINES_OF_README = 120
LONG_PAGE = 100
"""Lines from which on a page needs links to its sections."""

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    """The texts of the fenced blocks of a page that are marked as `language`, "" for those without a mark."""
    return [text for marked, text in _FENCE.findall(text_of(page)) if marked == language]


def prose(page: str) -> str:
    """The text of a page without its fenced blocks."""
    return _FENCE.sub("", text_of(page))


def shell_lines(page: str) -> Iterator[str]:
    """The shell's lines of a page, one whole command line or loop after the other, without comments."""
    loop: list[str] = []
    for line in re.sub(r"\\\n *", "", "".join(blocks(page, "sh"))).splitlines():
        line = re.sub(r"(^| +)# .*", "", line)
        loop.append(line)
        if loop[0].startswith("for ") and line != "done":
            continue
        if any(loop):
            yield "\n".join(loop)
        loop = []
    assert not loop, f"{page}: a loop without an end"


_INLINE = re.compile(
    r"(sudo|pip|python3?|py|xcode-select|brew|bash|pytest|printf|ruff|mypy|git|cp|dask|[A-Z_]+=\S+) "
    r"|\.venv."
)


def inline_commands(page: str) -> list[str]:
    """The commands in the text of a page and in its tables, those of `tengen` aside."""
    return [code for code in re.findall(r"`([^`]+)`", " ".join(prose(page).split())) if _INLINE.match(code)]


def shell_commands(page: str) -> list[str]:
    """The commands of a page in their order; those that `&&` joins are several."""
    return [part.strip() for line in shell_lines(page) for part in line.split(" && ")]
