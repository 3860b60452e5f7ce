"""The pictures of the pages, and whether they still show today's program.

`make_pictures.py` takes them, and writes into each one the words that it saw, line by line. Here these lines are
compared with the texts of today's sources: a button that was renamed since then, or a heading that is gone, is found.
"""

import ast
import html
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
CHUNK = "Words"
"""The keyword of the text chunk of a picture."""

MOST_BYTES = 1_000_000
"""What all pictures may take together."""

BOARD = "tournaments/board/board.png"
MISSED_WIN = "tournaments/board/missed-win.png"
REPORT = "tournaments/report/report.png"

PICTURES = {
    BOARD: ("tournaments/board/README.md",),
    MISSED_WIN: ("README.md", "tournaments/board/README.md"),
    REPORT: ("tournaments/README.md",),
}
"""Each picture, and the pages that show it."""

LEAGUE = "League"
PLAYERS = ("pbrain-tengen", "kill", "threat", "minimax", "tree", "weights")
"""The tournament of the report, and who plays it."""

_FIGURE = re.compile(r"[^A-Za-z]*|\d+x\d+|[(+]?[A-Za-z]\d*[),.:;]?|of")
"""A word that may stand anywhere: a number, a size, a cell, a sign, a single letter, the "of" of "7 of 9"."""

_VALUE = "\0"  # stands in a text for a value that is put in there
_ANY_VALUE = r"(?:\S+, )*\S+(?: \S+)?"  # one or two words, or a list


def unknown(lines: Iterable[str], texts: Iterable[str]) -> list[str]:
    """The lines that are not made of these texts and of figures alone."""
    whole = _pattern(texts)
    return [line for line in lines if not _is_made_of(line.split(), whole)]


def has_words(line: str) -> bool:
    """False for a line of figures alone."""
    return any(not _FIGURE.fullmatch(word) for word in line.split())


def texts_of(picture: str) -> list[str]:
    """The texts of today's sources that the picture may show, with a mark where a value is put in."""
    return _texts_of_report() if picture == REPORT else _texts_of_board()


def _is_made_of(words: list[str], whole: re.Pattern[str]) -> bool:
    ends = {0}
    for start in range(len(words)):
        if start not in ends:
            continue
        if _FIGURE.fullmatch(words[start]):
            ends.add(start + 1)
        ends.update(end for end in range(start + 1, len(words) + 1) if whole.fullmatch(" ".join(words[start:end])))
    return len(words) in ends


def _pattern(texts: Iterable[str]) -> re.Pattern[str]:
    """Matches each of the texts, with any values. Texts with hardly any letters are left out: they match too much."""
    # A value at the start or the end is a figure, or a text of its own; what a sentence goes on with has a comma.
    plain = {re.sub(r"^(\0 |, )| ?(?<=[. ])\0$", "", " ".join(text.split())) for text in texts}
    known = sorted(text for text in plain if len(re.findall("[A-Za-z]", text)) >= (3 if _VALUE in text else 2))
    each = (_ANY_VALUE.join(map(re.escape, text.split(_VALUE))) for text in known)
    return re.compile(rf"(?:{'|'.join(each)})[,.:;]?")


@cache
def _texts_of_board() -> list[str]:
    """The catalogue of the page for players, and the words that the page itself has."""
    index = ROOT / "tournaments" / "board" / "page" / "index.html"
    return [*_texts_of_catalogue(("page.", "result.", "seat.")), *_between_tags(index.read_text(encoding="utf-8"))]


def _texts_of_catalogue(beginnings: tuple[str, ...]) -> list[str]:
    """The English texts whose keys begin so, in the singular and in the plural."""
    catalogue = json.loads((ROOT / "tournaments" / "translations" / "en.json").read_text(encoding="utf-8"))
    found = []
    for key, text in catalogue.items():
        if key.startswith(beginnings):
            found += [
                re.sub(r"\{[^}]*\}", _VALUE, re.sub(r"\{\w+:([^|}]*)\|([^}]*)\}", choice, text))
                for choice in (r"\1", r"\2")
            ]
    return found


@cache
def _texts_of_report() -> list[str]:
    """What the modules and scripts of the report have in quotes, and the names of settings and players."""
    found = [LEAGUE, *PLAYERS, *_texts_of_catalogue(("report.", "ending.", "ended.", "colour."))]
    for folder in ("report", "rules", "stats", "setup", "play"):
        for path in sorted((ROOT / "tournaments" / folder).glob("*.py")):
            for text in _quoted(ast.parse(path.read_text(encoding="utf-8"))):
                found += _between_tags(re.sub("%[a-zA-Z]", _VALUE, text))  # those of dates
    for path in sorted((ROOT / "tournaments" / "report").glob("*.js")):
        for text in re.findall(r'"([^"\n]*)"|`([^`]*)`', path.read_text(encoding="utf-8")):
            whole = re.sub(r"\$\{[^}]*\}", _VALUE, "".join(text))
            found += _between_tags(whole) if not re.fullmatch(r"[a-z-]+", whole) else []  # the name of an element
    return found


def _quoted(tree: ast.AST) -> Iterator[str]:
    """The strings of a module, formatted ones as a whole, with a mark where a value is put in."""
    inside = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inside.add(node.value)  # a docstring
        if isinstance(node, ast.JoinedStr):
            inside.update(part for part in node.values if isinstance(part, ast.Constant))
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else _VALUE for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in inside:
            yield node.value


def _between_tags(text: str) -> list[str]:
    """The pieces of text between the tags of HTML."""
    return [html.unescape(piece) for piece in re.split(r"<[^>]*>", text) if piece.strip()]
