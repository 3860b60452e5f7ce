"""The limits of the board's server: open games, watchers of a game, games in an hour, and analyses of guests."""

import asyncio
import threading
from pathlib import Path

import pytest
from board_server import FRIEND, PERSON, with_open_games
from waiting import wait_until_async

from tournaments.board.engines.analysis import Analysis, Variation
from tournaments.board.game.actions import Play
from tournaments.board.game.events import GameSettings
from tournaments.board.game.game import Refused
from tournaments.board.library.library import Library
from tournaments.board.messages.parts import WantedPosition
from tournaments.board.messages.position_requests import AnalyseRequest, FoulsRequest, ImportRequest, ThreatsRequest
from tournaments.board.server import analysis_requests, limits, open_game, open_games, places
from tournaments.board.server.analysis_requests import AnalysisRequests
from tournaments.board.server.clients import Client
from tournaments.board.server.open_game import OpenGame
from tournaments.board.server.open_games import OpenGames
from tournaments.rules.referee import Rule

GAME = GameSettings.parse({"black": PERSON, "white": PERSON})
POSITION = AnalyseRequest(type="analyse", position=WantedPosition(moves=((7, 7),)))


async def ignore(text: str) -> None:
    pass


def client(is_owner: bool = True, guest: str | None = None, address: str = "") -> Client:
    return Client(ignore, is_owner, guest, address)


def test_so_many_games_are_open_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_games, "MOST_OPEN", 2)

    async def play(made: OpenGames) -> None:
        me = client()
        open_ones = [await made.create(me, GAME) for _ in range(2)]
        with pytest.raises(Refused, match="Too many games are open at the moment"):
            await made.create(me, GAME)
        assert await made.watch(me, open_ones[0].game.id) is open_ones[0], "those that are open go on"

    with_open_games(tmp_path, play)


def test_games_that_guests_keep_open_leave_the_owner_room_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_games, "MOST_OPEN", 3)
    monkeypatch.setattr(open_games, "MOST_OPEN_FOR_GUESTS", 1)
    monkeypatch.setattr(open_games, "GRACE", 0.0)

    async def play(made: OpenGames) -> None:
        me, guest = client(), client(False)
        ids = [made.library.games.create(GAME) for _ in range(3)]
        await made.watch(guest, ids[0])
        with pytest.raises(Refused, match="Too many games are open at the moment"):
            await made.watch(guest, ids[1])
        with pytest.raises(Refused, match="Too many games are open at the moment"):
            await made.create(guest, GAME)
        assert made.library.games.count() == len(ids), "a game that cannot be opened is not made"
        for id in ids:
            await made.watch(me, id)
        await made.watch(guest, ids[1])

    with_open_games(tmp_path, play)


@pytest.mark.parametrize("how", ["its page", "its board"])
def test_a_long_game_that_many_guests_ask_for_at_once_makes_no_player_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    is_free, read = threading.Event(), open_game.read_open_game

    def read_slowly(library: Library, id: str, began: float | None = None) -> OpenGame:
        if id == long:
            is_free.wait(60)
        return read(library, id, began)

    async def play(made: OpenGames) -> None:
        nonlocal long
        long = made.library.games.create(GAME)
        opened, guest = await made.create(client(), GAME), client(False)
        asked = [made.glimpse(long, guest) if how == "its page" else made.watch(guest, long) for _ in range(20)]
        answers = asyncio.gather(*asked)
        await asyncio.sleep(0)
        try:
            await asyncio.wait_for(made.do(opened, Play((0,), cell=(7, 7))), 10)
        finally:
            is_free.set()
        assert None not in await answers
        made.leave(guest, long)

    long = ""
    monkeypatch.setattr(open_game, "read_open_game", read_slowly)
    with_open_games(tmp_path, play)


def test_so_many_watch_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_games, "MOST_WATCHERS", 2)

    async def play(made: OpenGames) -> None:
        me, second, third = client(), client(False), client(False)
        opened = await made.create(me, GAME)
        for each in (me, second, me):
            await made.watch(each, opened.game.id)
        with pytest.raises(Refused, match="Too many people watch this game"):
            await made.watch(third, opened.game.id)
        made.leave(second, opened.game.id)
        await made.watch(third, opened.game.id)

    with_open_games(tmp_path, play)


