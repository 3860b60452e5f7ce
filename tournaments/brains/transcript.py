"""A log file of one game: every line between the manager and the brains, with its time.

        0.000000 Black tengen > START 15
        0.031207 Black tengen < OK
        0.041560 Black tengen ! a warning

The time is in seconds since the game began. `>` marks lines to the brain, `<` lines from it, and `!` lines on its
stderr, such as the reason of a crash. A brain's lines are written as the manager read them: control characters are
replaced by blanks.
"""

import time
from pathlib import Path
from types import TracebackType
from typing import Self

from tournaments.brains.process import Note


class Transcript:
    """A file of one game; a context manager that closes it. A game that is played again replaces the first file.

    Each line is there as soon as it was said, for a manager may be killed.
    """

    def __init__(self, path: Path) -> None:
        """Opens the file; its folder is made if it is missing. Raises OSError, in one sentence."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("w", encoding="utf-8", errors="replace", buffering=1)
        except OSError as error:
            raise OSError(f"cannot write a log to {path.parent}: {error.strerror or error}") from None
        self._began = time.monotonic()

    def note(self, name: str) -> Note:
        """A function that writes down one brain's lines."""

        def take_down(sign: str, line: str) -> None:
            self._file.write(f"{time.monotonic() - self._began:16.6f} {name} {sign} {line}\n")

        return take_down

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._file.close()
