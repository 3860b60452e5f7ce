"""The clients that the server knows: its owner, its guests, and the pages that may talk to it.

A request must name this server as its host: by a loopback name, by the address that the request came to, or by a name
that was given at the start. Otherwise any page could reach us under a name of its own that leads here. A request from a
page must come from a page of ours.

The owner needs a token, because other users of the machine can reach the loopback address too. The token travels in the
fragment of a link, so that it gets into no log, and the page trades it for a cookie. A client without the token is a
guest. A cookie tells the browsers of guests apart, so that a seat belongs to the browser that took it. Loading the page
does not set that cookie; the page asks for it. The reason: a browser that follows a link in a mail does not send its
cookies, so that a new cookie would replace the cookie that has a seat.
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
    """The clients that the server knows. `port` names the cookies; `names` are host names beside the loopback's.

    `origin` is the address at which a proxy in front of this server is reached, such as https://board.example.org, and
    "" without a proxy. Only with a proxy are a request's headers about its origin believed.
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
        """The value of the owner's cookie. The token cannot be found out from it, because browsers send the cookies of
        one port to all ports of the machine. It stays the same if a server that was killed keeps its token."""
        return hmac.new(secret_bytes(self.token), f"cookie of port {self.port}".encode(), "sha256").hexdigest()

    @property
    def guest_cookie(self) -> str:
        """The name of the cookie that tells browsers apart."""
        return f"tengen-guest-{self.port}"

    def is_right(self, token: str) -> bool:
        """Whether this is the token; the time of the answer does not depend on the token."""
        return hmac.compare_digest(secret_bytes(token), secret_bytes(self.token))

    def is_owner(self, scope: Scope) -> bool:
        """Whether a request brings the owner's cookie, or the token as `Authorization: Bearer`."""
        given = cookies_of(scope).get(self.cookie)
        if given is not None and hmac.compare_digest(secret_bytes(given), secret_bytes(self.cookie_secret)):
            return True
        kind, _, token = header_of(scope, b"authorization").partition(" ")
        return kind.lower() == "bearer" and self.is_right(token.strip())

    def guest_of(self, scope: Scope) -> str | None:
        """The browser's name in its cookie, None if there is no cookie of ours."""
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
        # The address of this end of the connection: it is not a name that a stranger could direct here.
        server = scope.get("server")
        with contextlib.suppress(ValueError):
            return server is not None and ipaddress.ip_address(host) == ipaddress.ip_address(server[0].split("%")[0])
        return False

    def allows_origin(self, scope: Scope) -> bool:
        """Whether the request comes from a page of ours, or not from a page; a WebSocket of a program needs the token.
        """
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
        """A cookie for a year that no script reads and no other site sends; only over TLS if the page came over TLS.
        """
        is_secure = self._is_by_proxy(scope) and self.origin.startswith("https:")
        return f"{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000{'; Secure' * is_secure}"

    def address_of(self, scope: Scope) -> str:
        """The address that a request comes from, "" if unknown. The last address of X-Forwarded-For is from the proxy
        itself; the client may have invented those before it."""
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
