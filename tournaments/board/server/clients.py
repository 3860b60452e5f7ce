"""One connection to the server: its client, and the messages that wait to be sent.

A slow reader does not harm others: only the newest state of a game and the newest report of an analysis wait, and a few
answers. A client that takes no answer for too long is disconnected.
"""

import asyncio
import contextlib
import itertools
import json
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.board.game.game import Refused
from tournaments.board.server.limits import Rate
from tournaments.translations.catalogue import ENGLISH

ANALYSIS_GAP = 0.2
"""Seconds between two messages of an analysis."""

MOST_WAITING = 64
SEND_SECONDS = 20.0
"""How many answers may wait for a reader, and for how many seconds it may read none."""

_ANALYSIS = "analysis"
_numbers = itertools.count(1)

SendText = Callable[[str], Awaitable[None]]


class Client:
    """A connection. `guest` is the key of its browser; `seats` are those that it may move for, by game. `links` are the
    hashes of the secrets by whose links it came to games, and `offered` the seats that these links open now.

    `guest_rate` and `address_rate` are shared with the guest's other connections and with those from its address.
    """

    def __init__(self, send: SendText, is_owner: bool, guest: str | None, address: str = "") -> None:
        self.number = next(_numbers)
        self.is_owner = is_owner
        self.guest = guest
        self.address = address
        self.counts_by_address = False
        self.language = ENGLISH
        self.rate = Rate()
        self.guest_rate: Rate | None = None
        self.address_rate: Rate | None = None
        self.complaints = 0
        self.is_outdated = False  # the page is of another version of the program
        self.games: set[str] = set()
        self.seats: dict[str, frozenset[int]] = {}
        self.links: dict[str, bytes] = {}
        self.offered: dict[str, frozenset[int]] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.is_gone = False
        self.has_left = False
        self._send = send
        self._answers: deque[str] = deque()
        self._newest: dict[str, str | Callable[[], str | None]] = {}
        self._analysis: str | None = None
        self._analysis_at = 0.0
        self._is_news = asyncio.Event()
        self._is_idle = asyncio.Event()

    def may_ask(self) -> bool:
        """Counts a message; False for one too many. A client with a seat does not count for its address."""
        if not self.rate.take() or (self.guest_rate is not None and not self.guest_rate.take()):
            return False
        return self.address_rate is None or any(self.seats.values()) or self.address_rate.take()

    def charge(self, count: int) -> None:
        """Counts this number of further messages for the guest and for its address."""
        for rate in (self.guest_rate, self.address_rate):
            if rate is not None:
                rate.take_all(count)

    async def caught_up(self) -> None:
        """Waits until all answers are sent: a client that does not read them may not send further requests."""
        while self._answers and not self.is_gone:
            self._is_idle.clear()
            await self._is_idle.wait()

    def leave(self) -> None:
        """The client has closed the connection: it gets no more answers, but its requests are still done."""
        self.has_left = True
        self._answers.clear()
        self._is_idle.set()

    def answer(self, message: Mapping[str, Any]) -> None:
        """Sends a message, in order with other answers."""
        self.answer_text(to_text(message))

    def answer_text(self, text: str) -> None:
        """As `send`, for a message that is already text."""
        if self.has_left:
            return
        if len(self._answers) >= MOST_WAITING:
            self.is_gone = True
        else:
            self._answers.append(text)
        self._is_news.set()

    def show(self, slot: str, text: str | Callable[[], str | None]) -> None:
        """Sends a message, which replaces the message that waits in that slot. A function makes the message when it is
        sent, and returns None if none is needed."""
        self._newest.pop(slot, None)
        self._newest[slot] = text
        self._is_news.set()

    def show_analysis(self, message: Mapping[str, Any]) -> None:
        """Sends a report of an analysis; of more than a few reports a second only the newest."""
        self._analysis = to_text(message)
        self._is_news.set()

    def forget(self, slot: str) -> None:
        """Drops the message that waits in that slot."""
        self._newest.pop(slot, None)

    def drop_analysis(self) -> None:
        """Drops the report of an analysis that waits."""
        self._analysis = None

    async def deliver(self) -> None:
        """Sends messages until the connection is gone, or until the client takes none for too long."""
        while not self.is_gone:
            self._is_news.clear()
            text = self._next()
            if text is not None:
                try:
                    await asyncio.wait_for(self._send(text), SEND_SECONDS)
                except TimeoutError:
                    return
                if not self._answers:
                    self._is_idle.set()
                continue
            wait = None if self._analysis is None else self._analysis_at + ANALYSIS_GAP - time.monotonic()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._is_news.wait(), wait)

    def _next(self) -> str | None:
        if self._answers:
            return self._answers.popleft()
        while self._newest:
            waiting = self._newest.pop(next(iter(self._newest)))
            text = waiting if isinstance(waiting, str) else waiting()
            if text is not None:
                return text
        now = time.monotonic()
        if self._analysis is None or now < self._analysis_at + ANALYSIS_GAP:
            return None
        report, self._analysis, self._analysis_at = self._analysis, None, now
        return report


@dataclass(frozen=True)
class Presence:
    """The people at a game. here: the seats whose players have its page open. watching: the number of browsers without
    a seat that have it open."""

    here: frozenset[int] = frozenset()
    watching: int = 0


def players_of(id: str, watchers: Iterable[Client], seats: Collection[int] = ()) -> set[Client]:
    """The clients among these who play for one of the seats of the game with that id; without seats, all of them."""
    return {client for client in watchers if not seats or not client.seats[id].isdisjoint(seats)}


def find_presence(id: str, watchers: Iterable[Client]) -> Presence:
    """The people among these clients who are at the game with that id."""
    here: set[int] = set()
    others: set[object] = set()
    for client in watchers:
        seats = client.seats.get(id)
        if seats:
            here |= seats
        else:
            others.add(client.guest or client.number)
    return Presence(frozenset(here), len(others))


def notice_of(game: str, reason: Refused, language: str) -> dict[str, Any]:
    """A notice about the game with that id, in a language."""
    values, text = reason.values_to_json(), reason.sentence(language)
    return {"type": "announced", "game": game, "code": reason.key, "values": values, "text": text}


def to_text(message: Mapping[str, Any]) -> str:
    """The message as ASCII text, because texts from clients may contain half characters (lone surrogates)."""
    return json.dumps(message, separators=(",", ":"))


def need_owner(client: Client) -> None:
    """Raises Refused for guests."""
    if not client.is_owner:
        raise Refused("server.owner_only")
