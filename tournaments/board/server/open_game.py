"""A game that is open: what the server has of it beside the library."""

import asyncio

from tournaments.board.engines.brain_question import BrainQuestion
from tournaments.board.game.game import GameSnapshot
from tournaments.board.library.stored_game import StoredGame
from tournaments.board.server.clients import Client


class OpenGame:
    """An open game, `game` as it stands. `stored` is for one thread at a time, which has the lock: see `_change`.

    `secrets` are those of its seats that are known, which is until the server ends; `next` is the id of the rematch.
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

    @property
    def is_thinking(self) -> bool:
        """True while a brain is asked for its move."""
        return self.thinking is not None and not self.thinking.done()
