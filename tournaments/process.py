"""A contained child process that talks in lines: its own process group, an empty working folder, limits, and no trust.

Its stdout is read leniently (any line end, bytes that are not UTF-8 and control characters replaced, MESSAGE and DEBUG
set aside); its stderr is counted and never mixed in. A child that pours out more than it may between two of our lines
is killed. `close` leaves nothing of it behind; the `warden`, where there is one, sees to that even when we are killed.
"""

import asyncio
import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from typing import Protocol

from tournaments.ending import Ending

FREEZE_AFTER = 0.02  # seconds between an answer and the stop; GomocupJudge looks once in 10 ms
FOLDER_VARIABLE = "TENGEN_BRAIN_FOLDER"  # in a child's environment: its working folder, which marks its descendants

_MAX_LINE = 1 << 16
_MAX_WAITING_LINES = 64
_MAX_MESSAGES = 12
_MAX_MESSAGE = 500
_INSTANT_MS = 4  # what `line_at_once` waits at most
_LONGEST_WITHOUT_LOOP = 0.02  # seconds
_IS_POSIX = os.name == "posix"
_ASIDE = re.compile("MESSAGE|DEBUG", re.IGNORECASE)
# What could move a terminal's cursor, end a line in a report or upset a parser: control characters of both sets,
# line and paragraph separators, and marks that turn the direction of text.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class ProcessFault(Exception):
    """The process can be talked to no longer; `ending` says why and `detail` gives particulars, or is empty."""

    def __init__(self, ending: Ending, detail: str = "") -> None:
        super().__init__(detail)
        self.ending = ending
        self.detail = detail


class Warden(Protocol):
    """Who watches over children from outside; see warden.py."""

    def watch(self, process: "Process", folder: str) -> None:
        """A child was started."""

    def forget(self, process: "Process") -> None:
        """It is gone, and its group with it; what else it has started is to go now."""


class Crowd:
    """How many children one event loop is waiting for, and when it last looked after anything else."""

    def __init__(self) -> None:
        self.waiting = 0
        self.looked = 0.0


