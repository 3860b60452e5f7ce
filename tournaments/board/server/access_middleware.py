"""The middleware in front of HTTP and WebSockets: it refuses requests, and adds headers to answers."""

import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from tournaments.board.server.access import Credentials, Scope, header_of
from tournaments.board.server.failures import tell_once
from tournaments.board.server.limits import MOST_BODY, MOST_GUEST_BODY, MOST_UPLOAD, UPLOADS

_HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
        b" connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class AccessMiddleware:
    """The ASGI middleware in front of the application: only what `access` allows comes through."""

    def __init__(self, app: App, access: Credentials) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        reason, status = "", 403
        is_owner = scope["is_owner"] = self._access.is_owner(scope)
        most = MOST_BODY if is_owner else MOST_GUEST_BODY
        if is_owner and scope["path"] == UPLOADS:
            most = MOST_UPLOAD
        if not self._access.allows_host(scope):
            reason = "this server does not go by that name"
        elif not self._access.allows_origin(scope):
            reason = "this is for pages of this server, and for programs that bring its token"
        elif scope["type"] == "http" and _length_of(scope) > most:
            reason, status = too_long(most), 413
        if reason:
            await _refuse(scope, receive, send, reason, status)
            return
        if scope["type"] == "http":
            receive, send = _limited(scope, receive, most), _with_headers(send)
        try:
            await self._app(scope, receive, send)
        except Exception as error:
            tell_once(error)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *_HEADERS]
        await send(message)

    return sending


def _length_of(scope: Scope) -> int:
    text = header_of(scope, b"content-length")
    return int(text) if re.fullmatch("[0-9]{1,18}", text) else 0


def too_long(most: int) -> str:
    """The answer to a request that is longer."""
    return f"a request has at most {most} bytes"


def _limited(scope: Scope, receive: Receive, most: int) -> Receive:
    """The request's body, cut off at the longest length that is allowed; then `scope["longest"]` has that length."""
    got = 0

    async def receiving() -> Message:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > most:
            scope["longest"] = most
            return {"type": "http.disconnect"}
        return message

    return receiving


async def _refuse(scope: Scope, receive: Receive, send: Send, reason: str, status: int) -> None:
    body = f"{reason}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode()), *_HEADERS]
    kind = "http"
    if scope["type"] == "websocket":
        await receive()
        kind = "websocket.http"
    await send({"type": f"{kind}.response.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.response.body", "body": body})
