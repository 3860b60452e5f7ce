"""Games that are open: who watches each, who may move in it, its clocks, and the brains that play in it.

A game of the library is open while a client watches it, and a moment longer. The referee decides about an action, the
library keeps it at once, and then all watchers see it; none of this waits for a brain. The library is used in threads,
so that the event loop never waits for a disk.
"""

import asyncio
import contextlib
import itertools
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import SystemRandom
from typing import Any, TypeVar

from tournaments.board.engines.brain_question import BrainQuestion, question_of
from tournaments.board.engines.brain_registry import HOUSE_BRAIN
from tournaments.board.engines.engine_pool import EnginePool
from tournaments.board.engines.job_queue import Busy, Cancelled, Priority
from tournaments.board.game.actions import Action, Pause, Play, Sit, Warn
from tournaments.board.game.events import Event, GameSettings, title_of
from tournaments.board.game.game import BrokenGame, GameSnapshot, Refused
from tournaments.board.game.steady_time import PROCESS_TIME, process_now
from tournaments.board.library.library import Library
from tournaments.board.library.library_file import NoGame
from tournaments.board.review.teacher import Teacher
from tournaments.board.server.clients import Client, find_presence, notice_of, players_of, to_text
from tournaments.board.server.limits import LastHour
from tournaments.board.server.open_game import GameReader, OpenGame
from tournaments.board.server.seats import Seats, check_brains
from tournaments.board.server.tokens import digest_of
from tournaments.brains.brain import BrainFailure
from tournaments.files.stamp import stamp_of
from tournaments.rules.referee import Cell

GRACE = 15.0
"""Seconds for which a brain goes on thinking, and a game stays open, after the last watcher has left."""

AWAY_SECONDS = 3.0
"""Seconds until a player who left counts as away and watchers are counted again: most who leave load the page again."""

MOST_OPEN = 300
MOST_OPEN_FOR_GUESTS = 250
MOST_WATCHERS = 300
MOST_CREATED_AN_HOUR = 2000
MOST_REMATCHES_AN_HOUR = 200
"""Games that are open at once, and those beyond which a guest opens no further one; watchers of one game, new games an
hour, and those of them that guests may begin."""

LIBRARY_THREADS = 4
POLL_SECONDS = 1.0
AGAIN_SECONDS = 3.0
"""Seconds between two checks for changes by other programs, and between two tries of a write that failed."""

_Result = TypeVar("_Result")


