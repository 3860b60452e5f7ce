"""A contained child process that talks in lines: its own process group, an empty working folder, limits, and no trust.

Its stdout is read leniently: every kind of line end is accepted, control characters and bytes that are not UTF-8 are
replaced, and MESSAGE and DEBUG lines are kept apart. Its stderr is counted and never mixed with stdout. A child that
writes more than its limit between two of our lines is killed. `close` ends the child with all that it started; the
`watchdog`, if there is one, does the same when the manager itself is killed.
"""

import contextlib
import errno
import os
import re
import signal
import stat
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Protocol

from tournaments.brains.pipes import Pipes
from tournaments.brains.windows_job import Job
from tournaments.files.scratch import Scratch
from tournaments.files.system_error import numbered
from tournaments.files.text import printable
from tournaments.rules.ending import Ending

FREEZE_AFTER = 0.02  # seconds between an answer and the stop; GomocupJudge looks once in 10 ms
NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # on Windows, where a manager without a console would open one
FOLDER_VARIABLE = "TENGEN_BRAIN_FOLDER"  # in a child's environment: its working folder, which marks its descendants

_MAX_LINE = 1 << 16
_MAX_WAITING_LINES = 64
_MAX_MESSAGES = 12
_MAX_MESSAGE = 500
_LOOK_EVERY = 0.2  # seconds; a child may be gone and have left its output open to a child of its own
_MISSING_INPUT = 0.5  # seconds; a child that closes its input is usually just exiting
_IS_POSIX = os.name == "posix"
_ASIDE = re.compile("MESSAGE|DEBUG", re.IGNORECASE)


# Errors of a system that lacks memory, processes or files: the program itself is not at fault.
_SHORTAGES = frozenset({errno.EAGAIN, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC})


class CannotStart(OSError):
    """The system cannot start any program now; the message is one sentence. The program is not at fault."""


class ProcessFault(Exception):
    """The process no longer answers; `ending` says why, and `detail` gives particulars or is empty."""

    def __init__(self, ending: Ending, detail: str = "") -> None:
        super().__init__(detail)
        self.ending = ending
        self.detail = detail


def make_folder() -> Scratch:
    """A new folder for a brain to work in. Raises CannotStart if it cannot be made."""
    try:
        return Scratch("brain")
    except OSError as error:
        sentence = f"cannot make a folder for a brain to work in: {error.strerror or error}"
        raise numbered(CannotStart(sentence), error) from None


def check_folder() -> None:
    """Raises CannotStart if no folder can be made, so that a command can report that before any other output."""
    make_folder().cleanup()


def working_folder(folder: str | Path | None) -> str:
    """The absolute path of the folder in which a brain is to run, "" for None: an empty folder of its own.

    Raises ValueError, in one sentence, if there is no such folder or if it cannot be used.
    """
    if folder is None:
        return ""
    path = os.path.abspath(folder)
    try:
        is_folder = stat.S_ISDIR(os.stat(path).st_mode)
    except FileNotFoundError:
        raise ValueError(f"there is no folder {path} for the brain to run in") from None
    except OSError as error:
        raise ValueError(f"the brain cannot run in {path}: {error.strerror or error}") from None
    if not is_folder:
        raise ValueError(f"the brain cannot run in {path}: {os.strerror(errno.ENOTDIR)}")
    if not os.access(path, os.X_OK):
        raise ValueError(f"the brain cannot run in {path}: {os.strerror(errno.EACCES)}")
    return path


class Watchdog(Protocol):
    """Watches over children from another process; see watchdog.py."""

    def watch(self, process: "Process", folder: str) -> None:
        """A child was started."""

    def forget(self, process: "Process") -> None:
        """The child and its group have ended: kills the other processes that it started."""


Note = Callable[[str, str], None]
"""Writes down a line of a conversation: ">" to the child, "<" from it, or "!" on its stderr, and the line."""


