"""The list of games, and the games played last with their stones; a guest's are those that the guest plays."""

import time
from collections.abc import Sequence
from typing import Any

from tournaments.board.game.game import BrokenGame, Game
from tournaments.board.library.game_search import Condition, GameFilter, SeatHolder, parse_search
from tournaments.board.library.games import Games, GameSummary
from tournaments.board.library.library_file import NoGame
from tournaments.board.messages.game_requests import DeleteGamesRequest, GamesRequest, LastGamesRequest
from tournaments.board.server.clients import Client
from tournaments.board.server.games.game_imports import GameImports
from tournaments.board.server.open_games import OpenGames
from tournaments.board.server.router import Handler, for_owner
from tournaments.board.server.tokens import digest_of
from tournaments.board.server.transfers.uploads import Uploads
from tournaments.rules.referee import BLACK, WHITE

EMPTY_SECONDS = 86400.0
"""How long a game without stones stays in the list."""

MOST_LAST = 6
"""The number of games played last."""


class GameListRequests:
    """The requests about the games of the library, of its owner and of guests with a seat."""

    def __init__(self, open_games: OpenGames, uploads: Uploads) -> None:
        self._open_games = open_games
        self._imports = GameImports(open_games.library.path, uploads)
        self.leave = self._imports.leave

    def handlers(self) -> dict[str, Handler]:
        """The requests by type."""
        found: dict[str, Handler] = {"games": self._list, "delete_games": self._delete}
        return {
            **{kind: for_owner(handler) for kind, handler in found.items()},
            **self._imports.handlers(),
            "last_games": self._last,
        }

    async def _list(self, client: Client, request: GamesRequest) -> dict[str, Any]:
        chosen = GameFilter(
            request.player,
            None if request.rule is None else int(request.rule),
            request.result,
            request.kind,
            request.day,
        )
        search: list[Condition] = [*parse_search(request.find), chosen]
        games = self._open_games.library.games
        return await self._open_games.in_thread(lambda: list_games(games, search, request.skip, request.most))

    async def _last(self, client: Client, request: LastGamesRequest) -> dict[str, Any]:
        games, guest = self._open_games.library.games, client.guest
        if client.is_owner:
            return await self._open_games.in_thread(lambda: last_games(games))
        if guest is None:
            return {"type": "last_games", "games": [], "count": 0}
        return await self._open_games.in_thread(lambda: guest_games(games, digest_of(guest)))

    async def _delete(self, client: Client, request: DeleteGamesRequest) -> dict[str, Any]:
        return {"type": "games_deleted", "deleted": await self._open_games.delete(request.games)}


def list_games(games: Games, search: Sequence[Condition] = (), skip: int = 0, most: int = 100) -> dict[str, Any]:
    """The answer with the games that fit a search, `most` of them after the first `skip`. Raises BrokenLibrary."""
    empty_since = time.time() - EMPTY_SECONDS
    found = games.all(most, skip=skip, search=search, empty_since=empty_since)
    count = games.count(search, empty_since)
    return {"type": "games", "games": [describe_summary(summary) for summary in found], "skip": skip, "count": count}


def last_games(games: Games) -> dict[str, Any]:
    """The answer with the games that have a stone and were played last, with their stones. Raises BrokenLibrary."""
    lines = []
    for summary in games.all(MOST_LAST, empty_since=time.time(), only_played=True):
        try:
            game = Game.from_events(games.events(summary.id), summary.id)
        except (BrokenGame, NoGame):
            continue
        is_yours = game.mover is not None and game.kind(game.mover) == "local"
        lines.append({**describe_summary(summary), "moves": [list(cell) for cell in game.cells], "is_yours": is_yours})
    return {"type": "last_games", "games": lines, "count": games.count(empty_since=time.time() - EMPTY_SECONDS)}


def guest_games(games: Games, digest: bytes) -> dict[str, Any]:
    """The answer with the games that a guest's browser plays, by the hash of its key: its way back to them. The guest
    is at this screen, and other people are friends, even the owner. Raises BrokenLibrary."""
    lines = []
    for summary in games.all(MOST_LAST, only_going=True, search=[SeatHolder(digest)]):
        try:
            game, seats = Game.from_events(games.events(summary.id), summary.id), games.seats_of(summary.id, digest)
        except (BrokenGame, NoGame):
            continue
        own = [game.seat_of(colour) in seats for colour in (BLACK, WHITE)]
        line = describe_summary(summary)
        line["kinds"] = [
            "local" if is_own else "friend" if kind == "local" else kind
            for is_own, kind in zip(own, line["kinds"], strict=True)
        ]
        moves = [list(cell) for cell in game.cells]
        lines.append({**line, "you": True, "moves": moves, "is_yours": game.mover in seats})
    return {"type": "last_games", "games": lines, "count": len(lines)}


def describe_summary(summary: GameSummary) -> dict[str, Any]:
    """A line of the list of games."""
    settings, seats = summary.settings, summary.players
    return {
        "game": summary.id,
        "created": summary.created,
        "date": settings.date,
        "updated": summary.updated,
        "width": settings.width,
        "height": settings.height,
        "rule": int(settings.rule),
        "opening": settings.opening,
        "names": [seat.title for seat in seats],
        "kinds": [seat.kind for seat in seats],
        "levels": [seat.level for seat in seats],
        "plies": summary.stones,
        "phase": "over" if summary.is_over else "play",
        "winner": summary.winner,
        "ending": summary.ending,
        "broken": bool(summary.fault),
        "you": any(seat.kind == "local" for seat in settings.seats),
    }
