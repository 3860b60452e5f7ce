"""The questions that wait for a brain, in the order in which they come, and those that workers have now."""

import contextlib
import itertools
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from enum import IntEnum
from typing import Any, Generic, Protocol, TypeVar

from tournaments.board.engines.position import Position
from tournaments.board.engines.question_limits import brain_limits
from tournaments.board.engines.registration import RegisteredBrain
from tournaments.brains.brain import Brain
from tournaments.brains.limits import BrainLimits

MEMORY = 128 << 20
"""The brain's limit of memory, in bytes."""

_MOST_WAITING = 500


class Priority(IntEnum):
    """The order in which questions are asked: moves that a person waits for, then hints, then analysis and games
    between brains."""

    MOVE = 0
    HINT = 1
    STUDY = 2


class Cancelled(Exception):
    """The answer is not wanted any more."""


class Busy(Exception):
    """Too many questions wait already."""


class Job:
    """A question that waits or is asked; `ask` runs in the thread of a worker, with a brain that knows the board."""

    def __init__(
        self,
        owner: str,
        priority: Priority,
        brain: RegisteredBrain,
        position: Position,
        limits: BrainLimits,
        information: Sequence[tuple[str, str]],
        ask: Callable[[Brain], Any],
        note: Callable[[str, str], None] | None,
        may_yield: bool,
    ) -> None:
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
        """True if the brain is to end its answer now, for any reason."""
        return self.is_cancelled or self.is_hastened or self.is_to_yield

    def resolve(self, result: Any, failure: BaseException | None = None) -> None:
        """Gives the answer to the caller, if that still waits."""
        with contextlib.suppress(InvalidStateError):
            if failure is None:
                self.future.set_result(result)
            else:
                self.future.set_exception(failure)


def grant(turn: float, memory: int | None = None) -> BrainLimits:
    """The limits of a brain that has this number of seconds for its answer, and of bytes, None for the usual number."""
    return brain_limits(turn, memory or MEMORY)


class HasJob(Protocol):
    """A worker, as far as the queue knows it."""

    job: Job | None

    def wake(self) -> None:
        """Any thread: the job's marks have changed."""


_Worker = TypeVar("_Worker", bound=HasJob)


class JobQueue(Generic[_Worker]):
    """The queue in front of `workers`. Its methods may be called from any thread."""

    def __init__(self) -> None:
        self.workers: list[_Worker] = []
        self.is_closed = False
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._waiting: list[Job] = []

    def close(self) -> None:
        """Cancels all questions. The caller must wake the workers, which get no more questions."""
        with self._changed:
            self.is_closed = True
            waiting, self._waiting = self._waiting, []
            for worker in self.workers:
                if worker.job is not None:
                    worker.job.is_cancelled = True
            self._changed.notify_all()
        for job in waiting:
            job.resolve(None, Cancelled())

    def submit(self, job: Job) -> None:
        """Takes a question. Raises Cancelled after the end, and Busy if too many wait."""
        job.number = next(self._numbers)
        with self._changed:
            if self.is_closed:
                raise Cancelled
            if len(self._waiting) >= _MOST_WAITING:
                raise Busy
            self._waiting.append(job)
            self._changed.notify()
            running = [worker for worker in self.workers if worker.job is not None]
            yielding = None
            if job.priority is not Priority.STUDY and len(running) == len(self.workers):
                able = [
                    (worker.job.began, worker.job.number, worker)
                    for worker in running
                    if worker.job is not None and worker.job.may_yield and not worker.job.is_to_stop
                ]
                if able:
                    yielding = min(able, key=lambda each: each[:2])[2]
                    assert yielding.job is not None
                    yielding.job.is_to_yield = True
        if yielding is not None:
            yielding.wake()

    def cancel(self, owner: str) -> None:
        """The owner wants no answer any more."""
        with self._changed:
            gone = [job for job in self._waiting if job.owner == owner]
            self._waiting = [job for job in self._waiting if job.owner != owner]
            workers = [worker for worker in self.workers if worker.job is not None and worker.job.owner == owner]
            for worker in workers:
                if worker.job is not None:
                    worker.job.is_cancelled = True
        for job in gone:
            job.resolve(None, Cancelled())
        for worker in workers:
            worker.wake()

    def hasten(self, owner: str) -> bool:
        """The owner wants the answer now; False without a question, or if the brain cannot be told so."""
        with self._changed:
            workers = [
                worker
                for worker in self.workers
                if worker.job is not None and worker.job.owner == owner and worker.job.brain.is_ours
            ]
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
                worker.job is not None and worker.job.owner == owner for worker in self.workers
            )

    @property
    def is_busy(self) -> bool:
        """True while any question waits or is thought about."""
        with self._changed:
            return bool(self._waiting) or any(worker.job is not None for worker in self.workers)

    # Calls of the workers, each in its own thread

    @property
    def has_waiting(self) -> bool:
        """True when a question waits for a worker."""
        return bool(self._waiting)

    def next_job(self, worker: _Worker, patience: float) -> Job | None:
        """The question that comes first. None after `patience` seconds without one, and at the end; 0: no limit."""
        with self._changed:
            if not self._waiting and not self.is_closed:
                self._changed.wait(patience or None)
            if self.is_closed or not self._waiting:
                return None
            job = min(self._waiting, key=lambda each: (each.priority, each.number))
            self._waiting.remove(job)
            worker.job = job
            return job

    def take_back(self, worker: _Worker, job: Job) -> bool:
        """Lets an analysis that gave up its place wait for another one; False when its time is over."""
        left = job.limits.turn - job.spent
        with self._changed:
            worker.job = None
            if left < 0.1 or self.is_closed or job.is_cancelled:
                return False
            job.is_to_yield = False
            job.spent = 0.0
            job.limits = grant(left, job.limits.memory)
            job.number = next(self._numbers)
            self._waiting.append(job)
            self._changed.notify()
            return True

    def release(self, worker: _Worker) -> None:
        """The worker has its answer."""
        with self._changed:
            worker.job = None
