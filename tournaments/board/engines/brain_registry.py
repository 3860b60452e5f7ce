"""The brains that may be asked at the board, by name, and the program of each."""

from collections.abc import Mapping

from tournaments.brains.command import Command, parse_command
from tournaments.rivals import RIVALS

HOUSE_BRAIN = "tengen"
"""The brain that is always there, the one with levels, and the one that gives hints."""


class UnknownBrain(ValueError):
    """The seat's brain is not registered here; the message is one sentence."""


class BrainRegistry:
    """The brains that may be asked, by name: our own, the rivals, and those that the user has named."""

    def __init__(self, named: Mapping[str, Command] | None = None) -> None:
        """`named` are further brains; one with a known name replaces the brain of that name."""
        self._commands = dict(named or {})

    def names(self) -> list[str]:
        """All of them, our own first."""
        return list(dict.fromkeys((HOUSE_BRAIN, *RIVALS, *self._commands)))

    def command(self, name: str) -> Command:
        """The brain's command line. Raises UnknownBrain, and ValueError if its program is missing."""
        if name in self._commands:
            return self._commands[name]
        if name == HOUSE_BRAIN:
            return parse_command("pbrain-tengen")
        if name in RIVALS:
            return parse_command(name)
        known = ", ".join(self.names())
        raise UnknownBrain(f"there is no brain '{name}' here, only {known}: --brain {name}=COMMAND adds it")

    def may_survey(self, name: str) -> bool:
        """False for a shipped rival: it lacks the command SURVEY, by which a brain plays the openings of renju."""
        return name not in RIVALS or name in self._commands

    def has_levels(self, name: str) -> bool:
        """True for a brain that plays at levels."""
        return name == HOUSE_BRAIN and name not in self._commands
