"""What every server of the page does with messages: finds who answers, and says why where nobody does."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tournaments.board.game.game import Refused
from tournaments.board.server.clients import Client
from tournaments.board.server.failures import tell_once
from tournaments.board.server.messages import identified, parse_message, sentence
from tournaments.board.server.places import Places
from tournaments.board.translations.catalogue import choose_language, translate

Handler = Callable[[Client, Mapping[str, Any]], Awaitable[dict[str, Any] | None]]


class Router:
    """The clients, and a handler for each type of message. `pages` are the addresses at which the page is; the first
    is where / leads."""

    pages: tuple[str, ...] = ("/",)

    def __init__(self, version: str) -> None:
        self.version = version
        self.clients: set[Client] = set()
        self.places = Places()
        self.handlers: dict[str, Handler] = {"ping": self._ping}

    async def start(self) -> None:
        """Before the first client comes."""

    async def close(self) -> None:
        """After the last one has gone."""

    async def take(self, client: Client, text: str) -> None:
        """Does what a message asks for, and answers it."""
        answer = await self.reply(client, text)
        if answer is not None:
            client.answer(answer)

    async def reply(self, client: Client, text: str, kinds: frozenset[str] | None = None) -> dict[str, Any] | None:
        """Does what a message asks for; the answer, None where it comes later or there is none.

        `kinds` are the types that may be asked for, None for all.
        """
        message: dict[str, Any] = {}
        answer: dict[str, Any] | None
        is_too_fast = not client.may_ask()
        try:
            message = parse_message(text)  # whoever waits for an answer is told by its id that there is none
            if is_too_fast:
                raise Refused("server.too_fast")
            handler = self.handlers.get(message["type"])
            if handler is None or (kinds is not None and message["type"] not in kinds):
                raise Refused("server.unknown")
            answer = await handler(client, message)
            client.complaints = max(0, client.complaints - 1)
        except Refused as refusal:
            client.complaints += 1
            answer = {"type": "refused", "reason": refusal.sentence(client.language)}
        except OSError as error:
            answer = {"type": "refused", "reason": translate("server.not_saved", client.language, why=error)}
        except (ValueError, LookupError) as error:
            client.complaints += 1
            answer = {"type": "refused", "reason": sentence(str(error))}
        except Exception as error:
            tell_once(error)
            answer = {"type": "refused", "reason": translate("server.failed", client.language)}
        return None if answer is None else identified(answer, message)

    async def has_seat(self, client: Client) -> bool:
        """Whether somebody who has no place yet has a seat in a game."""
        return False

    def leave(self, client: Client) -> None:
        """The connection is gone."""
        self.clients.discard(client)

    def hear_language(self, client: Client, message: Mapping[str, Any]) -> None:
        """The client is answered in the language that it says, or the next one that there is."""
        language = message.get("language")
        if isinstance(language, str):
            client.language = choose_language(language[:40])

    async def _ping(self, client: Client, message: Mapping[str, Any]) -> dict[str, Any]:
        return {"type": "pong"}