class OpenGames:
    """All open games. Call the methods in one event loop."""

    def __init__(self, library: Library, pool: EnginePool, origin: str | None = None) -> None:
        """`origin` is this server's address for other machines, None if they cannot reach it."""
        self.library = library
        self.pool = pool
        self.seats = Seats(library, self._in_game, origin)
        self._teacher = Teacher(pool.brains[HOUSE_BRAIN].command)
        self._began = process_now()
        self._versions = itertools.count(1)
        self._threads = ThreadPoolExecutor(LIBRARY_THREADS, "library")
        self._open_games: dict[str, OpenGame] = {}
        self._reader = GameReader(library, self.in_thread, self._later)
        self._created = {False: LastHour(), True: LastHour()}  # by whether the owner did it
        self._chance = SystemRandom()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def _in_game(self, opened: OpenGame, function: Callable[[], _Result]) -> _Result:
        """The same for work on the game. If the game was deleted, closes it and raises Refused."""
        try:
            return await self.in_thread(function)
        except NoGame:
            self._lose(opened)
            raise Refused("server.no_game") from None

    def _lose(self, opened: OpenGame) -> None:
        self._forget(opened)
        self.seats.forget(opened)
        self.tell(opened, Refused("server.no_game"))

    async def in_thread(self, function: Callable[[], _Result]) -> _Result:
        """The function's result; it runs in another thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function)

    # From start to end

    async def start(self) -> None:
        """Begins to check for changes by other programs."""
        self._later(self._watch_library())

    async def close(self) -> None:
        """Leaves all games as they are; they go on when the server is started again."""
        tasks = list(self._tasks)
        for opened in self._open_games.values():
            for timer in (opened.timer, opened.closing, opened.counting):
                if timer is not None:
                    timer.cancel()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._threads.shutdown(wait=True)

    def _later(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _watch_library(self) -> None:
        """Shows changes that other programs made in games that are open here."""
        log = self.library.path.with_name(f"{self.library.path.name}-wal")
        before, gaps = stamp_of(log), PROCESS_TIME.count
        while True:
            await asyncio.sleep(POLL_SECONDS)
            if gaps != PROCESS_TIME.count:
                gaps = PROCESS_TIME.count
                for opened in list(self._open_games.values()):
                    if opened.game.clocks is not None and opened.game.clocks.running is not None:
                        self._later(self._expire(opened))
            now = stamp_of(log)
            if now == before:
                continue
            before = now
            for opened in list(self._open_games.values()):
                if opened.watchers:
                    with contextlib.suppress(OSError, BrokenGame, Refused):
                        await self._change(opened, opened.stored.refresh)

    # Games

    async def create(self, client: Client, settings: GameSettings) -> OpenGame:
        """A new game. Raises Refused, and OSError if it cannot be written."""
        check_brains(self.pool, client, settings.seats, settings.opening)
        self._check_room(client)
        if not self._created[client.is_owner].take(MOST_CREATED_AN_HOUR if client.is_owner else MOST_REMATCHES_AN_HOUR):
            raise Refused("server.many_games")
        drawn = settings.with_lot(self._chance)
        opened = await self.open(await self.in_thread(lambda: self.library.games.create(drawn)), client)
        await self.invite(opened)
        return opened

    async def invite(self, opened: OpenGame) -> None:
        """Makes a new link for each seat that waits for a friend; the earlier links become invalid."""
        await self.seats.make_links(opened)
        if opened.watchers:
            await self.seat_all(opened)

    async def invite_again(self, opened: OpenGame, seat: int) -> None:
        """Makes a new link for a friend's seat that is taken; the friend loses the seat. Raises Refused."""
        if opened.game.is_over:
            raise Refused("refused.over")
        if opened.game.seats[seat].kind != "friend":
            raise Refused("server.no_friend")
        await self.seats.make_link(opened, seat)
        opened.premoves.pop(seat, None)
        await self.seat_all(opened)

    async def open(self, id: str, client: Client) -> OpenGame:
        """The open game, for that client. Raises Refused if that game does not exist, or too many are open."""
        if id in self._open_games:
            return self._open_games[id]
        self._check_room(client)
        try:
            found = await self._reader.read(id, self._began)
        except NoGame:
            raise Refused("server.no_game") from None
        except BrokenGame as error:
            raise Refused("server.broken_game", why=str(error).rstrip(".")) from None
        # Another client may have opened it meanwhile.
        opened = self._open_games.setdefault(found.game.id, found)
        self.seats.recall(opened)
        self._close_later(opened)
        return opened

    def _check_room(self, client: Client) -> None:
        """Raises Refused if the client may not open another game: a guest leaves room for the owner's."""
        if len(self._open_games) >= (MOST_OPEN if client.is_owner else MOST_OPEN_FOR_GUESTS):
            raise Refused("server.many_open")

    async def glimpse(self, id: str, visitor: Client) -> dict[str, Any] | None:
        """The game as the visitor sees it, None if it cannot be read; it is not opened by that."""
        try:
            opened = self._open_games.get(id) or await self._reader.read(id)
            return opened.glimpse(visitor, opened.stored.now())
        except (NoGame, BrokenGame, OSError):
            return None

    async def delete(self, ids: Sequence[str]) -> int:
        """Deletes games for ever, and tells their watchers; returns how many existed. Raises OSError."""
        count = await self.in_thread(lambda: self.library.games.delete(ids))
        for opened in [self._open_games[id] for id in ids if id in self._open_games]:
            self._lose(opened)
        return count

    async def watch(self, client: Client, id: str, secret: str | None = None) -> OpenGame:
        """The client sees the game from now on; the secret is that of the link by which it has come. Raises Refused."""
        opened = await self.open(id, client)
        if secret is not None:
            client.links[id] = digest_of(secret)
        if not client.is_owner and client not in opened.watchers and len(opened.watchers) >= MOST_WATCHERS:
            await self.seats.place(client, opened)
            if not client.seats[id] | client.offered[id]:
                self.leave(client, id)
                raise Refused("server.many_watchers")
        if opened.closing is not None:  # before the first await: a game that closed in between would have no owner
            opened.closing.cancel()
            opened.closing = None
        try:
            await self.seats.place(client, opened)
            opened.watchers.add(client)
            client.games.add(id)
        finally:
            self._close_later(opened)
        self._note_presence(opened, client)
        self._consider(opened)
        return opened

    def leave(self, client: Client, id: str) -> None:
        """The client stops watching the game."""
        client.games.discard(id)
        for known in (client.seats, client.links, client.offered):
            known.pop(id, None)
        client.forget(id)
        opened = self._open_games.get(id)
        if opened is not None and client in opened.watchers:
            opened.watchers.discard(client)
            self._note_presence(opened)
            self._close_later(opened)

    def _close_later(self, opened: OpenGame) -> None:
        if not opened.watchers and opened.closing is None:
            opened.closing = asyncio.get_running_loop().call_later(GRACE, self._close, opened)

    def _close(self, opened: OpenGame) -> None:
        opened.closing = None
        if not opened.watchers:
            self._forget(opened)

    def _forget(self, opened: OpenGame) -> None:
        self._open_games.pop(opened.game.id, None)
        self._stop_thinking(opened)
        for timer in (opened.timer, opened.counting):
            if timer is not None:
                timer.cancel()

    async def seat_all(self, opened: OpenGame) -> None:
        """Reads the seats of all watchers again, after a seat was given to another player or got another link."""
        await self.seats.place_all(opened)
        opened.presence = find_presence(opened.game.id, opened.watchers)
        self.show(opened)

    async def has_seat(self, client: Client) -> bool:
        """Whether the client's browser has a seat in a game of the library."""
        guest = client.guest
        return guest is not None and await self.in_thread(lambda: self.library.games.is_seated(digest_of(guest)))

    async def sit(self, client: Client, id: str, secret: str, name: str = "") -> OpenGame:
        """The client, a person with that name, takes the seat that the secret is for. Raises Refused."""
        opened = await self.watch(client, id, secret)
        is_new = await self.seats.take(client, opened, secret)
        opened.presence = find_presence(id, opened.watchers)
        if not client.seats[id]:
            raise Refused("server.bad_secret")
        for seat in client.seats[id]:
            if not opened.game.is_taken(seat) or (is_new and name not in ("", opened.game.seats[seat].name)):
                await self.do(opened, Sit((seat,), name=name))
        if is_new:
            await self.seat_all(opened)
        return opened

    async def do(self, opened: OpenGame, action: Action, asker: Client | None = None) -> list[Event]:
        """Does an action in the game, and shows it to all watchers except the sender, who gets it as the answer.

        Raises Refused, and OSError.
        """
        return await self._change(opened, lambda: opened.stored.do(action), asker)

    async def _change(
        self, opened: OpenGame, work: Callable[[], list[Event]], asker: Client | None = None
    ) -> list[Event]:
        """Does work on the stored game in a thread, one at a time, and shows the changes. Passes on its exceptions.

        The work is done to its end even if its client has gone: no other thread may begin before that, and the other
        clients must see the changes.
        """
        change: asyncio.Task[tuple[list[Event], Exception | None]] = self._later(
            self._change_alone(opened, work, asker)
        )
        events, fault = await asyncio.shield(change)
        if fault is not None:
            raise fault
        return events

    async def _change_alone(
        self, opened: OpenGame, work: Callable[[], list[Event]], asker: Client | None
    ) -> tuple[list[Event], Exception | None]:
        def run() -> tuple[list[Event], Exception | None, GameSnapshot | None]:
            events: list[Event] = []
            fault: Exception | None = None
            try:
                events = work()
            except (OSError, ValueError) as error:  # earlier events, such as a loss on time, have been written
                fault = error
            game = opened.stored.game
            return events, fault, game.snapshot() if game.event != opened.game.event else None

        async with opened.lock:
            try:
                events, fault, game = await self._in_game(opened, run)
            except Refused as refused:
                return [], refused
            if game is not None:
                opened.game = game
        if game is not None:
            premove = opened.take_premove()
            self._consider(opened)
            self.show(opened, None if fault is not None else asker)
            if premove is not None:
                self._later(self._play_premove(opened, premove))
        return events, fault

    async def premove(self, client: Client, opened: OpenGame, cell: Cell | None) -> None:
        """Chooses the move that the client's seat plays at its next turn; without a cell, none. Raises Refused."""
        self.show(opened, client, (opened.set_premove(client, cell),))

    async def _play_premove(self, opened: OpenGame, premove: Play) -> None:
        """Plays a premove; its player is told if it cannot be played."""
        try:
            await self.do(opened, premove)
        except Refused as refused:
            self.tell(opened, Refused("server.premove_refused", why=refused), premove.seats)
        except OSError as error:
            self.tell(opened, Refused("server.not_saved", why=error), premove.seats)

    async def rematch(self, client: Client, opened: OpenGame) -> OpenGame:
        """Another game with the colours swapped, the same game for both players. Raises Refused."""
        async with opened.lock:  # for both may ask at the same time
            if opened.next is not None:
                new = await self.open(opened.next, client)
                if self.seats.has_lost_link(client, opened, new):
                    await self.invite(new)
                return new
            new = await self.create(client, opened.game.rematch())
            opened.next = new.game.id
        for other in opened.watchers - {client}:
            message: dict[str, Any] = {"type": "rematch", "game": opened.game.id, "next": new.game.id}
            link = self.seats.link_for(other, opened, new)
            other.answer(message if link is None else {**message, "links": {"seat": link}})
        return new

    # Who is there

    def _note_presence(self, opened: OpenGame, client: Client | None = None) -> None:
        """A client has come or gone: a player who comes is shown at once, everything else a moment later."""
        here = frozenset() if client is None else client.seats.get(opened.game.id, frozenset())
        if here - opened.presence.here:
            opened.presence = replace(opened.presence, here=opened.presence.here | here)
            self.show(opened, client)
        if opened.counting is None:
            opened.counting = asyncio.get_running_loop().call_later(AWAY_SECONDS, self._count, opened)

    def _count(self, opened: OpenGame) -> None:
        """Shows all watchers who is there, if that has changed."""
        opened.counting = None
        found = find_presence(opened.game.id, opened.watchers)
        if found != opened.presence:
            opened.presence = found
            self.show(opened)

    # States for the watchers

    def state(self, opened: OpenGame, client: Client) -> dict[str, Any]:
        """The game as that client sees it. A newer state has a greater version."""
        links = self.seats.links(opened) if client.is_owner else None
        return opened.state(client, next(self._versions), opened.stored.now(), links)

    def show(self, opened: OpenGame, asker: Client | None = None, only: Collection[int] = ()) -> None:
        """Sends the state to all watchers except the sender of the action, or to the players of some seats; watchers
        with the same view share a text."""
        texts: dict[object, str] = {}
        for client in players_of(opened.game.id, opened.watchers, only) - {asker}:
            seats, offered = client.seats.get(opened.game.id), client.offered.get(opened.game.id)
            key = client.language, client.is_owner, seats, offered
            if key not in texts:
                texts[key] = to_text(self.state(opened, client))
            client.show(opened.game.id, texts[key])

    def tell(self, opened: OpenGame, reason: Refused, seats: Collection[int] = ()) -> None:
        """Sends a notice about a game to its watchers, or to the players of some seats, each in the own language."""
        id = opened.game.id
        for client in players_of(id, opened.watchers, seats):
            client.answer(notice_of(id, reason, client.language))

    # Clocks and brains

    def _consider(self, opened: OpenGame) -> None:
        """Sets the timer of the running clock, and asks the brain whose turn it is."""
        loop, game = asyncio.get_running_loop(), opened.game
        if opened.timer is not None:
            opened.timer.cancel()
            opened.timer = None
        if game.clocks is not None and game.clocks.running is not None:
            left = game.clocks.at(opened.stored.now())[game.clocks.running]
            opened.timer = loop.call_later((left or 0.0) + 0.02, lambda: self._later(self._expire(opened)))
        opened.drop_old_slip()
        is_waiting = game.is_missing_somebody or opened.is_held or not opened.watchers
        question = None if is_waiting else question_of(game)
        if opened.is_thinking and question != opened.thinks_about:
            self._stop_thinking(opened)
        if question is not None and not opened.is_thinking:
            opened.thinks_about = question
            opened.thinking = self._later(self._think(opened, question))

    def _stop_thinking(self, opened: OpenGame) -> None:
        if opened.thinking is not None:
            opened.thinking.cancel()
            opened.thinking = None
            self.pool.cancel(opened.game.id)

    async def _expire(self, opened: OpenGame) -> None:
        try:
            await self._change(opened, opened.stored.expire)
            self._consider(opened)
        except Refused:
            return
        except OSError:
            loop = asyncio.get_running_loop()
            opened.timer = loop.call_later(AGAIN_SECONDS, lambda: self._later(self._expire(opened)))

    async def _think(self, opened: OpenGame, question: BrainQuestion) -> None:
        """Asks the brain, and does its action."""
        who, began = question.who, time.monotonic()
        priority = Priority.STUDY if opened.has_brains_alone else Priority.MOVE
        try:
            if self._teacher.is_due(opened.game) and opened.judged != opened.game.cells and await self._warn(opened):
                return
            action = await self.pool.act(opened.game.id, question, priority)
            await asyncio.sleep(opened.seconds_to_look(began))
            await self._write_down(opened, action)
        except (Cancelled, Refused):
            return
        except Busy:
            await self._give_up(opened, Refused("server.busy"))
        except BrainFailure as failure:
            took = round(time.monotonic() - began, 1)
            await self._give_up(opened, Refused("server.brain_failed", name=title_of(who), why=failure, seconds=took))
        except (OSError, ValueError) as error:  # the system's fault, or ours: the game goes on when it is gone
            await self._give_up(opened, Refused("server.brain_not_asked", name=title_of(who), why=error))
        finally:
            if opened.thinking is asyncio.current_task():
                opened.thinking = None

    async def _warn(self, opened: OpenGame) -> bool:
        """Judges the last move of a person; true if it throws the game away: then the brain waits, and that is told."""
        cells, slip = opened.game.cells, await self._teacher.judge(opened.game)
        opened.judged, opened.slip = cells, slip
        if slip is None:
            return False
        opened.thinking = None
        opened.premoves.clear()  # the player decides about the last move first
        if not await self.do(opened, Warn((), kind=slip["kind"], plies=slip["plies"])):
            self.show(opened)  # it was told before the game was opened again
        return True

    def insist(self, client: Client, opened: OpenGame) -> None:
        """The player stays with a move that throws the game away, and the brain answers it. Raises Refused."""
        opened.forget_slip(client)
        self._consider(opened)
        self.show(opened, client)

    async def _write_down(self, opened: OpenGame, action: Action) -> None:
        """Does the brain's action, and tries again as long as it cannot be written. Raises Refused."""
        task, is_told = opened.thinking, False
        while True:
            opened.thinking = None
            try:
                await self.do(opened, action)
                return
            except OSError as error:
                if not is_told:
                    self.tell(opened, Refused("server.not_saved", why=error))
            is_told, opened.thinking = True, task
            await asyncio.sleep(AGAIN_SECONDS)

    async def _give_up(self, opened: OpenGame, reason: Refused) -> None:
        """Pauses the game, which is not lost; resuming it asks the brain again."""
        opened.thinking = None
        self.tell(opened, reason)
        with contextlib.suppress(OSError, Refused):
            await self.do(opened, Pause((), is_needed=True))