class Process:
    """One child. Use `start`, then `send` and `next_line`, then always `close`."""

    def __init__(self, pipes: Pipes, max_output: int, watchdog: Watchdog | None = None) -> None:
        """`max_output`: bytes that it may write, on stdout and stderr together, between two lines of ours."""
        self.messages: deque[str] = deque(maxlen=_MAX_MESSAGES)
        self.stderr_bytes = 0
        self.pid = 0
        self._note: Note | None = None
        self._pipes = pipes
        self._max_output = max_output
        self._watchdog = watchdog
        self._output = 0
        self._stderr_tail = b""
        self._stderr_line = b""
        self._child: subprocess.Popen[bytes] | None = None
        self._job: Job | None = None  # on Windows
        self._folder: Scratch | None = None
        self._input: IO[bytes] | None = None
        self._partial = b""
        self._skips_line = False
        self._lines: deque[tuple[float, str]] = deque()
        self._is_silent = False
        self._is_frozen = False
        self._fault: ProcessFault | None = None

    def start(self, arguments: Sequence[str], folder: str = "", environment: Mapping[str, str] | None = None) -> None:
        """Starts the program. Raises ProcessFault if it cannot be started, and CannotStart if no program can.

        `folder`: the folder in which it runs, "" for an empty folder of its own; `environment`: variables that are
        added to those of the manager.
        """
        self._folder = make_folder()
        try:
            self._child = subprocess.Popen(
                arguments,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder or self._folder.name,
                env={**os.environ, **(environment or {}), FOLDER_VARIABLE: self._folder.name},
                # Not in a session of its own: Linux shares a busy machine between sessions, so a brain in another
                # session than ours would wait for the processor at every move.
                process_group=0 if _IS_POSIX else None,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | NO_WINDOW,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            if isinstance(error, OSError) and error.errno in _SHORTAGES:
                raise numbered(CannotStart(f"the system cannot start {arguments[0]}: {reason}"), error) from None
            # The error names the folder if it is the folder that cannot be used.
            where = f" in {folder}" if folder and getattr(error, "filename", None) == folder else ""
            raise ProcessFault(Ending.CRASH, f"cannot be started{where}: {reason}") from None
        self.pid = self._child.pid
        if sys.platform == "win32":
            with contextlib.suppress(OSError):
                self._job = Job(int(self._child._handle))
        if self._watchdog is not None:
            self._watchdog.watch(self, self._folder.name)
        assert self._child.stdin is not None and self._child.stdout is not None and self._child.stderr is not None
        self._input = self._child.stdin
        self._pipes.open_input(self._input, self._on_input_closed)
        self._pipes.listen(self._child.stdout, self._on_output)
        self._pipes.listen(self._child.stderr, self._on_stderr)

    def send(self, *lines: str) -> None:
        """Writes whole lines in one write; a child that no longer reads is noticed when its answer is due."""
        self._output = 0
        if self.note is not None:
            for line in lines:
                self.note(">", line)
        if self._input is not None and not self._input.closed:
            self._pipes.write(self._input, ("\r\n".join(lines) + "\r\n").encode())

    def next_line(self, deadline: float) -> tuple[float, str]:
        """The next line that is not a MESSAGE, and its time by `time.monotonic`.

        Raises TimeoutError if there is none until the deadline, and ProcessFault if the child can send no more lines.
        """
        while not self._lines:
            if self._fault is not None:
                raise self._fault
            if self._is_silent:
                raise ProcessFault(Ending.CRASH, self._describe_exit())
            now = time.monotonic()
            if now >= deadline:
                raise TimeoutError
            if not self._pipes.wait(min(deadline, now + _LOOK_EVERY)):
                self._look()
        return self._lines.popleft()

    def waiting_lines(self) -> list[str]:
        """Returns the lines that have arrived without a question, and forgets them."""
        if not self._lines:
            return []
        lines = [line for _, line in self._lines]
        self._lines.clear()
        return lines

    def fail(self, ending: Ending, detail: str) -> None:
        """Kills the child; the caller that waits for its answer gets the reason. Only the first reason is kept."""
        if self._fault is None:
            self._fault = ProcessFault(ending, detail)
            self.kill()

    def freeze(self) -> None:
        """Stops the child's group until `resume`, so that it cannot think on its opponent's time. POSIX only.

        The stop comes a moment later: a child that has just answered may still be ending its threads, and if it is
        stopped before they have ended, it may take the next question for a part of the last one.
        """
        if _IS_POSIX and self.is_alive and not self._is_frozen:
            self._is_frozen = True
            self._pipes.alarms[self._stop] = time.monotonic() + FREEZE_AFTER

    def resume(self) -> None:
        """Lets a frozen child run again; does nothing for one that is not frozen."""
        if self._is_frozen:
            self._is_frozen = False
            if self._pipes.alarms.pop(self._stop, None) is None:
                self._signal("SIGCONT")

    def _stop(self) -> None:
        self._signal("SIGSTOP")

    def _signal(self, name: str) -> None:
        if sys.platform != "win32" and self._child is not None and self._child.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, getattr(signal, name))

    @property
    def note(self) -> Note | None:
        """The function that writes the conversation down. A new one leaves an unfinished line of stderr to the old."""
        return self._note

    @note.setter
    def note(self, note: Note | None) -> None:
        if self._note is not None:
            self._note_stderr(self._note, b"")
        self._note = note

    @property
    def is_alive(self) -> bool:
        """False once it is known to have exited, closed its output or been failed."""
        return self._child is not None and not self._is_silent and self._fault is None

    def kill(self) -> None:
        """Kills the process and every process it started in its group, at once and without waiting."""
        if self._child is None:
            return
        self._pipes.alarms.pop(self._stop, None)
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        elif self._job is not None:
            self._job.kill()
        self._child.kill()

    def close(self, deadline: float = 0.0) -> None:
        """Waits for the child's exit until the deadline, then kills all its remaining processes and removes its
        folder."""
        try:
            self._await_exit(deadline)
        finally:
            self.kill()
            try:
                if self._child is not None:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        self._child.wait(5.0)
            finally:
                self._pipes.alarms.pop(self._fail_without_input, None)
                if self._job is not None:
                    self._job.close()
                if self._child is not None:
                    self._pipes.wait(0.0)  # reads what it wrote last, such as a traceback
                    self.note = None
                    for pipe in (self._child.stdin, self._child.stdout, self._child.stderr):
                        assert pipe is not None
                        self._pipes.drop(pipe)
                    if self._watchdog is not None:
                        self._watchdog.forget(self)
                if self._folder is not None:
                    self._folder.cleanup()

    def _await_exit(self, deadline: float) -> None:
        while self._child is not None and self._child.poll() is None:
            left = deadline - time.monotonic()
            if left <= 0:
                return
            # When its output has ended, the child is most often just exiting, which takes a moment.
            if self._is_silent:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._child.wait(left)
                return
            self._pipes.wait(time.monotonic() + min(left, 0.05))

    # The child's output

    def _on_output(self, data: bytes) -> None:
        if not data:
            if self._partial and not self._skips_line:
                self._take_line(self._partial)
            self._partial, self._is_silent = b"", True
            return
        self._output += len(data)
        if self._output > self._max_output:
            self.fail(Ending.FLOOD, f"more than {self._max_output} bytes at once")
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

    def _on_stderr(self, data: bytes) -> None:
        self.stderr_bytes += len(data)
        self._stderr_tail = (self._stderr_tail + data)[-2000:]
        if self.note is not None:
            self._note_stderr(self.note, data)
        self._output += len(data)
        if self._output > self._max_output:
            self.fail(Ending.FLOOD, f"more than {self._max_output} bytes at once")

    def _note_stderr(self, note: Note, data: bytes) -> None:
        """Writes down the lines of stderr; without data, the line that has no end yet."""
        *whole, rest = (self._stderr_line + data).replace(b"\r", b"\n").split(b"\n")
        if not data or len(rest) > _MAX_LINE:
            whole.append(rest)
            rest = b""
        self._stderr_line = rest
        for raw in whole:
            if line := clean(raw).rstrip():
                note("!", line)

    def _take_line(self, raw: bytes) -> None:
        line = clean(raw)
        if self.note is not None:
            self.note("<", line)
        if not line[:1].isdecimal() and (word := _ASIDE.match(line)):
            if word[0].upper() == "MESSAGE":
                self.messages.append(line[7 : 8 + _MAX_MESSAGE].strip())
        elif line and len(self._lines) < _MAX_WAITING_LINES:
            self._lines.append((time.monotonic(), line))

    def _look(self) -> None:
        """Notices that the child has exited: its own children may hold its output open for ever."""
        if self._child is not None and self._child.poll() is not None:
            self._pipes.wait(0.0)  # reads what it wrote last
            self._is_silent = True

    def _on_input_closed(self) -> None:
        self._pipes.alarms[self._fail_without_input] = time.monotonic() + _MISSING_INPUT

    def _fail_without_input(self) -> None:
        if self._child is not None and self._child.poll() is None:
            self.fail(Ending.CRASH, "closed its input")

    def _describe_exit(self) -> str:
        assert self._child is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(0.5)
        self._pipes.wait(0.0)
        if self._fault is not None:
            raise self._fault
        code = self._child.poll()
        if code is None:
            text = "closed its output"
        elif code < 0:
            text = f"killed by signal {-code}"
        else:
            text = f"exited with code {code}"
        complaints = self._stderr_tail.strip().splitlines()
        return f"{text}: {clean(complaints[-1])[:160]}" if complaints else text


def clean(raw: bytes) -> str:
    """The text with blanks for what cannot be shown, which could also upset a parser, and no outer blanks."""
    return printable(raw.decode("utf-8", errors="replace"), " ").strip()
