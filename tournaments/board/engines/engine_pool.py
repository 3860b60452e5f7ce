"""Brains that think for the board: as many processes as there are cores, and one fair queue in front of them.

A question names its owner, a game or a watcher, and each owner has one question at a time. Moves that a person waits
for come before hints, and hints before analysis and games between brains; an analysis gives its place up when a move is
due, and after SLICE when others wait, and goes on later. A process belongs to no game: it is told the whole position
with every question, and leaves when it has had nothing to do for IDLE.
"""

import asyncio
import contextlib
import itertools
import os
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass
from enum import IntEnum
from typing import IO, Any, TypeVar

from tournaments.board.engines.brain_registry import HOUSE_BRAIN, BrainRegistry, strength_of
from tournaments.board.game.events import BRAIN_NAME
from tournaments.brains.brain import Brain, BrainFailure, BrainLimits
from tournaments.brains.command import Command, parse_command
from tournaments.brains.pipes import make_pipes
from tournaments.brains.thought import Thought, parse_thought, win_rate
from tournaments.brains.watchdog import WatchdogProcess
from tournaments.rules.ending import Ending
from tournaments.rules.notation import Opening, format_cell
from tournaments.rules.referee import Board, Cell, Rule, is_win

FULL_STRENGTH = 100
"""What INFO strength is told where there is no level."""

SLICE = 5.0
IDLE = 10.0
OVERDUE = 2.0
"""Seconds: that an analysis has while others wait; after which a process leaves; and that a brain has to stop."""

MEMORY = 128 << 20
TURN = 2.0
LONGEST_TURN = 30.0
"""Bytes that a brain is told; seconds for a move where nothing is said, and where only nodes are."""

_TOLERANCE = 5.0  # seconds: nobody loses by a late answer, but a brain that never answers must be noticed
_OUTPUT = 64 << 20
_KILL_AGAIN = 0.2
_MOST_WAITING = 500

_LINE = re.compile(
    r"depth ([0-9]{1,3})-[0-9]+(?: multipv ([0-9]+))? ev ([+-]?)(M?)([0-9]{1,9}) n ([0-9]{1,18}) n/ms [0-9]+"
    r" tm ([0-9]{1,12}) pv ?((?:[a-z][0-9]{1,2} ?)*)"
)
_BALANCE = re.compile(r"balance (-?[0-9]{1,9}) depth")
_POINT = re.compile(r"([0-9]{1,2}),([0-9]{1,2})")

_Result = TypeVar("_Result")


class Priority(IntEnum):
    """What comes first when several questions wait: moves that a person waits for, hints, and what is only looked at,
    which is analysis and games between brains."""

    MOVE = 0
    HINT = 1
    STUDY = 2


class Cancelled(Exception):
    """Nobody wants the answer any more."""


class Busy(Exception):
    """Too many questions wait already."""


@dataclass(frozen=True)
class RegisteredBrain:
    """A brain that may be asked. `is_ours`: it knows levels, several lines, balance and a request to stop."""

    name: str
    title: str
    command: Command
    is_ours: bool = False


@dataclass(frozen=True)
class Position:
    """Stones in the order played, Black's first; the side to move is the one that did not place the last."""

    width: int
    height: int
    rule: Rule
    moves: Opening

    def check(self) -> None:
        """Raises ValueError in one sentence for stones that cannot lie so, or where nobody is to move any more."""
        board = Board(self.width, self.height, self.rule)
        for ply, (x, y) in enumerate(self.moves, start=1):
            try:
                board.place(x, y)
            except ValueError as error:
                raise ValueError(f"stone {ply}: {error}") from None
            if is_win(board, x, y):
                raise ValueError(f"the game is over with stone {ply} ({format_cell(x, y, self.height)})")
        if board.is_full():
            raise ValueError("the board is full")

    @property
    def to_move(self) -> int:
        """The colour of the side to move."""
        return len(self.moves) % 2


