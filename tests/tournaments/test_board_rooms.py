"""Rooms without sockets: who a brain thinks for, when that ends, and what waits for a reader."""

import asyncio
import itertools
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from board_server import PERSON, brain, run, with_rooms

from tournaments.board.game.events import ClockSettings, Draft, Event, Seat, Settings
from tournaments.board.game.game import Refused
from tournaments.board.library.library import Library
from tournaments.board.library.stored_game import KeptGame
from tournaments.board.server import clients, open_games
from tournaments.board.server.access import digest_of
from tournaments.board.server.clients import Client
from tournaments.board.server.open_games import Room, Rooms

_browsers = itertools.count()


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
    monkeypatch.setattr(open_games, "GRACE", 0.3)

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
    monkeypatch.setattr(open_games, "GRACE", 0.3)

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


def friend() -> Client:
    return Client(ignore, False, f"browser {next(_browsers)}")


def test_of_friends_who_come_at_once_one_gets_the_seat(tmp_path: Path) -> None:
    async def play(made: Rooms) -> None:
        settings = Settings.parse({"black": PERSON, "white": {"kind": "friend"}})
        for _ in range(3):
            room = await made.create(owner(), settings)
            friends, secret = [friend() for _ in range(4)], room.secrets[1]
            await asyncio.gather(*(made.sit(each, room.game.id, secret) for each in friends), return_exceptions=True)
            assert sorted(sorted(each.seats[room.game.id]) for each in friends) == [[], [], [], [1]]
            assert room.game.is_taken(1)

    with_rooms(tmp_path, play)


def test_a_seat_that_was_given_is_sat_in_after_a_kill(tmp_path: Path) -> None:
    """The server was killed between the two things that a friend's coming writes down."""
    async def play(made: Rooms) -> None:
        room = await made.create(owner(), Settings.parse({"black": PERSON, "white": {"kind": "friend"}}))
        came, secret = friend(), room.secrets[1]
        assert came.guest is not None
        made.library.pass_on(room.game.id, digest_of(secret), digest_of(came.guest))
        await made.sit(came, room.game.id, secret)
        assert room.game.is_taken(1) and came.seats[room.game.id] == {1}

    with_rooms(tmp_path, play)


def test_two_who_ask_for_a_rematch_at_once_get_the_same_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So does one who comes to the old game when nobody watches it any more, with a link to the own seat."""
    monkeypatch.setattr(open_games, "GRACE", 0.1)

    async def play(made: Rooms) -> None:
        me, other = owner(), friend()
        room = await made.create(me, Settings.parse({"black": PERSON, "white": {"kind": "friend"}}))
        await made.watch(me, room.game.id)
        await made.sit(other, room.game.id, room.secrets[1])
        await made.do(room, lambda game, now: game.resign(0))
        first, second = await asyncio.gather(made.rematch(me, room), made.rematch(other, room))
        assert first is second
        for each in (me, other):
            made.leave(each, room.game.id)
        await until(lambda: room.closing is None)
        again = await made.watch(other, room.game.id)
        assert again is not room and made.state(again, other)["next"] == first.game.id
        assert await made.rematch(other, again) is (found := await made.open(first.game.id))
        assert made.links_after(other, found, again)["seat"].startswith(f"/g/{first.game.id}#")

    with_rooms(tmp_path, play)


def test_a_game_that_another_program_deletes_is_gone_and_no_other_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_games, "POLL_SECONDS", 0.02)

    async def play(made: Rooms) -> None:
        me = owner()
        first, second = [await made.create(me, Settings()) for _ in range(2)]
        for room in (first, second):
            await made.watch(me, room.game.id)
        made.library.delete([first.game.id])
        with pytest.raises(Refused, match="There is no such game"):
            await made.do(first, lambda game, now: game.play(0, (7, 7), now))
        with pytest.raises(Refused, match="There is no such game"):
            await made.open(first.game.id)
        await asyncio.sleep(0.1)
        other = KeptGame(made.library, second.game.id)
        other.do(lambda game, now: game.play(0, (7, 7), now))
        await until(lambda: second.game.cells == ((7, 7),))

    with_rooms(tmp_path, play)


def test_a_brains_move_that_cannot_be_written_is_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_games, "AGAIN_SECONDS", 0.05)

    async def play(made: Rooms) -> None:
        append, failures = made.library.append, iter(range(3))

        def full(id: str, expected: int, drafts: Sequence[Draft], at: float | None = None) -> list[Event]:
            if drafts and next(failures, None) is not None:
                raise OSError("the disk is full")
            return append(id, expected, drafts, at)

        monkeypatch.setattr(made.library, "append", full)
        room = await begin(made, owner(), 50)
        await until(lambda: len(room.game.cells) == 3)
        assert list(failures) == [] and not room.game.is_paused

    with_rooms(tmp_path, play)


def test_a_clock_stands_until_somebody_comes_after_the_server_was_down(tmp_path: Path) -> None:
    """A server takes a while to start, and a page to find it again."""
    async def play(made: Rooms) -> None:
        then = time.time() - 1000
        id = made.library.create(Settings(clock=ClockSettings(60)), at=then)
        kept = KeptGame(made.library, id, lambda: then)
        kept.do(lambda game, now: game.play(0, (7, 7), now))
        room = await made.watch(owner(), id)
        assert not room.game.is_over and room.game.clocks is not None
        assert 55 < (room.game.clocks.at(time.time())[1] or 0) <= 60

    with_rooms(tmp_path, play)


def test_the_list_of_games_has_the_colours_that_were_chosen(tmp_path: Path) -> None:
    with Library(tmp_path / "games.sqlite") as library:
        id = library.create(Settings(opening="swap", white=Seat("brain", "tengen")))
        kept = KeptGame(library, id)
        for ply in range(3):
            kept.do(lambda game, now, ply=ply: game.play(0, (ply, 0), now))  # type: ignore[misc]
        described = open_games.describe_summary(library, library.game(id))
        assert (described["names"], described["kinds"]) == (["", "tengen"], ["local", "brain"])
        kept.do(lambda game, now: game.choose(1, "black"))
        assert open_games.describe_summary(library, library.game(id))["names"] == ["tengen", ""]


def test_a_room_does_not_close_while_somebody_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_games, "GRACE", 0.01)

    async def play(made: Rooms) -> None:
        room = await made.create(owner(), Settings())
        seats_of = made.library.seats_of

        def slowly(id: str, digest: bytes) -> tuple[int, ...]:
            time.sleep(0.1)
            return seats_of(id, digest)

        monkeypatch.setattr(made.library, "seats_of", slowly)
        assert await made.watch(friend(), room.game.id) is room is await made.open(room.game.id)

    with_rooms(tmp_path, play)
