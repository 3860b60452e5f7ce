"""A thread that takes questions from the queue and asks them to brains, one after the other."""

import contextlib
import os
import threading
import time
from typing import IO, Any

from tournaments.board.engines.job_queue import Cancelled, Job, JobQueue
from tournaments.board.engines.shared_watchdog import SharedWatchdog
from tournaments.brains.brain import Brain, BrainFailure
from tournaments.brains.pipes import make_pipes

SLICE = 5.0
IDLE = 10.0
OVERDUE = 2.0
"""Seconds: an analysis may take while others wait; a process may have nothing to do; a brain has to stop."""

_KILL_AGAIN = 0.2


class Worker:
    """A thread with at most one process, which it keeps for the next question."""

    def __init__(self, queue: "JobQueue[Worker]", watchdog: SharedWatchdog) -> None:
        self.job: Job | None = None
        self._queue = queue
        self._watchdog = watchdog
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
            job = self._queue.next_job(self, 0.0 if self._brain is None else IDLE)
            if job is None:
                self._leave()
                if self._queue.is_closed:
                    self._waker.close()
                    self._pipes.drop(self._woken)
                    return
                continue
            self._answer(job)

    def _answer(self, job: Job) -> None:
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
        except Exception as error:  # any error: the caller must hear of it, and the thread must go on
            failure = error
        finally:
            self._pipes.alarms.pop(self._end_slice, None)
            self._pipes.alarms.pop(self._heed, None)
            if self._brain is not None:
                self._brain.note = None
        job.spent += time.monotonic() - job.began
        if job.is_to_yield and not job.is_cancelled and self._queue.take_back(self, job):
            return
        self._queue.release(self)
        if job.is_cancelled:
            failure = Cancelled()
        job.resolve(result, failure)

    def _brain_for(self, job: Job) -> Brain:
        key = job.brain.name, tuple(name for name, _ in job.information)
        if self._brain is None or self._key != key or not self._brain.is_sound:
            self._leave()
            self._brain = Brain(job.brain.command, job.limits, watchdog=self._watchdog, pipes=self._pipes)
            self._key = key
        self._brain.limits, self._brain.information, self._brain.note = job.limits, job.information, job.note
        return self._brain

    def _leave(self) -> None:
        if self._brain is not None:
            self._brain.close()
            self._brain = None

    # Called while the thread waits for its brain

    def _heed_waker(self, data: bytes) -> None:
        self._heed()

    def _heed(self) -> None:
        """Stops the brain if that is wanted; again and again, because a brain ignores it before its search begins."""
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
            if self._queue.has_waiting:
                job.is_to_yield = True
                self._heed()
            else:
                self._pipes.alarms[self._end_slice] = time.monotonic() + SLICE
