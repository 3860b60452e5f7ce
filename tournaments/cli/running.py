"""Shared by all commands: the argument parser, interruption, output and error messages."""

import argparse
import contextlib
import io
import itertools
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any, NoReturn, TextIO

from tournaments.files.text import printable, printable_lines

EXIT_FAILURE = 1
EXIT_BAD_INPUT = 2
EXIT_H0 = 3
EXIT_INTERRUPTED = 130
EXIT_TERMINATED = 143


class Parser(argparse.ArgumentParser):
    """An argument parser with examples at the end of its help, and error messages of one sentence.

    examples: command lines, which the help shows under "Examples:", each on a line of its own.
    """

    def __init__(self, *, examples: Sequence[str] = (), epilog: str | None = None, **options: Any) -> None:
        listed = "\n".join(["Examples:", *(f"  {line}" for line in examples)]) if examples else ""
        texts = [text for text in (epilog, listed) if text]
        options.setdefault("formatter_class", _HelpFormatter)
        super().__init__(epilog="\n\n".join(texts) or None, **options)

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_BAD_INPUT, f"{printable(f'{self.prog}: {message}')}\n")


class _HelpFormatter(argparse.HelpFormatter):
    """Wraps the paragraphs of a text, but keeps the lines that begin with a space, such as examples, as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        blocks: list[str] = []
        for is_kept, group in itertools.groupby(text.splitlines(), lambda line: not line or line.startswith(" ")):
            lines = list(group)
            blocks += lines if is_kept else [super()._fill_text(" ".join(lines), width, indent)]
        return "\n".join(blocks)


def run_until_told(play: Coroutine[Any, Any, Any]) -> int:
    """Runs `play` to its end; returns 0, 130 after Ctrl-C, or 143 after a request to terminate; `play` is cancelled.

    Only the first Ctrl-C counts; see `_first_interrupt`.
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
    """Calls `act` at the first Ctrl-C, and ignores every later one until the process ends.

    After an interruption brains are stopped and results are written; a second Ctrl-C would break that off. Does nothing
    if Ctrl-C is ignored already, or outside the main thread.
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
    """The process was asked to terminate."""


def call_until_told(play: Callable[[], None]) -> int:
    """`run_until_told` for a blocking function."""

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
    """Writes an error message to stderr and returns the exit status."""
    print(printable(f"tengen {command}: {sentence}"), file=sys.stderr)
    return status


def say(text: str) -> None:
    """Writes lines to stdout, without control characters that could steer the terminal."""
    write_lines(sys.stdout, text)


def write_lines(stream: TextIO, text: str) -> None:
    """`say` to any stream. Raises BrokenPipeError if its reader is gone, and OSError in one sentence."""
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
    """Stdout for the content of a file: UTF-8, since a terminal's own encoding may lack some letters."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    return sys.stdout


def sentence_of(error: OSError) -> str:
    """The error as a sentence with the file name, without the number that the system puts into brackets."""
    if error.strerror is None:
        return str(error)
    return error.strerror if error.filename is None else f"{os.fsdecode(error.filename)}: {error.strerror}"


def open_closed_streams() -> None:
    """Opens the null device for each of stdin, stdout and stderr that the caller has closed.

    Otherwise the next file that is opened would take their place, and messages would be written into it.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, os.fdopen(number, "w" if number else "r"))


def is_output_written() -> bool:
    """Writes the rest of stdout's buffer; False if that fails."""
    try:
        sys.stdout.flush()
    except OSError:
        return False
    return True


def give_up_output() -> int:
    """After stdout has lost its reader: keeps Python's shutdown from writing to it once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_FAILURE
