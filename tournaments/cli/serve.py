"""`tengen serve`: the board in the browser."""

import argparse
import asyncio
import contextlib
import hashlib
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tournaments.cli.running import EXIT_FAILURE, Parser, complain, run_until_told, say
from tournaments.files.installing import BROWSER_PACKAGES, install_command
from tournaments.storage.lock import FileLock, Held

if TYPE_CHECKING:
    from tournaments.board.server.live_tournament import LiveService

DEFAULT_PORT = 8765
LAST_LOOK = 0.5
"""Seconds for the last message to those who watch a tournament, when its manager has gone."""


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen serve`; see `cli.main`. 0 also where a server runs already, whose link is printed."""
    parser = Parser(
        prog="tengen serve",
        description="Opens a board in the browser: games against brains and people, with all that is played kept. "
        "The printed link makes its holder the owner; others only see what they have links to.",
    )
    add = parser.add_argument
    add("--port", metavar="NUMBER", type=int,
        help=f"where to listen ({DEFAULT_PORT}, with --tournament its own; any free one if that is taken, and for 0)")
    add("--host", metavar="ADDRESS", default="127.0.0.1", help="the address to listen at (%(default)s); see --lan")
    add("--lan", action="store_true", help="allow an address that other machines reach; it is not encrypted")
    add("--name", metavar="HOST", action="append", default=[], help="a host name that this machine goes by")
    add("--brain", metavar="NAME=COMMAND", action="append", default=[], help="another brain that may be played")
    add("--processes", metavar="NUMBER", type=int, help="brains that think at the same time (the number of cores)")
    add("--games", metavar="FILE", type=Path, help="where the games are kept (the user's own file)")
    add("--tournament", metavar="FILE", type=Path, help="show that tournament instead, also while it is played")
    add("--until-eof", action="store_true", help="with --tournament: end when the standard input does")
    add("--no-browser", action="store_true", help="only print the link")
    options = parser.parse_args(arguments)
    try:
        return _serve(options) if options.tournament is None else _show(options)
    except ModuleNotFoundError as error:
        return complain("serve", f"this needs the package {error.name}: {install_command(*BROWSER_PACKAGES)}")
    except ValueError as error:
        return complain("serve", str(error))
    except OSError as error:
        return complain("serve", str(error), EXIT_FAILURE)


def _serve(options: argparse.Namespace) -> int:
    import starlette  # noqa: F401  # what is missing is to be said before anything is opened
    import uvicorn  # noqa: F401
    import websockets  # noqa: F401

    from tournaments.board.engines.engine_pool import EnginePool
    from tournaments.board.engines.registration import register
    from tournaments.board.library.library import Library, default_path
    from tournaments.board.server.access import Credentials
    from tournaments.board.server.addresses import EVERY_ADDRESS, address_for_others, is_loopback
    from tournaments.board.server.app import Service, serve
    from tournaments.board.server.server_file import ServerFile, read_server_file, write_server_file
    from tournaments.board.server.tokens import make_token

    if options.until_eof:
        raise ValueError("--until-eof goes with --tournament")
    processes = _cores() if options.processes is None else options.processes
    if not 1 <= processes <= 256:
        raise ValueError(f"--processes {processes} is not a number from 1 to 256")
    _check_place(options)
    brains = register(options.brain)
    path = options.games or default_path()
    running_file = path.with_name(f"{path.name}.server")
    with Library(path) as library:
        try:
            lock = FileLock.acquire(running_file)
        except Held:
            running = read_server_file(running_file)
            say("A server runs already." if running is None else f"A server runs already: {running.link}")
            return 0
        try:
            listener = _listen_at_default(options.host) if options.port is None else _listen(options.host, options.port)
            # A server that was killed has left its file, and the pages that it served come back with its token.
            killed = read_server_file(running_file)
            token, port = make_token() if killed is None else killed.token, listener.getsockname()[1]
            running = ServerFile(os.getpid(), port, token, options.host)
            write_server_file(running_file, running)

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

            access = Credentials(token, port, tuple(name.lower() for name in options.name))
            service = Service(library, EnginePool(brains, processes), _version())
            return run_until_told(serve(service, access, listener, tell))
        finally:
            running_file.unlink(missing_ok=True)
            lock.release()


def _show(options: argparse.Namespace) -> int:
    """Serves a tournament's page."""
    import uvicorn  # noqa: F401
    import websockets  # noqa: F401

    from tournaments.board.server.access import Credentials
    from tournaments.board.server.addresses import EVERY_ADDRESS, address_for_others, is_loopback
    from tournaments.board.server.app import serve
    from tournaments.board.server.live_tournament import LiveService, LiveTournament
    from tournaments.board.server.tokens import make_token

    given = {"--brain": options.brain, "--processes": options.processes, "--games": options.games}
    for flag, value in given.items():
        if value:
            raise ValueError(f"{flag} is of no use with --tournament, whose page has no games of its own")
    _check_place(options)
    live = LiveTournament(options.tournament)
    listener = _listen_for(options.tournament, options.host) if options.port is None else _listen(
        options.host, options.port
    )  # fmt: skip
    # The games come first: their brains may be at it on this machine.
    with contextlib.suppress(AttributeError, OSError):
        os.nice(10)
    port = listener.getsockname()[1]

    def link_at(host: str) -> str:
        return f"http://{f'[{host}]' if ':' in host else host}:{port}/live"

    def tell() -> None:
        link = link_at("127.0.0.1" if options.host in EVERY_ADDRESS else options.host)
        say(f"The tournament is at {link}")
        address = address_for_others() if options.host in EVERY_ADDRESS else None
        if address is not None:
            say(f"From other machines, unencrypted: {link_at(address)}")
        if not is_loopback(options.host) and address is None:
            say("Other machines can reach this page, and nothing is encrypted: the network can read along.")
        if not options.no_browser and sys.stdout.isatty():
            webbrowser.open(link)

    service = LiveService(live, _version())
    access = Credentials(make_token(), port, tuple(name.lower() for name in options.name))
    serving = serve(service, access, listener, tell)
    return run_until_told(_until_eof(service, serving) if options.until_eof else serving)


async def _until_eof(service: "LiveService", serving: Coroutine[Any, Any, None]) -> None:
    """Serves until nobody holds our standard input any more, and shows once more how the tournament stands then."""
    loop, is_over = asyncio.get_running_loop(), asyncio.Event()

    def read() -> None:
        with contextlib.suppress(OSError, ValueError):
            # Not by way of a buffer, whose lock would be missed where Python shuts down while we wait here.
            while os.read(sys.stdin.fileno(), 4096):
                pass
        with contextlib.suppress(RuntimeError):  # the loop has ended before
            loop.call_soon_threadsafe(is_over.set)

    threading.Thread(target=read, name="stdin", daemon=True).start()
    task, waiting = asyncio.create_task(serving), asyncio.create_task(is_over.wait())
    try:
        await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            await service.end()
            await asyncio.sleep(LAST_LOOK)
    finally:
        waiting.cancel()
        task.cancel()
        await asyncio.gather(task, waiting, return_exceptions=True)


def _check_place(options: argparse.Namespace) -> None:
    """Raises ValueError for a port or an address that cannot be meant."""
    from tournaments.board.server.addresses import is_loopback

    if not 0 <= (options.port or 0) <= 65535:
        raise ValueError(f"--port {options.port} is no port: choose one from 0 to 65535")
    if not is_loopback(options.host) and not options.lan:
        raise ValueError(f"--host {options.host} can be reached from other machines; say --lan if that is meant")


def _listen(host: str, port: int) -> socket.socket:
    from tournaments.board.server.app import listen

    try:
        return listen(host, port)
    except OSError as error:
        raise ValueError(f"cannot listen at {host}, port {port}: {error.strerror or error}; "
                         "choose another with --port") from None  # fmt: skip


def _listen_at_default(host: str) -> socket.socket:
    """At the default port, or at a free one if another program has that, which is said."""
    try:
        return _listen(host, DEFAULT_PORT)
    except ValueError:
        listener = _listen(host, 0)
    say(f"Port {DEFAULT_PORT} is taken by another program: this board is at port {listener.getsockname()[1]}.")
    return listener


def _listen_for(store: Path, host: str) -> socket.socket:
    """At the tournament's own port, so that a page that is open comes back when the tournament goes on; else any."""
    digest = hashlib.sha256(os.fsencode(store.resolve())).digest()
    # Below the ports that systems give to outgoing connections.
    try:
        return _listen(host, 10_000 + int.from_bytes(digest[:4], "big") % 20_000)
    except ValueError:
        return _listen(host, 0)


def _version() -> str:
    from pbrain import __version__

    return __version__


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1

