"""Rooms without sockets: who a brain thinks for, when that ends, and what waits for a reader."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from board_server import PERSON, brain, run

from tournaments.board import clients, rooms
from tournaments.board.clients import Client
from tournaments.board.events import Settings
from tournaments.board.library import Library
from tournaments.board.rooms import Room, Rooms
from tournaments.board.thinking import Desk, register


async def ignore(text: str) -> None:
    pass


def owner() -> Client:
    return Client(ignore, True, None)


async def until(holds: Callable[[], object]) -> None:
    for _ in range(3000):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError


def with_rooms(tmp_path: Path, play: Callable[[Rooms], object]) -> None:
    async def work() -> None:
        with Library(tmp_path / "games.sqlite") as library:
            desk = Desk(register(), 1)
            desk.start()
            made = Rooms(library, desk)
            await made.start()
            try:
                await play(made)  # type: ignore[misc]
            finally:
                await made.close()
                await asyncio.get_running_loop().run_in_executor(None, desk.close)

    run(work())


async def begin(made: Rooms, client: Client, turn_ms: int) -> Room:
    """A game in which the brain has Black and thinks."""
    settings = Settings.parse({"black": brain(turn_ms=turn_ms), "white": PERSON, "start": [[7, 7], [8, 8]]})
    room = await made.create(client, settings)
    await made.watch(client, room.game.id)
    await until(lambda: made.desk.is_asked(room.game.id))
    return room


def test_a_brain_stops_a_moment_after_the_last_watcher_has_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "GRACE", 0.3)

    async def play(made: Rooms) -> None:
        first, second = owner(), owner()
        room = await begin(made, first, 50_000)
        await made.watch(second, room.game.id)
        made.leave(first, room.game.id)
        await asyncio.sleep(0.5)
        assert made.desk.is_asked(room.game.id), "one still watches"
        made.leave(second, room.game.id)
        assert made.desk.is_asked(room.game.id), "who reloads the page comes back at once"
        await until(lambda: not made.desk.is_asked(room.game.id))
        again = await made.watch(first, room.game.id)
        assert again is not room
        await until(lambda: made.desk.is_asked(room.game.id))

    with_rooms(tmp_path, play)


def test_who_comes_back_in_time_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "GRACE", 0.3)

    async def play(made: Rooms) -> None:
        client = owner()
        room = await begin(made, client, 50_000)
        thinking = room.thinking
        made.leave(client, room.game.id)
        assert await made.watch(client, room.game.id) is room
        await asyncio.sleep(0.5)
        assert room.thinking is thinking and made.desk.is_asked(room.game.id)

    with_rooms(tmp_path, play)


def test_nobody_watches_a_game_that_nobody_asked_for(tmp_path: Path) -> None:
    """Opening a game starts no brain; watching it does."""
    async def play(made: Rooms) -> None:
        room = await made.create(owner(), Settings.parse({"black": brain(turn_ms=50_000), "white": PERSON}))
        await asyncio.sleep(0.1)
        assert not made.desk.is_asked(room.game.id)

    with_rooms(tmp_path, play)


def test_of_a_state_only_the_newest_waits_for_a_slow_reader() -> None:
    async def work() -> None:
        sent: list[str] = []
        may_send = asyncio.Event()

        async def send(text: str) -> None:
            await may_send.wait()
            sent.append(text)

        client = Client(send, False, None)
        delivering = asyncio.create_task(client.deliver())
        for number in range(1000):
            client.show("game", f"state {number}")
            await asyncio.sleep(0)
        client.answer({"type": "pong"})
        may_send.set()
        await until(lambda: len(sent) == 3)
        assert sent == ["state 0", '{"type":"pong"}', "state 999"]
        delivering.cancel()

    run(work())


def test_a_reader_that_takes_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "SEND_SECONDS", 0.1)

    async def never(text: str) -> None:
        await asyncio.Event().wait()

    async def work() -> None:
        client = Client(never, False, None)
        client.answer({"type": "pong"})
        await client.deliver()
        client = Client(never, False, None)
        for _ in range(clients.MOST_WAITING + 1):
            client.answer({"type": "pong"})
        assert client.is_gone
        await client.deliver()

    run(work())


def test_what_is_sent_is_ascii_whatever_is_in_it() -> None:
    text = clients.to_text({"type": "announced", "text": "half \ud800, 黑"})
    assert text.isascii() and json.loads(text)["text"] == "half \ud800, 黑"
