"""The unit of work: one opening, played twice by two players with colours swapped.

A `PairTask` holds all that determines its games, travels to other machines as a value, and may be played any number of
times: its id names it, and the store takes each of its games once.
"""

import asyncio
import dataclasses
import platform
from collections.abc import AsyncIterator
from dataclasses import dataclass

from tournaments.arena import Arena
from tournaments.command import parse_command
from tournaments.game import Conditions, Game, play_game
from tournaments.identity import digest
from tournaments.opening import Opening
from tournaments.player import Player
from tournaments.referee import Board


@dataclass(frozen=True)
class Handling:
    """How brains are handled; see `Arena`."""

    drive: str = "turn"
    reuses: bool = False
    freezes: bool = False

    def arena(self, games: int) -> Arena:
        """An arena for so many games at once."""
        return Arena(self.drive, self.reuses, self.freezes, capacity=2 * games)


@dataclass(frozen=True)
class PairTask:
    """The players are the pair's first and second; `legs` are those still to be played.

    In leg 1 the first player is Black, in leg 2 the second.
    """

    id: str
    number: int
    players: tuple[Player, Player]
    conditions: Conditions
    handling: Handling
    opening: Opening
    legs: tuple[int, ...] = (1, 2)

    def game_number(self, leg: int) -> int:
        """The number of a game in its tournament."""
        return 2 * self.number - 2 + leg

    def colours(self, leg: int) -> tuple[Player, Player]:
        """(Black, White) of a leg."""
        return self.players if leg == 1 else self.players[::-1]


class Listener:
    """Who is told what happens in a pair; this one does nothing with it."""

    def game_started(self, task: PairTask, leg: int) -> None:
        """A game begins."""

    def move_made(self, task: PairTask, leg: int, board: Board, milliseconds: int, message: str) -> None:
        """The opening is set up (milliseconds 0), or a brain has moved."""

    async def game_finished(self, task: PairTask, leg: int, game: Game, worker: str) -> None:
        """A game is over."""


async def play_pair(task: PairTask, arena: Arena, listener: Listener) -> AsyncIterator[tuple[int, Game]]:
    """Plays the task's legs, one whenever it is asked for the next; gives each leg's number and game."""
    for leg in task.legs:

        def on_move(board: Board, milliseconds: int, message: str, leg: int = leg) -> None:
            listener.move_made(task, leg, board, milliseconds, message)

        listener.game_started(task, leg)
        yield leg, await play_game(task.colours(leg), task.conditions, task.opening, on_move, arena)


class WrongBrain(Exception):
    """A machine's brain of that name is not the one that the tournament is about; the message is one sentence."""


def localised(task: PairTask) -> PairTask:
    """The task with its brains' commands as this machine finds them. Raises WrongBrain."""
    first, second = (_localised(player) for player in task.players)
    return dataclasses.replace(task, players=(first, second))


def _localised(player: Player) -> Player:
    where = platform.node()
    try:
        command = parse_command(player.command.text)
        found = digest(command)
    except (ValueError, OSError) as error:
        raise WrongBrain(f"{player.name} cannot play on {where}: {error}") from None
    if found != player.digest:
        raise WrongBrain(f"{player.name} on {where} is another program: {found[:12]}, not {player.digest[:12]}")
    return dataclasses.replace(player, command=command)


def run_pair(task: PairTask) -> list[tuple[int, Game, str]]:
    """Plays a task on the machine that this runs on, whichever that is: (leg, game, machine) for each leg.

    A pure function but for the clocks. Raises WrongBrain.
    """
    here = localised(task)

    async def play() -> list[tuple[int, Game, str]]:
        async with here.handling.arena(games=1) as arena:
            return [(leg, game, platform.node()) async for leg, game in play_pair(here, arena, Listener())]

    return asyncio.run(play())


