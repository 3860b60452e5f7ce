"""`tengen serve`: the board in the browser."""

import argparse
import asyncio
import contextlib
import errno
import hashlib
import math
import os
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tournaments.cli.command_line import EXIT_FAILURE, Parser, complain, say, sentence_of
from tournaments.cli.signals import run_until_signal
from tournaments.storage.lock import FileLock, Held

if TYPE_CHECKING:
    from tournaments.board.server.live_tournament import LiveService
    from tournaments.board.server.server_file import ServerFile

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8765
START_SECONDS = 20.0
"""How long a second start waits until the first one answers."""

LOOK = 0.5
"""Seconds between two looks whether the board is in use."""

MOST_MINUTES = 10_000
LAST_LOOK = 0.5
"""Seconds for the last message to viewers of a tournament, after its manager has ended."""


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen serve`; see `cli.main`. 0 also if a server with these flags runs already; then its link is
    printed."""
    parser = Parser(
        prog="tengen serve",
        description="Opens the board in a browser, for games against brains and people; every game is saved. Keep the "
        "printed link to yourself: anyone who opens it owns this board. Invite a friend with the link of a game.",
        examples=(
            "tengen serve",
            'tengen serve --brain "mine=./pbrain-mine --fast"',
            "tengen serve --host 0.0.0.0 --lan",
        ),
    )
    add = parser.add_argument
    add(
        "--port",
        metavar="NUMBER",
        type=int,
        help=f"port to listen on; 0 for any free port (default: {DEFAULT_PORT}, or with --tournament one that depends "
        "on the file; any free port if that one is taken)",
    )
    add(
        "--host", metavar="ADDRESS", default=DEFAULT_HOST, help="address to listen on; see --lan (default: %(default)s)"
    )
    add(
        "--lan",
        action="store_true",
        help="allow an address that other machines can reach; the connection is not encrypted",
    )
    add(
        "--name",
        metavar="HOST",
        action="append",
        default=[],
        help="a host name under which browsers reach this machine; may be repeated (default: addresses only)",
    )
    add(
        "--behind-proxy",
        metavar="ADDRESS",
        help="a proxy on this machine shows the board at that address, such as "
        "https://board.example.org; the client's address is then taken from X-Forwarded-For (default: no proxy)",
    )
    add(
        "--brain",
        metavar="NAME=COMMAND",
        action="append",
        default=[],
        help="another brain to play against; may be repeated (default: Tengen and the shipped rivals)",
    )
    add(
        "--processes",
        metavar="NUMBER",
        type=int,
        help="most brains that think at the same time (default: the number of cores)",
    )
    add("--library", metavar="FILE", type=Path, help="the file of saved games (default: the user's own)")
    add("--games", dest="library", type=Path, help=argparse.SUPPRESS)  # its old name
    add(
        "--book",
        metavar="FILE",
        type=Path,
        help="the store of openings that the page shows, see `tengen book` (default: openings.book beside the file of "
        "saved games, and with it the openings that come with Tengen)",
    )
    add(
        "--tournament",
        metavar="FILE",
        type=Path,
        help="show that tournament instead, also while it runs (default: the board)",
    )
    add(
        "--new-link",
        action="store_true",
        help="print a new link; the one that was printed before opens the board no "
        "longer (default: the same link each time)",
    )
    add("--until-eof", action="store_true", help="with --tournament: end when the standard input ends")
    add(
        "--end-when-unused",
        metavar="MINUTES",
        type=float,
        help="end when for so long no page of the board was open and no brain was thinking; a server that runs "
        "already is not changed (default: never)",
    )
    opening = parser.add_mutually_exclusive_group()
    opening.add_argument("--no-browser", action="store_true", help="print the link without opening a browser")
    opening.add_argument(
        "--browser",
        action="store_true",
        help="open a browser also if a server runs already, and if the output is not a terminal",
    )
    add("--install", action="store_true", help="add Tengen to the menu of applications, and exit (Linux, macOS)")
    add("--uninstall", action="store_true", help="remove it from there, and exit; games stay")
    options = parser.parse_args(arguments)
    if options.install or options.uninstall:
        if len(arguments) > 1:
            parser.error(f"{'--install' if options.install else '--uninstall'} takes no other flag")
        return _change_menu(options.install)
    if options.new_link and options.tournament is not None:
        parser.error("--new-link is for the board: the page of a tournament has a new link each time")
    try:
        return _serve(options) if options.tournament is None else _show(options)
    except ValueError as error:
        return complain("serve", str(error))
    except OSError as error:
        return complain("serve", sentence_of(error), EXIT_FAILURE)


def _change_menu(is_to_add: bool) -> int:
    """Writes the starter of the board, or removes it."""
    from tournaments.cli.desktop.starters import install, uninstall

    try:
        paths = install(_version()) if is_to_add else uninstall()
    except ValueError as error:
        return complain("serve", str(error))
    for path in paths:
        say(f"{'written' if is_to_add else 'removed'}: {path}")
    if is_to_add:
        say("Tengen is in the menu of applications. It ends by itself when its pages have been closed for 10 minutes.")
    elif not paths:
        say("Tengen was not in the menu of applications.")
    return 0


def _serve(options: argparse.Namespace) -> int:
    import pydantic  # noqa: F401  # report a missing package before a file is opened
    import starlette  # noqa: F401
    import uvicorn  # noqa: F401
    import websockets  # noqa: F401

    from tournaments.board.engines.analysis_limits import processors
    from tournaments.board.engines.engine_pool import EnginePool
    from tournaments.board.engines.registration import register
    from tournaments.board.library.library import open_board
    from tournaments.board.server.access import Credentials
    from tournaments.board.server.addresses import EVERY_ADDRESS, address_for_others, is_loopback
    from tournaments.board.server.app import Service, serve
    from tournaments.board.server.server_file import ServerFile, is_answering, read_server_file, write_server_file
    from tournaments.board.server.tokens import make_token

    if options.until_eof:
        raise ValueError("--until-eof goes with --tournament")
    minutes = options.end_when_unused
    if minutes is not None and not 0 < minutes <= MOST_MINUTES:
        raise ValueError(f"--end-when-unused {minutes:g} is not a number of minutes up to {MOST_MINUTES}")
    processes = processors() if options.processes is None else options.processes
    if not 1 <= processes <= 256:
        raise ValueError(f"--processes {processes} is not a number from 1 to 256")
    _check_place(options)
    proxy = _proxy_of(options)
    if options.book is not None and options.book.suffix == ".shard":
        raise ValueError(f"--book {options.book} is a shard, which never changes: import it into a store")
    brains = register(options.brain)
    with open_board(options.library, lambda sentence: complain("serve", sentence)) as library:
        path = library.path
        running_file = path.with_name(f"{path.name}.server")
        opening_page = path.with_name(f"{path.name}.open.html")
        digest = _digest_of(path).hex()
        lock, running = _lock_or_server(running_file, digest, START_SECONDS if options.browser else 0.0)
        if lock is None:
            say("A server runs already." if running is None else f"A server runs already: {running.link}")
            differing = _differing(options, running, proxy)
            if differing:
                sentence = f"to use {', '.join(differing)}, stop that server first, with Ctrl-C there"
                return complain("serve", sentence, EXIT_FAILURE)
            if options.browser:
                if running is None or not is_answering(running, digest):
                    return complain("serve", "the server that runs already does not answer", EXIT_FAILURE)
                _open_browser(opening_page, running)
            return 0
        try:
            listener = _listen_at_default(options.host) if options.port is None else _listen(options.host, options.port)
            # The file stays when a server ends: with the same token, the owner's open pages connect to the next one.
            earlier = None if options.new_link else read_server_file(running_file)
            token, port = make_token() if earlier is None else earlier.token, listener.getsockname()[1]
            running = ServerFile(os.getpid(), port, token, options.host, proxy)
            write_server_file(running_file, running)
            address = None if is_loopback(options.host) else options.host
            if options.host in EVERY_ADDRESS:
                address = address_for_others()

            def tell() -> None:
                if not is_loopback(options.host):
                    say(
                        "Other machines can reach this board. The connection is not encrypted: others on the network "
                        "can read it."
                    )
                say(f"The board is at {running.link}")
                if proxy:
                    say(f"The proxy must pass requests on to {running.local_address}")
                if address is not None and options.host in EVERY_ADDRESS:
                    say(f"From other machines: {running.link_at(address)}")
                kept = "; games continue when you start it again" if library.is_kept else ""
                say(f"Ctrl-C stops the server{kept}.")
                if not options.browser and not options.no_browser and sys.stdout.isatty():
                    with contextlib.suppress(OSError):  # the link is printed
                        _open_browser(opening_page, running)

            access = Credentials(token, tuple(name.lower() for name in options.name), proxy, digest)
            # An invitation has the address that the friend can reach.
            origin = None if address is None else running.link_at(address).partition("/#")[0]
            if options.browser:
                _open_browser(opening_page, running)  # whose request waits at the socket until the server has started
            pool = EnginePool(brains, processes)
            service = Service(library, pool, _version(), proxy or origin, options.book)
            serving = serve(service, access, listener, tell)
            if minutes is not None:
                serving = _until_unused(lambda: bool(service.clients) or pool.is_busy, 60 * minutes, serving)
            return _serve_on(serving)
        finally:
            opening_page.unlink(missing_ok=True)
            lock.release()


def _lock_or_server(running_file: Path, library: str, seconds: float) -> "tuple[FileLock | None, ServerFile | None]":
    """The lock of the only server of a library; or, if another process holds it, the server that runs.

    A server that starts at the same time has not written its address yet, and an earlier one's may be in the file; one
    that ends answers no longer. So this waits up to `seconds` until the server answers, or until the lock is free.
    """
    from tournaments.board.server.server_file import is_answering, read_server_file

    deadline = time.monotonic() + seconds
    while True:
        try:
            return FileLock.acquire(running_file), None
        except Held:
            running = read_server_file(running_file)
        if time.monotonic() >= deadline or (running is not None and is_answering(running, library)):
            return None, running
        time.sleep(0.1)


def _open_browser(page: Path, running: "ServerFile") -> None:
    """Opens the board in the user's browser; on Linux and macOS by way of a page that is written for this. Raises
    OSError if Windows has no browser."""
    from tournaments.board.server.server_file import write_opening_page

    if sys.platform == "win32":
        # Other users cannot see the arguments of a program there, and the program for .html may be an editor.
        try:
            os.startfile(running.link)
        except OSError as error:
            raise OSError(f"cannot open a browser: {error.strerror}") from None
        return
    write_opening_page(page, running)
    webbrowser.open(page.resolve().as_uri())


def _differing(options: argparse.Namespace, running: "ServerFile | None", proxy: str) -> list[str]:
    """The flags of a second server that the running one does not have, or perhaps does not have."""
    differs = {
        "--host": options.host != DEFAULT_HOST and (running is None or options.host != running.host),
        "--port": options.port is not None and (running is None or options.port not in (0, running.port)),
        "--behind-proxy": bool(proxy) and (running is None or proxy != running.origin),
    }
    given = {
        flag: getattr(options, flag[2:].replace("-", "_")) for flag in ("--name", "--brain", "--processes", "--book")
    }
    given["--new-link"] = options.new_link
    return [flag for flag, found in {**differs, **given}.items() if found]


def _show(options: argparse.Namespace) -> int:
    """Serves a tournament's page."""
    import pydantic  # noqa: F401
    import uvicorn  # noqa: F401
    import websockets  # noqa: F401

    from tournaments.board.library.library import find_default
    from tournaments.board.live.tournament import LiveTournament
    from tournaments.board.server.access import Credentials
    from tournaments.board.server.addresses import EVERY_ADDRESS, address_for_others, is_loopback
    from tournaments.board.server.app import serve
    from tournaments.board.server.live_tournament import LiveService
    from tournaments.board.server.shown_tournaments import server_of, telling
    from tournaments.board.server.tokens import make_token

    given = {
        "--brain": options.brain,
        "--processes": options.processes,
        "--library": options.library,
        "--end-when-unused": options.end_when_unused,
        "--book": options.book,
    }
    for flag, value in given.items():
        if value:
            raise ValueError(f"{flag} cannot be combined with --tournament, which only shows the tournament")
    _check_place(options)
    proxy = _proxy_of(options)
    live = LiveTournament(options.tournament)
    listener = (
        _listen_for(options.tournament, options.host) if options.port is None else _listen(options.host, options.port)
    )
    # The tournament's brains may run on this machine: they have priority.
    with contextlib.suppress(AttributeError, OSError):
        os.nice(10)
    port = listener.getsockname()[1]

    def link_at(host: str) -> str:
        return f"http://{f'[{host}]' if ':' in host else host}:{port}/live"

    def tell() -> None:
        local = link_at("127.0.0.1" if options.host in EVERY_ADDRESS else options.host)
        link = f"{proxy}/live" if proxy else local
        say(f"The tournament is at {link}")
        if proxy:
            say(f"The proxy must pass requests on to {local.removesuffix('/live')}")
        address = address_for_others() if options.host in EVERY_ADDRESS else None
        if address is not None:
            say(f"From other machines, unencrypted: {link_at(address)}")
        if not is_loopback(options.host) and address is None:
            say(
                "Other machines can reach this page. The connection is not encrypted: others on the network can read "
                "it."
            )
        if not options.no_browser and sys.stdout.isatty():
            webbrowser.open(link)

    service = LiveService(live, _version())
    names = tuple(name.lower() for name in options.name)
    digest = _digest_of(options.tournament).hex()
    serving = serve(service, Credentials(make_token(), names, proxy, digest), listener, tell)
    library, server = find_default(), server_of(port, options.host, proxy)
    with contextlib.nullcontext() if library is None else telling(library, live.name, server, digest):
        return run_until_signal(_until_eof(service, serving)) if options.until_eof else _serve_on(serving)


def _serve_on(serving: Coroutine[Any, Any, None]) -> int:
    """Serves until a signal, and says that it has ended; returns the exit status."""
    status = run_until_signal(serving)
    say("The server has stopped.")
    return status


async def _until_unused(is_used: Callable[[], bool], seconds: float, serving: Coroutine[Any, Any, None]) -> None:
    """Serves until the board has not been used for so long. Looks are counted: while the machine sleeps there are none,
    so that a page has time to connect again."""
    task = asyncio.create_task(serving)
    try:
        left = looks = math.ceil(seconds / LOOK)
        while left and not task.done():
            await asyncio.wait((task,), timeout=LOOK)
            left = looks if is_used() else left - 1
        if task.done():
            await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _until_eof(service: "LiveService", serving: Coroutine[Any, Any, None]) -> None:
    """Serves until our standard input ends, and then sends viewers the final state of the tournament."""
    loop, is_over = asyncio.get_running_loop(), asyncio.Event()

    def read() -> None:
        with contextlib.suppress(OSError, ValueError):
            # Unbuffered: a buffer's lock, held by this thread, would disturb Python's shutdown.
            while os.read(sys.stdin.fileno(), 4096):
                pass
        with contextlib.suppress(RuntimeError):  # the loop has ended already
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
    """Raises ValueError for an invalid port, or an address that needs --lan."""
    from tournaments.board.server.addresses import is_loopback

    if not options.host.strip():
        raise ValueError(f"--host is empty: give an address, such as {DEFAULT_HOST}")
    if not all(name.strip() for name in options.name):
        raise ValueError("--name is empty: give a host name, such as board.local")
    if not 0 <= (options.port or 0) <= 65535:
        raise ValueError(f"--port {options.port} is not a port: choose one from 0 to 65535")
    if not is_loopback(options.host) and not options.lan:
        raise ValueError(f"--host {options.host} can be reached from other machines: add --lan to allow that")


def _proxy_of(options: argparse.Namespace) -> str:
    """The origin at which a proxy shows the page, "" without one. Raises ValueError in one sentence."""
    from tournaments.board.server.addresses import parse_origin

    if options.behind_proxy is None:
        return ""
    if options.lan:
        raise ValueError("--behind-proxy cannot be combined with --lan: others are to reach only the proxy")
    return parse_origin(options.behind_proxy)


class _WrongHost(ValueError):
    """No port of the address can be had; the message is one sentence."""


def _listen(host: str, port: int) -> socket.socket:
    from tournaments.board.server.app import listen

    try:
        return listen(host, port)
    except OSError as error:
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            raise _WrongHost(f"--host {host} is not an address of this machine") from None
        raise ValueError(
            f"cannot listen at {host}, port {port}: {error.strerror or error}; choose another with --port"
        ) from None


def _listen_at_default(host: str) -> socket.socket:
    """A socket at the default port, or at a free one, with a message, if another program uses that."""
    try:
        return _listen(host, DEFAULT_PORT)
    except _WrongHost:
        raise
    except ValueError:
        listener = _listen(host, 0)
    say(f"Port {DEFAULT_PORT} is taken by another program: this board is at port {listener.getsockname()[1]}.")
    return listener


def _listen_for(store: Path, host: str) -> socket.socket:
    """A socket at a port that depends on the file, so that an open page reconnects when the tournament is resumed."""
    # Below the ports that systems use for outgoing connections.
    try:
        return _listen(host, 10_000 + int.from_bytes(_digest_of(store)[:4], "big") % 20_000)
    except _WrongHost:
        raise
    except ValueError:
        return _listen(host, 0)


def _digest_of(path: Path) -> bytes:
    """A number that distinguishes a file from others, and does not contain its name."""
    return hashlib.sha256(os.fsencode(os.path.realpath(path))).digest()[:8]


def _version() -> str:
    from pbrain import __version__

    return __version__
