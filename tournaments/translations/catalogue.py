"""The words of the program in every language, from the JSON files beside this module.

A file maps keys to texts with values in braces, `"refused.taken": "{cell} is taken."`. `{moves:move|moves}` is the word
for the number `moves`: one word for each category of numbers that the language has, in the order of
`plurals.CATEGORIES`. A page that shows the number in groups of digits has both, `{shown} {count:game|games}`, because
only the plain number chooses the word. English has every key; all files have the same keys and values, which a test
checks. To add a language, add its file, and its rule for numbers in plurals.py.
"""

import functools
import json
import re
from collections.abc import Iterable, Mapping
from importlib import resources

from tournaments.translations.plurals import choose_form

ENGLISH = "en"

_VALUE = re.compile(r"\{(\w+)(?::([^}]+))?\}")


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


def html_tag(language: str) -> str:
    """The language as HTML names it; a page in Chinese letters of the mainland says so, which chooses its font."""
    return "zh-CN" if language == "zh" else language


def translate(key: str, language: str = ENGLISH, **values: object) -> str:
    """The text of `key` with these values in it. Raises KeyError for a key or a value that is missing."""
    return fill_in(texts(language)[key], language, values)


def join_names(names: Iterable[str], language: str = ENGLISH) -> str:
    """Names in a list, such as those of cells."""
    return translate("page.list_comma", language).join(names)


def join_sentences(sentences: Iterable[str], language: str = ENGLISH) -> str:
    """Sentences one after the other; an empty one is left out."""
    joined = ""
    for each in filter(None, sentences):
        joined = translate("page.two_sentences", language, first=joined, second=each) if joined else each
    return joined


def with_detail(sentence: str, detail: str, language: str = ENGLISH) -> str:
    """A sentence with its detail, if there is one, in brackets."""
    return translate("ended.detail", language, sentence=sentence, detail=detail) if detail else sentence


def percent(number: str, language: str = ENGLISH) -> str:
    """A number with the sign of per cent."""
    return translate("page.percent", language, number=number)


def colour_name(colour: int, language: str = ENGLISH) -> str:
    """The name of a colour, 0 for Black and 1 for White, as a sentence begins with it."""
    return translate(f"colour.{('black', 'white')[colour]}", language)


def fill_in(text: str, language: str, values: Mapping[str, object]) -> str:
    """A text with these values in the places of their names, and with the words that go with the numbers among them."""

    def value(found: re.Match[str]) -> str:
        name, forms = found.groups()
        given = values[name]
        if forms is not None:
            return choose_form(forms, float(str(given)), language)
        if isinstance(given, float):
            return str(given).replace(".", texts(language)["report.say_decimal_mark"])
        return str(given)

    return _VALUE.sub(value, text)


def language_of(accepted: str) -> str:
    """Our first language of an Accept-Language header, such as "zh-CN,zh;q=0.9,en;q=0.8"; English for none.

    Browsers name the languages in the order in which their user wants them.
    """
    wanted = (part.partition(";")[0].strip() for part in accepted[:1000].split(","))
    return next((short for tag in wanted if (short := tag.partition("-")[0].lower()) in languages()), ENGLISH)
