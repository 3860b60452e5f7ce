"""A brain: a child process that speaks the Gomocup protocol, held to its clocks and never trusted.

The process gets its own process group and an empty temporary working folder. Its stdout is read leniently (any line
end, bytes that are not UTF-8 replaced, MESSAGE and DEBUG set aside); its stderr is counted and never mixed in. Whatever
it does - hang, crash, babble, ignore END - ends as a `BrainFailure` within the stated time, and `close` leaves nothing
of it behind.
"""

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.command import Command
from tournaments.ending import Ending

UNLIMITED_MS = 2147483647
MAX_MEMORY_BYTES = 350 << 20

_MAX_LINE = 1 << 16
_MAX_WAITING_LINES = 64
_MOVE = re.compile(r"([+-]?\d{1,9})\s*,\s*([+-]?\d{1,9})")


@dataclass(frozen=True)
class Limits:
    """A brain's clocks, all in seconds of wall time.

    turn: for one answer; 0 asks for answers as fast as possible. match: for all its answers of a game, None for no
    limit. startup: from process start to OK, outside both other clocks. tolerance: what an answer may overrun the turn
    and match clocks before the game is lost; overruns are charged to the match clock all the same.
    grace: what a brain gets to exit by itself after END.
    """

    turn: float = 0.5
    match: float | None = None
    startup: float = 10.0
    tolerance: float = 0.25
    grace: float = 1.0


class BrainFailure(Exception):
    """The brain has lost the game by itself; `ending` says how and the message, if any, gives particulars."""

    def __init__(self, ending: Ending, detail: str = "") -> None:
        super().__init__(detail)
        self.ending = ending
        self.detail = detail


