"""The state of a game that is shown while a thread changes it: a real position, never one of a trial move."""

import asyncio
import sys
import time
from pathlib import Path
from random import Random

import pytest
from board_server import with_open_games
from waiting import wait_until_async

from tournaments.board.game.actions import Comment, Play, Resign, Undo
from tournaments.board.game.events import ClockSettings, GameSettings
from tournaments.board.game.game import Refused
from tournaments.board.server.clients import Client
from tournaments.board.server.open_game import OpenGame
from tournaments.board.server.open_games import OpenGames
from tournaments.rules.referee import BLACK, Board, Cell, Rule, find_foul

Shown = tuple[tuple[Cell, ...], frozenset[Cell]]


async def _ignore(text: str) -> None:
    """Drops the text, for clients whose messages do not matter."""


def fouls(cells: tuple[Cell, ...]) -> frozenset[Cell]:
    """Where Black may not play after these stones, by a board of their own."""
    board = Board(15, 15, Rule.RENJU)
    for cell in cells:
        board.place(*cell)
    return frozenset(cell for cell in board.empty_cells() if find_foul(board, *cell) is not None)


async def play_at_random(made: OpenGames, client: Client, chance: Random) -> OpenGame:
    """Two at one screen play in the middle of the board until the game is over, and take stones back now and then."""
    opened = await made.create(client, GameSettings(rule=Rule.RENJU))
    await made.watch(client, opened.game.id)
    for _ in range(90):
        mover = opened.game.mover
        if mover is None:
            break
        cell = chance.randrange(4, 11), chance.randrange(4, 11)
        try:
            if chance.random() < 0.2:
                await made.do(opened, Undo((mover,)))
            else:
                await made.do(opened, Play((mover,), cell=cell))
        except Refused:
            continue
    made.leave(client, opened.game.id)
    return opened


def show_while_playing(tmp_path: Path, count: int) -> set[Shown]:
    """The states shown of `count` positions with Black to move, while another thread plays their game."""
    shown: set[Shown] = set()

    async def play(made: OpenGames) -> None:
        client, chance = Client(_ignore, True, None), Random(5)

        async def look() -> None:
            deadline = time.monotonic() + 3600
            while time.monotonic() < deadline:
                for opened in list(made._open_games.values()):
                    state = made.state(opened, client)
                    cells = tuple(tuple(move["cell"]) for move in state["moves"])
                    if state["to_move"] == BLACK and state["phase"] == "play" and len(cells) > 4:
                        shown.add((cells, frozenset(tuple(each["cell"]) for each in state["forbidden"])))
                await asyncio.sleep(0.0005)

        looking = asyncio.create_task(look())
        while len({cells for cells, _ in shown}) < count:
            await play_at_random(made, client, chance)
            assert not looking.done()
        looking.cancel()

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with_open_games(tmp_path, play, 60 + count)
    finally:
        sys.setswitchinterval(before)
    return shown


@pytest.mark.parametrize("count", [40, pytest.param(2000, marks=pytest.mark.slow)])
def test_forbidden_points_are_right_while_stones_are_tried_out(tmp_path: Path, count: int) -> None:
    shown = show_while_playing(tmp_path, count)
    wrong = [cells for cells, forbidden in shown if forbidden != fouls(cells)]
    assert len(wrong) == 0 and sum(bool(forbidden) for _, forbidden in shown) > count / 10


def test_a_snapshot_stays_as_it_was(tmp_path: Path) -> None:
    async def play(made: OpenGames) -> None:
        client = Client(_ignore, True, None)
        opened = await made.create(client, GameSettings(clock=ClockSettings(60)))
        await made.watch(client, opened.game.id)
        for ply in range(4):
            await made.do(opened, Play((ply % 2,), cell=(ply, 0)))
        before = opened.game
        now = before.clocks.since if before.clocks is not None else 0.0
        text = before.state(now)
        await made.do(opened, Undo((0,)))
        await made.do(opened, Comment((), is_owner=True, ply=1, text="well"))
        await made.do(opened, Resign((0,)))
        assert before.state(now) == text and opened.game.event == before.event + 4
        assert opened.game.is_over and not before.is_over and len(before.moves) == 4

    with_open_games(tmp_path, play)


def test_what_somebody_did_who_has_gone_is_shown_to_the_others(tmp_path: Path) -> None:
    """A connection that ends while its move is written down takes nothing from those who watch."""

    async def play(made: OpenGames) -> None:
        heard: list[str] = []

        async def hear(text: str) -> None:
            heard.append(text)

        other = Client(hear, False, None)
        opened = await made.create(Client(_ignore, True, None), GameSettings())
        await made.watch(other, opened.game.id)
        delivering = asyncio.create_task(other.deliver())
        for ply in range(12):
            asking = asyncio.create_task(made.do(opened, Play((ply % 2,), cell=(ply, ply % 3))))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            await wait_until_async(lambda ply=ply: f'"event":{ply + 2},' in "".join(heard[-1:]), 20, "the state")
            assert len(opened.game.moves) == ply + 1
        delivering.cancel()

    with_open_games(tmp_path, play)
