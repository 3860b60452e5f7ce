"""One game: two brains, an opening, and the referee, who alone decides what is legal and who has won."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from tournaments.brain import Brain, BrainFailure, Limits
from tournaments.command import Command
from tournaments.ending import Ending
from tournaments.opening import Opening, format_cell
from tournaments.records import END_ERROR, END_NORMAL, END_TIMEOUT, Record
from tournaments.referee import BLACK, COLOUR_NAMES, WHITE, Board, Rule, find_foul, is_win


@dataclass(frozen=True)
class Conditions:
    """What all games of a match have in common."""

    width: int
    height: int
    rule: Rule
    limits: Limits


@dataclass(frozen=True)
class Player:
    """A brain to be started for each game, under the name that the output gives it."""

    name: str
    command: Command


@dataclass(frozen=True)
class Conduct:
    """How a brain behaved in one game: its slowest answer in seconds and the bytes it wrote to stderr."""

    slowest: float
    stderr_bytes: int


@dataclass(frozen=True)
class Game:
    """A finished game. Pairs are (Black's, White's); `winner` is None for a draw; `moves` are (x, y, milliseconds).

    A foul is among the moves; an illegal move is not, since it never reached the board.
    """

    players: tuple[Player, Player]
    conditions: Conditions
    moves: tuple[tuple[int, int, int], ...]
    ending: Ending
    winner: int | None
    detail: str
    conduct: tuple[Conduct, Conduct]

    @property
    def result(self) -> str:
        """Black's points, then White's: "1-0" when Black won, "0-1" when White did, "1/2-1/2" for a draw."""
        return "1/2-1/2" if self.winner is None else "1-0" if self.winner == BLACK else "0-1"

    @property
    def reason(self) -> str:
        """How it ended, in words that name the winner of a five and the loser of everything else."""
        detail = f" ({self.detail})" if self.detail else ""
        if self.winner is None:
            return f"draw by {self.ending.value}{detail}"
        if self.ending is Ending.FIVE:
            return f"{self.players[self.winner].name} wins by {self.ending.value}{detail}"
        loser = 1 - self.winner
        return f"{self.players[loser].name} ({COLOUR_NAMES[loser]}) loses by {self.ending.value}{detail}"

    def record(self) -> Record:
        """The game as it goes into a file."""
        code = END_NORMAL if self.ending.is_by_rule else END_TIMEOUT if self.ending.is_timeout else END_ERROR
        return Record(
            width=self.conditions.width,
            height=self.conditions.height,
            moves=self.moves,
            black=self.players[BLACK].name,
            white=self.players[WHITE].name,
            end_code=code,
            winner=0 if self.winner is None else self.winner + 1,
            rule=self.conditions.rule.title.capitalize(),
        )


Verdict = tuple[Ending, int | None, str]
"""How a game ended, the winner's colour (None for a draw), and particulars."""

MoveWatcher = Callable[[Board, int, str], None]
"""Called after the opening (with 0) and after each move: the board, milliseconds taken, the brain's last MESSAGE."""


async def play_game(
    players: tuple[Player, Player], conditions: Conditions, opening: Opening = (), on_move: MoveWatcher | None = None
) -> Game:
    """Plays players[BLACK] against players[WHITE] from `opening`, a position in which nobody has won yet.

    Never raises for anything a brain does. Both processes are gone when it returns, and also when it is cancelled.
    """
    board = Board(conditions.width, conditions.height, conditions.rule)
    moves = [(x, y, 0) for x, y in opening]
    for x, y in opening:
        board.place(x, y)
    brains = (Brain(players[BLACK].command, conditions.limits), Brain(players[WHITE].command, conditions.limits))
    try:
        starts = await asyncio.gather(
            *(brain.start(board.width, board.height, board.rule) for brain in brains), return_exceptions=True
        )
        verdict: Verdict | None = None
        for colour, error in enumerate(starts):
            if isinstance(error, BrainFailure):
                verdict = verdict or (error.ending, 1 - colour, error.detail)
            elif error is not None:
                raise error
        if on_move is not None:
            on_move(board, 0, "")
        while verdict is None:
            brain = brains[board.side_to_move]
            verdict, seconds = await _next_move(board, brain)
            if len(board.stones) > len(moves):
                x, y, _ = board.stones[-1]
                moves.append((x, y, round(seconds * 1000)))
                if on_move is not None:
                    on_move(board, moves[-1][2], brain.last_message)
    finally:
        await asyncio.gather(*(brain.close() for brain in brains))
    ending, winner, detail = verdict
    conduct = tuple(Conduct(brain.slowest, brain.stderr_bytes) for brain in brains)
    return Game(players, conditions, tuple(moves), ending, winner, detail, (conduct[0], conduct[1]))


async def _next_move(board: Board, brain: Brain) -> tuple[Verdict | None, float]:
    """Lets the side to move play; returns how the game ended by it, if it did, and the seconds that the brain took."""
    mover = board.side_to_move
    try:
        x, y, seconds = await brain.choose([(x, y) for x, y, _ in board.stones], mover)
    except BrainFailure as error:
        return (error.ending, 1 - mover, error.detail), 0.0
    if not board.is_on_board(x, y):
        return (Ending.OFF_BOARD, 1 - mover, f"{x},{y}"), seconds
    try:
        foul = find_foul(board, x, y) if mover == BLACK else None
        board.place(x, y)
    except ValueError:
        return (Ending.OCCUPIED, 1 - mover, f"{x},{y}"), seconds
    if foul is not None:
        return (Ending.FOUL, 1 - mover, f"{foul.value} at {format_cell(x, y)}"), seconds
    if is_win(board, x, y):
        return (Ending.FIVE, mover, ""), seconds
    if board.is_full():
        return (Ending.FULL_BOARD, None, ""), seconds
    return None, seconds
