"""The clients that the server knows: its owner, its guests, and the pages that may talk to it.

A request must name this server as its host: by a loopback name, by the address that the request came to, or by a name
that was given at the start. Otherwise any page could reach us under a name of its own that leads here. A request from a
page must come from a page of ours.

The owner needs a token, because other users of the machine can reach the loopback address too. The token travels in the
fragment of a link, so that it gets into no log. A client without the token is a guest. The page makes a key, by which
the browsers of guests are told apart, so that a seat belongs to the browser that took it.

The page keeps both in the storage of its origin. It sends them among the protocols of its WebSocket, and the token of a
request as `Authorization: Bearer`. It uses no cookie: a browser sends the cookies of one port to all ports of the
machine, and lets each port write them. So another server that the owner visits could come in here as the owner, and
could replace the key of a guest.
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

PROTOCOL_NAME = "tengen"
"""The protocol that a page offers beside its token and its key, and that the server agrees on."""

Scope = MutableMapping[str, Any]


@dataclass
class Credentials:
    """The clients that the server knows. `names` are host names beside the loopback's. `library` tells a page which
    library is served here, so that it does not send the keys of another library that had the same port.

    `origin` is the address at which a proxy in front of this server is reached, such as https://board.example.org, and
    "" without a proxy. Only with a proxy are a request's headers about its origin believed.
    """

    token: str
    names: tuple[str, ...] = ()
    origin: str = ""
    library: str = ""

    def is_right(self, token: str) -> bool:
        """Whether this is the token; the time of the answer does not depend on the token."""
        return hmac.compare_digest(secret_bytes(token), secret_bytes(self.token))

    def is_owner(self, scope: Scope) -> bool:
        """Whether a request brings the token."""
        kind, _, token = header_of(scope, b"authorization").partition(" ")
        given = token.strip() if kind.lower() == "bearer" else _offered(scope, "owner")
        return self.is_right(given)

    def guest_of(self, scope: Scope) -> str | None:
        """The key of the browser, None if it sends no key."""
        given = _offered(scope, "guest")
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
        """Whether the request comes from a page of ours, or from no page; a WebSocket of a program needs the token."""
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


def protocol_of(scope: Scope) -> str | None:
    """The protocol to agree on, None if the client does not offer it; a browser that offers protocols needs one."""
    return PROTOCOL_NAME if PROTOCOL_NAME in _protocols(scope) else None


def _offered(scope: Scope, kind: str) -> str:
    """The owner's token or the guest's key among the protocols of a WebSocket, "" for none."""
    start = f"{kind}."
    return next((name.removeprefix(start) for name in _protocols(scope) if name.startswith(start)), "")


def _protocols(scope: Scope) -> list[str]:
    return [name.strip() for name in header_of(scope, b"sec-websocket-protocol").split(",")]
