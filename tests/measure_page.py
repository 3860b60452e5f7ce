"""Measures how long the page takes until a board is drawn, without a cache and with one, over a slow network.

Run from anywhere, with the extra `test` and Debian's chromium (or another one, by its path in CHROMIUM):

    python tests/measure_page.py --runs 5

Each line has the median of the milliseconds from the request until the board is on the screen, and the requests and the
bytes of the answers until then and in the second after it, without a cache and with one. The first lines are for a page
that is nothing but a picture of stones: the least time that is possible. Chromium makes the network slow; the processor
is that of this machine.
"""

import argparse
import statistics
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

# The folder of this file has a folder "tournaments" too: the program's is found first.
sys.path[:0] = [str(Path(__file__).parents[1])]
sys.path.append(str(Path(__file__).parent / "tournaments"))

from board_page import Served, Table, chromium, options  # noqa: E402
from page_load import BOARDS, BYTES_PER_SECOND, LATENCY_MS, STUDY, open_page, time_until_drawn  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

KINDS = ("cold", "warm")
PICTURE = "<!doctype html><title>stones</title><svg width=480 height=160>{}</svg>".format(
    "".join(f"<circle class=stone r=14 cx={16 + 32 * x} cy={16 + 32 * y} />" for x in range(15) for y in range(5))
).encode()
GAME = "h8 i9 g7 i7 i8 g8 h9 f7 h7 h6"
AFTER_MS = 1000


def begin_game(browser: "Browser", served: Served) -> str:
    """The address of a game with some moves."""
    context = browser.new_context(**options())
    served.let_in(context)
    table = Table(context.new_page(), served.origin)
    table.page.goto(served.origin)
    table.new_game(opponent="local")
    table.play(*GAME.split())
    address = table.page.url
    context.close()
    return address


def load_once(context: "BrowserContext", address: str, board: str) -> tuple[float, int, int]:
    """Loads the page once: milliseconds, requests, bytes."""
    page, load = open_page(context, is_slow=True)
    milliseconds = time_until_drawn(page, address, board)
    page.wait_for_timeout(AFTER_MS)
    page.close()
    return milliseconds, load.count, load.bytes


def measure(
    browser: "Browser", served: Served | None, address: str, board: str, runs: int
) -> list[list[tuple[float, int, int]]]:
    """The loads without a cache, and those with one."""
    loads: list[list[tuple[float, int, int]]] = [[] for _ in KINDS]
    for _ in range(runs):
        context = browser.new_context(**options())
        if served is not None:
            served.let_in(context)
        for found in loads:
            found.append(load_once(context, address, board))
        context.close()
    return loads


class _Picture(BaseHTTPRequestHandler):
    """A page that is one picture, which a browser asks for each time as for ours."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answers that nothing has changed, or with the page."""
        is_known = self.headers.get("If-None-Match") is not None
        content = b"" if is_known else PICTURE
        self.send_response(304 if is_known else 200)
        for name, value in (("ETag", '"1"'), ("Cache-Control", "no-cache"), ("Content-Type", "text/html")):
            self.send_header(name, value)
        if content:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *values: object) -> None:
        """Says nothing."""


@contextmanager
def serve_picture() -> Iterator[str]:
    """The address of that page."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Picture) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def main() -> None:
    """Measures all views."""
    parser = argparse.ArgumentParser(description="Measures how long the page takes until a board is drawn.")
    parser.add_argument("--runs", type=int, default=5, help="how often each view is loaded; the median counts")
    runs = parser.parse_args().runs
    print(f"{LATENCY_MS} ms from a request to its answer, {BYTES_PER_SECOND // 1000} kB/s, median of {runs}")
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        with serve_picture() as address:
            tell("picture", measure(browser, None, address, ".stone", runs))
        served = Served(Path(folder) / "games.sqlite")
        try:
            game = begin_game(browser, served)
            addresses = {"front": f"{served.origin}/", "game": game, "study": f"{served.origin}{STUDY}"}
            for view, board in BOARDS.items():
                tell(view, measure(browser, served, addresses[view], board, runs))
        finally:
            served.end()


def tell(view: str, loads: list[list[tuple[float, int, int]]]) -> None:
    """Prints a line for each kind of loads."""
    for kind, found in zip(KINDS, loads, strict=True):
        median = statistics.median(load[0] for load in found)
        _, requests, size = found[-1]
        print(f"{view:7} {kind}: {median:5.0f} ms, {requests:2} requests, {size:6} bytes", flush=True)


if __name__ == "__main__":
    main()
