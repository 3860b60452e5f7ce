"""Ctrl-C and requests to terminate: a command ends its work in order, and its exit status says why it ended."""

import contextlib
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, NoReturn

EXIT_INTERRUPTED = 130
EXIT_TERMINATED = 143


def run_until_signal(play: Coroutine[Any, Any, Any]) -> int:
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

        for number in _ending_signals():
            with contextlib.suppress(NotImplementedError):  # Windows
                loop.add_signal_handler(number, task.cancel)
        with _first_interrupt(interrupt):
            await play

    try:
        asyncio.run(listening())
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except asyncio.CancelledError:
        return EXIT_INTERRUPTED if interrupted else EXIT_TERMINATED
    return 0


def _ending_signals() -> list[signal.Signals]:
    """The signals that ask for the end, without those that are ignored: `nohup` ignores SIGHUP for its command."""
    there = [signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    return [number for number in there if signal.getsignal(number) is not signal.SIG_IGN]


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


def call_until_signal(play: Callable[[], None]) -> int:
    """`run_until_signal` for a blocking function."""

    def go(*_: object) -> NoReturn:
        raise _Terminated

    def interrupt() -> NoReturn:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, go) for number in _ending_signals()}
    try:
        with _first_interrupt(interrupt):
            play()
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except _Terminated:
        return EXIT_TERMINATED
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return 0
