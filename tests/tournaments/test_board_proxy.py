"""The board behind a proxy: a small one that adds what proxies add, over real sockets."""

import contextlib
import json
import re
import shlex
import socket
import socketserver
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Self

import pytest
from board_server import FRIEND, PERSON, Player, Server, run
from pages import PAGES, shell_commands
from waiting import read_until

from tournaments.board.messages.requests import PROTOCOL
from tournaments.board.server.access import Credentials
from tournaments.cli.main import main


class Proxy(socketserver.ThreadingTCPServer):
    """A small reverse proxy: it adds what a proxy says of the client, passes on the host that the browser named or one
    of its own, and copies bytes."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port: int, keeps_host: bool) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.upstream = port
        self.keeps_host = keeps_host

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.shutdown()
        self.server_close()


class _Passing(socketserver.BaseRequestHandler):
    server: Proxy  # the one that took the connection

    def handle(self) -> None:
        head = b""
        while b"\r\n\r\n" not in head and (piece := self.request.recv(4096)):
            head += piece
        lines, _, rest = head.partition(b"\r\n\r\n")
        host = "board.example.org" if self.server.keeps_host else f"127.0.0.1:{self.server.upstream}"
        lines = re.sub(rb"(?i)\r\nhost:[^\r]*", f"\r\nHost: {host}".encode(), lines)
        lines += b"\r\nX-Forwarded-For: 198.51.100.1, 203.0.113.7\r\nX-Forwarded-Proto: https"
        with socket.create_connection(("127.0.0.1", self.server.upstream)) as upstream:
            upstream.sendall(lines + b"\r\n\r\n" + rest)
            threading.Thread(target=self.copy, args=(self.request, upstream), daemon=True).start()
            self.copy(upstream, self.request)

    @staticmethod
    def copy(source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(65536):
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)


PROXY = "https://board.example.org"


SHOWN = [command for page in PAGES for command in shell_commands(page) if "--behind-proxy" in command]


@pytest.mark.parametrize(
    ("command", "keeps_host"),
    [("tengen serve --behind-proxy HTTPS://Board.example.org:443/", True), *((command, False) for command in SHOWN)],
)
def test_the_board_is_used_through_a_proxy(command: str, tmp_path: Path, keeps_host: bool) -> None:
    words = [
        sys.executable,
        "-m",
        "tournaments.cli",
        *shlex.split(command)[1:],
        "--no-browser",
        "--port",
        "0",
        "--library",
        str(tmp_path / "games.sqlite"),
    ]
    with contextlib.ExitStack() as stack:
        process = stack.enter_context(
            subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        )
        stack.callback(process.kill)
        token = read_until(process, rf"{PROXY}/#token=(\S+)$")[1]
        port = int(read_until(process, r"The proxy must pass requests on to http://127\.0\.0\.1:(\d+)$")[1])
        with Proxy(port, keeps_host) as proxy:
            server = Server(tmp_path)
            server.port = proxy.server_address[1]
            of_page = {"Origin": PROXY}
            given = json.dumps({"token": token})
            assert server.request("/token", "POST", given, **of_page)[0] == 204
            for origin in ("https://evil.example", "http://board.example.org", "null"):
                assert server.request("/token", "POST", given, **{**of_page, "Origin": origin})[0] == 403, origin
            server.token = token

            async def play() -> None:
                async with Player(server, of_page, server.browser(is_owner=True)) as me:
                    assert (await me.ask("hello", protocol=PROTOCOL))["owner"]
                    state = await me.create(black=PERSON, white=FRIEND)
                    assert state["links"]["origin"] == PROXY, "a friend's link leads to the proxy"

            run(play())
        direct = Server(tmp_path)
        direct.port = port
        assert direct.request("/token", "POST", given, Origin=direct.origin)[0] == 204
        plain = {"Origin": "http://board.example.org", "Host": "board.example.org"}
        assert direct.request("/token", "POST", given, **plain)[0] == 403


def test_only_behind_a_proxy_a_request_says_where_it_comes_from() -> None:
    scope: dict[str, Any] = {
        "client": ("127.0.0.1", 5),
        "headers": [(b"x-forwarded-for", b"192.0.2.9"), (b"x-forwarded-for", b"198.51.100.1, 203.0.113.7")],
    }
    assert Credentials("x").address_of(scope) == "127.0.0.1"
    assert Credentials("x", (), PROXY).address_of(scope) == "203.0.113.7", "what the proxy itself has added"
    scope["headers"] = [(b"x-forwarded-for", b"nonsense")]
    assert Credentials("x", (), PROXY).address_of(scope) == "127.0.0.1"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["board.example.org"], "is not an address such as https://board.example.org, without a path"),
        (["https://board.example.org/tengen"], "is not an address such as https://board.example.org, without a path"),
        (["https://"], "names no host"),
        (["https://b.example", "--lan"], "cannot be combined with --lan"),
    ],
)
def test_a_proxys_address_is_checked(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--behind-proxy", *words]) == 2
    assert sentence in capsys.readouterr().err
