"""The unit of work: one opening, played twice by two players with colours swapped.

A `PairTask` holds everything that determines its games. It is sent to other machines as a value and may be played
several times: its id names it, and the store takes each of its games once.
"""

import dataclasses
import platform
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tournaments.brains.command import parse_command
from tournaments.brains.fingerprint import digest
from tournaments.brains.player import Player
from tournaments.brains.pool import Pool
from tournaments.brains.transcript import Transcript
from tournaments.play.game import Clocks, FinishedGame, MoveWatcher, play_game
from tournaments.play.messages import Finished, Moved, Started, telling_moves
from tournaments.rules.notation import Opening
from tournaments.rules.referee import Board
from tournaments.setup.game_rules import BrainOptions, GameRules


@dataclass(frozen=True)
class PairTask:
    """`players` are the first and second of the pair; `legs` are the numbers of the games that are still to be played.

    In leg 1 the first player is Black, in leg 2 the second.
    """

    id: str
    number: int
    players: tuple[Player, Player]
    rules: GameRules
    brain_options: BrainOptions
    opening: Opening
    legs: tuple[int, ...] = (1, 2)

    @property
    def key(self) -> str:
        """The name of the task: that of its pair, with its legs."""
        return f"{self.id}-{'-'.join(map(str, self.legs))}"

    def game_number(self, leg: int) -> int:
        """The number of a game in its tournament."""
        return 2 * self.number - 2 + leg

    def colours(self, leg: int) -> tuple[Player, Player]:
        """(Black, White) of a leg."""
        return self.players if leg == 1 else self.players[::-1]


class Listener:
    """Receives the events of a pair; this one ignores them."""

    wants_moves = False
    """True to ask for calls of `move_made`, which make very fast games a little slower."""

    def game_started(self, task: PairTask, leg: int) -> None:
        """A game begins."""

    def move_made(
        self, task: PairTask, leg: int, board: Board, milliseconds: int, message: str, clocks: Clocks
    ) -> None:
        """The opening is set up (milliseconds 0), or a brain has moved; see `MoveWatcher`."""

    async def game_finished(self, task: PairTask, leg: int, game: FinishedGame, worker: str) -> None:
        """A game is over."""

    def pair_set_aside(self, task: PairTask, what: str) -> None:
        """The legs of the task are not played, because their workers, again and again, "died" or "was stopped"."""


class GameRelay:
    """Passes the messages of the process that plays a game on to a listener, with a board of its own."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._board: Board | None = None

    def pass_on(self, task: PairTask, event: Started | Moved) -> None:
        """Reports that a leg has begun, or its new stones."""
        if isinstance(event, Started):
            self._board = None
            self._listener.game_started(task, event.leg)
            return
        rules = task.rules
        self._board = self._board or Board(rules.width, rules.height, rules.rule)
        for x, y, colour in event.stones:
            self._board.place(x, y, colour)
        self._listener.move_made(task, event.leg, self._board, event.milliseconds, event.message, event.clocks)


def play_leg(task: PairTask, leg: int, pool: Pool, on_move: MoveWatcher | None = None) -> FinishedGame:
    """Plays one of the task's games. Raises OSError if its transcript cannot be written."""
    players = task.colours(leg)
    if not task.brain_options.log:
        return play_game(players, task.rules, task.opening, on_move, pool)
    with Transcript(Path(f"{task.brain_options.log}-game{task.game_number(leg):04}.log")) as transcript:
        return play_game(players, task.rules, task.opening, on_move, pool, transcript)


class WrongBrain(Exception):
    """A machine's brain of that name is another program than the tournament's; the message is one sentence."""


def localised(task: PairTask) -> PairTask:
    """The task with its brains' commands as they are on this machine. Raises WrongBrain."""
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


def run_pair(
    task: PairTask, tell: Callable[[Started | Moved | Finished], object] | None = None, tells_moves: bool = False
) -> list[tuple[int, FinishedGame, str]]:
    """Plays a task on this machine: (leg, game, name of the machine) for each leg.

    A pure function apart from the clocks and the calls of `tell`. Raises WrongBrain.
    """
    here = localised(task)
    played = []
    with here.brain_options.pool() as pool:
        for leg in here.legs:
            if tell is not None:
                tell(Started(leg))
            on_move = telling_moves(leg, tell) if tell is not None and tells_moves else None
            game = play_leg(here, leg, pool, on_move)
            if tell is not None:
                tell(Finished(leg, game))
            played.append((leg, game, platform.node()))
    return played
