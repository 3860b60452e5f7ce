"""A worker: a process that plays one game at a time, pair after pair, for the executor that started it.

Its messages are in messages.py. When its input ends, as at the executor's death, it breaks off the game in progress. It
starts no processes but brains, so on Linux it can end all processes that brains leave behind; see
brains/child_reaper.py.
"""

import os
import pickle
import sys
import traceback
from collections import deque
from math import inf
from typing import Any, BinaryIO

from tournaments.brains.child_reaper import adopt_orphans, end_orphans
from tournaments.brains.pipes import make_pipes
from tournaments.brains.pool import Pool, pin
from tournaments.brains.watchdog import Link
from tournaments.play.game_pair import PairTask, play_leg
from tournaments.play.messages import LENGTH, Failed, Finished, Started, frame, telling_moves


class _NoMoreGames(Exception):
    """The executor has closed our input."""


class _Games:
    """Plays the games that the executor asks for, one after the other."""

    def __init__(self, slot: int, tells_moves: bool, source: BinaryIO, sink: BinaryIO) -> None:
        self.slot = slot
        self.tells_moves = tells_moves
        self.sink = sink
        self.tasks: deque[PairTask] = deque()
        self.link = Link(self.send)
        self.pipes = make_pipes()
        self.pipes.listen(source, self._read)
        self.adopts = adopt_orphans()
        self._partial = b""

    def work(self) -> None:
        """Plays the pairs that arrive, until the executor ends."""
        try:
            while not self.tasks:
                self.pipes.wait(inf)
            brain_options = self.tasks[0].brain_options  # all have the same
            if brain_options.pins:
                # On the core of its brains: waking a process on another core takes longer than all the work here.
                pin(self.slot)
            with brain_options.pool(self.link, self.pipes) as pool:
                while True:
                    while not self.tasks:
                        self.pipes.wait(inf)
                    self._play(self.tasks.popleft(), pool)
        except (_NoMoreGames, BrokenPipeError):
            pass
        except OSError as error:
            self.send(Failed(str(error)))
        except Exception as error:
            # Another worker would fail in the same way, so this one reports the reason instead of dying.
            traceback.print_exc()
            self.send(Failed(f"a worker cannot go on: {error!r}"))
        finally:
            if self.adopts:
                end_orphans()

    def send(self, *messages: Any) -> None:
        """Sends messages to the executor. Raises BrokenPipeError if it has ended."""
        data = b"".join(map(frame, messages))
        while data:
            data = data[self.sink.write(data) :]

    def _play(self, task: PairTask, pool: Pool) -> None:
        news: list[Any] = []
        for leg in task.legs:
            self.send(*news, Started(leg))
            on_move = telling_moves(leg, self.send) if self.tells_moves else None
            news = [Finished(leg, play_leg(task, leg, pool, on_move))]
            if self.adopts and not pool.has_brains:
                end_orphans()
        self.send(*news)

    def _read(self, data: bytes) -> None:
        if not data:
            raise _NoMoreGames
        self._partial += data
        while len(self._partial) >= LENGTH.size:
            (length,) = LENGTH.unpack_from(self._partial)
            end = LENGTH.size + length
            if len(self._partial) < end:
                return
            message = pickle.loads(self._partial[LENGTH.size : end])
            self._partial = self._partial[end:]
            if isinstance(message, PairTask):
                self.tasks.append(message)
            else:
                self.link.report(message)


def main() -> int:
    """Works until stdin ends. Arguments: SLOT, the worker's number, and --moves to report every move."""
    # Text that is printed by mistake must not get between the messages.
    sink = os.fdopen(os.dup(1), "wb", 0)
    os.dup2(2, 1)
    _Games(int(sys.argv[1]), "--moves" in sys.argv[2:], os.fdopen(0, "rb", 0, closefd=False), sink).work()
    return 0