class Brain(asyncio.SubprocessProtocol):
    """One brain process, for one game. Use `start`, then `choose` for each move, then always `close`."""

    def __init__(self, command: Command, limits: Limits) -> None:
        self.command = command
        self.limits = limits
        self.left = limits.match
        self.slowest = 0.0
        self.stderr_bytes = 0
        self.last_message = ""
        self._stderr_tail = b""
        self._process: asyncio.SubprocessTransport | None = None
        self._input: asyncio.WriteTransport | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._partial = b""
        self._skips_line = False
        self._lines: deque[tuple[float, str]] = deque()
        self._news = asyncio.Event()
        self._exited = asyncio.Event()
        self._is_silent = False
        self._has_failed = False
        self._has_position = False

    # What the match asks of a brain

    async def start(self, width: int, height: int, rule: int) -> None:
        """Starts the process, sets the board up and tells the limits. Raises BrainFailure."""
        self._folder = tempfile.TemporaryDirectory(prefix="tengen-brain-", ignore_cleanup_errors=True)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.limits.startup
        try:
            await loop.subprocess_exec(
                lambda: self,
                *self.command.arguments,
                cwd=self._folder.name,
                start_new_session=os.name == "posix",
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            raise self._fail(Ending.CRASH, f"cannot be started: {error.strerror or error}") from None
        self._send(f"START {width}" if width == height else f"RECTSTART {width},{height}")
        while True:
            _, line = await self._next_line(deadline, Ending.STARTUP_TIMEOUT)
            word = line.split()[0].upper()
            if word == "OK":
                break
            if word in ("ERROR", "UNKNOWN"):
                raise self._fail(Ending.REFUSED, _quote(line))
        match_ms = 0 if self.limits.match is None else _milliseconds(self.limits.match)
        self._send(
            f"INFO timeout_turn {_milliseconds(self.limits.turn)}",
            f"INFO timeout_match {match_ms}",
            f"INFO max_memory {MAX_MEMORY_BYTES}",
            "INFO game_type 1",
            f"INFO rule {rule}",
        )

    async def choose(self, stones: Sequence[tuple[int, int]], own: int) -> tuple[int, int, float]:
        """Asks for a move in the position after `stones` (Black's first), the brain having colour `own`.

        Returns x, y as the brain wrote them, on the board or not, and the seconds it took. Raises BrainFailure.
        """
        unasked = next((line for _, line in self._lines if _MOVE.fullmatch(line)), None)
        if unasked is not None:
            raise self._fail(Ending.UNASKED, _quote(unasked))
        self._lines.clear()
        limit, late = self.limits.turn, Ending.TURN_TIMEOUT
        if self.left is not None and self.left < limit:
            limit, late = self.left, Ending.MATCH_TIMEOUT
        left_ms = UNLIMITED_MS if self.left is None else _milliseconds(self.left)
        began = asyncio.get_running_loop().time()
        deadline = began + max(0.0, limit) + self.limits.tolerance
        self._send(f"INFO time_left {left_ms}", *self._position(stones, own))
        while True:
            arrived, line = await self._next_line(deadline, late)
            took = arrived - began
            self.slowest = max(self.slowest, took)
            if arrived > deadline:
                raise self._fail(late, f"answered after {took:.2f} s")
            word = line.split()[0].upper()
            if word == "SUGGEST":
                self._send(f"PLAY {line[len(word) :].strip()}")
                continue
            if word == "UNKNOWN":
                continue  # some brains comment on an INFO key that they do not know
            move = _MOVE.fullmatch(line)
            if move is None:
                raise self._fail(Ending.GARBAGE, _quote(line))
            if self.left is not None:
                self.left -= took
            return int(move[1]), int(move[2]), took

    def kill(self) -> None:
        """Kills the process and every process it started in its group, at once and without waiting."""
        if self._process is None:
            return
        pid = self._process.get_pid()
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
        elif sys.platform == "win32" and self._process.get_returncode() is None:
            subprocess.run(["taskkill", "/T", "/F", "/PID", str(pid)], capture_output=True, check=False)
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def close(self) -> None:
        """Says END, waits `limits.grace` for a brain that has behaved, kills what is left and removes its folder."""
        try:
            if self._process is not None and not self._has_failed:
                self._send("END")
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._exited.wait(), self.limits.grace)
        finally:
            self.kill()
            try:
                if self._process is not None:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._exited.wait(), 5.0)
            finally:
                if self._process is not None:
                    self._process.close()
                if self._folder is not None:
                    self._folder.cleanup()

    # Lines out

    def _position(self, stones: Sequence[tuple[int, int]], own: int) -> list[str]:
        """The command that asks for a move: TURN wherever it can say all, since old brains do not clear on BOARD."""
        is_known = self._has_position or len(stones) <= 1
        self._has_position = True
        if not stones:
            return ["BEGIN"]
        if is_known:
            return [f"TURN {stones[-1][0]},{stones[-1][1]}"]
        return ["BOARD", *(f"{x},{y},{1 if index % 2 == own else 2}" for index, (x, y) in enumerate(stones)), "DONE"]

    def _send(self, *lines: str) -> None:
        """Writes whole lines in one write; a brain that no longer reads is noticed when its answer is due."""
        if self._input is not None and not self._input.is_closing():
            self._input.write("".join(f"{line}\r\n" for line in lines).encode())

    # Lines in

    async def _next_line(self, deadline: float, late: Ending) -> tuple[float, str]:
        """The next line that is no MESSAGE, and when it came. Raises BrainFailure for silence until the deadline."""
        while not self._lines:
            if self._is_silent:
                raise self._fail(Ending.CRASH, await self._describe_exit())
            self._news.clear()
            try:
                async with asyncio.timeout_at(deadline):
                    await self._news.wait()
            except TimeoutError:
                raise self._fail(late, "no answer") from None
        return self._lines.popleft()

    async def _describe_exit(self) -> str:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._exited.wait(), 0.5)
        code = self._process.get_returncode() if self._process is not None else None
        if code is None:
            text = "closed its output"
        elif code < 0:
            text = f"killed by signal {-code}"
        else:
            text = f"exited with code {code}"
        complaint = self._stderr_tail.decode(errors="replace").strip().splitlines()
        return f"{text}: {complaint[-1].strip()[:160]}" if complaint else text

    def _fail(self, ending: Ending, detail: str) -> BrainFailure:
        self._has_failed = True
        return BrainFailure(ending, detail)

    def _take_line(self, raw: bytes) -> None:
        line = raw.decode("utf-8", errors="replace").replace("\0", " ").strip()
        upper = line.upper()
        if upper.startswith(("MESSAGE", "DEBUG")):
            self.last_message = line.partition(" ")[2].strip() if upper.startswith("MESSAGE") else self.last_message
        elif line and len(self._lines) < _MAX_WAITING_LINES:
            self._lines.append((asyncio.get_running_loop().time(), line))
            self._news.set()

    # What the event loop reports

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._process = transport
        pipe = transport.get_pipe_transport(0)
        assert isinstance(pipe, asyncio.WriteTransport)
        self._input = pipe

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd != 1:
            self.stderr_bytes += len(data)
            self._stderr_tail = (self._stderr_tail + data)[-2000:]
            return
        *whole, self._partial = re.split(rb"[\r\n]", self._partial + data)
        for raw in whole:
            if not self._skips_line:
                self._take_line(raw)
            self._skips_line = False
        if len(self._partial) > _MAX_LINE:
            if not self._skips_line:
                self._take_line(self._partial)
            self._skips_line, self._partial = True, b""

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            if self._partial and not self._skips_line:
                self._take_line(self._partial)
            self._partial = b""
            self._fall_silent()

    def process_exited(self) -> None:
        self._exited.set()
        # Last words may still be in the pipe, and a child of the brain may hold the pipe open for ever.
        asyncio.get_running_loop().call_later(0.2, self._fall_silent)

    def _fall_silent(self) -> None:
        self._is_silent = True
        self._news.set()


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def _quote(line: str) -> str:
    return repr(line if len(line) <= 60 else line[:60] + "...")
