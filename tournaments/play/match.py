"""A match: two players, openings played twice with colours swapped, several games at once, every game written down."""

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tournaments.brains.player import Player
from tournaments.conditions import Conditions, Handling
from tournaments.play.executor import LocalExecutor
from tournaments.play.game import Conduct, Game
from tournaments.play.pair import Listener, PairTask
from tournaments.play.schedule import opening_of
from tournaments.records.record import save_psq
from tournaments.rules.notation import Opening
from tournaments.rules.referee import Board
from tournaments.stats.sprt import Sprt
from tournaments.stats.tally import Tally


@dataclass(frozen=True)
class Plan:
    """One game to be played: its number from 1, which of the two players is Black, and the opening."""

    number: int
    black: int
    opening: Opening

    @property
    def pair(self) -> int:
        """The number of the pair that the game is one of, from 0."""
        return (self.number - 1) // 2


class Watcher(Protocol):
    """What a match tells while it runs; see display.py for the two that exist."""

    wants_moves: bool
    """Whether `move_made` is to be called."""

    def game_started(self, plan: Plan, players: tuple[Player, Player]) -> None:
        """A game begins; players are (Black, White)."""

    def move_made(self, plan: Plan, board: Board, milliseconds: int, message: str) -> None:
        """The opening is set up (milliseconds 0), or a brain has moved."""

    def game_finished(self, plan: Plan, game: Game, path: Path, tally: Tally, sprt: Sprt | None) -> None:
        """A game is over, saved at `path` and counted in `tally`."""


def plan_games(games: int, openings: Sequence[Opening], width: int, height: int) -> list[Plan]:
    """Game 2k and its successor share an opening, with colours swapped; see `opening_of` for which."""
    return [Plan(i + 1, i % 2, opening_of(i // 2, openings, width, height)[1]) for i in range(games)]


class Match(Listener):
    """Plays planned games and keeps the score; `tally` and `conduct` can be read at any time, also after an
    interruption. With a sequential test it ends as soon as that is decided; if it stops on faults, after the first
    game that a brain loses by misbehaving."""

    def __init__(
        self,
        players: tuple[Player, Player],
        conditions: Conditions,
        plans: Sequence[Plan],
        folder: Path,
        watcher: Watcher,
        handling: Handling | None = None,
        sprt: Sprt | None = None,
        stops_on_fault: bool = False,
    ) -> None:
        self.players = players
        self.conditions = conditions
        self.plans = plans
        self.tally = Tally()
        self.conduct = [Conduct(0.0, 0), Conduct(0.0, 0)]
        self._handling = handling or Handling()
        self._sprt = sprt
        self._stops_on_fault = stops_on_fault
        self._folder = folder
        self.wants_moves = watcher.wants_moves
        self._watcher = watcher
        self._plans = {str(plan.number): plan for plan in plans}
        self._stamp = _unused_stamp(folder)

    async def play(self, concurrency: int = 1) -> None:
        """Plays all games, at most `concurrency` at once.

        Raises OSError when a game cannot be written. Then, and when cancelled, all brains are gone and finished games
        stay written.
        """
        with contextlib.suppress(_Decided):
            await LocalExecutor(concurrency).run(map(self._task, self.plans), self)

    def _task(self, plan: Plan) -> PairTask:
        """A game as a pair of which the other one is not asked for, so that both may be played at once."""
        return PairTask(
            id=str(plan.number),
            number=plan.pair + 1,
            players=self.players,
            conditions=self.conditions,
            handling=self._handling,
            opening=plan.opening,
            legs=(1 + plan.black,),
        )

    # What the executor tells

    def game_started(self, task: PairTask, leg: int) -> None:
        """Passes it on."""
        self._watcher.game_started(self._plans[task.id], task.colours(leg))

    def move_made(self, task: PairTask, leg: int, board: Board, milliseconds: int, message: str) -> None:
        """Passes it on."""
        self._watcher.move_made(self._plans[task.id], board, milliseconds, message)

    async def game_finished(self, task: PairTask, leg: int, game: Game, worker: str) -> None:
        """Saves the game, counts it and passes it on."""
        plan = self._plans[task.id]
        path = save_psq(game.record(), self._folder / f"{self._stamp}-game{plan.number:04}.psq")
        self._count(plan, game)
        self._watcher.game_finished(plan, game, path, self.tally, self._sprt)
        if self._sprt is not None and self._sprt.verdict(self.tally.pairs) is not None:
            raise _Decided
        if self._stops_on_fault and game.ending.is_fault:
            raise _Decided

    def _count(self, plan: Plan, game: Game) -> None:
        self.tally.add(plan.pair, game.points_of(self.players[0].name))
        for player, new in zip(game.players, game.conduct, strict=True):
            index = self.players.index(player)
            old = self.conduct[index]
            self.conduct[index] = Conduct(max(old.slowest, new.slowest), old.stderr_bytes + new.stderr_bytes)


class _Decided(Exception):
    """The sequential test has ended, or a brain's fault ends the match."""


def _unused_stamp(folder: Path) -> str:
    """A prefix for this match's files that no file in the folder has: the time of day, and a number if need be."""
    first = stamp = time.strftime("%Y%m%d-%H%M%S")
    copy = 1
    while any(folder.glob(f"{stamp}-game*")):
        copy += 1
        stamp = f"{first}-{copy}"
    return stamp
