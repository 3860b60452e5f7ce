"""Open games without sockets: the clients of a thinking brain, its end, and messages for slow readers."""

import asyncio
import itertools
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from board_server import OFF_BOOK, PERSON, brain, run, with_open_games

from tournaments.board.game.actions import Choose, Pause, Play, Resign, Resume
from tournaments.board.game.events import ClockSettings, Event, GameSettings, NewEvent, Seat
from tournaments.board.game.game import Refused
from tournaments.board.library.library import Library
from tournaments.board.library.stored_game import StoredGame
from tournaments.board.server import clients, open_game, open_games
from tournaments.board.server.clients import Client
from tournaments.board.server.games.game_list import describe_summary
from tournaments.board.server.open_games import OpenGame, OpenGames
from tournaments.board.server.tokens import digest_of

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


async def begin(made: OpenGames, client: Client, turn_ms: int) -> OpenGame:
    """A game in which the brain has Black and thinks."""
    settings = GameSettings.parse({"black": brain(turn_ms=turn_ms), "white": PERSON, "start": OFF_BOOK})
    opened = await made.create(client, settings)
    await made.watch(client, opened.game.id)
    await until(lambda: made.pool.is_asked(opened.game.id))
    return opened


def test_a_brain_stops_a_moment_after_the_last_watcher_has_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_games, "GRACE", 0.3)

    async def play(made: OpenGames) -> None:
        first, second = owner(), owner()
        opened = await begin(made, first, 50_000)
        await made.watch(second, opened.game.id)
        made.leave(first, opened.game.id)
        await asyncio.sleep(0.5)
        assert made.pool.is_asked(opened.game.id), "one still watches"
        made.leave(second, opened.game.id)
        assert made.pool.is_asked(opened.game.id), "who reloads the page comes back at once"
        await until(lambda: not made.pool.is_asked(opened.game.id))
        again = await made.watch(first, opened.game.id)
        assert again is not opened
        await until(lambda: made.pool.is_asked(opened.game.id))

    with_open_games(tmp_path, play)


def test_who_comes_back_in_time_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_games, "GRACE", 0.3)

    async def play(made: OpenGames) -> None:
        client = owner()
        opened = await begin(made, client, 50_000)
        thinking = opened.thinking
        made.leave(client, opened.game.id)
        assert await made.watch(client, opened.game.id) is opened
        await asyncio.sleep(0.5)
        assert opened.thinking is thinking and made.pool.is_asked(opened.game.id)

    with_open_games(tmp_path, play)


def test_nobody_watches_a_game_that_nobody_asked_for(tmp_path: Path) -> None:
    """Opening a game starts no brain; watching it does."""

    async def play(made: OpenGames) -> None:
        opened = await made.create(owner(), GameSettings.parse({"black": brain(turn_ms=50_000), "white": PERSON}))
        await asyncio.sleep(0.1)
        assert not made.pool.is_asked(opened.game.id)

    with_open_games(tmp_path, play)


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
    async def play(made: OpenGames) -> None:
        settings = GameSettings.parse({"black": PERSON, "white": {"kind": "friend"}})
        for _ in range(3):
            opened = await made.create(owner(), settings)
            friends, secret = [friend() for _ in range(4)], opened.secrets[1]
            await asyncio.gather(*(made.sit(each, opened.game.id, secret) for each in friends), return_exceptions=True)
            assert sorted(sorted(each.seats[opened.game.id]) for each in friends) == [[], [], [], [1]]
            assert opened.game.is_taken(1)

    with_open_games(tmp_path, play)


def test_a_seat_that_was_given_is_sat_in_after_a_kill(tmp_path: Path) -> None:
    """The server was killed between the two things that a friend's coming writes down."""

    async def play(made: OpenGames) -> None:
        opened = await made.create(owner(), GameSettings.parse({"black": PERSON, "white": {"kind": "friend"}}))
        came, secret = friend(), opened.secrets[1]
        assert came.guest is not None
        made.library.games.pass_on(opened.game.id, digest_of(secret), digest_of(came.guest))
        await made.sit(came, opened.game.id, secret)
        assert opened.game.is_taken(1) and came.seats[opened.game.id] == {1}

    with_open_games(tmp_path, play)


