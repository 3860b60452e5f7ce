"""Who may talk to the server: hosts, origins, tokens, limits, and the file that says where it runs.

`AccessMiddleware` stands in front of everything, HTTP and WebSocket alike. A request must name this server as its
host, by a loopback name, the very address that it came to, or a name that was given at the start: otherwise any page
could reach us under a name of its own that leads here. A request from a page must come from a page of ours.

The owner proves to be the owner by a token, which travels in the fragment of a link, so that it gets into no log, and
is traded for a cookie; other users of the machine reach the loopback address as well as the owner does. Whoever has no
token is a guest. A cookie tells one guest's browser from another's, so that a seat belongs to the browser that took it.
"""

import contextlib
import hashlib
import hmac
import ipaddress
import json
import os
import re
import secrets
import socket
import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TOKEN_BYTES = 32
MOST_BODY = 1 << 20
MOST_MESSAGE = 1 << 16
"""Bytes of an HTTP body and of a message on a WebSocket."""

MESSAGES_PER_SECOND = 20
BURST = 40
MOST_COMPLAINTS = 40
"""A connection may send so many messages a second on average, and so many at once; it is closed when it has been
refused so often in a row."""

MOST_SILENT = 200
FIRST_REQUEST_SECONDS = 10.0
"""Connections that have asked for nothing yet, and how long one may take for it."""

EVERY_ADDRESS = ("0.0.0.0", "::")

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::([0-9]{1,5}))?")
_LOOPBACK_NAME = "localhost"

_HEADERS = (
    (b"content-security-policy", b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
     b" connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)  # fmt: skip

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def make_token() -> str:
    """A secret of 256 bits, fit for a link."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest_of(secret: str) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(_bytes(secret)).digest()


def _bytes(text: str) -> bytes:
    """Any text, also one with halves of characters, which UTF-8 has not."""
    return text.encode("utf-8", "surrogatepass")


def is_loopback(host: str) -> bool:
    """True for an address that only this machine reaches."""
    if host == _LOOPBACK_NAME:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def parse_host(header: str) -> tuple[str, int | None] | None:
    """The name or address, without brackets and in small letters, and the port of a Host header; None for no host."""
    found = _HOST.fullmatch(header)
    if found is None:
        return None
    name, port = found[1].lower(), None if found[2] is None else int(found[2])
    if name.startswith("["):
        try:
            return str(ipaddress.IPv6Address(name[1:-1])), port
        except ValueError:
            return None
    return name, port


@dataclass
class Credentials:
    """Whom the server knows. `port` names the cookies; `names` are host names beside the loopback's."""

    token: str
    port: int
    names: tuple[str, ...] = ()

    @property
    def cookie(self) -> str:
        """The name of the owner's cookie; those of two servers on one machine differ by the port."""
        return f"tengen-{self.port}"

    @property
    def guest_cookie(self) -> str:
        """The name of the cookie that tells browsers from one another."""
        return f"tengen-guest-{self.port}"

    def is_right(self, token: str) -> bool:
        """Whether it is the token; how long the answer takes tells nothing of it."""
        return hmac.compare_digest(_bytes(token), _bytes(self.token))

    def is_owner(self, scope: Scope) -> bool:
        """Whether a request brings the owner's cookie, or the token as `Authorization: Bearer`."""
        given = cookies_of(scope).get(self.cookie)
        if given is not None and self.is_right(given):
            return True
        kind, _, token = header_of(scope, b"authorization").partition(" ")
        return kind.lower() == "bearer" and self.is_right(token.strip())

    def guest_of(self, scope: Scope) -> str | None:
        """What the browser's cookie calls it, None where there is no cookie of ours."""
        given = cookies_of(scope).get(self.guest_cookie, "")
        return given if re.fullmatch(r"[\w-]{40,64}", given, re.ASCII) else None

    def allows_host(self, scope: Scope) -> bool:
        """Whether the request names this server."""
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        parsed = parse_host(hosts[0].decode("latin-1")) if len(hosts) == 1 else None
        if parsed is None:
            return False
        host = parsed[0]
        if host in (_LOOPBACK_NAME, "127.0.0.1", "::1") or host in self.names:
            return True
        # The address that the connection came to is no name that somebody else could let lead here.
        server = scope.get("server")
        with contextlib.suppress(ValueError):
            return server is not None and ipaddress.ip_address(host) == ipaddress.ip_address(server[0].split("%")[0])
        return False

    def allows_origin(self, scope: Scope) -> bool:
        """Whether the request comes from a page of ours, or from no page; a WebSocket from none needs the token."""
        origins = [value.decode("latin-1").lower() for name, value in scope["headers"] if name == b"origin"]
        if not origins:
            return scope["type"] == "http" or self.is_owner(scope)
        return len(origins) == 1 and origins[0] == f"http://{header_of(scope, b'host').lower()}"


class AccessMiddleware:
    """The ASGI middleware in front of the application; see the module."""

    def __init__(self, app: App, access: Credentials) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        reason = ""
        if not self._access.allows_host(scope):
            reason = "this server does not go by that name"
        elif not self._access.allows_origin(scope):
            reason = "this is for pages of this server, and for programs that bring its token"
        elif scope["type"] == "http" and _length_of(scope) > MOST_BODY:
            reason = f"a request has at most {MOST_BODY} bytes"
        if reason:
            await _refuse(scope, receive, send, reason)
            return
        if scope["type"] == "http":
            await self._app(scope, _limited(receive), self._with_headers(scope, send))
        else:
            await self._app(scope, receive, send)

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), *_HEADERS]
                if self._access.guest_of(scope) is None:
                    value = cookie_header(self._access.guest_cookie, make_token())
                    headers.append((b"set-cookie", value.encode()))
                message["headers"] = headers
            await send(message)

        return sending


