"""The word that goes with a number, in every language that has a catalogue.

CLDR divides numbers into categories, such as "one" and "few", and a language has some of them. Browsers know these
rules as Intl.PluralRules; here are those of our languages, from CLDR's table:
https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html
"""

from collections.abc import Callable

ONE, FEW, MANY, OTHER = "one", "few", "many", "other"
ZERO, TWO = "zero", "two"
CATEGORIES = (ZERO, ONE, TWO, FEW, MANY, OTHER)
"""All categories, in the order in which a text lists its words."""


def _chinese(number: float) -> str:
    return OTHER


def _czech(number: float) -> str:
    if number != int(number):
        return MANY
    return ONE if number == 1 else FEW if 2 <= number <= 4 else OTHER


def _english(number: float) -> str:
    return ONE if number == 1 else OTHER


_RULES: dict[str, tuple[tuple[str, ...], Callable[[float], str]]] = {
    "cs": ((ONE, FEW, MANY, OTHER), _czech),
    "en": ((ONE, OTHER), _english),
    "zh": ((OTHER,), _chinese),
}


def categories_of(language: str) -> tuple[str, ...]:
    """The categories of numbers that a language has, in the order of CATEGORIES."""
    return _RULES[language][0]


def choose_form(forms: str, number: float, language: str) -> str:
    """The word for a number out of "move|moves": one word for each category of the language, in their order."""
    categories, rule = _RULES[language]
    words = forms.split("|")
    return words[min(categories.index(rule(number)), len(words) - 1)]