def test_two_who_ask_for_a_rematch_at_once_get_the_same_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who comes to the old game later, with the link to the seat and after all others left, gets it too."""

    async def play(made: OpenGames) -> None:
        me, other = owner(), friend()
        opened = await made.create(me, GameSettings.parse({"black": PERSON, "white": {"kind": "friend"}}))
        await made.watch(me, opened.game.id)
        await made.sit(other, opened.game.id, opened.secrets[1])
        await made.do(opened, Resign((0,)))
        first, second = await asyncio.gather(made.rematch(me, opened), made.rematch(other, opened))
        assert first is second
        monkeypatch.setattr(open_games, "GRACE", 0.1)  # not before: a busy machine would have closed the game
        for each in (me, other):
            made.leave(each, opened.game.id)
        await until(lambda: opened.closing is None)
        again = await made.watch(other, opened.game.id)
        assert again is not opened and made.state(again, other)["next"] == first.game.id
        assert await made.rematch(other, again) is (found := await made.open(first.game.id, other))
        assert made.seats.links_after(other, found, again)["seat"].startswith(f"/g/{first.game.id}#")

    with_open_games(tmp_path, play)


def test_an_invitation_is_shown_again_until_the_friend_has_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner sends the link from another application, and all pages of the game are closed meanwhile."""
    monkeypatch.setattr(open_games, "GRACE", 0.05)

    async def play(made: OpenGames) -> None:
        me, other = owner(), friend()
        opened = await made.create(me, GameSettings.parse({"black": PERSON, "white": {"kind": "friend"}}))
        link = made.state(await made.watch(me, opened.game.id), me)["links"]["seat"]
        made.leave(me, opened.game.id)
        await until(lambda: opened.closing is None)
        again = await made.watch(me, opened.game.id)
        assert again is not opened and made.state(again, me)["links"]["seat"] == link
        await made.sit(other, opened.game.id, link.partition("#")[2])
        for each in (me, other):
            made.leave(each, opened.game.id)
        await until(lambda: again.closing is None)
        assert "seat" not in made.state(await made.watch(me, opened.game.id), me)["links"]

    with_open_games(tmp_path, play)


def test_a_game_that_another_program_deletes_is_gone_and_no_other_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_games, "POLL_SECONDS", 0.02)

    async def play(made: OpenGames) -> None:
        me = owner()
        first, second = [await made.create(me, GameSettings()) for _ in range(2)]
        for opened in (first, second):
            await made.watch(me, opened.game.id)
        made.library.games.delete([first.game.id])
        with pytest.raises(Refused, match="This game does not exist"):
            await made.do(first, Play((0,), cell=(7, 7)))
        with pytest.raises(Refused, match="This game does not exist"):
            await made.open(first.game.id, me)
        await asyncio.sleep(0.1)
        other = StoredGame(made.library, second.game.id)
        other.do(Play((0,), cell=(7, 7)))
        await until(lambda: second.game.cells == ((7, 7),))

    with_open_games(tmp_path, play)


def test_a_brains_move_that_cannot_be_written_is_written_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_games, "AGAIN_SECONDS", 0.05)

    async def play(made: OpenGames) -> None:
        append, failures = made.library.games.append, iter(range(3))

        def full(id: str, expected: int, new_events: Sequence[NewEvent], at: float | None = None) -> list[Event]:
            if new_events and next(failures, None) is not None:
                raise OSError("the disk is full")
            return append(id, expected, new_events, at)

        monkeypatch.setattr(made.library.games, "append", full)
        opened = await begin(made, owner(), 50)
        await until(lambda: len(opened.game.cells) == 3)
        assert list(failures) == [] and not opened.game.is_paused

    with_open_games(tmp_path, play)


