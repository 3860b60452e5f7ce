"""Several servers on ports of one machine, which browsers count as one site: a token or a key that one server gets does
not let it into another."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from board_page import Served, Table, options
from board_server import FRIEND, PERSON, Server, run

from tournaments.board.messages.requests import PROTOCOL

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext


def test_what_a_page_offers_to_one_server_opens_no_other(tmp_path: Path) -> None:
    """The owner of one library is a guest at the other one; a seat that is taken at one is none at the other."""
    with Server(tmp_path / "a.sqlite") as first, Server(tmp_path / "b.sqlite") as second:
        assert first.request("/library")[2] != second.request("/library")[2]
        owners, friends = first.browser(is_owner=True), first.browser()

        async def play() -> None:
            async with first.connect(owners) as me, first.connect(friends) as friend:
                state = await me.create(black=PERSON, white=FRIEND)
                secret = state["links"]["seat"].partition("#")[2]
                assert (await friend.ask("sit", game=state["game"], secret=secret))["you"]["seats"] == [1]
                for page in (owners, friends):
                    async with second.connect(page) as visitor:
                        assert not (await visitor.ask("hello", protocol=PROTOCOL))["owner"]
                        assert "owner" in await visitor.refused("create", settings={"black": PERSON, "white": PERSON})
            async with first.connect(owners) as me, first.connect(friends) as friend:
                assert (await me.ask("hello", protocol=PROTOCOL))["owner"]
                assert (await friend.ask("watch", game=state["game"]))["you"]["seats"] == [1]

        run(play())


class Listener(BaseHTTPRequestHandler):
    """A server on another port that writes down what a browser sends, and writes cookies of the names of old."""

    heard: ClassVar[list[str]] = []
    names: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.heard.append(str(self.headers))
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        for name in self.names:
            self.send_header("Set-Cookie", f"{name}={'x' * 43}; Path=/; HttpOnly; SameSite=Strict; Max-Age=1000")
        self.end_headers()
        self.wfile.write(b"<!DOCTYPE html><link rel=icon href='data:,'><title>Other</title>")

    def log_message(self, format: str, *values: object) -> None:
        pass


@contextmanager
def listening(port: int) -> Iterator[str]:
    """The address of a `Listener` that would have the place of the server at that port."""
    Listener.heard[:], Listener.names[:] = [], [f"tengen-{port}", f"tengen-guest-{port}"]
    server = ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def open_page(context: "BrowserContext", link: str) -> Table:
    table = Table(context.new_page(), "http://127.0.0.1:")
    table.page.goto(link)
    table.page.locator("main:not([hidden])").wait_for()
    return table


@pytest.mark.long
def test_one_browser_visits_two_servers_and_a_third_that_spies(browser: "Browser", tmp_path: Path) -> None:
    first, second = Served(tmp_path / "a.sqlite"), Served(tmp_path / "b.sqlite")
    owner, friend = browser.new_context(**options()), browser.new_context(**options())
    try:
        mine = open_page(owner, first.link)
        mine.new_game(opponent="friend", colour="black")
        theirs = open_page(friend, mine.page.locator("#invite input").input_value())
        theirs.button("Take the seat").click()
        mine.expect_status("Your move")
        # Both visit the second server, one of them as its owner, and a program that is to learn and change nothing.
        open_page(owner, second.link).button("Play now").wait_for()
        open_page(friend, second.origin).page.locator("#guest-words").wait_for()
        with listening(first.port) as spy:
            for context in (owner, friend):
                page = context.new_page()
                page.goto(spy)
            said = {line for heard in Listener.heard for line in heard.splitlines() if line.startswith("Cookie:")}
            assert said == set(), "another port is told nothing that could open the board"
        for table in (mine, theirs):
            table.page.reload()
        mine.play("h8")
        theirs.expect_status("Your move")
        theirs.play("i9")
        mine.page.locator("#board .stone[data-cell=i9]").wait_for()
        open_page(owner, first.origin).button("Play now").wait_for()
        open_page(owner, second.origin).button("Play now").wait_for()
        assert mine.complaints == theirs.complaints == []
    finally:
        for context in (owner, friend):
            context.close()
        first.end()
        second.end()


@pytest.mark.long
def test_another_library_at_the_same_port_takes_nothing_away(browser: "Browser", tmp_path: Path) -> None:
    """The next server has the address of the last one; the owner of both opens each link once."""
    context = browser.new_context(**options())
    served = Served(tmp_path / "a.sqlite")
    try:
        open_page(context, served.link).page.close()
        kept: dict[str, Any] = {}
        for library, is_known in (("b", False), ("a", True), ("b", True)):
            served.end()
            served = Served(tmp_path / f"{library}.sqlite", served.port)
            page = open_page(context, served.origin if is_known else served.link).page
            page.locator("#quick").wait_for()
            page.wait_for_function("() => !location.hash")
            kept = page.evaluate("Object.fromEntries(Object.entries(localStorage))")
            page.close()
        libraries = [json.loads(value) for key, value in kept.items() if key.startswith("tengen-")]
        assert len({each["owner"] for each in libraries}) == len({each["guest"] for each in libraries}) == 2
    finally:
        context.close()
        served.end()
