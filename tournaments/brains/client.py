"""Any brain as an object: ask it for a move or about a whole game; its process ends with the context.

    >>> from tournaments.brains import BrainLimits, open_brain
    >>> with open_brain("weights") as brain:
    ...     answer = brain.play("h8a1i8a2j8a3k8", BrainLimits(turn=5.0))
    >>> answer.move in ((6, 7), (11, 7)), answer.info.depth
    (True, 1)

Moves are cells (x, y) from the top left corner, or a text such as "h8i9". Every call waits for the brain's answer,
which must come within the limits. A fault of the brain raises `BrainFailure`, and the next call starts it anew. If the
system can start no process, for example because a disk is full, a call raises `CannotStart`, an OSError in one
sentence. For programs with an event loop, `open_brain_async` offers the same as coroutines.
"""

import threading
import weakref
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Self, TypeVar

from tournaments.brains.answer import Answer, StartedBrain
from tournaments.brains.brain import Brain
from tournaments.brains.command import Command, parse_command
from tournaments.brains.limits import BrainLimits
from tournaments.brains.process import Watchdog, working_folder
from tournaments.rules.notation import parse_opening
from tournaments.rules.referee import Board, Cell, Rule, is_win

Moves = Sequence[Cell] | str
"""The stones of a game in order, Black's first: cells (x, y) from 0, or text as `parse_opening` reads it."""

_Result = TypeVar("_Result")


class OpenBrain:
    """A brain that answers questions; made by `open_brain`. A context manager: its process ends with the context.

    The process also ends after `close`, when the object is no longer used, and when the interpreter exits. Threads may
    share the object, but each call waits for the call before it, so several brains are faster. `interrupt` does not
    wait.
    """

    def __init__(
        self,
        command: Command,
        limits: BrainLimits,
        information: Sequence[tuple[str, str]],
        folder: str = "",
        watchdog: Watchdog | None = None,
    ) -> None:
        self.command = command
        self._brain = Brain(command, limits, information=information, folder=folder, watchdog=watchdog)
        self._board = Board()
        self._lock = threading.RLock()  # held while the brain is asked
        self._is_started = False
        self._is_empty = False
        self._end = weakref.finalize(self, self._brain.kill)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def start(self, width: int = 15, height: int | None = None, rule: int = Rule.FREESTYLE) -> None:
        """Sets up a new board, square unless `height` is given, and tells the limits; starts the process if needed.

        Without this call the first question is about a freestyle board of 15x15. Raises BrainFailure, and ValueError
        for a board that is not possible.
        """
        board = Board(width, width if height is None else height, Rule(rule))
        with self._lock:
            self._board = board
            self._is_started = False
            self._start()

    def play(self, moves: Moves = (), limits: BrainLimits | None = None) -> Answer:
        """The brain's move, for the side to move in the position after `moves`.

        limits: new limits from now on; the match clock then begins anew. Raises BrainFailure if the brain fails or its
        move is illegal, and ValueError for a stone of `moves` that is off the board or on another one.
        """
        with self._lock:
            cells = self._cells(moves)
            return self._ask(cells, len(cells), limits)

    def propose(self, moves: Moves = (), limits: BrainLimits | None = None) -> tuple[Cell, ...]:
        """The brain's choice in swap2 after 0, 3 or 5 stones: the stones that it places, none if it takes Black.

        With three stones on the board, one cell is White's move and two leave the choice to the opponent; with five,
        one cell is White's move. Raises as `play` does, and ValueError for another number of stones.
        """
        with self._lock:
            cells = self._cells(moves)
            if len(cells) not in (0, 3, 5):
                raise ValueError(f"swap2 asks after 0, 3 or 5 stones, not {len(cells)}")
            self._start(limits)
            self._is_empty = False
            return StartedBrain(self._brain, self._board.width, self._board.height).propose(cells)

    def survey(self, moves: Moves, trials: Sequence[tuple[Cell, ...]]) -> list[int]:
        """The brain's score of each trial, whose stones follow `moves`, for the side that places its last stone.

        In the brain's own units. Raises as `play` does, and BrainFailure for a brain without the command SURVEY.
        """
        with self._lock:
            cells = self._cells(moves)
            self._start()
            self._is_empty = False
            return StartedBrain(self._brain, self._board.width, self._board.height).survey(cells, trials)

    def analyse(
        self, moves: Moves, limits: BrainLimits | None = None, first: int = 0, last: int | None = None
    ) -> Iterator[Answer]:
        """Asks about the positions of a game with `first` to `last` stones, one question for each answer that is taken.

        It stops at a position in which the game is over. Raises as `play` does.
        """
        cells = self._cells(moves)
        board = Board(self._board.width, self._board.height, self._board.rule)
        for stones in range(len(cells) + 1):
            if stones:
                board.place(*cells[stones - 1])
                if is_win(board, *cells[stones - 1]) or board.is_full():
                    return
            if first <= stones and (last is None or stones <= last):
                with self._lock:
                    answer = self._ask(cells, stones, limits)
                yield answer

    def inquire(self, moves: Moves, command: str, answers: str, seconds: float | None = None) -> str | None:
        """Asks about the position after `moves` by a command beyond the protocol, such as PROVE.

        Returns the brain's line if it begins with the word `answers`, else None, for example from a brain that does not
        know the command. seconds: how long to wait (default: the turn's limit). Raises as `play` does.
        """
        with self._lock:
            cells = self._cells(moves)
            self._start()
            self._is_empty = False
            return self._brain.inquire(cells, len(cells) % 2, command, answers, seconds)

    def close(self) -> None:
        """Sends END, and kills the process if it has not exited after the limits' `grace`. May be called twice."""
        with self._lock:
            self._brain.close()

    def interrupt(self) -> None:
        """Kills the process; any thread may call it. A thread that waits for an answer gets a BrainFailure."""
        self._brain.interrupt()

    def _cells(self, moves: Moves) -> tuple[Cell, ...]:
        """The moves as cells. Raises ValueError for one that cannot be played."""
        board = Board(self._board.width, self._board.height, self._board.rule)
        if isinstance(moves, str):
            moves = parse_opening(moves, board.width, board.height) if moves else ()
        for x, y in moves:
            board.place(x, y)
        return tuple((x, y) for x, y, _ in board.stones)

    def _start(self, limits: BrainLimits | None = None) -> None:
        """Starts the brain if it does not run, has failed, or gets new limits."""
        if limits is not None and limits != self._brain.limits:
            self._brain.limits = limits
            self._is_started = False
        if not (self._is_started and self._brain.is_sound):
            self._brain.start(self._board.width, self._board.height, self._board.rule)
            self._is_started = self._is_empty = True

    def _ask(self, cells: tuple[Cell, ...], stones: int, limits: BrainLimits | None) -> Answer:
        asked = cells[:stones]
        self._is_started = self._is_started and (bool(asked) or self._is_empty)
        self._start(limits)
        self._is_empty = False
        return StartedBrain(self._brain, self._board.width, self._board.height).play(asked)


