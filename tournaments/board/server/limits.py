"""How much a client may send, how fast, and how long it may say nothing."""

import time

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
