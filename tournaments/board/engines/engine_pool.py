"""Brains that think for the board: as many processes as there are cores, and one fair queue in front of them.

A question names its owner, a game or a watcher, and each owner has one question at a time. Moves that a person waits
for come before hints, and hints before analysis and games between brains. An analysis gives its place up when a move is
due, or after `worker.SLICE` when others wait, and goes on later. A process does not belong to a game: each question
tells it the whole position, and it ends when it has had nothing to do for `worker.IDLE`.
"""

import asyncio
import contextlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from tournaments.board.engines.analysis import Analysis, AnalysisReader, analysis_of_info
from tournaments.board.engines.brain_question import BrainQuestion
from tournaments.board.engines.brain_registry import HOUSE_BRAIN
from tournaments.board.engines.job_queue import Job, JobQueue, Priority, grant
from tournaments.board.engines.position import Position
from tournaments.board.engines.question_limits import QuestionLimits
from tournaments.board.engines.registration import RegisteredBrain
from tournaments.board.engines.shared_watchdog import SharedWatchdog
from tournaments.board.engines.worker import Worker
from tournaments.board.game.actions import Action
from tournaments.brains.answer import StartedBrain
from tournaments.brains.brain import Brain
from tournaments.rules.referee import Cell

_BALANCE = re.compile(r"balance (-?[0-9]{1,9}) depth")
_POINT = re.compile(r"([0-9]{1,2}),([0-9]{1,2})")

_Result = TypeVar("_Result")


class EnginePool:
    """The queue and the processes. `start` comes first and `close` last; call the other methods in one event loop.

    brains: see `register`. processes: how many may think at the same time.
    """

    def __init__(self, brains: Mapping[str, RegisteredBrain], processes: int) -> None:
        self.brains = dict(brains)
        self.watchdog = SharedWatchdog()
        self._processes = processes
        self._queue: JobQueue[Worker] = JobQueue()

    def start(self) -> None:
        """Starts the threads, and the watchdog, so that no brain outlives this process."""
        self.watchdog.start()
        self._queue.workers = [Worker(self._queue, self.watchdog) for _ in range(self._processes)]

    def close(self) -> None:
        """Ends all thinking; no process is left."""
        self._queue.close()
        for worker in self._queue.workers:
            worker.wake()
        for worker in self._queue.workers:
            worker.join()
        self.watchdog.close()

    # The questions. All raise Cancelled when the owner has gone, BrainFailure, and Busy.

    async def act(self, owner: str, question: BrainQuestion, priority: Priority = Priority.MOVE) -> Action:
        """The brain's action for a game's question: a move, an opening, or a hint."""
        position = question.position

        def ask(brain: Brain) -> Action:
            return question.ask(StartedBrain(brain, position.width, position.height))

        return await self._ask(owner, priority, question.brain, position, question.limits, ask)

    async def analyse(
        self,
        owner: str,
        name: str,
        position: Position,
        limits: QuestionLimits,
        count: int,
        tell: Callable[[Analysis], None],
        passes: bool = False,
        barred: Sequence[Cell] = (),
    ) -> Analysis:
        """The best `count` lines of play; `tell` is called, in the loop, with each that is deeper than the last.

        With a limit of nodes, which is one for all lines together, and enough seconds, the same position gives the same
        lines anywhere, if one thread searches. passes: it is the other side that is to move. barred: cells that are not
        played now; they are free again for later moves. A brain that is not ours gives one line, and bars nothing.
        """
        loop = asyncio.get_running_loop()
        hearing = AnalysisReader(count, position.height, lambda lines: _call_in(loop, tell, lines))
        mover = 1 - position.to_move if passes else position.to_move

        def ask(brain: Brain) -> Analysis:
            if not self.brains[name].is_ours:
                answer = StartedBrain(brain, position.width, position.height).play(position.moves)
                return analysis_of_info(answer.move, answer.info, answer.seconds)
            hearing.restart()
            try:
                brain.ask([*_bar(barred), *_board("YXBOARD", position, mover), f"YXNBEST {count}"])
            finally:
                if barred:
                    brain.tell("YXBLOCKRESET")  # the next question may be another client's
            return hearing.flush()

        return await self._ask(owner, Priority.STUDY, name, position, limits, ask, hearing.note, True)

    async def balance(
        self, owner: str, position: Position, stones: int, limits: QuestionLimits
    ) -> tuple[list[Cell], int]:
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
        self._queue.cancel(owner)

    def hasten(self, owner: str) -> bool:
        """The owner wants the answer now; False without a question, or if the brain cannot be told so."""
        return self._queue.hasten(owner)

    def is_asked(self, owner: str) -> bool:
        """True while a question of the owner's waits or is thought about."""
        return self._queue.is_asked(owner)

    @property
    def is_busy(self) -> bool:
        """True while any question waits or is thought about."""
        return self._queue.is_busy

    async def _ask(
        self,
        owner: str,
        priority: Priority,
        name: str,
        position: Position,
        limits: QuestionLimits,
        ask: Callable[[Brain], _Result],
        note: Callable[[str, str], None] | None = None,
        may_yield: bool = False,
    ) -> _Result:
        brain = self.brains[name]
        information = limits.information(brain.is_ours)
        if brain.is_ours:
            more = {"max_depth": limits.depth or 0, "thread_num": limits.threads, "show_detail": 0}
            information += [(key, str(value)) for key, value in more.items()]
        granted = grant(limits.turn, limits.memory)
        job = Job(owner, priority, brain, position, granted, information, ask, note, may_yield)
        self._queue.submit(job)
        result: _Result = await asyncio.wrap_future(job.future)
        return result


def _board(word: str, position: Position, mover: int) -> list[str]:
    stones = (f"{x},{y},{1 if index % 2 == mover else 2}" for index, (x, y) in enumerate(position.moves))
    return [word, *stones, "DONE"]


def _bar(cells: Sequence[Cell]) -> list[str]:
    return ["YXBLOCK", *(f"{x},{y}" for x, y in cells), "DONE"] if cells else []


def _call_in(loop: asyncio.AbstractEventLoop, function: Callable[[Analysis], None], lines: Analysis) -> None:
    with contextlib.suppress(RuntimeError):  # the loop is closed, so that no caller waits any more
        loop.call_soon_threadsafe(function, lines)
