"""How each server of the page handles a message: it finds the handler, or answers why there is none."""

from collections.abc import Awaitable, Callable
from typing import Any

from tournaments.board.game.refusal import Refused
from tournaments.board.messages.request import Request
from tournaments.board.messages.requests import (
    PROTOCOL,
    HelloRequest,
    PingRequest,
    heading_of,
    parse_request,
)
from tournaments.board.server.clients import Client, need_owner
from tournaments.board.server.failures import tell_once
from tournaments.board.server.places import Places
from tournaments.translations.catalogue import choose_language

Handler = Callable[[Client, Any], Awaitable[dict[str, Any] | None]]
"""A handler answers the requests of one type, which it gets as that type's schema; None if the answer comes later."""

ALWAYS = frozenset(("hello", "ping"))
"""The requests that a page of another version may send; other requests might have another meaning today."""

MISFIT_COST = 20
MOST_QUICK = 4096
"""A guest's message that fits no schema counts as this number of messages, because no page of ours sends one; and the
longest message that is still read after too many messages, in letters."""


class Router:
    """The clients, and a handler for each type of message. `pages` are addresses of the page; / leads to the first.
    `routes` makes the addresses of further HTTP requests."""

    pages: tuple[str, ...] = ("/",)

    def __init__(self, version: str) -> None:
        self.version = version
        self.clients: set[Client] = set()
        self.places = Places()
        self.handlers: dict[str, Handler] = {"ping": self._ping}
        self.routes: Callable[[], list[Any]] = list

    async def start(self) -> None:
        """Before the first client comes."""

    async def close(self) -> None:
        """After the last one has gone."""

    async def take(self, client: Client, text: str) -> None:
        """Does a message's request, and answers it."""
        answer = await self.reply(client, text)
        if answer is not None:
            client.answer(answer)

    async def reply(self, client: Client, text: str, kinds: frozenset[str] | None = None) -> dict[str, Any] | None:
        """Does a message's request; returns the answer, None if it comes later or the request needs none.

        `kinds` are the types that may be asked for, None for all.
        """
        id: int | str | None = None
        answer: dict[str, Any] | None
        is_too_fast = not client.may_ask()
        try:
            if is_too_fast:
                id = heading_of(text)[1] if len(text) <= MOST_QUICK else None
                raise Refused("server.too_fast")
            try:
                request = parse_request(text)
            except Refused as refusal:
                client.charge(MISFIT_COST)
                kind, id = heading_of(text)
                if kind is not None and kind not in self.handlers:
                    raise Refused("server.unknown") from None
                raise refusal
            id = request.id  # a refusal has the id too, because the page waits for an answer with it
            handler = self.handlers.get(request.type)
            if handler is None or (kinds is not None and request.type not in kinds):
                raise Refused("server.unknown")
            if client.is_outdated and request.type not in ALWAYS:
                raise Refused("server.reload")
            answer = await handler(client, request)
            client.complaints = max(0, client.complaints - 1)
        except Refused as refusal:
            client.complaints += 1
            answer = refused(client, refusal)
        except OSError as error:
            answer = refused(client, Refused("server.not_saved", why=error))
        except Exception as error:
            tell_once(error)
            answer = refused(client, Refused("server.failed"))
        return None if answer is None else identified(answer, id)

    async def glimpse(self, id: str, language: str) -> dict[str, Any] | None:
        """The state of a game as anybody may see it, to be sent with the page; None if the page has to ask for it."""
        return None

    async def has_seat(self, client: Client) -> bool:
        """Whether a client without a place has a seat in a game."""
        return False

    def leave(self, client: Client) -> None:
        """The connection is gone."""
        self.clients.discard(client)

    def greet(self, client: Client, request: HelloRequest) -> None:
        """Answers the client in the language that it names, or in the nearest language that we have.

        Raises Refused if its page belongs to another version of the program.
        """
        if request.language is not None:
            client.language = choose_language(request.language)
        client.is_outdated = request.protocol != PROTOCOL
        if client.is_outdated:
            raise Refused("server.reload")

    async def _ping(self, client: Client, request: PingRequest) -> dict[str, Any]:
        return {"type": "pong"}


def refused(client: Client, refusal: Refused) -> dict[str, Any]:
    """The answer to a refused request: a code with its values, and the sentence in the client's language."""
    return {
        "type": "refused",
        "code": refusal.key,
        "values": refusal.values_to_json(),
        "reason": refusal.sentence(client.language),
    }


def identified(answer: dict[str, Any], id: int | str | None) -> dict[str, Any]:
    """The answer with the id of its request, if that has one."""
    return answer if id is None else {**answer, "id": id}


def answer_to(answer: dict[str, Any], request: Request) -> dict[str, Any]:
    """The answer with the id of its request."""
    return identified(answer, request.id)


def for_owner(handler: Handler) -> Handler:
    """The handler, which refuses guests."""

    async def ask(client: Client, request: Request) -> dict[str, Any] | None:
        need_owner(client)
        return await handler(client, request)

    return ask
