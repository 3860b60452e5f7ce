"""Habits of writing over which a reader with English as a second language stumbles, and the texts that are read."""

import re
from collections.abc import Iterator

HABITS = re.compile(
    r"\b(?:who|what|which)(?:so)?ever\b"  # "anyone who", "each", "if"
    r"|\b(?:no|some|every)body\b|\bwhom\b"  # "a person", "a player", "no one", or the thing itself as the subject
    r"|(?<!\bthere )\b(?:is|are|was|were|be|being) no (?!longer\b|more\b)[a-z]"  # "is not a"
    r"|\bso (?:many|few)\b"  # "that number of", "the given number of"
    r"|\bwhat (?:is|was|are|were) (?:said|told|known|there|left|meant|asked|to be)\b"  # a noun
    r"|\b(?:comes?|came|becomes?|became) of (?:it|them|this|that)\b"  # "the result"
    r"|\(any more\)|\balike\b|\bof which\b|\bmakes no sense\b"  # "both", "whose", "is invalid"
    r"|\b(?:None|True|False|nothing) where\b",  # "if"
    re.IGNORECASE,
)


def find_habits(text: str) -> Iterator[tuple[int, str]]:
    """The habits in a text, also those that go over the end of a line: the line's number, from 1, and the words."""
    for habit in HABITS.finditer(re.sub(r"\s", " ", text)):
        yield text.count("\n", 0, habit.start()) + 1, habit.group()
