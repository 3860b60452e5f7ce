"""The list of games, as the front page shows it."""

from typing import Any

from tournaments.board.library.games import GameSummary
from tournaments.board.library.library import Library
from tournaments.board.library.stored_game import players


def describe_summary(library: Library, summary: GameSummary) -> dict[str, Any]:
    """A line of the list of games. Raises BrokenLibrary."""
    settings, seats = summary.settings, players(library, summary)
    return {
        "game": summary.id, "created": summary.created, "width": settings.width, "height": settings.height,
        "rule": int(settings.rule), "opening": settings.opening,
        "names": [seat.title for seat in seats], "kinds": [seat.kind for seat in seats], "plies": summary.stones,
        "phase": "over" if summary.is_over else "play", "winner": summary.winner,
        "broken": bool(summary.fault), "you": any(seat.kind == "local" for seat in settings.seats),
    }  # fmt: skip
