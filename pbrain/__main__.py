"""The brain as a process: `pbrain-tengen`, or `python -m pbrain`.

During a conversation the brain writes nothing to stderr, because some managers read it as an answer. Modules that load
slowly (argparse, enum, logging, re, typing) are not imported. The process ends by os._exit: at the end there is nothing
to clean up, and a running search may be dropped.
"""

from __future__ import annotations

import os
import sys

import pbrain
from pbrain.console import Console, write_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

USAGE = """usage: pbrain-tengen [--log FILE | --version | --help]

Tengen as a gomoku brain: a manager starts it and plays with it through the
Gomocup protocol on standard input and output. To play yourself, use
`tengen serve` or `tengen play` instead.

options:
  --log FILE  append every line of the conversation to FILE, with the time
              (default: no log)
  --version   print the version and exit
  --help      print this help and exit

Examples:
  printf 'START 15\\nBEGIN\\nEND\\n' | pbrain-tengen
  pbrain-tengen --log game.log
"""


def load_engine() -> ModuleType:
    """The engine, imported when the first START comes."""
    if hasattr(sys, "_is_gil_enabled") and not sys._is_gil_enabled():
        # A free-threaded Python turns its lock on for the engine, which needs it, and would print a warning to stderr.
        import warnings

        warnings.filterwarnings("ignore", "The global interpreter lock", RuntimeWarning)
    import engine

    return engine


def converse(log_path: str | None) -> int:
    """Speaks with the manager and returns the exit status."""
    log = None
    if log_path is not None:
        from pbrain.log import Log

        try:
            log = Log(log_path)
        except (OSError, ValueError) as error:
            return complain(f"cannot write to {log_path!r}: {getattr(error, 'strerror', None) or error}")
    if sys.platform == "win32":
        # On Windows Ctrl-C does not wake a thread that waits for a pipe, so the system ends the process at once.
        import _signal

        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    try:
        return Console(load_engine, log).run()
    except KeyboardInterrupt:
        return 130  # as a shell counts an interrupt


def complain(text: str) -> int:
    """Reports a fault of the command line. stderr may be used, because the conversation has not begun."""
    print(f"pbrain-tengen: {text}", file=sys.stderr, flush=True)
    return 2


def main() -> None:
    """The entry point; ends the process."""
    arguments = sys.argv[1:]
    status = 0
    if arguments in (["--help"], ["-h"]):
        write_line(USAGE.rstrip())
    elif arguments == ["--version"]:
        write_line(f"pbrain-tengen {pbrain.__version__}")
    elif not arguments:
        status = converse(None)
    elif arguments[0] == "--log" and len(arguments) == 2:
        status = converse(arguments[1])
    elif arguments[0].startswith("--log=") and len(arguments) == 1:
        status = converse(arguments[0].removeprefix("--log="))
    elif arguments == ["--force-utf8"]:  # so Yixin-Board starts its engine on Windows; all our output is UTF-8
        status = converse(None)
    elif arguments == ["--log"]:
        status = complain("--log takes a FILE")
    else:
        status = complain(f"unknown argument {arguments[0]!r}\n{USAGE.rstrip()}")
    os._exit(status)


if __name__ == "__main__":
    main()