@dataclass(frozen=True)
class Limits:
    """What one answer may take: a level from 1 to 10, seconds, nodes; None where nothing is said."""

    level: int | None = None
    seconds: float | None = None
    nodes: int | None = None


@dataclass(frozen=True)
class Variation:
    """One line of play: its cells, the score in centipoints or the plies to a win (> 0) or a loss (< 0) of the side to
    move, its share of wins expected, and the depth in plies."""

    moves: tuple[Cell, ...]
    score: float | None
    mate: int | None
    win: float
    depth: int | None

    def to_json(self) -> dict[str, Any]:
        """As it is sent."""
        return {
            "moves": [list(cell) for cell in self.moves], "score": self.score, "mate": self.mate,
            "win": round(self.win, 4), "depth": self.depth,
        }  # fmt: skip


@dataclass(frozen=True)
class Analysis:
    """The best lines of play, the best first; the nodes that they took, and nodes a second."""

    lines: tuple[Variation, ...]
    nodes: int
    speed: int


@dataclass(frozen=True)
class EngineMove:
    """A brain's move with what it said about it."""

    cell: Cell
    thought: Thought
    seconds: float


def register(extra: Sequence[str] = ()) -> dict[str, RegisteredBrain]:
    """The brains that may be asked, by name: ours, the rivals, and those of `NAME=COMMAND` texts.

    Raises ValueError, in one sentence, for a text that is none and for a program that is not there.
    """
    named: dict[str, Command] = {}
    known = BrainRegistry().names()
    for text in extra:
        name, sign, command = text.partition("=")
        if not sign or not BRAIN_NAME.fullmatch(name):
            raise ValueError(f"'{text}' is not NAME=COMMAND, with a name of letters, digits and blanks")
        if name in known or name in named:
            raise ValueError(f"there are two brains '{name}'")
        named[name] = parse_command(command)
    registry = BrainRegistry(named)
    return {
        name: RegisteredBrain(name, name.capitalize() if name in known else name, registry.command(name),
                         registry.has_levels(name)) for name in registry.names()
    }  # fmt: skip


def win_probability(score: float | None, mate: int | None) -> float:
    """The share of games, 0 to 1, that a side with this score is expected to win; a half where nothing is known."""
    known = win_rate(score, mate)
    return 0.5 if known is None else known


def parse_line(text: str, height: int) -> tuple[int, Variation, int, int] | None:
    """Reads a MESSAGE of our brain: the line's number from 1, the line, nodes, milliseconds; None for another text."""
    found = _LINE.match(text)
    if found is None:
        return None
    sign = -1 if found[3] == "-" else 1
    number = sign * int(found[5])
    score, mate = (None, number) if found[4] else (float(number), None)
    cells = tuple((ord(name[0]) - ord("a"), height - int(name[1:])) for name in found[8].split())
    line = Variation(cells, score, mate, win_probability(score, mate), int(found[1]))
    return int(found[2] or 1), line, int(found[6]), int(found[7])


