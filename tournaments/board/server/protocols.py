"""uvicorn's HTTP and WebSocket connections with limits of time and of frames.

A client can open many connections that never send a whole request, and so take the server's places. So the oldest of
too many such connections is closed, and each of them after a while. On a WebSocket, pings and parts of messages never
reach the application, but cost the server as much as messages do: so frames are counted. A connection is said to owe
a request as long as the request has not come whole.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode

from tournaments.board.server.access import Scope
from tournaments.board.server.limits import (
    FIRST_REQUEST_SECONDS,
    FRAMES_BURST,
    FRAMES_PER_SECOND,
    MOST_FRAGMENTS,
    MOST_SILENT,
    MOST_SILENT_OF_ADDRESS,
    OWNER_SECONDS,
    REQUEST_SECONDS,
    Rate,
    network_of,
)

_PIECE = 1 << 12
"""Bytes that are read at once: after each such piece the number of frames is checked."""


class Debtors:
    """The HTTP connections that owe a request or a part of it, the oldest first."""

    def __init__(self, is_owner: Callable[[Scope], bool]) -> None:
        self.is_owner = is_owner
        self._connections: dict[PatientProtocol, None] = {}
        self._addresses: Counter[str] = Counter()

    def add(self, connection: "PatientProtocol") -> None:
        """The connection owes a request from now on; if too many do, the oldest is closed."""
        self.discard(connection)
        self._connections[connection] = None
        self._addresses[connection.address] += 1
        crowded, count = self._addresses.most_common(1)[0] if len(self._connections) > MOST_SILENT else ("", 0)
        if self._addresses[connection.address] > MOST_SILENT_OF_ADDRESS:
            crowded, count = connection.address, 1
        if count:
            next(each for each in self._connections if each.address == crowded).give_up()

    def discard(self, connection: "PatientProtocol") -> None:
        """The connection does not owe a request any more."""
        if connection in self._connections:
            del self._connections[connection]
            self._addresses[connection.address] -= 1
            if not self._addresses[connection.address]:
                del self._addresses[connection.address]


class PatientProtocol(H11Protocol):
    """An HTTP connection, also before its first request."""

    def __init__(self, *given: Any, debtors: Debtors, **named: Any) -> None:
        super().__init__(*given, **named)
        self.address = ""
        self._debtors = debtors
        self._timer: asyncio.TimerHandle | None = None
        self._cycle_seen: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """The connection is open, and has sent nothing."""
        super().connection_made(transport)
        self.address = network_of(self.client[0]) if self.client else ""
        self._wait(FIRST_REQUEST_SECONDS)
        self._debtors.add(self)

    def handle_events(self) -> None:
        """The connection has sent something."""
        super().handle_events()
        if self.transport.get_protocol() is not self:
            self._forget()
        elif self.cycle is not None and not self.cycle.response_complete:
            if self.cycle is not self._cycle_seen:
                self._cycle_seen = self.cycle
                is_owner = self._debtors.is_owner(dict(self.scope))
                self._wait(OWNER_SECONDS if is_owner else REQUEST_SECONDS)  # the owner's files may be long
                if is_owner:
                    self._debtors.discard(self)
            if not self.cycle.more_body:
                self._debtors.discard(self)

    def on_response_complete(self) -> None:
        """The connection has its answer, and may send another request."""
        if not self.transport.is_closing():
            self._debtors.add(self)
        # Also if the connection is being closed: the client may never take the rest of the answer.
        self._wait(FIRST_REQUEST_SECONDS)
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._forget()
        super().connection_lost(exc)

    def give_up(self) -> None:
        """Closes the connection at once."""
        self._forget()
        self.transport.abort()

    def _wait(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(seconds, self.give_up)

    def _forget(self) -> None:
        self._debtors.discard(self)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class CountedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose frames are counted."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._rate = Rate(FRAMES_PER_SECOND, FRAMES_BURST)

    def data_received(self, data: bytes) -> None:
        """Reads the frames, until there are too many of them."""
        for start in range(0, len(data), _PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + _PIECE])
        if not self.handshake_initiated:  # the request came whole, and was none
            self.transport.abort()

    def handle_events(self) -> None:
        """Closes the connection of a client that sends too many frames, or a message in too many parts."""
        if self._rate.take(len(self.conn.events)) and len(self.frames) < MOST_FRAGMENTS:
            super().handle_events()
        else:
            self.transport.abort()

    def handle_ping(self) -> None:
        """Answers a ping, unless the client takes no answers: they would pile up."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def send_receive_event_to_app(self) -> None:
        """Hands a message on; a client whose message is not text is disconnected, and this is not logged."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self.conn.send_close(CloseCode.INVALID_DATA)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()
