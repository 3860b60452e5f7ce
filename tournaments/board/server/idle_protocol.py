"""HTTP connections that may be silent only for so long, and of which only so many may be.

A connection that asks for nothing costs its opener nothing, and would count among those that the server has. So the
oldest of too many silent ones is closed, and each of them after a while.
"""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

from tournaments.board.server.limits import FIRST_REQUEST_SECONDS, MOST_SILENT

_silent: dict["PatientProtocol", asyncio.TimerHandle] = {}


class PatientProtocol(H11Protocol):
    """A connection before and while it speaks HTTP."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """It is open, and has said nothing."""
        super().connection_made(transport)
        _silent[self] = self.loop.call_later(FIRST_REQUEST_SECONDS, self._give_up)
        if len(_silent) > MOST_SILENT:
            next(iter(_silent))._give_up()

    def handle_events(self) -> None:
        """It has said something; a whole request makes it one that is not silent."""
        super().handle_events()
        if self.cycle is not None or self.transport.get_protocol() is not self:
            self._forget()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._forget()
        super().connection_lost(exc)

    def _forget(self) -> None:
        timer = _silent.pop(self, None)
        if timer is not None:
            timer.cancel()

    def _give_up(self) -> None:
        self._forget()
        self.transport.abort()
