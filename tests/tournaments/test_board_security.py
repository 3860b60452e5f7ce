"""Access to the board's server, and clients that send forbidden or broken requests: by real sockets."""

import asyncio
import contextlib
import gzip
import json
import os
import re
import shlex
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from board_server import FRIEND, PATIENCE, PERSON, Player, Server, brain, memory_of, run
from needs import needs_processes
from pages import PAGES, shell_commands
from waiting import read_line, wait_until
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tournaments.board.messages.requests import PROTOCOL
from tournaments.board.server.addresses import is_loopback, parse_host
from tournaments.board.server.limits import BURST, FIRST_REQUEST_SECONDS, MOST_BODY, MOST_COMPLAINTS, MOST_SILENT
from tournaments.board.server.server_file import read_server_file
from tournaments.cli.main import main

BODY = 1 << 16
SERVED = [
    command
    for page in PAGES
    for command in shell_commands(page)
    if command.startswith("tengen serve") and not {"--tournament", "--behind-proxy"} & {*command.split()}
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("board") / "games.sqlite", "--name", "Board.Example") as made:
        yield made


def exchange(server: Server, text: str) -> str:
    """What the server answers to these bytes of a request."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(text.encode())
        answer = b""
        while b"\r\n\r\n" not in answer and (data := line.recv(BODY)):
            answer += data
    return answer.decode(errors="replace")


async def status_of(player: Player) -> int:
    """101 for a connection that is made, else the status that refuses it."""
    try:
        async with player:
            return 101
    except InvalidStatus as refusal:
        return refusal.response.status_code


# Hosts and origins

REBOUND = [
    "evil.example",
    "127.evil.example",
    "localhost.evil.example",
    "0.0.0.0",
    "[::]",
    "127.0.0.2",
    "[",
    "a b",
    "user@localhost",
    "localhost:1:2",
    "board.example.",
    "",
]


@pytest.mark.parametrize("host", REBOUND)
def test_a_rebound_host_is_refused(server: Server, host: str) -> None:
    """As a page does whose name was made to lead to this machine."""
    name = f"{host}:{server.port}"
    assert "403" in exchange(server, f"GET / HTTP/1.1\r\nHost: {name}\r\n\r\n").split("\r\n")[0].replace("400", "403")
    upgrade = (
        f"GET /ws HTTP/1.1\r\nHost: {name}\r\nOrigin: http://{name}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    assert exchange(server, upgrade).split("\r\n")[0].split()[1] in ("403", "400")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LocalHost", "[::1]", "board.example"])
def test_its_own_names_are_right(server: Server, host: str) -> None:
    for name in (f"{host}:{server.port}", host):
        assert exchange(server, f"GET / HTTP/1.1\r\nHost: {name}\r\n\r\n").startswith("HTTP/1.1 200")


def test_one_host_is_named_once(server: Server) -> None:
    twice = "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"
    assert not exchange(server, twice).startswith("HTTP/1.1 200")
    assert not exchange(server, "GET / HTTP/1.1\r\n\r\n").startswith("HTTP/1.1 200")
    assert exchange(server, "GET / HTTP/1.0\r\n\r\n").startswith("HTTP/1.1 403")


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "http://127.0.0.1",
        "http://localhost:1",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:{port}.evil.example",
        "file://",
    ],
)
def test_another_origin_is_refused_even_with_the_owners_token(server: Server, origin: str) -> None:
    """As the browser sends it for a page of another site, or of another server on this machine."""
    origin, given = origin.format(port=server.port), {"Authorization": f"Bearer {server.token}"}
    for headers in ({"Origin": origin}, {"Origin": origin, **given}):
        assert server.request("/", **headers)[0] == 403
        assert run(status_of(Player(server, headers, server.browser(is_owner=True)))) == 403
    assert server.request("/token", "POST", json.dumps({"token": server.token}), Origin=origin)[0] == 403


def test_a_program_brings_the_token(server: Server) -> None:
    """A WebSocket without an origin comes from no page."""
    assert run(status_of(Player(server, {}))) == 403
    assert run(status_of(Player(server, {"Authorization": "Bearer guessed"}))) == 403
    assert run(status_of(Player(server, {"Authorization": f"Bearer {server.token}"}))) == 101
    assert run(status_of(Player(server, {}, server.browser(is_owner=True)))) == 101
    assert run(status_of(Player(server, {}, server.browser()))) == 403


def test_a_host_is_taken_apart_by_its_structure() -> None:
    assert parse_host("[::1]:80") == ("::1", 80) and parse_host("LOCALHOST") == ("localhost", None)
    assert parse_host("[0:0:0:0:0:0:0:1]:80") == ("::1", 80)
    for wrong in ("", "[", "[::1", "::1", "a:b", "a:1:2", "http://a", "a b", "[zz]", "a:123456"):
        assert parse_host(wrong) is None, wrong
    assert is_loopback("127.0.0.2") and is_loopback("::1") and is_loopback("localhost")
    assert not any(map(is_loopback, ("0.0.0.0", "::", "127.evil.example", "192.168.1.2", "")))


# The token and the keys of guests


def test_the_token_alone_makes_an_owner(server: Server) -> None:
    for body in ('{"token": "guessed"}', "{", "[]", '{"token": 5}', "[" * 4000, '{"token": "\\ud800"}'):
        assert server.request("/token", "POST", body, Origin=server.origin)[0] == 403, body[:30]
    assert server.request("/token", "POST", json.dumps({"token": server.token}), Origin=server.origin)[0] == 204
    assert len(server.token) >= 22, "128 bits"
    for protocols in (f"tengen, owner.{server.token}", f"owner.{server.token}"):
        assert run(status_of(Player(server, {}, protocols))) == 101, "a program that offers it needs no page"
    for protocols in ("tengen", "tengen, owner.", "tengen, owner.guessed", f"tengen, guest.{server.token}"):
        assert run(status_of(Player(server, {}, protocols))) == 403, protocols


def test_no_answer_sets_a_cookie_and_none_lets_in(server: Server) -> None:
    """Browsers send cookies to every port of the machine, and let every port write them."""
    for path, method, body in (
        ("/", "GET", ""),
        ("/g/abc", "GET", ""),
        ("/page/app.js", "GET", ""),
        ("/library", "GET", ""),
        ("/token", "POST", json.dumps({"token": server.token})),
    ):
        status, headers, _ = server.request(path, method, body, Origin=server.origin)
        assert status in (200, 204) and headers.get_all("set-cookie") is None, path
    # A program without a page is let in by the token alone, in a header; the same token as a cookie opens nothing.
    names = ("tengen", f"tengen-{server.port}", "owner", "token", "Authorization")
    cookies = "; ".join(f"{name}={value}" for name in names for value in (server.token, f"owner.{server.token}"))
    assert run(status_of(Player(server, {"Authorization": f"Bearer {server.token}"}))) == 101
    assert run(status_of(Player(server, {"Cookie": cookies}))) == 403
    assert server.request("/message", "POST", "{}", Origin=server.origin, Cookie=cookies)[0] == 403


def test_every_answer_has_its_headers(server: Server) -> None:
    for path, host in (("/", "localhost"), ("/g/abc", "localhost"), ("/nothing", "localhost"), ("/", "evil.example")):
        answer = exchange(server, f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").lower()
        assert "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'" in answer
        for header in (
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
        ):
            assert header in answer, path
        assert "server:" not in answer


@pytest.mark.parametrize(
    "path",
    [
        "/page/..%2fserver%2fapp.py",
        "/page/%2e%2e/server/app.py",
        "/page/server/app.py",
        "/page/..",
        "/page/",
        "/page/%00",
        "/page/../../translations/en.json",
        "/page/x%2fy.js",
        "/page/net",
        "/page/net/",
        "/page/net/../app.js",
        "/page/net/../../server/app.py",
    ],
)
def test_only_the_pages_files_are_served(server: Server, path: str) -> None:
    assert exchange(server, f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").split()[1] == "404"


def test_files_are_asked_for_again_only_when_they_change(server: Server) -> None:
    _, headers, text = server.request("/page/app.js")
    assert text and headers["cache-control"] == "no-cache"
    assert server.request("/page/app.js", If_None_Match=headers["etag"])[0] == 304


def test_files_come_packed_to_those_who_can_unpack_them(server: Server) -> None:
    address = re.findall(r'src="(/page/app\.[^"]+)"', server.request("/")[2])[0]
    _, headers, plain = server.request(address)
    assert headers["content-encoding"] is None and headers["vary"] == "accept-encoding"
    asked = Request(f"{server.origin}{address}", headers={"Accept-Encoding": "gzip"})
    with urlopen(asked, timeout=PATIENCE) as answer:
        packed = answer.read()
        assert answer.headers["content-encoding"] == "gzip" and answer.headers["etag"] == headers["etag"]
    assert gzip.decompress(packed).decode() == plain and len(packed) < len(plain) / 2


@pytest.mark.parametrize("ways", ["gzip;q=0", "identity, gzip; q=0.000", "br", "*", "gzipped", "x" * 5000])
def test_files_come_plain_to_those_who_refuse_gzip(server: Server, ways: str) -> None:
    _, headers, text = server.request("/page/app.js", Accept_Encoding=ways)
    assert headers["content-encoding"] is None and text


def test_a_proxys_weak_tag_and_a_list_of_tags_are_known(server: Server) -> None:
    tag = server.request("/page/app.js")[1]["etag"]
    for known in (f"W/{tag}", f'"x", {tag}', f'"x",W/{tag}'):
        assert server.request("/page/app.js", If_None_Match=known)[0] == 304, known
    assert server.request("/page/app.js", If_None_Match=f'"x{tag[1:]}')[0] == 200


def test_files_with_names_by_content_are_kept_for_ever_and_the_page_is_asked_for_each_time(server: Server) -> None:
    for path in ("/", "/g/abc"):
        _, headers, page = server.request(path)
        assert headers["cache-control"] == "no-cache" and headers["vary"] == "accept-encoding, accept-language"
        assert server.request(path, If_None_Match=headers["etag"])[0] == 304
        named = set(re.findall(r'"(/page/[^"]+\.[0-9a-f]{8}\.\w+)"', page))
        assert len(named) >= 5, "style, script, icon, and the words of two languages"
        for address in named:
            status, headers, text = server.request(address)
            assert status == 200 and text and headers["cache-control"] == "public, max-age=31536000, immutable"
        others = re.findall(r'(?:src|href)="(/page/[^"]+)"', page)
        assert set(others) - named == {"/page/manifest.webmanifest"}
        script = next(address for address in named if address.startswith("/page/app."))
        assert server.request(script.replace("/app.", "/app.0"))[0] == 404, "another content has another name"
        status, headers, text = server.request(f"{script}.map")
        assert status == 200 and "net/connection.js" in json.loads(text)["sources"]


def test_the_page_comes_in_the_language_of_the_browser(server: Server) -> None:
    for accepted, tag in (
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("fr, en-GB", "en"),
        ("fr", "en"),
        ("", "en"),
        (";,", "en"),
    ):
        _, _, page = server.request("/", Accept_Language=accepted)
        assert re.findall(r'<script type="module" src="/page/(\w+)\.', page) == [tag, "app"], accepted


def test_a_game_comes_with_its_page_as_anybody_may_see_it(server: Server) -> None:
    async def play() -> str:
        async with Player(server, {"Authorization": f"Bearer {server.token}"}) as owner:
            made = await owner.ask("create", settings={"black": PERSON, "white": PERSON})
            await owner.ask("watch", game=made["game"])
            await owner.ask("play", game=made["game"], cell=[7, 7], ply=0, offered=0)
            await owner.ask("comment", game=made["game"], ply=1, text="</script><b>")
            return str(made["game"])

    id = run(play())
    _, _, page = server.request(f"/g/{id}")
    found = re.findall(r'<script type="application/json" id="served">(.*?)</script>\n</body>', page)
    game = json.loads(found[0])["game"]
    assert game["game"] == id and [move["cell"] for move in game["moves"]] == [[7, 7]]
    assert game["you"] == {"seats": [], "owner": False, "offered": []} and "links" not in game
    assert game["comments"][0]["text"] == "</script><b>", "the text does not end the script"
    assert json.loads(re.findall(r'id="served">(.*?)</script>', server.request("/g/none")[2])[0])["game"] is None


# Guests


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("create", {"settings": {"black": PERSON, "white": brain()}}),
        ("create", {"settings": {}}),
        ("games", {}),
        ("keep", {"study": "abcdefgh", "content": {"width": 15, "height": 15, "rule": 0}}),
        ("studies", {}),
        ("study", {"study": "abcdefgh"}),
        ("delete_study", {"study": "abcdefgh"}),
        ("hint", {"game": "x"}),
        ("invite", {"game": "x"}),
        ("analyse", {"position": {"moves": []}, "brain": "weights"}),
    ],
)
def test_a_guest_gets_no_engine_and_makes_no_games(server: Server, kind: str, values: dict[str, object]) -> None:
    async def ask() -> None:
        async with server.guest() as guest:
            welcome = await guest.ask("hello", token=server.token, protocol=PROTOCOL)
            assert not welcome["owner"]
            assert [each["name"] for each in welcome["brains"]] == ["tengen"]
            assert await guest.refused(kind, **values) == "Only the owner of this board may do that."

    run(ask())


@pytest.mark.parametrize(
    "name",
    [
        "/bin/sh",
        "../../bin/sh",
        "weights --help",
        "pbrain-tengen",
        "sh -c id",
        "",
        "tengen\n",
        "python -c 0",
        5,
        ["weights"],
    ],
)
def test_a_brain_is_a_registered_name(server: Server, name: object) -> None:
    async def ask() -> None:
        async with server.owner() as me:
            seat = {"kind": "brain", "brain": name}
            assert await me.refused("create", settings={"black": PERSON, "white": seat})
            for extra in ({"command": "/bin/sh"}, {"arguments": ["x"]}, {"folder": "/"}):
                assert "cannot have" in await me.refused("create", settings={"white": {**brain(), **extra}})
            if name:
                assert await me.refused("analyse", position={"moves": []}, brain=name)

    run(ask())


def test_a_guest_changes_nothing_of_others(server: Server) -> None:
    async def ask() -> None:
        async with server.owner() as me, server.guest() as guest:
            state = await me.create(black=PERSON, white=PERSON)
            await guest.ask("watch", game=state["game"])
            for kind in ("undo", "draw", "resign", "pause", "resume", "rematch", "move_now"):
                assert await guest.refused(kind, game=state["game"])
            assert await guest.refused("answer", game=state["game"], accept=True)
            assert await guest.refused("comment", game=state["game"], ply=0, text="!")
            assert await guest.refused("choose", game=state["game"], choice="black")
            assert (await me.ask("watch", game=state["game"]))["event"] == state["event"]

    run(ask())


def test_secrets_are_kept_as_hashes(server: Server) -> None:
    async def ask() -> str:
        async with server.owner() as me:
            state = await me.create(black=PERSON, white=FRIEND)
            return str(state["links"]["seat"].partition("#")[2])

    secret = run(ask())
    assert len(secret) >= 22, "128 bits"
    for path in server.games.parent.iterdir():
        assert secret.encode() not in path.read_bytes(), path


# What is malformed, too large, too much

MALFORMED = [
    "",
    "{",
    "[]",
    "5",
    "null",
    '"x"',
    "{}",
    '{"type": 5}',
    '{"type": null}',
    "[" * 60000,
    '{"type":"hello"' * 3000,
    '{"type":"\\ud800"}',
    '{"type":"watch","game":"\\ud800"}',
    '{"type":"sit","game":"x","secret":"\\ud800"}',
    '{"type":"no-such-thing"}',
    '{"type":"play"}',
    '{"type":"play","game":5}',
    '{"type":"watch","game":"' + "x" * 50000 + '"}',
    '{"type":"watch","game":"../x"}',
    '{"type":"create"}',
    '{"type":"create","settings":{"width":1e999}}',
    '{"type":"create","settings":{"width":NaN}}',
    '{"type":"create","settings":{"width":' + "9" * 5000 + "}}",
    '{"type":"analyse"}',
    '{"type":"analyse","position":{"moves":[[1e9,0]]}}',
    '{"type":"analyse","position":{"moves":[[0,0]]},"lines":999}',
    '{"type":"analyse","position":{"rule":3,"moves":[]}}',
    '{"type":"import","text":7}',
    '{"type":"export","format":"sgf"}',
    '{"type":"sit","game":"x","secret":""}',
    '{"type":"hello","id":{"a":[]}}x',
]


def test_what_is_malformed_is_refused_and_the_connection_goes_on(server: Server) -> None:
    async def ask() -> None:
        async with server.owner() as me:
            for text in [*MALFORMED, b"\x00\xff", b"{}"]:
                await me.send(text)
                answer = await me.hear()
                assert answer["type"] == "refused" and answer["reason"], text[:60]
                assert "Traceback" not in answer["reason"] and len(answer["reason"]) < 300
                assert (await me.ask("ping"))["type"] == "pong"
                await asyncio.sleep(0.06)  # this is about sense, not about speed

    run(ask())


@needs_processes
@pytest.mark.parametrize("size", [(1 << 16) + 100, 100 << 20])
def test_a_message_that_is_too_large_ends_its_connection_alone(server: Server, size: int) -> None:
    async def ask() -> None:
        assert server.process is not None
        before = memory_of(server.process.pid)
        async with server.owner() as me, server.guest() as guest:
            with pytest.raises(ConnectionClosed) as closed:
                await guest.send("x" * size)
                while True:
                    await guest.hear()
            assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
            assert (await me.ask("ping"))["type"] == "pong"
        assert memory_of(server.process.pid) < before + (32 << 20)

    run(ask())


def test_a_request_that_is_too_large_is_refused(server: Server) -> None:
    given = {"Origin": server.origin, "Authorization": f"Bearer {server.token}"}
    text = json.dumps({"type": "import", "text": "h8i9" + " " * (1 << 17)})
    assert '"moves":[[7,7],[8,6]]' in server.request("/message", "POST", text, **given)[2]
    for bad in ('{"type":"import","text":"h8h8"}', '{"type":"games"}', "[]", ""):
        assert '"type":"refused"' in server.request("/message", "POST", bad, **given)[2]
    assert server.request("/message", "POST", text, Origin=server.origin)[0] == 413
    assert server.request("/message", "POST", text[:100], Origin=server.origin)[0] == 403
    with contextlib.suppress(ConnectionError):
        assert server.request("/message", "POST", "x" * (MOST_BODY + 1), **given)[0] == 413
    # Without a length the server learns the size only while it reads.
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(
            f"POST /message HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nAuthorization: Bearer "
            f"{server.token}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        for _ in range(3 * MOST_BODY // BODY):
            line.sendall(f"{BODY:x}\r\n".encode() + b"x" * BODY + b"\r\n")
        line.sendall(b"0\r\n\r\n")
        assert line.recv(BODY).startswith(b"HTTP/1.1 413")


def test_a_flood_is_refused_and_then_ended(server: Server) -> None:
    async def ask() -> None:
        async with server.owner() as me, server.guest() as guest:
            heard = []
            with pytest.raises(ConnectionClosed):
                with contextlib.suppress(ConnectionClosed):
                    for number in range(4 * MOST_COMPLAINTS + BURST):
                        await guest.send(json.dumps({"type": "ping", "id": number}))
                while True:
                    heard.append(await guest.hear())
            assert heard[-1]["reason"] == "Too many messages at once; wait a moment."
            assert [answer["id"] for answer in heard] == list(range(len(heard))), "each is told of its own refusal"
            began = time.monotonic()
            assert (await me.ask("ping"))["type"] == "pong"
            assert time.monotonic() - began < 20

    run(ask())


@pytest.mark.long
@needs_processes
def test_a_slow_reader_holds_nobody_up(server: Server) -> None:
    """One who watches and reads nothing, while the game goes on."""

    async def ask() -> None:
        assert server.process is not None
        page = server.browser()
        async with server.owner() as me, server.connect(page) as friend:
            state = await me.create(black=PERSON, white=PERSON, width=22, height=22)
            line = socket.create_connection(("127.0.0.1", server.port))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.sendall(
                b"GET /ws HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nConnection: Upgrade\r\n"
                b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            )
            text = json.dumps({"type": "watch", "game": state["game"]}).encode()
            line.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)
            before = memory_of(server.process.pid)
            cells = [(x, y) for y in range(0, 22, 2) for x in range(0, 22, 2)][:100]
            for ply, cell in enumerate(cells):
                state = await me.ask("play", game=state["game"], ply=ply, cell=list(cell))
                await asyncio.sleep(0.03)
            assert len(state["moves"]) == 100
            assert (await friend.ask("watch", game=state["game"]))["event"] == state["event"]
            assert memory_of(server.process.pid) < before + (16 << 20)
            line.close()

    run(ask())


def test_silent_connections_give_way_to_others(server: Server) -> None:
    silent = [socket.create_connection(("127.0.0.1", server.port), timeout=20) for _ in range(MOST_SILENT + 100)]
    try:
        assert server.request("/healthz")[0] == 200
        silent[0].settimeout(FIRST_REQUEST_SECONDS / 2)  # after all of them it is closed anyhow
        with contextlib.suppress(ConnectionError):
            assert silent[0].recv(1) == b"", "the oldest is closed"
    finally:
        for line in silent:
            line.close()


# Where it runs


def test_the_file_that_says_where_it_runs_is_its_owners_alone(server: Server) -> None:
    path = server.games.with_name("games.sqlite.server")
    running = read_server_file(path)
    assert running is not None and server.process is not None
    assert (running.pid, running.port, running.token) == (server.process.pid, server.port, server.token)
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(server.games.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix", reason="there are no such terminals")
def test_the_token_is_not_among_the_words_that_start_the_browser(tmp_path: Path) -> None:
    """Every user of the machine sees those; the file that they name is the owner's alone."""
    master, terminal = os.openpty()
    library = str(tmp_path / "games.sqlite")
    words = [sys.executable, "-m", "tournaments.cli", "serve", "--port", "0", "--library", library]
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/words.part; mv {tmp_path}/words.part {tmp_path}/words\n')
    browser.chmod(0o755)
    process = subprocess.Popen(words, stdout=terminal, env={**os.environ, "BROWSER": str(browser)})
    try:
        wait_until((tmp_path / "words").exists, 60, "the browser is started")
        running = read_server_file(tmp_path / "games.sqlite.server")
        page = Path((tmp_path / "words").read_text().strip().removeprefix("file://"))
        assert running is not None and running.token not in page.name
        assert running.link in page.read_text() and stat.S_IMODE(page.stat().st_mode) == 0o600
        process.send_signal(signal.SIGINT)
        process.wait(60)
        assert not page.exists()
    finally:
        process.kill()
        process.wait(60)
        os.close(master)
        os.close(terminal)


