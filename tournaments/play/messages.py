"""The messages between the executor and its workers: pickles, each after its length in four bytes.

A worker receives a `PairTask`, which it plays after the tasks before it, or a line of the watchdog. It sends `Started`,
`Moved` (if the executor asks for moves), `Finished` and `Failed`, or a line for the watchdog. A worker of a cluster
sends the first three too; see dask_executor.py.
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
    """New stones of a leg, of the opening or of a brain, with the other arguments of a `MoveWatcher`."""

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
    """A worker cannot go on, and no other worker could; the reason is one sentence."""

    reason: str


def telling_moves(leg: int, tell: Callable[[Moved], object]) -> MoveWatcher:
    """A `MoveWatcher` that sends each move of a leg as `Moved`, with the stones that are new."""
    told = 0

    def on_move(board: Board, milliseconds: int, message: str, clocks: Clocks) -> None:
        nonlocal told
        tell(Moved(leg, tuple(board.stones[told:]), milliseconds, message, clocks))
        told = len(board.stones)

    return on_move


def frame(message: Any) -> bytes:
    """A message as bytes: its length and its pickle."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(data)) + data
