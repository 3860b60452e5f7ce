"""The log for authors: each line of both directions with its time, in a file and nowhere else."""

from __future__ import annotations

import os
import threading
from time import monotonic, strftime

MAX_TEXT = 1000  # characters of a line that are kept


class Log:
    """Appends to the file at `path`: seconds since the start, `>` for a received line or `<` for a sent one, the line.

    Raises OSError if the file cannot be opened. Later faults (a full disk) end the log, not the game.
    """

    def __init__(self, path: str) -> None:
        self._file: int | None = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        self._lock = threading.Lock()
        self._began = monotonic()
        self._write(f"# {strftime('%Y-%m-%d %H:%M:%S')} process {os.getpid()}\n")

    def received(self, line: bytes) -> None:
        """Logs a line from the manager."""
        self._entry(">", line.decode("utf-8", "backslashreplace"))

    def sent(self, line: str) -> None:
        """Logs one of our own lines."""
        self._entry("<", line)

    def _entry(self, mark: str, text: str) -> None:
        shown = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text[:MAX_TEXT])
        self._write(f"{monotonic() - self._began:10.3f} {mark} {shown}\n")

    def _write(self, text: str) -> None:
        # One write for each line, so that two brains with the same file do not cut each other's lines.
        with self._lock:
            if self._file is None:
                return
            try:
                os.write(self._file, text.encode("utf-8", "backslashreplace"))
            except OSError:
                self._file = None
