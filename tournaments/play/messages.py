"""What the executor and its workers say to each other: pickles, each after its length in four bytes.

To a worker go a `PairTask`, to be played after those that came before, or a line of the watchdog's. From it come
`Started`, `Moved`, where that is wanted, `Finished` and `Failed`, or a line for the watchdog.
"""

import pickle
import struct
from typing import Any, NamedTuple

from tournaments.play.game import Game

LENGTH = struct.Struct("!I")


class Started(NamedTuple):
    """A leg begins."""

    leg: int


class Moved(NamedTuple):
    """New stones of a leg, the opening's or a brain's, with the milliseconds and the last MESSAGE of the latter."""

    leg: int
    stones: tuple[tuple[int, int, int], ...]
    milliseconds: int
    message: str


class Finished(NamedTuple):
    """A leg is over."""

    leg: int
    game: Game


class Failed(NamedTuple):
    """A worker can play no more, and another one could not either; why, in one sentence."""

    reason: str


def frame(message: Any) -> bytes:
    """A message as it is sent."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(data)) + data
