"""What the commands that run for long have in common: how they are interrupted, and how they complain."""

import argparse
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from tournaments.text import printable, printable_lines

EXIT_FAILURE = 1
EXIT_BAD_INPUT = 2
EXIT_H0 = 3
EXIT_INTERRUPTED = 130
EXIT_TERMINATED = 143


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one sentence, without the usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_BAD_INPUT, f"{printable(f'{self.prog}: {message}')}\n")


def run_until_told(play: Coroutine[Any, Any, Any]) -> int:
    """Runs `play` to its end; 0 then, 130 after Ctrl-C and 143 after a request to terminate, ended in good order."""
    import asyncio

    try:
        asyncio.run(_listening(play))
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except asyncio.CancelledError:
        return EXIT_TERMINATED
    return 0


class _Terminated(BaseException):
    """Somebody asked the process to go."""


def call_until_told(play: Callable[[], None]) -> int:
    """`run_until_told` for what blocks."""

    def go(*_: object) -> NoReturn:
        raise _Terminated

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), go) for name in names}
    try:
        play()
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except _Terminated:
        return EXIT_TERMINATED
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
    return 0


async def _listening(play: Coroutine[Any, Any, Any]) -> None:
    import asyncio

    task = asyncio.current_task()
    assert task is not None
    for name in ("SIGTERM", "SIGHUP"):
        # Windows has no SIGHUP, and its event loop no signal handlers.
        with contextlib.suppress(AttributeError, NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(getattr(signal, name), task.cancel)
    await play


def complain(command: str, sentence: str, status: int = EXIT_BAD_INPUT) -> int:
    """Says what is wrong on stderr, and returns the exit status for it."""
    print(printable(f"tengen {command}: {sentence}"), file=sys.stderr)
    return status


def say(text: str) -> None:
    """Writes lines to stdout; what files, brains and users put into them cannot steer the terminal."""
    print(printable_lines(text), flush=True)


def give_up_output() -> int:
    """For when nobody reads stdout any more: keeps Python's shutdown from writing once again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_FAILURE
