"""A player: a brain under the name that the output gives it, with what is particular to it."""

from dataclasses import dataclass

from tournaments.brains.command import Command
from tournaments.brains.limits import BrainLimits


@dataclass(frozen=True)
class Player:
    """`limits` and `protocol_mode` (see `Brain`), unless they are None, replace those of the tournament; `information`
    are further INFO keys and values, such as ("max_node", "1000"). `digest` is a hash of the program's content, and of
    the files that match the patterns `data`, see fingerprint.py; "" if it was not computed. `folder` is the folder in
    which the process runs, "" for an empty folder of its own; `environment` are variables added to those of the
    manager.
    """

    name: str
    command: Command
    limits: BrainLimits | None = None
    protocol_mode: str | None = None
    information: tuple[tuple[str, str], ...] = ()
    digest: str = ""
    data: tuple[str, ...] = ()
    folder: str = ""
    environment: tuple[tuple[str, str], ...] = ()
