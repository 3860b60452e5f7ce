"""An opening in words: what it waits for, and what the player is to enter."""

from tournaments.board.game.facts import GameFacts
from tournaments.board.game.opening_rules import COLOURS, MORE, TEN, Stage
from tournaments.rules.notation import format_cell
from tournaments.translations.catalogue import join_names, translate


def stage_in_words(game: GameFacts, stage: Stage, name: str, language: str) -> str:
    """A sentence about the next step of the opening, for the player with that name."""
    if stage.choices:
        least, most = stage.choices[0], stage.choices[-1]
        if least not in COLOURS:
            return translate("play.choice_number", language, name=name, least=least, most=most)
        key = {MORE: "play.choice_more", TEN: "play.choice_ten"}.get(most, "play.choice")
        return translate(key, language, name=name)
    if stage.offers:
        return translate("play.offer", language, name=name, count=stage.offers)
    if stage.is_taking:
        return translate("play.take", language, name=name, cells=fifth_moves(game))
    number = len(game.moves) + 1
    if stage.side is None:
        key = {3: "play.opening_three", 4: "play.opening_fourth", 5: "play.opening_five"}[stage.stones]
        return translate(key, language, name=name)
    if stage.stones == 3 and stage.side == 1:
        return translate("play.opening_renju", language, name=name)
    key = "play.opening_centre" if stage.side == 1 else "play.opening_central"
    return translate(key, language, name=name, number=number, side=stage.side)


def prompt_of(game: GameFacts, stage: Stage, language: str) -> str | None:
    """The prompt for a word or a number; None if the player must place a stone."""
    if stage.choices:
        *others, last = stage.choices
        choices = join_names(others, language) + translate("play.or", language) + last
        return translate("play.prompt_choice", language, choices=choices)
    if stage.offers:
        number = len(game.fifth_moves) + 1
        return translate("play.prompt_offer", language, number=number, count=stage.offers)
    return translate("play.prompt_take", language, cells=fifth_moves(game)) if stage.is_taking else None


def fifth_moves(game: GameFacts) -> str:
    """The cells that are offered as fifth moves, by their names."""
    return " ".join(format_cell(*cell, game.settings.height) for cell in game.fifth_moves)
