"""The pages are in plain words: no habits that a reader with English as a second language must read twice."""

import re

import pytest
from pages import PAGES, text_of
from plain_words import find_habits

CODE = re.compile(r"^```.*?^```$|^    .*?$|`[^`\n]*`|\]\([^)\n]*\)", re.M | re.S)


def without_code(text: str) -> str:
    """The text with its code and the targets of its links left out; the lines keep their numbers."""
    return CODE.sub(lambda code: "\n" * code.group().count("\n"), text)


@pytest.mark.parametrize("text", ["whoever\ncomes", "It is\nno game.", "None where it is empty", "nothing of which"])
def test_habits_are_found(text: str) -> None:
    assert [line for line, _ in find_habits(text)] == [1]


@pytest.mark.parametrize("text", ["There is no game.", "It is no longer there.", "`nobody`", "```\nis no\n```"])
def test_other_words_are_not_habits(text: str) -> None:
    assert not list(find_habits(without_code(text)))


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_in_plain_words(page: str) -> None:
    found = [f"{page}:{line}: {words}" for line, words in find_habits(without_code(text_of(page)))]
    assert not found, "\n".join(found)
