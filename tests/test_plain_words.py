"""The pages, the docstrings and the messages are in plain words: no habits that a reader must read twice.

The help of every command is read too: tests/tournaments/test_help.py.
"""

import ast
import json
import re
import tokenize
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import pytest
from pages import PAGES, ROOT, text_of
from plain_words import find_habits

CODE = re.compile(r"^```.*?^```$|^    .*?$|`[^`\n]*`|\]\([^)\n]*\)", re.M | re.S)
CLAUSE = re.compile(r'"""\s*(What|Where|Who) ')
PACKAGES = ("engine", "pbrain", "tournaments")
FOLDERS = (*PACKAGES, "tests", "tests/engine", "tests/pbrain", "tests/tournaments", ".github")
MESSAGES = "tournaments/translations/en.json"


def without_code(text: str) -> str:
    """The text with its code and the targets of its links left out; the lines keep their numbers."""
    return CODE.sub(lambda code: "\n" * code.group().count("\n"), text)


def modules(folder: str, is_worth: Callable[[str], object]) -> Iterator[Path]:
    """The modules of a folder and its folders whose text is worth parsing; of the folder tests its own alone."""
    for path in sorted((ROOT / folder).glob("*" if folder == "tests" else "**/*")):
        if path.suffix in (".py", ".pyi", ".pyx", ".pxd") and is_worth(path.read_text(encoding="utf-8")):
            yield path


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """The docstrings of a module, also those after attributes: the number of the first line, and the text."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".py", ".pyi"):
        for node in ast.walk(ast.parse(text)):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                yield node.lineno, node.value.value
    else:
        for found in re.finditer(r'"""(.*?)"""', text, re.S):
            yield text.count("\n", 0, found.start()) + 1, found.group(1)


def comments(path: Path) -> Iterator[tuple[int, str]]:
    """The comments of a module in Python, as `docstrings` yields its texts."""
    if path.suffix in (".py", ".pyi"):
        with tokenize.open(path) as file:
            for token in tokenize.generate_tokens(file.readline):
                if token.type == tokenize.COMMENT:
                    yield token.start[0], token.string


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """All texts of a module in Python, errors and news among them, as `docstrings` yields its texts."""
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.lineno, node.value


@pytest.mark.parametrize(
    "text", ["whoever comes", "It is\n    no game.", "None where it is empty", "games, of which two", "for so\nmany"]
)
def test_habits_are_found(text: str) -> None:
    assert [line for line, _ in find_habits(text)] == [1]


@pytest.mark.parametrize(
    "text", ["if there\n    is no game", "It is no longer there.", "`nobody`", "NOBODY", "```\nis no\n```"]
)
def test_other_words_are_not_habits(text: str) -> None:
    assert not list(find_habits(without_code(text)))


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_in_plain_words(page: str) -> None:
    found = [f"{page}:{line}: {words}" for line, words in find_habits(without_code(text_of(page)))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("folder", FOLDERS)
def test_sources_are_in_plain_words(folder: str) -> None:
    """Docstrings and comments, and in the packages every text: a text of the tests may be data."""
    found = set()
    for path in modules(folder, lambda text: any(find_habits(text))):
        for first, text in chain(docstrings(path), comments(path), sentences(path) if folder in PACKAGES else ()):
            for line, words in find_habits(text):
                found.add(f"{path.relative_to(ROOT)}:{first + line - 1}: {words}")
    assert not found, "\n".join(sorted(found))


@pytest.mark.parametrize("folder", FOLDERS)
def test_docstrings_begin_with_a_noun_or_a_verb(folder: str) -> None:
    """The first word is not that of a clause. In tests this holds for the modules' docstrings."""
    found = []
    for path in modules(folder, CLAUSE.search):
        for first, text in docstrings(path):
            if CLAUSE.match(f'"""{text}') and (not folder.startswith("tests") or first == 1):
                found.append(f"{path.relative_to(ROOT)}:{first}: {text.strip().partition(chr(10))[0]}")
    assert not found, "\n".join(found)


def test_messages_are_in_plain_words() -> None:
    messages = json.loads(text_of(MESSAGES))
    found = [f"{MESSAGES}: {key}: {words}" for key, text in messages.items() for _, words in find_habits(str(text))]
    assert not found, "\n".join(found)
