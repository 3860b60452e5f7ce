"""The brain as a manager meets it: a process and three pipes. Limits of time are generous; what is tested is order."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60.0  # a hang is a failure, a slow machine is none
COMMAND = [sys.executable, "-m", "pbrain"]
# A sanitizer's allocator keeps what was freed: how much memory is used says nothing then.
IS_SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


class Brain:
    """A brain process; whole lines out, and lines in as they come."""

    def __init__(self, folder: Path, *arguments: str, line_end: str = "\r\n") -> None:
        self.line_end = line_end
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            cwd=folder,
            env=ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        self._lines: queue.SimpleQueue[tuple[float, str | None]] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with os.fdopen(os.dup(self.process.stdout.fileno()), "rb") as stream:
            for line in stream:
                assert line.endswith(b"\n")
                self._lines.put((time.monotonic(), line.decode("ascii").removesuffix("\n")))
        self._lines.put((time.monotonic(), None))

    def say(self, *lines: str) -> None:
        """Writes the lines at once."""
        self.write("".join(f"{line}{self.line_end}" for line in lines).encode())

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        while data:
            data = data[self.process.stdin.write(data) or 0 :]

    def line(self) -> str | None:
        """The next line of output, MESSAGE or not; None at its end."""
        return self._lines.get(timeout=PATIENCE_S)[1]

    def timed_answer(self) -> tuple[float, str | None]:
        """The time of the next line that is not a MESSAGE, and that line; None at the end of output."""
        while True:
            came, line = self._lines.get(timeout=PATIENCE_S)
            if line is None or not line.startswith("MESSAGE "):
                return came, line

    def answer(self) -> str | None:
        """The next line that is not a MESSAGE; None at the end of output."""
        return self.timed_answer()[1]

    def think(self) -> None:
        """Starts a search of a minute and returns once it has reported."""
        self.say("INFO book", "INFO timeout_turn 60000", "INFO timeout_match 0", "INFO time_left 2147483647")
        self.say("START 15", "TURN 7,7")
        assert self.answer() == "OK"
        line = self.line()
        assert line is not None
        assert line.startswith("MESSAGE depth ")

    def ended(self) -> int:
        """The exit status; nothing may have been written to stderr."""
        status = self.process.wait(PATIENCE_S)
        assert self.process.stderr is not None
        assert self.process.stderr.read() == b""
        return status

    def close(self) -> None:
        """Ends the process in every case, and closes its pipes."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def starved_ms(self) -> float:
        """How long its threads have waited for a processor in all; 0 where the system does not say."""
        waited = 0
        for path in Path(f"/proc/{self.process.pid}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError):
                waited += int(path.read_text("ascii").split()[1])
        return waited / 1e6

    def peak_bytes(self) -> int | None:
        """The most memory the process ever held, shared libraries included; None if the system does not tell it."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        except OSError:
            return None
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:"))