def test_so_many_games_are_begun_in_an_hour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_games, "MOST_CREATED_AN_HOUR", 2)

    async def play(made: OpenGames) -> None:
        me = client()
        for _ in range(2):
            await made.create(me, GAME)
        with pytest.raises(Refused, match="Too many games were started in the last hour"):
            await made.create(me, GAME)
        assert len(made.library.games.all()) == 2, "nothing is kept of what is refused"

    with_open_games(tmp_path, play)


def test_so_many_guests_have_an_analysis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    """What is ended before it has begun leaves no warning on the server's terminal either."""
    monkeypatch.setattr(analysis_requests, "MOST_GUESTS", 2)

    async def play(made: OpenGames) -> None:
        asked = AnalysisRequests(made.pool, made)
        analyse = asked.handlers()["analyse"]
        first, second, third, me = client(False), client(False), client(False), client()
        for each in (first, second, first):
            await analyse(each, POSITION)
        with pytest.raises(Refused, match="Too many guests are analysing"):
            await analyse(third, POSITION)
        await analyse(me, POSITION)
        assert "study" in me.tasks and "study" not in third.tasks
        asked.leave(second)
        await analyse(third, POSITION)
        assert "study" in third.tasks
        for each in (first, third, me):
            asked.leave(each)

    with_open_games(tmp_path, play)
    assert [warning.message for warning in recwarn if "never awaited" in str(warning.message)] == []


def test_a_guest_has_one_analysis_and_neighbours_leave_room_for_others(tmp_path: Path) -> None:
    async def play(made: OpenGames) -> None:
        asked = AnalysisRequests(made.pool, made)
        analyse = asked.handlers()["analyse"]
        first = client(False, "a", "192.0.2.1")
        await analyse(first, POSITION)
        with pytest.raises(Refused, match="Too many guests are analysing"):
            await analyse(client(False, "a", "192.0.2.1"), POSITION)
        neighbours = [client(False, name, "192.0.2.1") for name in ("b", "c")]
        for each in neighbours:
            await analyse(each, POSITION)
        with pytest.raises(Refused, match="Too many guests are analysing"):
            await analyse(client(False, "d", "192.0.2.1"), POSITION)
        other = client(False, "e", "192.0.2.2")
        await analyse(other, POSITION)
        for each in (first, *neighbours, other):
            asked.leave(each)
        asked.close()

    with_open_games(tmp_path, play)


def test_rematches_of_guests_leave_the_owner_games_to_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_games, "MOST_REMATCHES_AN_HOUR", 1)

    async def play(made: OpenGames) -> None:
        guest = client(False)
        await made.create(guest, GAME)
        with pytest.raises(Refused, match="Too many games were started in the last hour"):
            await made.create(guest, GAME)
        await made.create(client(), GAME)

    with_open_games(tmp_path, play)


def test_watchers_keep_neither_the_owner_nor_a_player_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_games, "MOST_WATCHERS", 1)

    async def play(made: OpenGames) -> None:
        opened = await made.create(client(), GameSettings.parse({"black": PERSON, "white": FRIEND}))
        friend = client(False, "f" * 43)
        await made.sit(friend, opened.game.id, opened.secrets[1])
        made.leave(friend, opened.game.id)
        await made.watch(client(False, "g" * 43), opened.game.id)
        with pytest.raises(Refused, match="Too many people watch this game"):
            await made.watch(client(False, "h" * 43), opened.game.id)
        await made.watch(friend, opened.game.id)
        await made.watch(client(), opened.game.id)

    with_open_games(tmp_path, play)


@pytest.mark.parametrize(
    ("kind", "work", "request_"),
    [
        ("import", "read_records", ImportRequest(type="import", text="h8i9")),
        ("fouls", "forbidden_cells", FoulsRequest(type="fouls", position=WantedPosition(rule=Rule.RENJU))),
    ],
)
def test_texts_and_positions_of_guests_wait_for_one_another_and_never_for_a_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, work: str, request_: ImportRequest | FoulsRequest
) -> None:
    """While all that guests may have read at once is being read, the owner's is read too."""

    async def play(made: OpenGames) -> None:
        asked = AnalysisRequests(made.pool, made)
        read, is_free = asked.handlers()[kind], threading.Event()
        monkeypatch.setattr(analysis_requests, work, lambda read: is_free.wait(60) and {})
        most = analysis_requests.MOST_GUEST_TEXTS
        waiting = [asyncio.ensure_future(read(client(False), request_)) for _ in range(most)]
        await asyncio.sleep(0)
        try:
            with pytest.raises(Refused, match="Too many texts and positions of guests wait"):
                await asyncio.wait_for(read(client(False), request_), 10)
            opened = await made.create(client(), GAME)
            await asyncio.wait_for(made.do(opened, Play((0,), cell=(7, 7))), 30)
        finally:
            is_free.set()
        await asyncio.gather(*waiting)
        asked.close()

    with_open_games(tmp_path, play)


