"""Habits of writing over which a reader with English as a second language stumbles, and how tests find them."""

import re
from collections.abc import Iterator

_HABITS = (
    r"(?:who|what|which)(?:so)?ever\b",  # better: "anyone who", "each", "every", "if"
    r"(?:no|some|every)body\b|whom\b",  # better: "a person", "a player", or the thing itself as the subject
    r"(?:is|are|was|were|be|being) no (?!longer\b|more\b)[a-z]",  # better: "is not a"
    r"so (?:many|few)\b",  # better: "that number of", "only a few"
    r"what (?:is|was|are|were) (?:said|told|known|there|left|meant|asked|to be)\b",  # better: a noun
    r"(?:comes?|came|becomes?|became) of (?:it|them|this|that)\b",  # better: "the result"
    r"any more\)|alike\b|of which\b|makes no sense\b",  # better: "both", "whose", "is invalid"
    r"(?:None|True|False|nothing) where\b",  # better: "if"
)
# The first letters of all habits, at the beginning of a word: without them a search takes nine times as long.
HABITS = re.compile(rf"\b(?=[abceimnostfw])(?:{'|'.join(_HABITS)})".replace(" ", r"\s+"), re.IGNORECASE)


def find_habits(text: str) -> Iterator[tuple[int, str]]:
    """The habits in a text, also those that go over the end of a line: the line's number, from 1, and the words."""
    for habit in HABITS.finditer(text):
        words, before = " ".join(habit.group().split()), text[max(0, habit.start() - 40) : habit.start()]
        if not words.isupper() and not re.search(r"\bthere\s+$", before, re.IGNORECASE):
            yield text.count("\n", 0, habit.start()) + 1, words
