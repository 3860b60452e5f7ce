"""The answer to a request that cannot be done."""

from enum import Enum

from tournaments.brains.brain import BrainFailure
from tournaments.brains.process import CannotStart
from tournaments.rules.referee import Foul
from tournaments.translations.catalogue import ENGLISH, join_names, translate, with_detail
from tournaments.translations.system_errors import code_of, error_in_words


class Refused(ValueError):
    """A request cannot be done now; `key` and `values` say why in any language, str() in English.

    A foul, a brain's failure and an error of the system may be among the values: each language has its own words for
    them, and its own comma for the names in a tuple. `why` is for text that exists only in English, which other
    languages may leave out.
    """

    def __init__(self, key: str, **values: object) -> None:
        self.key = key
        self.values = values
        super().__init__(self.sentence())

    def sentence(self, language: str = ENGLISH) -> str:
        """The reason in one of the catalogue's languages."""
        values = {name: in_words(value, language) for name, value in self.values.items()}
        return translate(self.key, language, **values)

    def values_to_json(self) -> dict[str, str | int | float]:
        """The values as they are sent, so that a program understands the reason without reading the sentence."""
        return {name: _to_json(value) for name, value in self.values.items()}


def in_words(value: object, language: str = ENGLISH) -> object:
    """A value as text for that language: its own words for a foul, a brain's failure, an error of the system or a
    refusal, its commas between the names in a tuple, and the value itself for anything else."""
    if isinstance(value, Foul):
        return translate(f"foul.{value.value}", language)
    if isinstance(value, BrainFailure):
        reason = translate(f"live.{value.ending.name.lower()}", language)
        return with_detail(reason, value.detail, language)
    if isinstance(value, CannotStart) and language == ENGLISH:
        return str(value).rstrip(".")  # it says what could not be made, which a code does not
    if isinstance(value, OSError):
        return error_in_words(value, language)
    if isinstance(value, Refused):
        return value.sentence(language)
    return join_names(value, language) if isinstance(value, tuple) else value


def _to_json(value: object) -> str | int | float:
    if isinstance(value, int | float):
        return value
    if isinstance(value, OSError):
        return code_of(value)
    if isinstance(value, tuple):
        return join_names(value)
    return str(value.value) if isinstance(value, Enum) else str(value)