class _AnalysisReader:
    """Puts the lines of one report together, and tells each report once it is whole; `last` is the last one."""

    def __init__(self, count: int, height: int, tell: Callable[[Analysis], None]) -> None:
        self.last = Analysis((), 0, 0)
        self._count, self._height, self._tell = count, height, tell
        self._lines: dict[int, tuple[Variation, int, int]] = {}
        self._known_depth = 0

    def restart(self) -> None:
        """The search begins anew; what it knew before is not told again."""
        self._lines.clear()
        self._known_depth = max((line.depth or 0 for line in self.last.lines), default=0)

    def note(self, direction: str, text: str) -> None:
        """Hears a line of the conversation."""
        parsed = parse_line(text[8:], self._height) if direction == "<" and text.startswith("MESSAGE ") else None
        if parsed is None:
            return
        number, line, nodes, milliseconds = parsed
        if number == 1:
            self.flush()
        self._lines[number] = line, nodes, milliseconds
        if len(self._lines) == self._count:
            self.flush()

    def flush(self) -> Analysis:
        """Tells what is there, and returns the last report."""
        if self._lines:
            found = [self._lines[number] for number in sorted(self._lines)]
            self._lines = {}
            lines = tuple(line for line, _, _ in found)
            if max(line.depth or 0 for line in lines) >= self._known_depth or lines[0].mate is not None:
                nodes = sum(nodes for _, nodes, _ in found)
                self.last = Analysis(lines, nodes, nodes * 1000 // max(1, sum(took for _, _, took in found)))
                self._tell(self.last)
        return self.last


class _Job:
    """A question that waits or is asked; `ask` runs in the thread of a worker, with a brain that knows the board."""

    def __init__(
        self, owner: str, priority: Priority, brain: RegisteredBrain, position: Position, limits: BrainLimits,
        information: Sequence[tuple[str, str]], ask: Callable[[Brain], Any], note: Callable[[str, str], None] | None,
        may_yield: bool,
    ) -> None:  # fmt: skip
        self.owner, self.priority, self.brain, self.position = owner, priority, brain, position
        self.limits, self.information, self.ask, self.note = limits, tuple(information), ask, note
        self.may_yield = may_yield and brain.is_ours
        self.future: Future[Any] = Future()
        self.number = 0
        self.began = 0.0
        self.spent = 0.0
        self.is_cancelled = self.is_hastened = self.is_to_yield = False

    @property
    def is_to_stop(self) -> bool:
        return self.is_cancelled or self.is_hastened or self.is_to_yield

    def resolve(self, result: Any, failure: BaseException | None = None) -> None:
        """Gives the answer to whoever still waits for it."""
        with contextlib.suppress(InvalidStateError):
            if failure is None:
                self.future.set_result(result)
            else:
                self.future.set_exception(failure)


class _Worker:
    """A thread with at most one process, which it keeps for the next question."""

    def __init__(self, pool: "EnginePool") -> None:
        self.job: _Job | None = None
        self._pool = pool
        self._pipes = make_pipes()
        self._brain: Brain | None = None
        self._key: tuple[str, tuple[str, ...]] | None = None
        read, write = os.pipe()
        self._waker: IO[bytes] = os.fdopen(write, "wb", buffering=0)
        self._woken: IO[bytes] = os.fdopen(read, "rb", buffering=0)
        self._pipes.listen(self._woken, self._heed_waker)
        self._told_at = 0.0
        self._thread = threading.Thread(target=self._work, name="thinking", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Any thread: the job's marks have changed."""
        with contextlib.suppress(OSError, ValueError):
            self._waker.write(b"!")

    def join(self) -> None:
        """Waits until the thread, and its process, are gone."""
        self._thread.join(OVERDUE + 2.0)

    def _work(self) -> None:
        while True:
            job = self._pool.next_job(self, 0.0 if self._brain is None else IDLE)
            if job is None:
                self._leave()
                if self._pool.is_closed:
                    self._waker.close()
                    self._pipes.drop(self._woken)
                    return
                continue
            self._answer(job)

    def _answer(self, job: _Job) -> None:
        result: Any = None
        failure: BaseException | None = None
        job.began, self._told_at = time.monotonic(), 0.0
        try:
            brain = self._brain_for(job)
            self._pipes.alarms[self._end_slice] = job.began + SLICE
            brain.start(job.position.width, job.position.height, job.position.rule)
            if job.is_to_stop:
                self._heed()
            result = job.ask(brain)
        except BrainFailure as error:
            failure = error
        except Exception as error:  # whatever it is, the one who asked is to hear of it, and the thread to go on
            failure = error
        finally:
            self._pipes.alarms.pop(self._end_slice, None)
            self._pipes.alarms.pop(self._heed, None)
            if self._brain is not None:
                self._brain.note = None
        job.spent += time.monotonic() - job.began
        if job.is_to_yield and not job.is_cancelled and self._pool.take_back(self, job):
            return
        self._pool.release(self)
        if job.is_cancelled:
            failure = Cancelled()
        job.resolve(result, failure)

    def _brain_for(self, job: _Job) -> Brain:
        key = job.brain.name, tuple(name for name, _ in job.information)
        if self._brain is None or self._key != key or not self._brain.is_sound:
            self._leave()
            watchdog = self._pool.watchdog.limit(0, 0)
            self._brain = Brain(job.brain.command, job.limits, watchdog=watchdog, pipes=self._pipes)
            self._key = key
        self._brain.limits, self._brain.information, self._brain.note = job.limits, job.information, job.note
        return self._brain

    def _leave(self) -> None:
        if self._brain is not None:
            self._brain.close()
            self._brain = None

    # What is called while the thread waits for its brain

    def _heed_waker(self, data: bytes) -> None:
        self._heed()

    def _heed(self) -> None:
        """Stops the brain if that is wanted, again and again: one that has not begun yet has nothing to stop."""
        job, now = self.job, time.monotonic()
        if job is None or self._brain is None or not job.is_to_stop:
            return
        self._told_at = self._told_at or now
        if (job.brain.is_ours and now - self._told_at < OVERDUE) or (job.is_hastened and not job.is_cancelled):
            self._brain.tell("YXSTOP")
            self._pipes.alarms[self._heed] = now + _KILL_AGAIN
        else:
            self._brain.interrupt()

    def _end_slice(self) -> None:
        job = self.job
        if job is not None and job.may_yield:
            if self._pool.has_waiting:
                job.is_to_yield = True
                self._heed()
            else:
                self._pipes.alarms[self._end_slice] = time.monotonic() + SLICE


class EnginePool:
    """The queue and the processes. `start` comes first and `close` last; its other methods are those of an event loop.

    brains: see `register`. processes: how many may think at the same time.
    """

    def __init__(self, brains: Mapping[str, RegisteredBrain], processes: int) -> None:
        self.brains = dict(brains)
        self.is_closed = False
        self.watchdog = WatchdogProcess(make_pipes())
        self._processes = processes
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._waiting: list[_Job] = []
        self._workers: list[_Worker] = []

    def start(self) -> None:
        """Starts the threads, and what sees to it that no brain outlives us."""
        self.watchdog.start()
        self._workers = [_Worker(self) for _ in range(self._processes)]

    def close(self) -> None:
        """Ends all thinking; no process is left."""
        with self._changed:
            self.is_closed = True
            waiting, self._waiting = self._waiting, []
            for worker in self._workers:
                if worker.job is not None:
                    worker.job.is_cancelled = True
            self._changed.notify_all()
        for job in waiting:
            job.resolve(None, Cancelled())
        for worker in self._workers:
            worker.wake()
        for worker in self._workers:
            worker.join()
        self.watchdog.close()

    # What is asked; all of it raises Cancelled when the owner has gone, BrainFailure, and Busy

    async def move(
        self, owner: str, name: str, position: Position, limits: Limits, priority: Priority = Priority.MOVE
    ) -> EngineMove:
        """The brain's move, on a free cell of the board."""
        def ask(brain: Brain) -> EngineMove:
            brain.drive = "board" if position.moves else "turn"
            x, y, seconds = brain.choose(position.moves, position.to_move)
            if not (0 <= x < position.width and 0 <= y < position.height):
                raise BrainFailure(Ending.OFF_BOARD, f"{x},{y}")
            if (x, y) in position.moves:
                raise BrainFailure(Ending.OCCUPIED, format_cell(x, y, position.height))
            return EngineMove((x, y), parse_thought(brain.heard), seconds)

        return await self._ask(owner, priority, name, position, limits, ask)

    async def propose(
        self, owner: str, name: str, position: Position, limits: Limits, priority: Priority = Priority.MOVE
    ) -> list[Cell]:
        """What the brain does in swap2 with 0, 3 or 5 stones on the board: see `Brain.propose`."""
        def ask(brain: Brain) -> list[Cell]:
            cells, _ = brain.propose(position.moves)
            taken = set(position.moves)
            for x, y in cells:
                if not (0 <= x < position.width and 0 <= y < position.height):
                    raise BrainFailure(Ending.OFF_BOARD, f"{x},{y}")
                if (x, y) in taken:
                    raise BrainFailure(Ending.OCCUPIED, format_cell(x, y, position.height))
                taken.add((x, y))
            return cells

        return await self._ask(owner, priority, name, position, limits, ask)

    async def analyse(
        self, owner: str, name: str, position: Position, limits: Limits, count: int,
        tell: Callable[[Analysis], None], passes: bool = False,
    ) -> Analysis:  # fmt: skip
        """The best `count` lines of play; `tell` is called, in the loop, with each that is deeper than the last.

        With a limit of nodes, which is one for each search, and enough seconds, the same position gives the same lines
        anywhere. passes: it is the other side that is to move. A brain that is not ours gives one line.
        """
        loop = asyncio.get_running_loop()
        hearing = _AnalysisReader(count, position.height, lambda lines: _call_in(loop, tell, lines))
        mover = 1 - position.to_move if passes else position.to_move

        def ask(brain: Brain) -> Analysis:
            if not self.brains[name].is_ours:
                brain.drive = "board" if position.moves else "turn"
                x, y, seconds = brain.choose(position.moves, position.to_move)
                return _from_thought((x, y), parse_thought(brain.heard), seconds)
            hearing.restart()
            brain.ask([*_board("YXBOARD", position, mover), f"YXNBEST {count}"])
            return hearing.flush()

        return await self._ask(owner, Priority.STUDY, name, position, limits, ask, hearing.note, True)

    async def balance(self, owner: str, position: Position, stones: int, limits: Limits) -> tuple[list[Cell], int]:
        """The stone, or the two stones, after which the game is nearest to even, by our brain; and the score left."""
        scores = [0]

        def note(direction: str, text: str) -> None:
            if found := _BALANCE.search(text):
                scores[:] = [int(found[1])]

        def ask(brain: Brain) -> tuple[list[Cell], int]:
            word = "YXBALANCEONE" if stones == 1 else "YXBALANCETWO"
            line, _ = brain.ask([*_board("YXBOARD", position, position.to_move), f"{word} 0"])
            return [(int(x), int(y)) for x, y in _POINT.findall(line)], scores[0]

        return await self._ask(owner, Priority.STUDY, HOUSE_BRAIN, position, limits, ask, note)

    def cancel(self, owner: str) -> None:
        """The owner wants no answer any more."""
        with self._changed:
            gone = [job for job in self._waiting if job.owner == owner]
            self._waiting = [job for job in self._waiting if job.owner != owner]
            workers = [worker for worker in self._workers if worker.job is not None and worker.job.owner == owner]
            for worker in workers:
                if worker.job is not None:
                    worker.job.is_cancelled = True
        for job in gone:
            job.resolve(None, Cancelled())
        for worker in workers:
            worker.wake()

    def hasten(self, owner: str) -> bool:
        """The owner wants the answer now; False where nothing is asked, or the brain knows no such request."""
        with self._changed:
            workers = [
                worker for worker in self._workers
                if worker.job is not None and worker.job.owner == owner and worker.job.brain.is_ours
            ]  # fmt: skip
            for worker in workers:
                if worker.job is not None:
                    worker.job.is_hastened = True
        for worker in workers:
            worker.wake()
        return bool(workers)

    def is_asked(self, owner: str) -> bool:
        """True while a question of the owner's waits or is thought about."""
        with self._changed:
            return any(job.owner == owner for job in self._waiting) or any(
                worker.job is not None and worker.job.owner == owner for worker in self._workers)

    async def _ask(
        self, owner: str, priority: Priority, name: str, position: Position, limits: Limits,
        ask: Callable[[Brain], _Result], note: Callable[[str, str], None] | None = None, may_yield: bool = False,
    ) -> _Result:  # fmt: skip
        brain = self.brains[name]
        seconds = limits.seconds or (LONGEST_TURN if limits.nodes else TURN)
        information = [("max_node", str(limits.nodes or 0))] if brain.is_ours or limits.nodes else []
        if brain.is_ours:
            strength = FULL_STRENGTH if limits.level is None else strength_of(limits.level)
            information += [("strength", str(strength)), ("thread_num", "1"), ("show_detail", "0")]
        granted = BrainLimits(turn=seconds, tolerance=_TOLERANCE, memory=MEMORY, output=_OUTPUT)
        job = _Job(owner, priority, brain, position, granted, information, ask, note, may_yield)
        self._submit(job)
        result: _Result = await asyncio.wrap_future(job.future)
        return result

    def _submit(self, job: _Job) -> None:
        job.number = next(self._numbers)
        with self._changed:
            if self.is_closed:
                raise Cancelled
            if len(self._waiting) >= _MOST_WAITING:
                raise Busy
            self._waiting.append(job)
            self._changed.notify()
            running = [worker for worker in self._workers if worker.job is not None]
            yielding = None
            if job.priority is not Priority.STUDY and len(running) == len(self._workers):
                able = [(worker.job.began, worker.job.number, worker) for worker in running if worker.job is not None
                        and worker.job.may_yield and not worker.job.is_to_stop]  # fmt: skip
                if able:
                    yielding = min(able, key=lambda each: each[:2])[2]
                    assert yielding.job is not None
                    yielding.job.is_to_yield = True
        if yielding is not None:
            yielding.wake()

    # What the workers ask, each in its thread

    @property
    def has_waiting(self) -> bool:
        """True when a question waits for a worker."""
        return bool(self._waiting)

    def next_job(self, worker: _Worker, patience: float) -> _Job | None:
        """The question that comes first; None when there is none for so long, or never, 0, and when all is over."""
        with self._changed:
            if not self._waiting and not self.is_closed:
                self._changed.wait(patience or None)
            if self.is_closed or not self._waiting:
                return None
            job = min(self._waiting, key=lambda each: (each.priority, each.number))
            self._waiting.remove(job)
            worker.job = job
            return job

    def take_back(self, worker: _Worker, job: _Job) -> bool:
        """Lets an analysis that gave up its place wait for another one; False when its time is over."""
        left = job.limits.turn - job.spent
        with self._changed:
            worker.job = None
            if left < 0.1 or self.is_closed or job.is_cancelled:
                return False
            job.is_to_yield = False
            job.spent = 0.0
            job.limits = BrainLimits(turn=left, tolerance=_TOLERANCE, memory=MEMORY, output=_OUTPUT)
            job.number = next(self._numbers)
            self._waiting.append(job)
            self._changed.notify()
            return True

    def release(self, worker: _Worker) -> None:
        """The worker has its answer."""
        with self._changed:
            worker.job = None


def _board(word: str, position: Position, mover: int) -> list[str]:
    stones = (f"{x},{y},{1 if index % 2 == mover else 2}" for index, (x, y) in enumerate(position.moves))
    return [word, *stones, "DONE"]


def _from_thought(cell: Cell, thought: Thought, seconds: float) -> Analysis:
    win = win_probability(thought.score, thought.mate)
    nodes = thought.nodes or 0
    return Analysis((Variation((cell,), thought.score, thought.mate, win, thought.depth),), nodes,
                 round(nodes / max(seconds, 0.001)))  # fmt: skip


def _call_in(loop: asyncio.AbstractEventLoop, function: Callable[[Analysis], None], lines: Analysis) -> None:
    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is there to be told
        loop.call_soon_threadsafe(function, lines)

