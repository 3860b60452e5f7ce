"""A game that is open: the server's data about it, beside the library's."""

import asyncio

from tournaments.board.engines.brain_question import BrainQuestion
from tournaments.board.game.actions import Play
from tournaments.board.game.game import GameSnapshot
from tournaments.board.game.premoves import Premove
from tournaments.board.library.library import Library
from tournaments.board.library.stored_game import StoredGame
from tournaments.board.server.clients import Client, Presence


class OpenGame:
    """An open game; `game` is its newest state. Only the thread with the lock may use `stored`: see `_change`.

    `secrets` are the known secrets of its seats; they are lost when the server ends. `next` is the id of the rematch.
    `presence` is what the watchers know about each other. `premoves` are those of the seats.
    """

    def __init__(self, kept: StoredGame, game: GameSnapshot, rematch: str | None = None) -> None:
        self.stored = kept
        self.game = game
        self.lock = asyncio.Lock()
        self.watchers: set[Client] = set()
        self.secrets: dict[int, str] = {}
        self.next = rematch
        self.thinking: asyncio.Task[None] | None = None
        self.thinks_about: BrainQuestion | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.closing: asyncio.TimerHandle | None = None
        self.presence = Presence()
        self.premoves: dict[int, Premove] = {}
        self.counting: asyncio.TimerHandle | None = None

    def take_premove(self) -> Play | None:
        """The premove whose turn has come, None without one; those whose turn cannot come any more are dropped."""
        due = None
        for seat, premove in list(self.premoves.items()):
            if not premove.waits(self.game):
                del self.premoves[seat]
                due = premove.action(self.game) or due
        return due

    @property
    def is_thinking(self) -> bool:
        """True while a brain is asked for its move."""
        return self.thinking is not None and not self.thinking.done()


def read_open_game(library: Library, id: str, began: float | None = None) -> OpenGame:
    """Reads a game of the library. Raises NoGame, BrokenGame and OSError.

    With `began`, the time at which this server started, players see it from now on: a clock that ran when an earlier
    server ended goes on, and a time that has run out ends the game.
    """
    kept = StoredGame(library, id)
    if began is not None:
        if kept.game.last_at < began:
            kept.wake()
        kept.expire()
    return OpenGame(kept, kept.game.snapshot(), library.games.rematch_of(id) if kept.game.is_over else None)
