"""The brains that the server may ask: ours, the rivals, and those that its owner has named."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.board.engines.brain_registry import BrainRegistry
from tournaments.board.game.events import BRAIN_NAME
from tournaments.brains.command import Command, parse_command


@dataclass(frozen=True)
class RegisteredBrain:
    """A brain that may be asked. `is_ours`: it knows levels, several lines, balance and a request to stop.
    `may_survey`: see `BrainRegistry.may_survey`."""

    name: str
    title: str
    command: Command
    is_ours: bool = False
    may_survey: bool = True


def register(extra: Sequence[str] = ()) -> dict[str, RegisteredBrain]:
    """The brains that may be asked, by name: ours, the rivals, and those of `NAME=COMMAND` texts.

    Raises ValueError, in one sentence, for a text of another form and for a missing program.
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
        name: RegisteredBrain(
            name,
            name.capitalize() if name in known else name,
            registry.command(name),
            registry.has_levels(name),
            registry.may_survey(name),
        )
        for name in registry.names()
    }
