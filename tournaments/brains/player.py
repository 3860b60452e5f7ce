"""A player: a brain under the name that the output gives it, with what is particular to it."""

from dataclasses import dataclass

from tournaments.brains.brain import BrainLimits
from tournaments.brains.command import Command


@dataclass(frozen=True)
class Player:
    """`limits` and `drive` (see `Brain`), where given, take the place of those that hold for all; `information` are
    further INFO keys and values, such as ("max_node", "1000"). `digest` names the program by its content, and `data`
    are patterns of files that are in it, see fingerprint.py; "" where nobody asked. `folder` is where the process
    works, "" for an empty folder of its own; `environment` are variables that it has beside ours.
    """

    name: str
    command: Command
    limits: BrainLimits | None = None
    drive: str | None = None
    information: tuple[tuple[str, str], ...] = ()
    digest: str = ""
    data: tuple[str, ...] = ()
    folder: str = ""
    environment: tuple[tuple[str, str], ...] = ()
