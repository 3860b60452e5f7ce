"""What the executor and its workers say to each other: pickles, each after its length in four bytes.

To a worker go a `PairTask`, to be played after those that came before, or a line of the watchdog's. From it come
`Started`, `Moved`, where that is wanted, `Finished` and `Failed`, or a line for the watchdog. What plays on another
machine says the first three as well; see dask_executor.py.
"""

import pickle
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

from tournaments.play.game import Clocks, FinishedGame, MoveWatcher
from tournaments.rules.referee import Board

LENGTH = struct.Struct("!I")


class Started(NamedTuple):
    """A leg begins."""

    leg: int


class Moved(NamedTuple):
    """New stones of a leg, the opening's or a brain's, with what a `MoveWatcher` is told beside the board."""

    leg: int
    stones: tuple[tuple[int, int, int], ...]
    milliseconds: int
    message: str
    clocks: Clocks


class Finished(NamedTuple):
    """A leg is over."""

    leg: int
    game: FinishedGame


class Failed(NamedTuple):
    """A worker can play no more, and another one could not either; why, in one sentence."""

    reason: str


def telling_moves(leg: int, tell: Callable[[Moved], object]) -> MoveWatcher:
    """Has each move of a leg told, with the stones that are new."""
    told = 0

    def on_move(board: Board, milliseconds: int, message: str, clocks: Clocks) -> None:
        nonlocal told
        tell(Moved(leg, tuple(board.stones[told:]), milliseconds, message, clocks))
        told = len(board.stones)

    return on_move


def frame(message: Any) -> bytes:
    """A message as it is sent."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(data)) + data