def serve(*arguments: str) -> "subprocess.CompletedProcess[str]":
    words = [sys.executable, "-m", "tournaments.cli", "serve", "--no-browser", *arguments]
    return subprocess.run(words, capture_output=True, text=True, timeout=60)


def test_a_second_server_says_where_the_first_one_is(server: Server) -> None:
    for flag in ("--library", "--games"):  # the second is the flag's old name
        done = serve(flag, str(server.games))
        assert done.returncode == 0, done.stderr
    assert done.returncode == 0 and f"http://127.0.0.1:{server.port}/#token={server.token}" in done.stdout


def test_a_second_server_tells_which_of_its_flags_the_first_one_does_not_have(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    def second(*words: str) -> tuple[int, str]:
        status = main(["serve", "--no-browser", "--library", str(server.games), *words])
        told = capsys.readouterr()
        assert f"A server runs already: http://127.0.0.1:{server.port}/" in told.out
        return status, told.err

    assert second("--port", str(server.port), "--host", "127.0.0.1") == (0, "")
    for words, flags in (
        (("--host", "0.0.0.0", "--lan"), "--host"),
        (("--port", "9"), "--port"),
        (
            ("--name", "board.local", "--processes", "1", "--brain", f"mine={sys.executable}"),
            "--name, --brain, --processes",
        ),
        (("--behind-proxy", "https://board.example"), "--behind-proxy"),
        (("--new-link",), "--new-link"),
    ):
        sentence = f"tengen serve: to use {flags}, stop that server first, with Ctrl-C there\n"
        assert second(*words) == (1, sentence), words


def test_the_owners_pages_come_back_to_the_next_server_until_a_new_link_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite.server"
    with Server(tmp_path / "games.sqlite") as made:
        old = made.token
        made.kill()
        made.start()
        assert made.token == old, "after a kill"
        assert made.stop() == 130
        made.start()
        assert made.token == old, "after Ctrl-C"
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with Server(tmp_path / "games.sqlite", "--new-link") as made:
        assert made.token != old
        new = made.token
    with Server(tmp_path / "games.sqlite") as made:
        assert made.token == new
    done = serve("--new-link", "--tournament", str(tmp_path / "cup.tengen"))
    assert done.returncode == 2 and "--new-link is for the board" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--host", "0.0.0.0"), "--host 0.0.0.0 can be reached from other machines: add --lan to allow that"),
        (("--host", "::"), "add --lan"),
        (("--host", "192.0.2.1"), "add --lan"),
        (("--host", "192.0.2.1", "--lan"), "--host 192.0.2.1 is not an address of this machine"),
        (("--host", "no such host", "--lan"), "--host no such host is not an address of this machine"),
        (("--host", "", "--lan"), "--host is empty: give an address"),
        (("--name", ""), "--name is empty: give a host name"),
        (("--port", "99999"), "is not a port"),
        (("--brain", "x"), "is not NAME=COMMAND"),
        (("--brain", "x=no-such-program"), "there is no brain"),
        (("--processes", "0"), "not a number from 1"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(tmp_path: Path, arguments: tuple[str, ...], complaint: str) -> None:
    done = serve("--library", str(tmp_path / "games.sqlite"), *arguments)
    assert done.returncode == 2 and complaint in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_a_network_is_warned_of(tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite", "--host", "0.0.0.0", "--lan") as made:
        assert "Other machines can reach this board. The connection is not encrypted" in made.said[0]
        assert exchange(made, f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{made.port}\r\n\r\n").startswith("HTTP/1.1 200")
        for host in ("0.0.0.0", "192.0.2.1", "evil.example"):
            assert exchange(made, f"GET / HTTP/1.1\r\nHost: {host}:{made.port}\r\n\r\n").startswith("HTTP/1.1 403")
        assert run(status_of(Player(made, {}))) == 403


@pytest.mark.parametrize("command", SERVED)
def test_the_commands_of_the_pages_serve(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    mine = tmp_path / "mine"
    mine.write_text("#!/bin/sh\n")
    mine.chmod(0o755)
    with Server(tmp_path / "games.sqlite", *shlex.split(command)[2:]) as made:
        assert made.request("/healthz")[0] == 200


def test_a_port_that_is_taken_is_not_needed(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        code = (
            f"import sys, tournaments.cli.serve as serve\nserve.DEFAULT_PORT = {port}\n"
            "sys.exit(serve.main(['--no-browser', '--games', sys.argv[1]]))"
        )
        words = [sys.executable, "-c", code, str(tmp_path / "games.sqlite")]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            try:
                said, link = read_line(process), read_line(process)
                free = said.rpartition(" ")[2].strip(".\n")
                assert said == f"Port {port} is taken by another program: this board is at port {free}.\n"
                assert free != str(port) and link.startswith(f"The board is at http://127.0.0.1:{free}/")
                # A port that was asked for is not exchanged for another.
                done = serve("--no-browser", "--library", str(tmp_path / "b.sqlite"), "--port", str(port))
                assert done.returncode == 2 and "choose another with --port" in done.stderr
            finally:
                process.terminate()


def test_a_missing_package_is_named(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['starlette'] = None\nfrom tournaments.cli.main import main; sys.exit(main(['serve']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr == (
        "tengen serve: this needs further packages: pip install starlette uvicorn websockets pydantic\n"
    )
