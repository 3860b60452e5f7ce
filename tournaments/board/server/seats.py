"""The holders of seats in open games, by the secrets of links and by the keys of browsers that took a seat.

The library keeps the hash of one secret for each friend's seat: the link's secret until a browser takes the seat, and
then the browser's key.
"""

import secrets
from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

from tournaments.board.engines.engine_pool import EnginePool
from tournaments.board.game.actions import Action, Answer, Draw, Pause, Resume, Teach, Undo
from tournaments.board.game.events import Seat
from tournaments.board.game.facts import SEATS
from tournaments.board.game.opening_rules import RENJU_OPENINGS
from tournaments.board.game.refusal import Refused
from tournaments.board.library.library import Library
from tournaments.board.server.clients import Client
from tournaments.board.server.limits import SLOW_BURST, SLOW_PER_SECOND, Rates
from tournaments.board.server.open_game import OpenGame
from tournaments.board.server.tokens import digest_of

SECRET_BYTES = 16

_SLOW = frozenset((Undo, Draw, Answer, Pause, Resume, Teach))
"""The actions that a player may repeat without end. Comments have a limit of their own."""

_Result = TypeVar("_Result")


class InGame(Protocol):
    """Runs a function of the library for an open game in another thread. Raises Refused if the game was deleted."""

    async def __call__(self, opened: OpenGame, function: Callable[[], _Result], /) -> _Result: ...


class Seats:
    """The seats of the library's games, and the links to them."""

    def __init__(self, library: Library, in_game: InGame, origin: str | None) -> None:
        """`origin` is this server's address for other machines, None if they cannot reach it."""
        self._games = library.games
        self._origin = origin
        self._in_game = in_game
        self._open_links: dict[str, dict[int, str]] = {}
        self._rates = Rates(SLOW_PER_SECOND, SLOW_BURST)

    def recall(self, opened: OpenGame) -> None:
        """Gives a game that is opened again the links that still open its seats: a page that is left and opened again
        shows the link that a friend may have by now."""
        opened.secrets = self._open_links.get(opened.game.id, opened.secrets)

    def forget(self, opened: OpenGame) -> None:
        """The links of the game open no seat any more."""
        self._open_links.pop(opened.game.id, None)

    async def make_links(self, opened: OpenGame) -> None:
        """Makes a new secret for each seat that waits for a friend; the earlier secrets become invalid."""
        for seat in SEATS:
            if not opened.game.is_taken(seat):
                await self.make_link(opened, seat)

    async def make_link(self, opened: OpenGame, seat: int) -> None:
        """Makes a new secret for the seat; who had it loses it."""
        secret = secrets.token_urlsafe(SECRET_BYTES)
        id, digest = opened.game.id, digest_of(secret)
        await self._in_game(opened, lambda: self._games.set_secret(id, seat, digest))
        opened.secrets[seat] = secret
        self._open_links[id] = opened.secrets

    async def place_all(self, opened: OpenGame) -> None:
        """Reads the seats of all watchers again, after a seat was given to another player or got another link."""
        for client in list(opened.watchers):
            await self.place(client, opened)

    async def place(self, client: Client, opened: OpenGame) -> None:
        """Reads which seats the client has, and which its link offers."""
        id, guest = opened.game.id, client.guest
        link = client.links.get(id)
        seats = {seat for seat in SEATS if client.is_owner and opened.game.seats[seat].kind == "local"}
        if guest is not None:
            seats |= await self._seats_of(opened, digest_of(guest))
        offered = frozenset() if link is None else await self._seats_of(opened, link)
        if guest is None:  # the link that opened the seat is all that such a browser can show
            seats |= offered & client.seats.get(id, frozenset())
        client.seats[id] = frozenset(seats)
        client.offered[id] = offered - client.seats[id]

    async def _seats_of(self, opened: OpenGame, digest: bytes) -> frozenset[int]:
        id = opened.game.id
        return frozenset(await self._in_game(opened, lambda: self._games.seats_of(id, digest)))

    async def take(self, client: Client, opened: OpenGame, secret: str) -> bool:
        """Gives the client the seats that the secret is for; False if there are none that it did not have.

        From then on a seat is this browser's, and the link does not open it any more: of two browsers at once, one
        gets it. If the browser has no key, the link goes on opening the seat.
        """
        id, given = opened.game.id, digest_of(secret)
        kept = given if client.guest is None else digest_of(client.guest)
        taken = await self._in_game(opened, lambda: self._games.pass_on(id, given, kept))
        had = client.seats[id]
        client.seats[id] = had | frozenset(taken)
        client.offered[id] = client.offered[id] - client.seats[id]
        for seat in client.seats[id]:
            opened.secrets.pop(seat, None)
        if not opened.secrets:
            self.forget(opened)
        return not had.issuperset(taken)

    def acting(self, client: Client, id: str, kind: type[Action]) -> frozenset[int]:
        """The seats for which the client acts in a game. Raises Refused for a friend who pauses, offers and takes back
        too often: each of these is an event, and the number of a game's events is limited."""
        seats = client.seats.get(id, frozenset())
        if kind in _SLOW and not client.is_owner and not all(self._rates.of(f"{id} {seat}").take() for seat in seats):
            raise Refused("server.too_often")
        return seats

    # Links

    def links(self, opened: OpenGame) -> dict[str, Any]:
        """The game's links, for its owner."""
        watch = f"/g/{opened.game.id}"
        seats = {str(seat): f"{watch}#{secret}" for seat, secret in sorted(opened.secrets.items())}
        first = {"seat": next(iter(seats.values())), "seats": seats} if seats else {}
        return {"watch": watch, "origin": self._origin, **first}

    def links_after(self, client: Client, opened: OpenGame, old: OpenGame) -> dict[str, Any]:
        """The links for the client that made the game; a friend from the game before it gets only the own seat's."""
        if client.is_owner:
            return self.links(opened)
        link = self.link_for(client, old, opened)
        return {"watch": f"/g/{opened.game.id}", **({} if link is None else {"seat": link})}

    def link_for(self, client: Client, old: OpenGame, new: OpenGame) -> str | None:
        """The link to the rematch's seat for a player who had a friend's seat in the game before it."""
        place = _place_in(client, old)
        secret = None if place is None else new.secrets.get(place)
        return None if secret is None else f"/g/{new.game.id}#{secret}"

    def has_lost_link(self, client: Client, old: OpenGame, new: OpenGame) -> bool:
        """True if the link to the client's seat is unknown, as after a new start of the server."""
        place = _place_in(client, old)
        return place is not None and place not in new.secrets and not new.game.is_taken(place)


def _place_in(client: Client, old: OpenGame) -> int | None:
    """The rematch's seat for a player who had a friend's seat in the game before it."""
    for seat in client.seats.get(old.game.id, ()):
        if old.game.seats[seat].kind == "friend":
            # Who had Black has White now, and is the other seat.
            return 1 - old.game.colours[seat]
    return None


def check_brains(pool: EnginePool, client: Client, seats: Iterable[Seat], opening: str) -> None:
    """Raises Refused for a brain that is not registered, for one that cannot play the opening, and for any brain if a
    guest asks."""
    for seat in seats:
        if seat.brain is None:
            continue
        brain = pool.brains.get(seat.brain)
        if brain is None:
            raise Refused("server.no_brain", name=seat.brain)
        if not client.is_owner:
            raise Refused("server.owner_only")
        if opening in RENJU_OPENINGS and not brain.may_survey:
            raise Refused("server.no_survey", name=brain.title)
