"""What the commands that run for long have in common: how they are interrupted, and how they complain."""

import argparse
import contextlib
import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, NoReturn, TextIO

from tournaments.files.text import printable, printable_lines

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
    """Runs `play` to its end; 0 then, 130 after Ctrl-C and 143 after a request to terminate, ended in good order.

    Of several Ctrl-C the first one counts; see `_first_interrupt`.
    """
    import asyncio

    interrupted = False

    async def listening() -> None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None

        def interrupt() -> None:
            nonlocal interrupted
            interrupted = True
            loop.call_soon_threadsafe(task.cancel)  # a signal's handler: the loop may be asleep

        for name in ("SIGTERM", "SIGHUP"):
            # Windows has no SIGHUP, and its event loop no signal handlers.
            with contextlib.suppress(AttributeError, NotImplementedError):
                loop.add_signal_handler(getattr(signal, name), task.cancel)
        with _first_interrupt(interrupt):
            await play

    try:
        asyncio.run(listening())
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except asyncio.CancelledError:
        return EXIT_INTERRUPTED if interrupted else EXIT_TERMINATED
    return 0


@contextlib.contextmanager
def _first_interrupt(act: Callable[[], None]) -> Iterator[None]:
    """Calls `act` at the first Ctrl-C. Those after it are ignored to the end of the process.

    What follows an interruption ends by itself: brains are stopped, results written down. A second Ctrl-C would tear
    it apart. Nothing is done where Ctrl-C is ignored, or in another thread than the main one.
    """
    ours = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT)
    if not ours or before in (None, signal.SIG_IGN):
        yield
        return

    def handle(*_: object) -> None:
        if signal.signal(signal.SIGINT, signal.SIG_IGN) is handle:
            act()

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is handle:
            signal.signal(signal.SIGINT, before)


class _Terminated(BaseException):
    """Somebody asked the process to go."""


def call_until_told(play: Callable[[], None]) -> int:
    """`run_until_told` for what blocks."""

    def go(*_: object) -> NoReturn:
        raise _Terminated

    def interrupt() -> NoReturn:
        raise KeyboardInterrupt

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), go) for name in names}
    try:
        with _first_interrupt(interrupt):
            play()
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except _Terminated:
        return EXIT_TERMINATED
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
    return 0


def complain(command: str, sentence: str, status: int = EXIT_BAD_INPUT) -> int:
    """Says what is wrong on stderr, and returns the exit status for it."""
    print(printable(f"tengen {command}: {sentence}"), file=sys.stderr)
    return status


def say(text: str) -> None:
    """Writes lines to stdout; what files, brains and users put into them cannot steer the terminal."""
    write_lines(sys.stdout, text)


def write_lines(stream: TextIO, text: str) -> None:
    """`say` to any stream. Raises BrokenPipeError where nobody reads it, and OSError in one sentence."""
    with telling_of_output():
        stream.write(printable_lines(text) + "\n")
        stream.flush()


@contextlib.contextmanager
def telling_of_output() -> Iterator[None]:
    """Raises BrokenPipeError as it is, and any other OSError of writing in one sentence."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OSError(f"cannot write the output: {error.strerror or error}") from None


def utf8_output() -> TextIO:
    """Stdout for a file's content: UTF-8, as in files, which hold letters that a terminal's own encoding may lack."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    return sys.stdout


def sentence_of(error: OSError) -> str:
    """What went wrong, with the file: the system's own errors say it with a number in brackets."""
    if error.strerror is None:
        return str(error)
    return error.strerror if error.filename is None else f"{os.fsdecode(error.filename)}: {error.strerror}"


def open_closed_streams() -> None:
    """Lets stdin, stdout and stderr lead nowhere where the caller has closed them.

    Otherwise the next file that is opened would take their place, and what is said would be written into it.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, os.fdopen(number, "w" if number else "r"))


def is_output_written() -> bool:
    """Writes what stdout still holds; False where that cannot be written."""
    try:
        sys.stdout.flush()
    except OSError:
        return False
    return True


def give_up_output() -> int:
    """For when stdout cannot be written to any more: keeps Python's shutdown from writing once again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_FAILURE
