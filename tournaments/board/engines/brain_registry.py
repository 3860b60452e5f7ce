"""How a seat's brain is asked for its move: which program, at what level, with how much time; and its processes."""

import time
from collections.abc import Mapping
from typing import Self

from tournaments.board.engines.brain_question import BrainQuestion
from tournaments.board.engines.position import Position
from tournaments.board.game.actions import Action
from tournaments.board.game.events import LEVELS, Seat
from tournaments.board.game.facts import GameFacts
from tournaments.brains.client import OpenBrain, open_brain
from tournaments.brains.command import Command, parse_command
from tournaments.brains.limits import BrainLimits
from tournaments.rivals import RIVALS
from tournaments.rules.referee import Cell, Rule

HOUSE_BRAIN = "tengen"
"""The brain that is always there, the one with levels, and the one that gives hints."""

DEFAULT_TURN = 2.0
"""Seconds for a move where nothing else is asked for."""
BOUNDED_TURN = 60.0
"""Seconds for a move that is bounded by its nodes."""
HINT = Seat("brain", HOUSE_BRAIN, turn_ms=1000)
_TOLERANCE = 10.0  # seconds; nobody's game is lost by a machine that is busy


class UnknownBrain(ValueError):
    """A seat's brain is not registered here, in one sentence."""


class BrainRegistry:
    """The brains that may be asked, by name: the house's own, the rivals, and those that the user has named."""

    def __init__(self, named: Mapping[str, Command] | None = None) -> None:
        """`named` are further ones; a name that is there already is replaced."""
        self._commands = dict(named or {})

    def names(self) -> list[str]:
        """All of them, the house's own first."""
        return list(dict.fromkeys((HOUSE_BRAIN, *RIVALS, *self._commands)))

    def command(self, name: str) -> Command:
        """The brain's command line. Raises UnknownBrain, and ValueError where its program is missing."""
        if name in self._commands:
            return self._commands[name]
        if name == HOUSE_BRAIN:
            return parse_command("pbrain-tengen")
        if name in RIVALS:
            return parse_command(name)
        known = ", ".join(self.names())
        raise UnknownBrain(f"there is no brain '{name}' here, only {known}: --brain {name}=COMMAND adds it")

    def has_levels(self, name: str) -> bool:
        """True for a brain that plays at levels."""
        return name == HOUSE_BRAIN and name not in self._commands


def strength_of(level: int) -> int:
    """What INFO strength is for a level of 1 to 10; 100 is full strength."""
    return 100 * level // LEVELS[-1]


def brain_limits_of(seat: Seat) -> BrainLimits:
    """How long a brain in that seat may think."""
    turn = DEFAULT_TURN if seat.nodes is None else BOUNDED_TURN
    return BrainLimits(turn=turn if seat.turn_ms is None else seat.turn_ms / 1000, tolerance=_TOLERANCE)


def information_of(seat: Seat) -> list[tuple[str, str]]:
    """INFO keys and values that say the seat's level and nodes."""
    information = [] if seat.level is None else [("strength", str(strength_of(seat.level)))]
    return information if seat.nodes is None else [*information, ("max_node", str(seat.nodes))]


class Brains:
    """The processes of the brains of one game at a time, each started when it is asked first. A context manager.

    They are gone when the context is left. Of one thread at a time. The methods that ask raise BrainFailure when the
    brain fails, after which it may be asked again, and ValueError for a brain that cannot be started.
    """

    def __init__(self, registry: BrainRegistry) -> None:
        self.registry = registry
        self._open: dict[Seat, tuple[OpenBrain, tuple[int, int, Rule]]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends all processes."""
        while self._open:
            self._open.popitem()[1][0].close()

    def act(self, question: BrainQuestion) -> Action:
        """Asks the brain, and returns what it does."""
        who, cells = question.who, question.position.moves
        brain = self._brain(who, question.position)
        if not question.is_opening:
            answer = brain.play(cells, brain_limits_of(who))
            return question.move(answer.move, answer.seconds, answer.info)
        began = time.monotonic()
        placed = brain.propose(cells, brain_limits_of(who))
        return question.opening(placed, time.monotonic() - began)

    def hint(self, game: GameFacts) -> tuple[Cell, float | None, int | None]:
        """The house brain's move for the side to move, its score and its win or loss in plies, None where unknown."""
        settings = game.settings
        position = Position(settings.width, settings.height, settings.rule, game.cells)
        answer = self._brain(HINT, position).play(game.cells, brain_limits_of(HINT))
        return answer.move, answer.info.score, answer.info.mate

    def _brain(self, who: Seat, position: Position) -> OpenBrain:
        board = (position.width, position.height, position.rule)
        brain, known = self._open.get(who, (None, None))
        if brain is None:
            assert who.brain is not None, "a person is not asked"
            brain = open_brain(self.registry.command(who.brain), brain_limits_of(who), information_of(who))
            self._open[who] = brain, board
        if known != board:
            brain.start(*board)
            self._open[who] = brain, board
        return brain
