"""Starts the brains of a match or a tournament, watches over them, reuses them, and ends them."""

import os
from collections.abc import Iterable
from typing import Self

from tournaments.brains.brain import Brain
from tournaments.brains.limits import BrainLimits
from tournaments.brains.pipes import Pipes, make_pipes
from tournaments.brains.player import Player
from tournaments.brains.watchdog import Link, WatchdogProcess


class Pool:
    """Hands out brains for one game at a time, and takes them back. A context manager that ends all brains.

    reuses: a brain that has behaved is kept, and plays its player's next game in the same process, with another START;
    the pool keeps at most `CAPACITY` idle brains, and closes the longest idle one first. protocol_mode, freezes: see
    `Brain`. watches: starts a watchdog (see watchdog.py); without one, brains outlive a manager that is killed, and the
    limits of memory and processes are not enforced. link: the connection to a watchdog that runs already. pipes: read
    the brains' output.
    """

    CAPACITY = 2

    def __init__(
        self,
        protocol_mode: str = "turn",
        reuses: bool = False,
        freezes: bool = False,
        watches: bool = True,
        link: Link | None = None,
        pipes: Pipes | None = None,
    ) -> None:
        self.pipes = pipes or make_pipes()
        self._protocol_mode = protocol_mode
        self._reuses = reuses
        self._freezes = freezes
        self._own_watchdog = WatchdogProcess(self.pipes) if watches and link is None else None
        self._link = link or self._own_watchdog
        self._idle: list[tuple[Player, BrainLimits, Brain]] = []

    def __enter__(self) -> Self:
        if self._own_watchdog is not None:
            self._own_watchdog.start()
        return self

    def __exit__(self, *exception: object) -> None:
        try:
            close_all([brain for _, _, brain in self._idle])
        finally:
            self._idle.clear()
            if self._own_watchdog is not None:
                self._own_watchdog.close()

    @property
    def has_brains(self) -> bool:
        """True if a brain is kept for its next game."""
        return bool(self._idle)

    def acquire(self, player: Player, limits: BrainLimits) -> Brain:
        """A brain of the player, which the caller starts for one game and then gives back by `take_back`."""
        limits = player.limits or limits
        for index, (owner, kept, brain) in enumerate(self._idle):
            if (owner, kept) == (player, limits):
                del self._idle[index]
                return brain
        watchdog = None
        if self._link is not None:
            watchdog = self._link.limit(limits.memory if limits.enforces_memory else 0, limits.processes)
        mode = player.protocol_mode or self._protocol_mode
        information = player.information
        surroundings = player.folder, dict(player.environment)
        return Brain(player.command, limits, mode, self._freezes, information, watchdog, self.pipes, *surroundings)

    def take_back(self, player: Player, brain: Brain) -> list[Brain]:
        """After a game: keeps the brain if it can play another one. Returns the brains that the caller must close."""
        if not (self._reuses and brain.is_sound):
            return [brain]
        self._idle.append((player, brain.limits, brain))
        return [self._idle.pop(0)[2]] if len(self._idle) > self.CAPACITY else []


def close_all(brains: Iterable[Brain]) -> None:
    """Closes several brains at the same time; an interruption kills those that have not exited."""
    waiting = list(brains)
    for brain in waiting:
        brain.request_exit()
    while waiting:
        try:
            waiting.pop().close()
        except BaseException:
            for brain in waiting:
                brain.kill()
            raise


def can_pin() -> bool:
    """True if the system can keep a process on one core."""
    return hasattr(os, "sched_setaffinity")


def pin(slot: int) -> None:
    """Keeps this process and its children on one core: number `slot` of the allowed cores, counted in a circle."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[slot % len(cores)]})
