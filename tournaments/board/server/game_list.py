"""The list of games, as the front page shows it."""

import time
from typing import Any

from tournaments.board.library.game_search import parse_search
from tournaments.board.library.games import Games, GameSummary

MOST_LISTED = 100
"""The number of games in one list."""

EMPTY_SECONDS = 86400.0
"""How long a game without stones stays in the list."""


def list_games(games: Games, skip: int, find: str) -> dict[str, Any]:
    """The answer with the games that fit a search, the first `skip` of them left out. Raises BrokenLibrary."""
    found = games.all(MOST_LISTED + 1, skip=skip, search=parse_search(find), empty_since=time.time() - EMPTY_SECONDS)
    lines = [describe_summary(summary) for summary in found[:MOST_LISTED]]
    return {"type": "games", "games": lines, "skip": skip, "find": find, "more": len(found) > MOST_LISTED}


def describe_summary(summary: GameSummary) -> dict[str, Any]:
    """A line of the list of games."""
    settings, seats = summary.settings, summary.players
    return {
        "game": summary.id,
        "created": summary.created,
        "width": settings.width,
        "height": settings.height,
        "rule": int(settings.rule),
        "opening": settings.opening,
        "names": [seat.title for seat in seats],
        "kinds": [seat.kind for seat in seats],
        "plies": summary.stones,
        "phase": "over" if summary.is_over else "play",
        "winner": summary.winner,
        "broken": bool(summary.fault),
        "you": any(seat.kind == "local" for seat in settings.seats),
    }