class Rate:
    """A bucket of messages that fills by MESSAGES_PER_SECOND, up to BURST."""

    def __init__(self) -> None:
        self._left = float(BURST)
        self._at = time.monotonic()

    def take(self) -> bool:
        """Takes one message out; False when there is none left."""
        now = time.monotonic()
        self._left = min(float(BURST), self._left + (now - self._at) * MESSAGES_PER_SECOND)
        self._at = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


def cookie_header(name: str, value: str) -> str:
    """A cookie that no script reads and no other site sends, for a year."""
    return f"{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"


def header_of(scope: Scope, name: bytes) -> str:
    """The first header of that name, "" for none."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def cookies_of(scope: Scope) -> dict[str, str]:
    """The cookies of a request; the first of a name counts."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        if name == b"cookie":
            for part in value.decode("latin-1").split(";"):
                key, _, text = part.strip().partition("=")
                found.setdefault(key, text)
    return found


def _length_of(scope: Scope) -> int:
    text = header_of(scope, b"content-length")
    return int(text) if re.fullmatch("[0-9]{1,18}", text) else 0


def _limited(receive: Receive) -> Receive:
    """The request's body, cut off where it gets longer than it may be."""
    got = 0

    async def receiving() -> Message:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > MOST_BODY:
            return {"type": "http.disconnect"}
        return message

    return receiving


async def _refuse(scope: Scope, receive: Receive, send: Send, reason: str) -> None:
    body = f"{reason}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode()), *_HEADERS]
    kind = "http"
    if scope["type"] == "websocket":
        await receive()
        kind = "websocket.http"
    await send({"type": f"{kind}.response.start", "status": 403, "headers": headers})
    await send({"type": f"{kind}.response.body", "body": body})


@dataclass(frozen=True)
class ServerFile:
    """A server that runs: its process, and the link that opens it as its owner."""

    pid: int
    port: int
    token: str
    host: str = "127.0.0.1"

    @property
    def link(self) -> str:
        """What the owner opens on this machine."""
        return self.link_at("127.0.0.1" if self.host in EVERY_ADDRESS else self.host)

    def link_at(self, host: str) -> str:
        """What the owner opens where the machine goes by that name or address."""
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/#token={self.token}"


def address_for_others() -> str | None:
    """The address by which this machine talks to others, None where it has none. Nothing is sent."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        address: str = probe.getsockname()[0]
        return None if is_loopback(address) else address
    return None


def write_server_file(path: Path, running: ServerFile) -> None:
    """Says where the server runs, to its owner alone. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump({"pid": running.pid, "port": running.port, "token": running.token, "host": running.host}, file)
    unfinished.replace(path)


def read_server_file(path: Path) -> ServerFile | None:
    """What the file says, None where there is none or it is damaged."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return ServerFile(int(raw["pid"]), int(raw["port"]), str(raw["token"]), str(raw["host"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
