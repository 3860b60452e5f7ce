"""Whom the server knows: its owner, its guests, and the pages that may talk to it.

A request must name this server as its host, by a loopback name, the very address that it came to, or a name that was
given at the start: otherwise any page could reach us under a name of its own that leads here. A request from a page
must come from a page of ours.

The owner proves to be the owner by a token, which travels in the fragment of a link, so that it gets into no log, and
is traded for a cookie; other users of the machine reach the loopback address as well as the owner does. Whoever has no
token is a guest. A cookie tells one guest's browser from another's, so that a seat belongs to the browser that took it.
No page brings that cookie by itself: browsers do not send the cookies that they have with a page that a link in a mail
leads to, so that a new cookie would take the place of the one to which a seat belongs. The page asks for it.
"""

import contextlib
import hmac
import ipaddress
import re
from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any

from tournaments.board.server.addresses import LOOPBACK_NAME, host_of, parse_host
from tournaments.board.server.tokens import secret_bytes

Scope = MutableMapping[str, Any]


@dataclass
class Credentials:
    """Whom the server knows. `port` names the cookies; `names` are host names beside the loopback's.

    `origin` is the address at which a proxy in front of this server is reached, such as https://board.example.org, and
    "" without a proxy. Only with a proxy is it believed what a request says of where it comes from.
    """

    token: str
    port: int
    names: tuple[str, ...] = ()
    origin: str = ""

    @property
    def cookie(self) -> str:
        """The name of the owner's cookie; those of two servers on one machine differ by the port."""
        return f"tengen-{self.port}"

    @property
    def cookie_secret(self) -> str:
        """What the owner's cookie holds: not the token, which cannot be found out from it. Browsers send cookies of one
        port to all others of the machine. It is the same again where a server that was killed keeps its token."""
        return hmac.new(secret_bytes(self.token), f"cookie of port {self.port}".encode(), "sha256").hexdigest()

    @property
    def guest_cookie(self) -> str:
        """The name of the cookie that tells browsers from one another."""
        return f"tengen-guest-{self.port}"

    def is_right(self, token: str) -> bool:
        """Whether it is the token; how long the answer takes tells nothing of it."""
        return hmac.compare_digest(secret_bytes(token), secret_bytes(self.token))

    def is_owner(self, scope: Scope) -> bool:
        """Whether a request brings the owner's cookie, or the token as `Authorization: Bearer`."""
        given = cookies_of(scope).get(self.cookie)
        if given is not None and hmac.compare_digest(secret_bytes(given), secret_bytes(self.cookie_secret)):
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
        if host in (LOOPBACK_NAME, "127.0.0.1", "::1") or host in self.names or host == host_of(self.origin):
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
        host = header_of(scope, b"host").lower()
        if len(origins) != 1:
            return False
        if self._is_by_proxy(scope):
            return True
        parsed = parse_host(host)
        is_proxys = parsed is not None and parsed[0] == host_of(self.origin)  # and its page has another origin
        return origins[0] == f"http://{host}" and not is_proxys

    def _is_by_proxy(self, scope: Scope) -> bool:
        """Whether the page that asks was loaded through the proxy. The proxy may pass on its own name for this server
        as the host, so that only the page's origin tells it."""
        return bool(self.origin) and header_of(scope, b"origin").lower() == self.origin

    def cookie_header(self, scope: Scope, name: str, value: str) -> str:
        """A cookie that no script reads and no other site sends, for a year; and only over TLS where the page came so.
        """
        is_secure = self._is_by_proxy(scope) and self.origin.startswith("https:")
        return f"{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000{'; Secure' * is_secure}"

    def address_of(self, scope: Scope) -> str:
        """Where a request comes from, "" where that is not known. The last address of X-Forwarded-For is the proxy's
        own word; those before it are what the client says."""
        said = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
        address = said[-1].rpartition(",")[2].strip() if said and self.origin else ""
        with contextlib.suppress(ValueError):
            return str(ipaddress.ip_address(address))
        client = scope.get("client")
        return "" if client is None else str(client[0])


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