class Process(asyncio.SubprocessProtocol):
    """One child. Use `start`, then `send` and `next_line`, then always `close`."""

    def __init__(self, max_output: int, warden: Warden | None = None, crowd: Crowd | None = None) -> None:
        """`max_output`: bytes that it may write, on stdout and stderr together, between two lines of ours.

        `crowd` is shared by the children of one event loop.
        """
        self.messages: deque[str] = deque(maxlen=_MAX_MESSAGES)
        self.stderr_bytes = 0
        self.pid = 0
        self._max_output = max_output
        self._warden = warden
        self._crowd = crowd or Crowd()
        self._poll: select.poll | None = None
        self._output_fd = -1
        self._output = 0
        self._stderr_tail = b""
        self._transport: asyncio.SubprocessTransport | None = None
        self._input: asyncio.WriteTransport | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._partial = b""
        self._skips_line = False
        self._lines: deque[tuple[float, str]] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._exited = asyncio.Event()
        self._is_silent = False
        self._freezing: asyncio.TimerHandle | None = None
        self._fault: ProcessFault | None = None

    async def start(self, arguments: Sequence[str]) -> None:
        """Starts the program. Raises ProcessFault when the system cannot."""
        self._folder = tempfile.TemporaryDirectory(prefix="tengen-brain-", ignore_cleanup_errors=True)
        loop, stdin = asyncio.get_running_loop(), subprocess.PIPE
        try:
            if _IS_POSIX:  # where asyncio would make a socket, which takes twice as long to write to
                stdin, ours = os.pipe()
                self._input, _ = await loop.connect_write_pipe(lambda: _Input(self), os.fdopen(ours, "wb", 0))
            await loop.subprocess_exec(
                lambda: self,
                *arguments,
                stdin=stdin,
                cwd=self._folder.name,
                env={**os.environ, FOLDER_VARIABLE: self._folder.name},
                # No session of its own: Linux shares a busy machine out between sessions, and a brain in another one
                # than ours would wait for its turn at every move.
                process_group=0 if _IS_POSIX else None,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise ProcessFault(Ending.CRASH, f"cannot be started: {reason}") from None
        finally:
            if stdin != subprocess.PIPE:
                os.close(stdin)
        if self._warden is not None:
            self._warden.watch(self, self._folder.name)

    def send(self, *lines: str) -> None:
        """Writes whole lines in one write; a child that no longer reads is noticed when its answer is due."""
        self._output = 0
        if self._input is not None and not self._input.is_closing():
            self._input.write(("\r\n".join(lines) + "\r\n").encode())

    async def next_line(self, deadline: float) -> tuple[float, str]:
        """The next line that is no MESSAGE, and when it came, by `time.monotonic`, the event loop's clock.

        Raises TimeoutError when there is none until the deadline, and ProcessFault when there will be none any more.
        """
        if not self._lines:
            self._crowd.waiting += 1
            try:
                await self._wait(deadline)
            finally:
                self._crowd.waiting -= 1
                self._crowd.looked = time.monotonic()
        return self._lines.popleft()

    def line_at_once(self) -> tuple[float, str] | None:
        """What `next_line` would return, if it takes but an instant; None otherwise.

        A fast brain answers in less time than the event loop needs to come round. So this waits without the loop, but
        only where that waits for no other child, and never for so long that anything else would notice.
        """
        if not self._lines and (
            self._poll is None or self._crowd.waiting or time.monotonic() - self._crowd.looked > _LONGEST_WITHOUT_LOOP
        ):
            return None
        while not self._lines:
            if self._poll is None or self._fault is not None or not self._poll.poll(_INSTANT_MS):
                return None
            data = os.read(self._output_fd, 1 << 16)
            if not data:
                return None  # the end, which the loop will see, too
            self.pipe_data_received(1, data)
        return self._lines.popleft()

    def waiting_lines(self) -> list[str]:
        """The lines that came and were not asked for yet; they are dropped."""
        if not self._lines:
            return []
        lines = [line for _, line in self._lines]
        self._lines.clear()
        return lines

    def fail(self, ending: Ending, detail: str) -> None:
        """Kills the child and lets whoever waits for it know why; the first reason stays."""
        if self._fault is None:
            self._fault = ProcessFault(ending, detail)
            self.kill()
            self._wake()

    def freeze(self) -> None:
        """Stops the child's group until `thaw`, so that it cannot think on its opponent's time. POSIX only.

        Not at once: a child that has just answered may have threads of its own to bring home, and one that is stopped
        before it has may take the next question for a part of the last one.
        """
        if _IS_POSIX and self.pid and not self._is_silent and self._freezing is None:
            self._freezing = asyncio.get_running_loop().call_later(FREEZE_AFTER, self._signal, "SIGSTOP")

    def thaw(self) -> None:
        """Lets a frozen child go on; nothing otherwise."""
        if self._freezing is not None:
            self._freezing.cancel()
            self._freezing = None
            self._signal("SIGCONT")

    def _signal(self, name: str) -> None:
        if sys.platform != "win32" and not self._exited.is_set():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, getattr(signal, name))

    @property
    def is_alive(self) -> bool:
        """False once it is known to have exited, closed its output or been failed."""
        return self._transport is not None and not self._is_silent and self._fault is None

    def kill(self) -> None:
        """Kills the process and every process it started in its group, at once and without waiting."""
        if self._transport is None:
            return
        if self._freezing is not None:
            self._freezing.cancel()
            self._freezing = None
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        elif self._transport.get_returncode() is None:
            subprocess.run(["taskkill", "/T", "/F", "/PID", str(self.pid)], capture_output=True, check=False)
        with contextlib.suppress(ProcessLookupError):
            self._transport.kill()

    async def close(self, last_line: str | None = None, grace: float = 0.0) -> None:
        """Says a last line, waits `grace` seconds for the child to exit, kills what is left and removes its folder."""
        try:
            if self._transport is not None and last_line is not None:
                self.thaw()
                self.send(last_line)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._exited.wait(), grace)
        finally:
            self.kill()
            try:
                if self._transport is not None:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._exited.wait(), 5.0)
            finally:
                if self._input is not None and not self._input.is_closing():
                    self._input.abort()
                if self._transport is not None:
                    self._transport.close()
                    if self._warden is not None:
                        self._warden.forget(self)
                if self._folder is not None:
                    self._folder.cleanup()

    # Lines in

    async def _wait(self, deadline: float) -> None:
        """Returns when there is a line. One timer a call, no task: this is the manager's share of every move."""
        loop = asyncio.get_running_loop()
        while not self._lines:
            if self._fault is not None:
                raise self._fault
            if self._is_silent:
                raise ProcessFault(Ending.CRASH, await self._describe_exit())
            if time.monotonic() >= deadline:
                raise TimeoutError
            self._waiter = loop.create_future()
            timer = loop.call_at(deadline, self._wake)
            try:
                await self._waiter
            finally:
                timer.cancel()
                self._waiter = None

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _describe_exit(self) -> str:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._exited.wait(), 0.5)
        if self._fault is not None:
            raise self._fault
        code = self._transport.get_returncode() if self._transport is not None else None
        if code is None:
            text = "closed its output"
        elif code < 0:
            text = f"killed by signal {-code}"
        else:
            text = f"exited with code {code}"
        complaints = self._stderr_tail.strip().splitlines()
        return f"{text}: {clean(complaints[-1])[:160]}" if complaints else text

    def _take_line(self, raw: bytes) -> None:
        line = clean(raw)
        if not line[:1].isdecimal() and (word := _ASIDE.match(line)):
            if word[0].upper() == "MESSAGE":
                self.messages.append(line[7 : 8 + _MAX_MESSAGE].strip())
        elif line and len(self._lines) < _MAX_WAITING_LINES:
            self._lines.append((time.monotonic(), line))
            self._wake()

    # What the event loop reports

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        self.pid = transport.get_pid()
        if not _IS_POSIX:
            pipe = transport.get_pipe_transport(0)
            assert isinstance(pipe, asyncio.WriteTransport)
            self._input = pipe
        output = transport.get_pipe_transport(1)
        # Whoever gives up on us while we start closes the pipes first.
        if _IS_POSIX and output is not None and not output.get_extra_info("pipe").closed:
            self._output_fd = output.get_extra_info("pipe").fileno()
            self._poll = select.poll()
            self._poll.register(self._output_fd, select.POLLIN)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._output += len(data)
        if self._output > self._max_output:
            self.fail(Ending.FLOOD, f"more than {self._max_output} bytes at once")
            return
        if fd != 1:
            self.stderr_bytes += len(data)
            self._stderr_tail = (self._stderr_tail + data)[-2000:]
            return
        whole = (self._partial + data).replace(b"\r", b"\n").split(b"\n")
        self._partial = whole.pop()
        for raw in whole:
            if raw and not self._skips_line:
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
        elif fd == 0:
            # Usually the child is just exiting; one that lives on will never hear from us again.
            asyncio.get_running_loop().call_later(0.5, self._miss_input)

    def process_exited(self) -> None:
        self._exited.set()
        # Last words may still be in the pipe, and a child of the brain may hold the pipe open for ever.
        asyncio.get_running_loop().call_later(0.2, self._fall_silent)

    def _fall_silent(self) -> None:
        self._is_silent = True
        self._poll = None
        self._wake()

    def _miss_input(self) -> None:
        if not self._exited.is_set():
            self.fail(Ending.CRASH, "closed its input")


class _Input(asyncio.BaseProtocol):
    """Tells a child's keeper that the pipe into it is gone."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def connection_lost(self, exc: Exception | None) -> None:
        self._process.pipe_connection_lost(0, exc)


def clean(raw: bytes) -> str:
    """The text with whatever could upset a terminal, a report or a parser replaced by blanks, and no outer blanks."""
    text = raw.decode("utf-8", errors="replace")
    return (text if text.isascii() and text.isprintable() else _UNSAFE.sub(" ", text)).strip()
