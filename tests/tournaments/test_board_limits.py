"""How many there may be at once: games, those who watch one, games in an hour, and analyses of guests."""

from pathlib import Path

import pytest
from board_server import PERSON, with_open_games

from tournaments.board.game.events import GameSettings
from tournaments.board.game.game import Refused
from tournaments.board.server import analysis_requests, open_games
from tournaments.board.server.analysis_requests import AnalysisRequests
from tournaments.board.server.clients import Client
from tournaments.board.server.open_games import OpenGames

GAME = GameSettings.parse({"black": PERSON, "white": PERSON})
POSITION = {"type": "analyse", "position": {"moves": [[7, 7], [8, 8]]}}


async def ignore(text: str) -> None:
    pass


def client(is_owner: bool = True) -> Client:
    return Client(ignore, is_owner, None)


def test_so_many_games_are_open_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_games, "MOST_OPEN", 2)

    async def play(made: OpenGames) -> None:
        me = client()
        open_ones = [await made.create(me, GAME) for _ in range(2)]
        with pytest.raises(Refused, match="Too many games are open at the moment"):
            await made.create(me, GAME)
        assert await made.watch(me, open_ones[0].game.id) is open_ones[0], "those that are open go on"

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
        with pytest.raises(Refused, match="Too many games were begun in the last hour"):
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
        with pytest.raises(Refused, match="Too many guests have an analysis"):
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
