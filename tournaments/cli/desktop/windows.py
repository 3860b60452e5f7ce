"""Tengen.exe, the program for Windows, without a window and a terminal of its own: it serves the board and opens it.

The program ends when its pages have been closed for a while. Errors go into `tengen.log`, beside the saved games; if
the board cannot be opened, a message shows the last of them.
"""

import contextlib
import ctypes
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from tournaments.board.library.library import default_path
from tournaments.cli.desktop.starters import START
from tournaments.cli.main import main as run_command

LOG = "tengen.log"
LONGEST_LOG = 1 << 20  # bytes, after which the next start begins the file anew
LONGEST_MESSAGE = 2000  # letters
_ERROR_ICON = 0x10


def main(arguments: Sequence[str], show: "Callable[[str], None] | None" = None) -> int:
    """Serves the board until it is not used any longer; `arguments` are further flags of `tengen serve`.

    Returns the exit status of `tengen serve`. Unless that is 0, `show` has told the user why.
    """
    path = default_path().with_name(LOG)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        is_long = path.exists() and path.stat().st_size > LONGEST_LOG
        log = path.open("w" if is_long else "a", encoding="utf-8", errors="backslashreplace", buffering=1)
    except OSError as error:
        (show or show_message)(f"Tengen cannot write into the folder of its games.\n\n{error}")
        return 1
    with log, Path(os.devnull).open("w", encoding="utf-8") as nothing:
        begin = path.stat().st_size
        with contextlib.redirect_stderr(log), contextlib.redirect_stdout(nothing):
            try:
                status = run_command([*START, *arguments])
            except SystemExit as end:  # flags that are misspelt
                status = end.code if isinstance(end.code, int) else 1
            except Exception:
                traceback.print_exc()
                status = 1
    if status:
        said = path.read_bytes()[begin:].decode("utf-8", "replace").strip().removeprefix("tengen serve: ")
        (show or show_message)(f"Tengen has ended.\n\n{said[-LONGEST_MESSAGE:]}\n\nAll errors are in {path}")
    return status


def show_message(text: str) -> None:
    """Shows the text in a window, and waits until the user closes it."""
    ctypes.CDLL("user32").MessageBoxW(None, text, "Tengen", _ERROR_ICON)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
