"""`tengen serve`: the board in the browser."""

import argparse
import os
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from tournaments.cli.running import EXIT_FAILURE, Parser, complain, run_until_told, say
from tournaments.lock import FileLock, Held

DEFAULT_PORT = 8765
_BOARD = "this needs the package {}: pip install 'pbrain-tengen[board]'"


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen serve`; see `cli.main`. 0 also where a server runs already, whose link is printed."""
    parser = Parser(
        prog="tengen serve",
        description="Opens a board in the browser: games against brains and people, with all that is played kept. "
        "The printed link makes its holder the owner; others only see what they have links to.",
    )
    add = parser.add_argument
    add("--port", metavar="NUMBER", type=int, default=DEFAULT_PORT, help="where to listen (%(default)s); 0: any free")
    add("--host", metavar="ADDRESS", default="127.0.0.1", help="the address to listen at (%(default)s); see --lan")
    add("--lan", action="store_true", help="allow an address that other machines reach; it is not encrypted")
    add("--name", metavar="HOST", action="append", default=[], help="a host name that this machine goes by")
    add("--brain", metavar="NAME=COMMAND", action="append", default=[], help="another brain that may be played")
    add("--processes", metavar="NUMBER", type=int, help="brains that think at the same time (the number of cores)")
    add("--games", metavar="FILE", type=Path, help="where the games are kept (the user's own file)")
    add("--no-browser", action="store_true", help="only print the link")
    options = parser.parse_args(arguments)
    try:
        return _serve(options)
    except ModuleNotFoundError as error:
        return complain("serve", _BOARD.format(error.name))
    except ValueError as error:
        return complain("serve", str(error))
    except OSError as error:
        return complain("serve", str(error), EXIT_FAILURE)


def _serve(options: argparse.Namespace) -> int:
    import starlette  # noqa: F401  # what is missing is to be said before anything is opened
    import uvicorn  # noqa: F401
    import websockets  # noqa: F401

    from tournaments.board.library import Library, default_path
    from tournaments.board.security import (
        EVERY_ADDRESS,
        Access,
        Running,
        address_for_others,
        is_loopback,
        make_token,
        read_running,
        write_running,
    )
    from tournaments.board.server import Service, listen, serve
    from tournaments.board.thinking import Desk, register

    if not 0 <= options.port <= 65535:
        raise ValueError(f"--port {options.port} is no port: choose one from 0 to 65535")
    processes = _cores() if options.processes is None else options.processes
    if not 1 <= processes <= 256:
        raise ValueError(f"--processes {processes} is not a number from 1 to 256")
    if not is_loopback(options.host) and not options.lan:
        raise ValueError(f"--host {options.host} can be reached from other machines; say --lan if that is meant")
    brains = register(options.brain)
    path = options.games or default_path()
    running_file = path.with_name(f"{path.name}.server")
    with Library(path) as library:
        try:
            lock = FileLock.acquire(running_file)
        except Held:
            running = read_running(running_file)
            say("A server runs already." if running is None else f"A server runs already: {running.link}")
            return 0
        try:
            try:
                listener = listen(options.host, options.port)
            except OSError as error:
                raise ValueError(f"cannot listen at {options.host}, port {options.port}: {error.strerror or error}; "
                                 "choose another with --port") from None  # fmt: skip
            # A server that was killed has left its file, and the pages that it served come back with its token.
            killed = read_running(running_file)
            token, port = make_token() if killed is None else killed.token, listener.getsockname()[1]
            running = Running(os.getpid(), port, token, options.host)
            write_running(running_file, running)

            def tell() -> None:
                if not is_loopback(options.host):
                    say("Other machines can reach this board, and nothing is encrypted: the network can read along.")
                say(f"The board is at {running.link}")
                address = address_for_others() if options.host in EVERY_ADDRESS else None
                if address is not None:
                    say(f"From other machines: {running.link_at(address)}")
                say("Ctrl-C ends it; games go on when it is started again.")
                if not options.no_browser and sys.stdout.isatty():
                    webbrowser.open(running.link)

            access = Access(token, port, tuple(name.lower() for name in options.name))
            service = Service(library, Desk(brains, processes), _version())
            return run_until_told(serve(service, access, listener, tell))
        finally:
            running_file.unlink(missing_ok=True)
            lock.release()


def _version() -> str:
    from pbrain import __version__

    return __version__


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1

