"""What is said to those who ask for what cannot be done."""

from tournaments.board.translations.catalogue import ENGLISH, translate
from tournaments.rules.referee import Foul


class Refused(ValueError):
    """Somebody asked for what cannot be done now; `key` and `values` say why in any language, str() in English."""

    def __init__(self, key: str, **values: object) -> None:
        self.key = key
        self.values = values
        super().__init__(self.sentence())

    def sentence(self, language: str = ENGLISH) -> str:
        """The reason in one of the catalogue's languages; a foul that is among the values is named in it too."""
        values = {name: _word(value, language) for name, value in self.values.items()}
        return translate(self.key, language, **values)


def _word(value: object, language: str) -> object:
    return translate(f"foul.{value.value}", language) if isinstance(value, Foul) else value
