"""The brains of the game in a terminal: a process for each seat, which is asked while everything else waits."""

from typing import Self

from tournaments.board.engines.brain_question import BrainQuestion, CanAnswer
from tournaments.board.engines.brain_registry import BrainRegistry
from tournaments.board.engines.question_limits import brain_limits
from tournaments.board.engines.shared_watchdog import SharedWatchdog
from tournaments.board.game.actions import Action
from tournaments.board.game.events import Seat
from tournaments.brains.client import OpenBrain, open_brain
from tournaments.brains.limits import MAX_MEMORY_BYTES
from tournaments.brains.process import CannotStart
from tournaments.files.system_error import numbered
from tournaments.rules.referee import Rule


class SeatBrains:
    """The processes of the brains of one game at a time, each started with its first question. A context manager.

    They end with the context, and if this program is killed. For one thread at a time.
    """

    def __init__(self, registry: BrainRegistry) -> None:
        self.registry = registry
        self._watchdog: SharedWatchdog | None = None
        self._open: dict[Seat, tuple[OpenBrain, tuple[int, int, Rule]]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends all processes."""
        while self._open:
            self._open.popitem()[1][0].close()
        if self._watchdog is not None:
            self._watchdog.close()
            self._watchdog = None

    def act(self, question: BrainQuestion) -> Action:
        """Asks the brain, and returns what it does.

        Raises BrainFailure if the brain fails, after which it may be asked again; ValueError if there is no such brain,
        and CannotStart if the system can start no process.
        """
        return question.ask(self._brain_for(question))

    def _brain_for(self, question: BrainQuestion) -> CanAnswer:
        """The seat's brain, which knows the board of the question."""
        who, position, limits = question.who, question.position, question.limits
        board = (position.width, position.height, position.rule)
        brain, known = self._open.get(who, (None, None))
        if brain is None:
            information = limits.information(self.registry.has_levels(question.brain))
            told = brain_limits(limits.turn, MAX_MEMORY_BYTES)
            command = self.registry.command(question.brain)
            brain = open_brain(command, told, information, watchdog=self._started_watchdog())
            self._open[who] = brain, board
        if known != board:
            brain.start(*board)
            self._open[who] = brain, board
        return brain

    def _started_watchdog(self) -> SharedWatchdog:
        """The watchdog of all brains. Raises CannotStart."""
        if self._watchdog is None:
            watchdog = SharedWatchdog()
            try:
                watchdog.start()
            except OSError as error:
                watchdog.close()
                raise numbered(CannotStart(f"the system cannot start a watchdog: {error.strerror}"), error) from None
            self._watchdog = watchdog
        return self._watchdog
