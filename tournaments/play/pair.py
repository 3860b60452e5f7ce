"""The unit of work: one opening, played twice by two players with colours swapped.

A `PairTask` holds all that determines its games, travels to other machines as a value, and may be played any number of
times: its id names it, and the store takes each of its games once.
"""

import dataclasses
import platform
from dataclasses import dataclass
from pathlib import Path

from tournaments.brains.command import parse_command
from tournaments.brains.identity import digest
from tournaments.brains.player import Player
from tournaments.brains.pool import Pool
from tournaments.brains.transcript import Transcript
from tournaments.conditions import Conditions, Handling
from tournaments.play.game import Game, MoveWatcher, play_game
from tournaments.rules.notation import Opening
from tournaments.rules.referee import Board


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

    wants_moves = False
    """Whether `move_made` is to be called, which costs the fastest of games some of their pace."""

    def game_started(self, task: PairTask, leg: int) -> None:
        """A game begins."""

    def move_made(self, task: PairTask, leg: int, board: Board, milliseconds: int, message: str) -> None:
        """The opening is set up (milliseconds 0), or a brain has moved."""

    async def game_finished(self, task: PairTask, leg: int, game: Game, worker: str) -> None:
        """A game is over."""


def play_leg(task: PairTask, leg: int, pool: Pool, on_move: MoveWatcher | None = None) -> Game:
    """Plays one of the task's games. Raises OSError when its transcript cannot be written."""
    players = task.colours(leg)
    if not task.handling.log:
        return play_game(players, task.conditions, task.opening, on_move, pool)
    with Transcript(Path(task.handling.log), task.game_number(leg)) as transcript:
        return play_game(players, task.conditions, task.opening, on_move, pool, transcript)


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
        found = digest(command, player.data)
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
    with here.handling.pool() as pool:
        return [(leg, play_leg(here, leg, pool), platform.node()) for leg in here.legs]
