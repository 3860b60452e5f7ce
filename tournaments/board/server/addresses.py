"""Hosts and addresses: the names of this machine in requests and on the network."""

import contextlib
import ipaddress
import re
import socket
from urllib.parse import urlsplit

EVERY_ADDRESS = ("0.0.0.0", "::")

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::([0-9]{1,5}))?")
_USUAL_PORTS = {"http": 80, "https": 443}
LOOPBACK_NAME = "localhost"


def is_loopback(host: str) -> bool:
    """True for an address that only this machine reaches."""
    if host == LOOPBACK_NAME:
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


def parse_origin(text: str) -> str:
    """The origin that browsers send from a page at this address, such as https://board.example.org. Raises ValueError,
    in one sentence, for an address with a path and for any other text."""
    parts = urlsplit(text.strip().lower())
    if parts.scheme not in _USUAL_PORTS or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError(f"{text} is not an address such as https://board.example.org, without a path")
    parsed = parse_host(parts.netloc)
    if parsed is None:
        raise ValueError(f"{text} names no host: give an address such as https://board.example.org")
    host, port = parsed
    name = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{name}" + ("" if port in (None, _USUAL_PORTS[parts.scheme]) else f":{port}")


def host_of(origin: str) -> str | None:
    """The name or address in an origin; None for ""."""
    parsed = parse_host(urlsplit(origin).netloc)
    return None if parsed is None else parsed[0]


def address_for_others() -> str | None:
    """The address by which this machine talks to others, None if it has none. Nothing is sent."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        address: str = probe.getsockname()[0]
        return None if is_loopback(address) else address
    return None
