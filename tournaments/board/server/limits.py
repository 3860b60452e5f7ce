"""Limits for clients: how much each may send and how fast, how many there may be, and how long one may be silent."""

import ipaddress
import time
from collections import OrderedDict

MOST_BODY = 1 << 20
MOST_GUEST_BODY = 1 << 12
MOST_MESSAGE = 1 << 16
"""Bytes of an HTTP body from the owner and from a guest, and of a message on a WebSocket."""

UPLOADS = "/files"
MOST_UPLOAD = 32 << 20
"""The address at which the owner's files of games and openings come, and the bytes of such a file."""

MESSAGES_PER_SECOND = 20
BURST = 40
MOST_COMPLAINTS = 40
"""The messages that a connection may send a second on average, and at once; it is closed when it has been refused more
often than answered by the third number."""

GUEST_PER_SECOND = 40
GUEST_BURST = 120
ADDRESS_PER_SECOND = 100
ADDRESS_BURST = 400
"""The same for all connections of one guest, and for those from one address of guests who have no seat."""

SLOW_PER_SECOND = 0.2
SLOW_BURST = 30
"""The pauses, offers and undos of a friend's seat: a game's events have an end, see `MOST_EVENTS`."""

FRAMES_PER_SECOND = 60
FRAMES_BURST = 500
MOST_FRAGMENTS = 100
"""Frames that a WebSocket may send, pings and the parts of messages included, and parts of one message."""

MOST_CONNECTIONS = 600
MOST_GUESTS = 550
MOST_UNSEATED = 400
MOST_OF_ADDRESS = 200
MOST_OF_GUEST = 40
"""WebSockets that are open at once: of all clients, of guests, of guests without a seat, of guests without a seat from
one address, and of one guest. The difference between two numbers is kept for clients that the second does not count."""

MOST_SILENT = 200
MOST_SILENT_OF_ADDRESS = 150
FIRST_REQUEST_SECONDS = 10.0
REQUEST_SECONDS = 30.0
OWNER_SECONDS = 3600.0
"""HTTP connections whose request has not come whole, in all and from one address; seconds until a connection must send
a request, and seconds for a request with its body and its answer, of a guest and of the owner."""

_MOST_KEYS = 2000


class Rate:
    """A bucket that fills by `per_second`, up to `burst`."""

    def __init__(self, per_second: float = MESSAGES_PER_SECOND, burst: float = BURST) -> None:
        self._per_second = per_second
        self._burst = float(burst)
        self._left = self._burst
        self._at = time.monotonic()

    def take(self, count: int = 1) -> bool:
        """Takes this number out; returns False, and takes none, if fewer are left."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_second)
        self._at = now
        if self._left < count:
            return False
        self._left -= count
        return True

    def take_all(self, count: int) -> None:
        """Takes this number out, or all that are left."""
        if not self.take(count):
            self._left = 0.0


class LastHour:
    """How often something was done in the last hour."""

    def __init__(self) -> None:
        self._times: list[float] = []

    def take(self, most: int) -> bool:
        """Counts it once more; returns False, and does not count it, if it was done so often."""
        now = time.monotonic()
        self._times = [at for at in self._times if now - at < 3600]
        if len(self._times) >= most:
            return False
        self._times.append(now)
        return True


class Rates:
    """A bucket for each of the last guests or addresses."""

    def __init__(self, per_second: float, burst: float) -> None:
        self._per_second = per_second
        self._burst = burst
        self._rates: OrderedDict[str, Rate] = OrderedDict()

    def of(self, key: str) -> Rate:
        """The bucket of that guest or address."""
        rate = self._rates.get(key)
        if rate is None:
            rate = self._rates[key] = Rate(self._per_second, self._burst)
            if len(self._rates) > _MOST_KEYS:
                self._rates.popitem(last=False)
        self._rates.move_to_end(key)
        return rate


def network_of(address: str) -> str:
    """The address that limits count: an IPv6 address counts as its network, because a house has very many of them."""
    try:
        parsed = ipaddress.ip_address(address.split("%")[0])
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