class AsyncBrain:
    """The coroutines of an `OpenBrain`, made by `open_brain_async`. An asynchronous context manager.

    Its calls run in a thread of its own, one after another, and the event loop goes on. A call that is cancelled kills
    the process, and the next one starts it anew.
    """

    def __init__(self, brain: OpenBrain) -> None:
        # Imported here, not at the top: every program that starts a brain imports this module; few need an event loop.
        from concurrent.futures import ThreadPoolExecutor

        self.command = brain.command
        self._brain = brain
        self._thread = ThreadPoolExecutor(1, "brain")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    async def start(self, width: int = 15, height: int | None = None, rule: int = Rule.FREESTYLE) -> None:
        """See `OpenBrain.start`."""
        await self._call(lambda: self._brain.start(width, height, rule))

    async def play(self, moves: Moves = (), limits: BrainLimits | None = None) -> Answer:
        """See `OpenBrain.play`."""
        return await self._call(lambda: self._brain.play(moves, limits))

    async def analyse(
        self, moves: Moves, limits: BrainLimits | None = None, first: int = 0, last: int | None = None
    ) -> AsyncIterator[Answer]:
        """See `OpenBrain.analyse`."""
        answers = self._brain.analyse(moves, limits, first, last)
        while (answer := await self._call(lambda: next(answers, None))) is not None:
            yield answer

    async def close(self) -> None:
        """See `OpenBrain.close`. No other call may follow."""
        try:
            await self._call(self._brain.close)
        finally:
            self._thread.shutdown(wait=False)

    async def _call(self, function: Callable[[], _Result]) -> _Result:
        """The function's result, from the thread."""
        import asyncio

        future = asyncio.get_running_loop().run_in_executor(self._thread, function)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            # Repeated, because the process may not have started yet.
            while not future.done():
                self._brain.interrupt()
                await asyncio.wait([future], timeout=0.05)
            future.exception()  # it failed because we killed the process
            raise


def open_brain(
    command: str | Command,
    limits: BrainLimits | None = None,
    information: Sequence[tuple[str, str]] = (),
    folder: str | Path | None = None,
    watchdog: Watchdog | None = None,
) -> OpenBrain:
    """A brain to ask: a program with its arguments, or a shipped rival by its name, as on the command line.

    information: further INFO keys and values, such as ("max_node", "10000"). folder: the folder in which the process
    runs, None for an empty folder of its own. watchdog: ends the process if this program is killed, and if it exceeds
    the watchdog's limits; without one, the brain is told its memory limit, but the limit is not enforced. The process
    starts with the first question. Raises ValueError, in one sentence, if there is no such program or folder, and
    TypeError for a command that is not a text.
    """
    found = command if isinstance(command, Command) else parse_command(command)
    return OpenBrain(found, limits or BrainLimits(), information, working_folder(folder), watchdog)


def open_brain_async(
    command: str | Command,
    limits: BrainLimits | None = None,
    information: Sequence[tuple[str, str]] = (),
    folder: str | Path | None = None,
) -> AsyncBrain:
    """`open_brain` for programs with an event loop: `async with open_brain_async("kill") as brain: ...`."""
    return AsyncBrain(open_brain(command, limits, information, folder))
