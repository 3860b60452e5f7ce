"""How much a client may send, how fast, how many there may be, and how long one may say nothing."""

import ipaddress
import time
from collections import OrderedDict

MOST_BODY = 1 << 20
MOST_GUEST_BODY = 1 << 12
MOST_MESSAGE = 1 << 16
"""Bytes of an HTTP body of the owner's and of anybody else's, and of a message on a WebSocket."""

MESSAGES_PER_SECOND = 20
BURST = 40
MOST_COMPLAINTS = 40
"""A connection may send so many messages a second on average, and so many at once; it is closed when it has been
refused so much more often than answered."""

GUEST_PER_SECOND = 40
GUEST_BURST = 120
ADDRESS_PER_SECOND = 100
ADDRESS_BURST = 400
"""The same for all connections of one guest, and for those from one address of guests who have no seat."""

FRAMES_PER_SECOND = 60
FRAMES_BURST = 500
MOST_FRAGMENTS = 100
"""Frames that a WebSocket may send, pings and the parts of messages included, and parts of one message."""

MOST_CONNECTIONS = 600
MOST_GUESTS = 550
MOST_UNSEATED = 400
MOST_OF_ADDRESS = 200
MOST_OF_GUEST = 40
"""WebSockets that are open at once: all, those of guests, those of guests who have no seat, the last from one address,
and those of one guest. What a line leaves over is kept for those whom the next line does not count."""

MOST_SILENT = 200
MOST_SILENT_OF_ADDRESS = 150
FIRST_REQUEST_SECONDS = 10.0
REQUEST_SECONDS = 30.0
"""HTTP connections that still owe a request or a part of it, all and those from one address; how long one may take
until it asks for something, and how long a request may take with its body and its answer."""

_MOST_KEYS = 2000


class Rate:
    """A bucket that fills by `per_second`, up to `burst`."""

    def __init__(self, per_second: float = MESSAGES_PER_SECOND, burst: float = BURST) -> None:
        self._per_second = per_second
        self._burst = float(burst)
        self._left = self._burst
        self._at = time.monotonic()

    def take(self, count: int = 1) -> bool:
        """Takes so many out; False, and takes none, when there are not so many left."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_second)
        self._at = now
        if self._left < count:
            return False
        self._left -= count
        return True

    def take_all(self, count: int) -> None:
        """Takes so many out, or all that are left."""
        if not self.take(count):
            self._left = 0.0


class Rates:
    """A bucket for each guest or address, of those that were seen last."""

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
    """What counts as one address: an IPv6 address stands for the network of its house, which has very many."""
    try:
        parsed = ipaddress.ip_address(address.split("%")[0])
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
