"""Where brains live during a match or a tournament: watched over, used again, and gone in the end."""

import asyncio
import os
import subprocess
import sys
from typing import Self

from tournaments.brain import Brain, Limits
from tournaments.opening import Opening, format_pos, parse_opening
from tournaments.player import Player
from tournaments.process import Crowd
from tournaments.referee import Board
from tournaments.warden import WardenProcess


class Arena:
    """Hands out brains, and takes them back. An async context manager: no brain is left when it is left.

    reuses: a brain that has behaved is kept, and plays its player's next game in the same process, with another START.
    capacity: how many such idle processes are kept at most; those idle for longest go first. drive, freezes: see
    `Brain`. watches: have a warden (see warden.py); without one, brains outlive a manager that is killed, and the
    limits of memory and processes are not kept.
    """

    def __init__(
        self,
        drive: str = "turn",
        reuses: bool = False,
        freezes: bool = False,
        watches: bool = True,
        capacity: int = 2,
    ) -> None:
        self._drive = drive
        self._reuses = reuses
        self._freezes = freezes
        self._capacity = capacity
        self._warden = WardenProcess() if watches else None
        self._crowd = Crowd()
        self._idle: list[tuple[Player, Limits, Brain]] = []
        self._prover: asyncio.subprocess.Process | None = None
        self._proving = asyncio.Lock()

    async def __aenter__(self) -> Self:
        if self._warden is not None:
            await self._warden.start()
        return self

    async def __aexit__(self, *exception: object) -> None:
        try:
            await asyncio.gather(*(brain.close() for _, _, brain in self._idle))
        finally:
            self._idle.clear()
            if self._prover is not None and self._prover.stdin is not None:
                self._prover.stdin.close()
                await self._prover.wait()
            if self._warden is not None:
                await self._warden.close()

    def acquire(self, player: Player, limits: Limits) -> Brain:
        """A brain of the player's, to be started for one game and then taken back."""
        limits = player.limits or limits
        for index, (owner, kept, brain) in enumerate(self._idle):
            if (owner, kept) == (player, limits):
                del self._idle[index]
                return brain
        warden = None
        if self._warden is not None:
            warden = self._warden.limit(limits.memory if limits.enforces_memory else 0, limits.processes)
        drive = player.drive or self._drive
        return Brain(player.command, limits, drive, self._freezes, player.information, warden, self._crowd)

    def take_back(self, player: Player, brain: Brain) -> list[Brain]:
        """After a game: keeps the brain if it can play another one. Returns those that are to be closed now."""
        if not (self._reuses and brain.is_sound):
            return [brain]
        self._idle.append((player, brain.limits, brain))
        return [self._idle.pop(0)[2]] if len(self._idle) > self._capacity else []

    async def prove(self, board: Board) -> Opening:
        """The side to move's proved victory by continuous fours, empty where none was found; see vcf.py.

        One position at a time, in a process of its own, so that no clock of another game suffers.
        """
        async with self._proving:
            if self._prover is None:
                self._prover = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", "tournaments.vcf",
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=os.name == "posix",
                )  # fmt: skip
            assert self._prover.stdin is not None and self._prover.stdout is not None
            stones = format_pos(tuple((x, y) for x, y, _ in board.stones)) or "-"
            self._prover.stdin.write(f"{int(board.rule)} {board.width} {board.height} {stones}\n".encode())
            answer = (await self._prover.stdout.readline()).decode().strip()
        return () if answer in ("", "-") else parse_opening(answer, board.width, board.height)
