"""The words of the board in every language, from the JSON files beside this module, for the terminal and the page.

A file maps keys to texts with values in braces, `"refused.taken": "{cell} is taken."`. In a text of the page
`{moves:move|moves}` is the word for the number `moves`: one word for each category of numbers that the language has in
CLDR, in the order zero, one, two, few, many, other. English has every key; all files have the same keys and values,
which a test checks. To add a language, add its file.
"""

import functools
import json
from importlib import resources

ENGLISH = "en"


@functools.cache
def languages() -> tuple[str, ...]:
    """The languages that have a catalogue, such as "en" and "zh", in alphabetical order."""
    files = resources.files("tournaments.translations").iterdir()
    return tuple(sorted(file.name[:-5] for file in files if file.name.endswith(".json")))


@functools.cache
def texts(language: str) -> dict[str, str]:
    """All texts of a language that `languages` names, by key."""
    text = resources.files("tournaments.translations").joinpath(f"{language}.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def choose_language(wanted: str) -> str:
    """Our language for a tag such as "zh-CN" or "en_GB.UTF-8", English if we do not have that language."""
    short = wanted.replace("_", "-").partition("-")[0].partition(".")[0].lower()
    return short if short in languages() else ENGLISH


def translate(key: str, language: str = ENGLISH, **values: object) -> str:
    """The text of `key` with these values in it. Raises KeyError for a key or a value that is missing."""
    return texts(language)[key].format(**values)