def test_a_brain_that_the_system_cannot_start_pauses_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "temporary"
    monkeypatch.setattr("tempfile.tempdir", str(folder))

    async def play(made: OpenGames) -> None:
        told: list[str] = []

        async def take(text: str) -> None:
            told.append(json.loads(text).get("text", ""))

        async def is_told(times: int) -> None:
            await until(lambda: sum("cannot be asked" in text for text in told) == times)

        client = Client(take, True, None)
        writing = asyncio.create_task(client.deliver())
        settings = GameSettings.parse({"black": brain(turn_ms=50), "white": PERSON, "start": OFF_BOOK})
        opened = await made.create(client, settings)
        await made.watch(client, opened.game.id)
        for attempt in range(2):
            await until(lambda: opened.game.is_paused and not opened.is_thinking)
            await is_told(attempt + 1)
            assert not opened.game.is_over and not made.pool.is_asked(opened.game.id)
            if attempt:
                folder.mkdir()
            await made.do(opened, Resume((1,)))
        await until(lambda: len(opened.game.cells) == 3)
        writing.cancel()

    with_open_games(tmp_path, play)


def test_a_move_of_two_brains_without_a_clock_waits_until_it_can_be_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_game, "LOOK_SECONDS", 3600)

    async def play(made: OpenGames) -> None:
        client, settings = owner(), {"black": brain(), "white": brain(), "start": OFF_BOOK}
        waiting = await made.create(client, GameSettings.parse(settings))
        playing = await made.create(client, GameSettings.parse({**settings, "clock": {"main": 60}}))
        for opened in (waiting, playing):
            await made.watch(client, opened.game.id)
        await until(lambda: len(playing.game.cells) > 4)
        await until(lambda: not made.pool.is_asked(waiting.game.id))
        assert len(waiting.game.cells) == 2 and waiting.is_thinking
        await made.do(waiting, Pause((), is_owner=True))
        assert not waiting.is_thinking and len(waiting.game.cells) == 2
        monkeypatch.setattr(open_game, "LOOK_SECONDS", 0)
        await made.do(waiting, Resume((), is_owner=True))
        await until(lambda: len(waiting.game.cells) > 4)

    with_open_games(tmp_path, play)


def test_a_clock_stands_until_somebody_comes_after_the_server_was_down(tmp_path: Path) -> None:
    """A server takes a while to start, and a page to find it again."""

    async def play(made: OpenGames) -> None:
        then = time.time() - 1000
        id = made.library.games.create(GameSettings(clock=ClockSettings(60)), at=then)
        kept = StoredGame(made.library, id, lambda: then)
        kept.do(Play((0,), cell=(7, 7)))
        opened = await made.watch(owner(), id)
        assert not opened.game.is_over and opened.game.clocks is not None
        assert 55 < (opened.game.clocks.at(time.time())[1] or 0) <= 60

    with_open_games(tmp_path, play)


def test_the_list_of_games_has_the_colours_that_were_chosen(tmp_path: Path) -> None:
    with Library(tmp_path / "games.sqlite") as library:
        id = library.games.create(GameSettings(opening="swap", white=Seat("brain", "tengen")))
        kept = StoredGame(library, id)
        for ply in range(3):
            kept.do(Play((0,), cell=(ply, 0)))
        described = describe_summary(library.games.find(id))
        assert (described["names"], described["kinds"]) == (["", "tengen"], ["local", "brain"])
        kept.do(Choose((1,), choice="black"))
        assert describe_summary(library.games.find(id))["names"] == ["tengen", ""]


def test_a_game_does_not_close_while_somebody_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_games, "GRACE", 0.01)

    async def play(made: OpenGames) -> None:
        opened = await made.create(owner(), GameSettings())
        seats_of = made.library.games.seats_of

        def slowly(id: str, digest: bytes) -> tuple[int, ...]:
            time.sleep(0.1)
            return seats_of(id, digest)

        monkeypatch.setattr(made.library.games, "seats_of", slowly)
        assert await made.watch(friend(), opened.game.id) is opened is await made.open(opened.game.id, owner())

    with_open_games(tmp_path, play)
