"""Habits of writing over which a reader with English as a second language stumbles, and how tests find them."""

import re
from collections.abc import Iterator

_HABITS = (
    r"\b(?:who|what|which)(?:so)?ever\b",  # better: "anyone who", "each", "every", "if"
    r"\b(?:no|some|every)body\b|\bwhom\b",  # better: "a person", "a player", or the thing itself as the subject
    r"\b(?:is|are|was|were|be|being) no (?!longer\b|more\b)[a-z]",  # better: "is not a"
    r"\bso (?:many|few)\b",  # better: "that number of", "only a few"
    r"\bwhat (?:is|was|are|were) (?:said|told|known|there|left|meant|asked|to be)\b",  # better: a noun
    r"\b(?:comes?|came|becomes?|became) of (?:it|them|this|that)\b",  # better: "the result"
    r"\(any more\)|\balike\b|\bof which\b|\bmakes no sense\b",  # better: "both", "whose", "is invalid"
    r"\b(?:None|True|False|nothing) where\b",  # better: "if"
)
HABITS = re.compile("|".join(_HABITS).replace(" ", r"\s+"), re.IGNORECASE)


def find_habits(text: str) -> Iterator[tuple[int, str]]:
    """The habits in a text, also those that go over the end of a line: the line's number, from 1, and the words."""
    for habit in HABITS.finditer(text):
        words = " ".join(habit.group().split())
        if not words.isupper() and not re.search(r"\bthere\s+$", text[: habit.start()], re.IGNORECASE):
            yield text.count("\n", 0, habit.start()) + 1, words
