"""The words of the report in one language."""

from tournaments.report.markup import escape
from tournaments.rules.ending import Ending
from tournaments.translations.catalogue import ENGLISH, colour_name, percent, texts, translate, with_detail

_SCRIPT = "report.say_"
"""The beginning of the keys that the page's script says."""


class Words:
    """The catalogue's texts about a report: `words("empty_board")` is the text of `report.empty_board`."""

    def __init__(self, language: str = ENGLISH) -> None:
        self.language = language

    def __call__(self, key: str, **values: object) -> str:
        return translate(f"report.{key}", self.language, **values)

    def html(self, key: str, **values: object) -> str:
        """The same for HTML."""
        return escape(self(key, **values))

    def number(self, text: str) -> str:
        """A number that is written with a point, with the decimal mark of the language."""
        return text.replace(".", self("say_decimal_mark"))

    def percent(self, share: float, digits: int = 0) -> str:
        """A share in per cent."""
        return percent(self.number(f"{100 * share:.{digits}f}"), self.language)

    def colour(self, colour: int) -> str:
        """The name of a colour."""
        return colour_name(colour, self.language)

    def rule(self, rule: int) -> str:
        """The name of a rule."""
        return self(f"rule_{rule}")

    def ending(self, ending: Ending) -> str:
        """The short name of an ending."""
        return translate(f"ending.{ending.name.lower()}", self.language)

    def reason(self, names: tuple[str, str], ending: Ending, winner: int | None, detail: str) -> str:
        """The end of a game between (Black, White) as `describe_ending` has it in English."""
        name = "" if winner is None else names[winner]
        told = self.ending(ending)
        if winner is None:
            sentence = self.ended("draw", ending=told)
        elif ending is Ending.FIVE or ending.is_adjudicated:
            sentence = self.ended("win", name=name, ending=told)
        else:
            loser = 1 - winner
            fault = translate(f"live.{ending.name.lower()}", self.language)
            key = "fault" if ending.is_fault else "foul"
            sentence = self.ended(key, name=names[loser], colour=self.colour(loser), fault=fault)
        return with_detail(sentence, detail, self.language)

    def ended(self, key: str, **values: object) -> str:
        """A text about the end of a game."""
        return translate(f"ended.{key}", self.language, **values)

    def for_script(self) -> dict[str, str]:
        """The texts that the page's script says, by its own keys."""
        all_texts = texts(self.language)
        return {key.removeprefix(_SCRIPT): text for key, text in all_texts.items() if key.startswith(_SCRIPT)}


IN_ENGLISH = Words()