def test_the_kind_of_a_win_is_found_beside_the_loop_that_answers_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long win on a large board takes the referee a while."""
    found_in: list[threading.Thread] = []

    def find(*_: object) -> str:
        found_in.append(threading.current_thread())
        return "fours"

    async def analyse(*_: object) -> Analysis:
        return Analysis((Variation(((8, 8),), None, 3, 1.0, 4),), 1, 1)

    async def play(made: OpenGames) -> None:
        asked = AnalysisRequests(made.pool, made)
        monkeypatch.setattr(made.pool, "analyse", analyse)
        for each in (client(), client(False)):
            await asked.handlers()["threats"](each, ThreatsRequest(type="threats", position=POSITION.position))
            await each.tasks["study"]
        asked.close()

    monkeypatch.setattr(analysis_requests, "kind_of_win", find)
    with_open_games(tmp_path, play)
    assert len(found_in) == 4 and threading.current_thread() not in found_in


def test_a_fault_of_an_analysis_is_told_and_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[str] = []

    async def take(text: str) -> None:
        heard.append(text)

    async def fail(*_: object, **more: object) -> Analysis:
        raise ZeroDivisionError("while it was analysed")

    async def play(made: OpenGames) -> None:
        asked, me = AnalysisRequests(made.pool, made), Client(take, True, None)
        monkeypatch.setattr(made.pool, "analyse", fail)
        delivering = asyncio.create_task(me.deliver())
        await asked.handlers()["analyse"](me, POSITION)
        await wait_until_async(lambda: heard, 20, "the answer")
        delivering.cancel()
        asked.close()

    with_open_games(tmp_path, play)
    assert '"code":"server.failed"' in heard[0] and "ZeroDivisionError: while it was analysed" in caplog.text


def test_places_are_kept_for_the_owner_and_the_seated(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, most in (("CONNECTIONS", 9), ("GUESTS", 8), ("UNSEATED", 6), ("OF_ADDRESS", 3), ("OF_GUEST", 2)):
        monkeypatch.setattr(places, f"MOST_{name}", most)
    kept = places.Places()
    taken = [client(False, f"{number}", "192.0.2.1") for number in range(3)]
    assert all(kept.take(each, False) for each in taken)
    assert not kept.take(client(False, "more", "192.0.2.1"), False), "its address has its share"
    others = [client(False, "same", "192.0.2.2") for _ in range(2)]
    assert all(kept.take(each, False) for each in others)
    assert not kept.take(client(False, "same", "192.0.2.3"), False), "the guest has its share"
    assert kept.take(client(False, "last", "192.0.2.3"), False)
    assert not kept.take(client(False, "late", "192.0.2.4"), False), "the others are for the seated"
    seated = [client(False, "seated", "192.0.2.1") for _ in range(2)]
    assert all(kept.take(each, True) for each in seated)
    assert not kept.take(client(False, "seated too", "192.0.2.1"), True), "the last are for the owner"
    assert kept.take(client(address="192.0.2.1"), False)
    for each in (*seated, *taken):
        kept.give_back(each)
    assert all(kept.take(each, False) for each in taken), "places that are given back are free"


def test_rates_are_kept_for_so_many_addresses() -> None:
    rates = limits.Rates(0.0, 1)
    first = rates.of("192.0.2.1")
    assert first.take() and not rates.of("192.0.2.1").take()
    for number in range(5000):
        rates.of(f"{number}")
    assert rates.of("192.0.2.1") is not first, "it was forgotten"


def test_a_house_is_one_address() -> None:
    assert limits.network_of("2001:db8::1") == limits.network_of("2001:db8::2") != limits.network_of("2001:db8:1::1")
    assert limits.network_of("::ffff:192.0.2.1") == limits.network_of("192.0.2.1") != limits.network_of("192.0.2.2")
    assert limits.network_of("fe80::1%eth0") == "fe80::/64"
