"""Hosts and addresses: what a request calls this machine, and what others on the network call it."""

import contextlib
import ipaddress
import re
import socket

EVERY_ADDRESS = ("0.0.0.0", "::")

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::([0-9]{1,5}))?")
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


def address_for_others() -> str | None:
    """The address by which this machine talks to others, None where it has none. Nothing is sent."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        address: str = probe.getsockname()[0]
        return None if is_loopback(address) else address
    return None
