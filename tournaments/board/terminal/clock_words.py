"""The time left on both clocks, as a sentence."""

from tournaments.board.game.game import Game
from tournaments.rules.referee import BLACK, WHITE
from tournaments.translations.catalogue import ENGLISH, translate


def clocks_in_words(game: Game, now: float, language: str = ENGLISH) -> str:
    """The time left on both clocks at that moment, as a sentence; "" in a game without clocks."""
    if game.clocks is None:
        return ""
    left = game.clocks.at(now)
    black, white = (_duration(left[game.seat_of(colour)], language) for colour in (BLACK, WHITE))
    return translate("play.clock", language, black=black, white=white)


def _duration(seconds: float | None, language: str) -> str:
    if seconds is None:
        return translate("play.clock_none", language)
    whole = int(seconds)
    parts = {"hours": whole // 3600, "minutes": whole // 60 % 60, "seconds": whole % 60}
    said = [
        translate(f"time.{name}", language, n=n) for name, n in parts.items() if n or (name == "seconds" and not whole)
    ]
    return " ".join(said)
