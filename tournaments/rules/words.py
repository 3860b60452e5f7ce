"""Numbers in sentences."""


def quantity(number: int, noun: str, plural: str = "") -> str:
    """The number and the noun: "1 game", "2 games". plural: for nouns that do not simply take an s."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or f'{noun}s'}"


def quantity_is(number: int, noun: str) -> str:
    """The same with the verb: "1 game is", "2 games are"."""
    return f"{quantity(number, noun)} {'is' if number == 1 else 'are'}"
