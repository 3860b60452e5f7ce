"""A match: two players, openings played twice with colours swapped, several games at once, every game written down."""

import asyncio
import dataclasses
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tournaments.elo import elo_difference
from tournaments.game import Conditions, Conduct, Game, Player, play_game
from tournaments.opening import Opening, symmetries
from tournaments.records import save_psq
from tournaments.referee import BLACK, Board


@dataclass(frozen=True)
class Plan:
    """One game to be played: its number from 1, which of the two players is Black, and the opening."""

    number: int
    black: int
    opening: Opening


@dataclass
class Score:
    """Finished games as the first player sees them, and how both behaved over all of them."""

    wins: int = 0
    losses: int = 0
    draws: int = 0
    conduct: list[Conduct] = dataclasses.field(default_factory=lambda: [Conduct(0.0, 0), Conduct(0.0, 0)])

    @property
    def games(self) -> int:
        """How many games have finished."""
        return self.wins + self.losses + self.draws

    def add(self, plan: Plan, game: Game) -> None:
        """Counts a finished game."""
        if game.winner is None:
            self.draws += 1
        elif (game.winner == BLACK) == (plan.black == 0):
            self.wins += 1
        else:
            self.losses += 1
        for colour, new in enumerate(game.conduct):
            player = plan.black if colour == BLACK else 1 - plan.black
            old = self.conduct[player]
            self.conduct[player] = Conduct(max(old.slowest, new.slowest), old.stderr_bytes + new.stderr_bytes)

    def format(self, names: Sequence[str]) -> str:
        """The score line: wins - losses - draws, share of the points, games, and Elo where the games can tell."""
        share = (self.wins + self.draws / 2) / self.games if self.games else 0.0
        counts = f"{self.wins} - {self.losses} - {self.draws}"
        line = f"Score of {names[0]} vs {names[1]}: {counts} [{share:.3f}] {self.games}"
        elo = elo_difference(self.wins, self.losses, self.draws)
        return line if elo is None else f"{line}, Elo {elo[0]:+.1f} +/- {elo[1]:.1f}"


class Watcher(Protocol):
    """What a match tells while it runs; see display.py for the two that exist."""

    def game_started(self, plan: Plan, players: tuple[Player, Player]) -> None:
        """A game begins; players are (Black, White)."""

    def move_made(self, plan: Plan, board: Board, milliseconds: int, message: str) -> None:
        """The opening is set up (milliseconds 0), or a brain has moved."""

    def game_finished(self, plan: Plan, game: Game, path: Path, score: Score) -> None:
        """A game is over, saved at `path` and counted in `score`."""


def plan_games(games: int, openings: Sequence[Opening], width: int, height: int) -> list[Plan]:
    """Game 2k and its successor share an opening, with colours swapped.

    A match with more pairs than openings goes through the list again, each time in another of its symmetries.
    """
    plans = []
    for index in range(games):
        pair = index // 2
        turned = symmetries(openings[pair % len(openings)], width, height)
        plans.append(Plan(index + 1, index % 2, turned[pair // len(openings) % len(turned)]))
    return plans


class Match:
    """Plays planned games and keeps the score; `score` can be read at any time, also after an interruption."""

    def __init__(
        self,
        players: tuple[Player, Player],
        conditions: Conditions,
        plans: Sequence[Plan],
        folder: Path,
        watcher: Watcher,
    ) -> None:
        self.players = players
        self.conditions = conditions
        self.plans = plans
        self.score = Score()
        self._folder = folder
        self._watcher = watcher
        self._waiting = iter(plans)
        self._stamp = _unused_stamp(folder)

    async def play(self, concurrency: int = 1) -> Score:
        """Plays all games, at most `concurrency` at once.

        Raises OSError when a game cannot be written. Then, and when cancelled, all brains are gone and finished games
        stay written.
        """
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(max(1, min(concurrency, len(self.plans)))):
                    group.create_task(self._work())
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        return self.score

    async def _work(self) -> None:
        for plan in self._waiting:
            black, white = self.players if plan.black == 0 else self.players[::-1]

            def on_move(board: Board, milliseconds: int, message: str, plan: Plan = plan) -> None:
                self._watcher.move_made(plan, board, milliseconds, message)

            self._watcher.game_started(plan, (black, white))
            game = await play_game((black, white), self.conditions, plan.opening, on_move)
            path = save_psq(game.record(), self._folder / f"{self._stamp}-game{plan.number:04}.psq")
            self.score.add(plan, game)
            self._watcher.game_finished(plan, game, path, self.score)


def _unused_stamp(folder: Path) -> str:
    """A prefix for this match's files that no file in the folder has: the time of day, and a number if need be."""
    first = stamp = time.strftime("%Y%m%d-%H%M%S")
    copy = 1
    while any(folder.glob(f"{stamp}-game*")):
        copy += 1
        stamp = f"{first}-{copy}"
    return stamp
