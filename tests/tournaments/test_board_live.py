"""A tournament on the page while it runs: read as it grows, by late and slow watchers, to its end or its manager's."""

import asyncio
import dataclasses
import itertools
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from board_page import Table, chromium, options
from board_server import PATIENCE, Answer, Player, Server, run
from needs import needs_processes
from pages import PAGES, shell_commands
from processes import ROOT, processes_of, wait_until_gone
from waiting import read_until, wait_until, wait_until_async

from tournaments.board.live.news import news_between
from tournaments.board.live.tournament import LiveTournament
from tournaments.board.messages.requests import PROTOCOL
from tournaments.board.server.clients import Client, to_text
from tournaments.board.server.live_tournament import MOST_KEPT, LiveService
from tournaments.cli.main import main
from tournaments.cli.serve import _listen_for
from tournaments.play.game import Clocks
from tournaments.play.live_file import LiveFile, RunningGame, live_file_path, read_live_file, remove_live_file
from tournaments.rules.ending import Ending
from tournaments.rules.referee import WHITE, Board
from tournaments.stats.results import GameRow, PairingRow, PlayerRow
from tournaments.storage.store import Store
from tournaments.storage.store_schema import MoveRow, TournamentRow
from tournaments.translations.catalogue import languages, texts

SHOWN = [
    command for page in PAGES for command in shell_commands(page) if command.startswith("tengen serve --tournament")
]
FAST = Path(__file__).parent / "brains" / "fast.py"
TENGEN = [sys.executable, "-m", "tournaments.cli"]

SETTINGS = {"brains": {"one": {"command": "one"}, "two": {"command": "two"}}}
TOURNAMENT = TournamentRow("cup", "match", 15, 15, 0, SETTINGS, 1.5, "running", "")
PLAYERS = [PlayerRow(0, "one", "one", "ab" * 32), PlayerRow(1, "two", "two", "cd" * 32)]
PAIRINGS = [PairingRow(number, f"{number:016}", 1, 0, 1, 1, "", 2) for number in (1, 2)]
MOVES = [MoveRow(ply, ply, ply % 2, 5) for ply in range(9)]


def game(number: int, winner: int | None, ending: Ending = Ending.FIVE, detail: str = "") -> GameRow:
    first = 1 - number % 2
    return GameRow(
        number,
        (number + 1) // 2,
        2 - number % 2,
        first,
        1 - first,
        winner,
        ending,
        detail,
        0,
        10.0,
        10.0 + number,
        0.5,
        0.25,
        0,
        0,
        "here",
    )


def merged(state: Answer, news: Answer) -> Answer:
    """A state with what has changed, as a page keeps it."""
    if news["type"] == "tournament":
        return news
    lists = {"players": ("id",), "cross": ("first", "second"), "last": ("number",)}
    found = {**state, **{key: value for key, value in news.items() if key not in ("type", "over", *lists)}}
    for key, names in lists.items():
        rows = [*news.get(key, []), *state[key]]
        found[key] = list({tuple(row[name] for name in names): row for row in reversed(rows)}.values())
    found["players"].sort(key=lambda row: row["place"])
    found["last"].sort(key=lambda row: row["number"], reverse=True)
    games = {game["number"]: game for game in state["running"] if game["number"] not in news.get("over", [])}
    for game in news.get("running", []):
        before, first = games.get(game["number"], {}), game["from"]
        grown = {key: [*before.get(key, [])[:first], *game[key]] for key in ("moves", "shares")}
        games[game["number"]] = {key: value for key, value in {**before, **game, **grown}.items() if key != "from"}
    found["running"] = [games[number] for number in sorted(games)]
    if "history" in news:
        points = [*state["history"]["points"], *news["history"]["points"]]
        step = news["history"]["step"]
        found["history"] = {"step": step, "points": [point for point in points if point["games"] % step == 0]}
    return found


async def watch_until(player: Player, holds: Callable[[Answer], object]) -> Answer:
    """The first state for which that holds, of a watcher that asks for the state once."""
    state = await player.ask("tournament")
    while not holds(state):
        message = await player.hear()
        if message["type"].startswith("tournament"):
            state = merged(state, message)
    return state


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The store of a tournament in progress."""
    with Store.create(tmp_path / "cup.tengen", TOURNAMENT, PLAYERS, PAIRINGS) as store:
        yield store


def test_a_store_is_read_while_it_grows(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.board.live.tournament.SHARE", 0)
    live = LiveTournament(store.path)
    live.look()
    assert not live.look(), "nothing has happened"
    state = live.state("en")
    assert (state["name"], state["state"], state["finished"], state["games"]) == ("cup", "running", 0, 4)
    assert [player["games"] for player in state["players"]] == [0, 0] and state["last"] == state["running"] == []
    store.add_game(game(1, 0), MOVES)
    assert live.look() and live.state("en")["last"] == [
        {"number": 1, "black": "one", "white": "two", "winner": 0, "reason": "five in a row"}
    ]
    store.add_game(game(2, None, Ending.AGREED_DRAW, "+-3"), MOVES)
    assert live.look()
    state = live.state("zh")
    assert [last["number"] for last in state["last"]] == [2, 1] and state["last"][0][
        "reason"
    ] == "双方评分接近\uff08+-3\uff09"
    assert [(row["name"], row["points"], row["wins"], row["draws"]) for row in state["players"]] == [
        ("one", 1.5, 1, 1),
        ("two", 0.5, 0, 1),
    ]
    found = live.game(2, "en")
    assert found is not None and (found["black"], found["white"]) == ("two", "one")
    assert found["moves"] == [[move.x, move.y] for move in MOVES]
    assert live.game(3, "en") is None
    store.set_state("stopped", "H1 is accepted")
    assert live.look() and (live.state("en")["state"], live.state("en")["note"]) == ("stopped", "H1 is accepted")


def test_one_game_is_read_without_the_others(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store may hold 20,000."""
    store.add_game(game(1, 0), MOVES)
    store.add_game(game(2, 1), MOVES)
    live = LiveTournament(store.path)
    monkeypatch.setattr(Store, "games", lambda store: pytest.fail("all games are read"))
    found = live.game(2, "en")
    assert found is not None and found["number"] == 2 and found["winner"] == 1 and live.game(3, "en") is None


def test_three_players_are_read_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.board.live.tournament.SHARE", 0)
    monkeypatch.setattr("tournaments.board.live.tournament.LONGEST", 0.0)
    brains = {**SETTINGS["brains"], "three": {"command": "three"}}
    row, third = dataclasses.replace(TOURNAMENT, settings={"brains": brains}), PlayerRow(2, "three", "three", "ef" * 32)
    with Store.create(tmp_path / "cup.tengen", row, [*PLAYERS, third], PAIRINGS) as store:
        live = LiveTournament(store.path)
        store.add_game(game(1, 0), MOVES)
        assert live.look() and not live.look() and live.state("en")["finished"] == 1


def test_a_look_that_fails_is_told_and_the_next_one_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("tournaments.board.server.live_tournament.TICK", 0.001)

    async def watch() -> None:
        live, looks = LiveTournament(store.path), 0
        seen = asyncio.Event()

        def look() -> bool:
            nonlocal looks
            looks += 1
            if looks < 4:
                raise ZeroDivisionError(f"look {(looks + 1) // 2}")
            loop.call_soon_threadsafe(seen.set)
            return False

        loop = asyncio.get_running_loop()
        monkeypatch.setattr(live, "look", look)
        service = LiveService(live, "1")
        await service.start()
        await asyncio.wait_for(seen.wait(), PATIENCE)
        await service.close()

    run(watch())
    assert [str(record.exc_info[1]) for record in caplog.records if record.exc_info] == ["look 1", "look 2"]


def test_who_looks_keeps_no_manager_from_closing_its_file(store: Store) -> None:
    live = LiveTournament(store.path)
    store.add_game(game(1, 0), MOVES)
    live.look()
    store.close()
    assert not store.path.with_name("cup.tengen-wal").exists()
    live.end()
    assert live.state("en")["state"] == "interrupted" and live.state("en")["finished"] == 1


def test_a_run_without_watch_is_not_said_to_play_nothing(store: Store) -> None:
    """The run did not write its games in progress down, so none of them is known."""
    store.set_state("running", "")
    live = LiveTournament(store.path)
    assert live.state("en")["state"] == "running" and live.state("en")["unseen"]
    store.set_state("finished", "")
    live = LiveTournament(store.path)
    assert not live.state("en")["unseen"]


def test_the_file_of_an_older_manager_is_read(store: Store) -> None:
    """It tells neither chances nor when its run began, so that no time left is known."""
    game = {"number": 1, "black": "one", "white": "two", "cells": [[7, 7], [8, 8]], "thinking": 0, "since": 1.0}
    told = {"games": [{**game, "used": [70, 5], "left": [None, 2995]}]}
    live_file_path(store.path).write_text(json.dumps(told), encoding="utf-8")
    state = LiveTournament(store.path).state("en")
    assert [(each["number"], each["moves"], each["shares"]) for each in state["running"]] == [(1, ((7, 7), (8, 8)), ())]
    assert state["time_left"] is None
    for damaged in ("[]", '{"games": 1}', '{"games": [[]]}'):
        live_file_path(store.path).write_text(damaged, encoding="utf-8")
        assert LiveTournament(store.path).state("en")["running"] == []


def test_games_in_progress_are_read_until_they_are_over(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.board.live.tournament.SHARE", 0)
    live, live_file, board = LiveTournament(store.path), LiveFile(store.path), Board()
    live_file.start(1, "one", "two")
    live_file.start(3, "two", "one")
    clocks = Clocks(("one", "two"), (70, 5), (None, 2995), WHITE)
    messages = {(8, 8): "depth 4-9 ev 150 n 1200", (7, 8): "depth 9 ev +M7"}  # White's score, then Black's
    for cell in ((7, 7), (8, 8), (7, 8)):
        board.place(*cell)
        live_file.move(1, board, messages.get(cell, ""), clocks)
    live_file.move(2, board, "", clocks)  # not one that has begun
    cells = ((7, 7), (8, 8), (7, 8))
    wait_until(
        lambda: [len(each.cells) for each in read_live_file(store.path).games] == [3, 0], PATIENCE, "all is written"
    )
    first, second = read_live_file(store.path).games
    assert abs(first.since - time.time()) < PATIENCE and second == RunningGame(3, "two", "one")
    assert first == RunningGame(1, "one", "two", cells, (70, 5), (None, 2995), WHITE, first.since, (None, 27, 100))
    assert live.look()
    monkeypatch.setattr("time.time", lambda: first.since + 1.5)
    state = live.state("en")
    assert (
        state["in_progress"] == 2
        and not state["unseen"]
        and state["running"]
        == [
            {
                "number": 1,
                "black": "one",
                "white": "two",
                "moves": cells,
                "shares": (None, 27, 100),
                "used": (70, 5),
                "left": (None, 2995),
                "thinking": WHITE,
                "for": 1500,
            },
            {
                "number": 3,
                "black": "two",
                "white": "one",
                "moves": (),
                "shares": (),
                "used": None,
                "left": (None, None),
                "thinking": None,
                "for": 0,
            },
        ]
    )
    # A swap of the colours. No brain is to move after the end of a game, or if another machine's clock is late.
    live_file.move(3, board, "", Clocks(("one", "two"), (9, 9), (None, None), None))
    wait_until(lambda: read_live_file(store.path).games[1].black == "one", PATIENCE, "the colours are swapped")
    assert live.look()
    monkeypatch.setattr("time.time", lambda: first.since - 60)
    assert [(each["black"], each["for"]) for each in live.state("en")["running"]] == [("one", 0), ("one", 0)]
    monkeypatch.undo()
    monkeypatch.setattr("tournaments.board.live.tournament.SHARE", 0)
    # Its end stands in the store before the file says so.
    store.add_game(game(1, 0), MOVES)
    assert live.look() and [each["number"] for each in live.state("en")["running"]] == [3]
    live_file.finish(1)
    wait_until(
        lambda: [each.number for each in read_live_file(store.path).games] == [3], PATIENCE, "the other game is gone"
    )
    live_file.close()
    assert not list(store.path.parent.glob("*live*")) and read_live_file(store.path).games == []


@pytest.mark.parametrize("text", ["", "[]", '{"games": [1]}', '{"games": [{"number": 1}]}', "\x00", "[" * 9999])
def test_a_damaged_file_of_games_in_progress_shows_none(tmp_path: Path, text: str) -> None:
    live_file_path(tmp_path / "cup.tengen").write_text(text)
    assert read_live_file(tmp_path / "cup.tengen").games == []
    remove_live_file(tmp_path / "cup.tengen")
    assert list(tmp_path.iterdir()) == []


def test_a_live_file_that_cannot_be_written_ends_nothing(tmp_path: Path) -> None:
    live_file = LiveFile(tmp_path / "none" / "cup.tengen")
    live_file.start(1, "one", "two")
    live_file.close()


def test_every_ending_has_its_words() -> None:
    for language in languages():
        assert all(f"live.{ending.name.lower()}" in texts(language) for ending in Ending)


def test_a_slow_client_gets_all_changes_in_one_message(store: Store) -> None:
    heard: list[Answer] = []

    async def watch() -> None:
        may_read = asyncio.Event()

        async def send(text: str) -> None:
            await may_read.wait()
            heard.append(json.loads(text))

        service = LiveService(LiveTournament(store.path), "1")
        client = Client(send, False, None)
        delivering = asyncio.create_task(client.deliver())
        await service.take(client, '{"type": "tournament"}')
        await asyncio.sleep(0)  # the answer is on its way, and is not read
        for number in (1, 2, 3):
            store.add_game(game(number, 0), MOVES)
            await service.end()
        may_read.set()
        await wait_until_async(lambda: len(heard) >= 2, PATIENCE, "a second message is sent")
        # One who is too far behind, and one with another language, get the whole state again.
        for _ in range(MOST_KEPT):
            await service.end()
        client.language = "zh"
        await service.end()
        await wait_until_async(lambda: len(heard) >= 3, PATIENCE, "a third message is sent")
        client.is_gone = True
        client.answer({})
        await delivering
        service.leave(client)
        await service.close()

    run(watch())
    whole, news, again = heard[:3]
    assert (whole["type"], whole["finished"]) == ("tournament", 0)
    assert (news["type"], news["finished"], len(news["last"])) == ("tournament_news", 3, 3) and "name" not in news
    assert len(merged(whole, news)["last"]) == 3
    assert again["type"] == "tournament" and again["last"][0]["reason"] == texts("zh")["live.five"]


def test_news_lead_from_each_state_to_the_next(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games begin, grow, are taken over by others and end; nothing is sent twice."""
    monkeypatch.setattr("tournaments.board.live.tournament.SHARE", 0)
    monkeypatch.setattr("time.time", lambda: 1000.0)
    live, live_file, boards = LiveTournament(store.path), LiveFile(store.path), {1: Board(), 3: Board()}
    clocks = Clocks(("one", "two"), (70, 5), (None, 2995), WHITE)

    def told(number: int, *cells: tuple[int, int]) -> Answer:
        for cell in cells:
            boards[number].place(*cell)
            live_file.move(number, boards[number], "ev 12", clocks)
        count = len(boards[number].stones)
        wait_until(
            lambda: [len(each.cells) for each in read_live_file(store.path).games if each.number == number] == [count],
            PATIENCE,
            "it is written",
        )
        live.look()
        return json.loads(to_text(live.state("en")))

    states = [json.loads(to_text(live.state("en")))]
    live_file.start(1, "one", "two")
    states.append(told(1, (7, 7), (8, 8)))
    live_file.start(3, "two", "one")
    states += [told(3, (7, 7)), told(1, (9, 9))]
    store.add_game(game(1, 0), MOVES)
    live_file.finish(1)
    states.append(told(3, (1, 1), (2, 2)))
    store.add_game(game(2, None), MOVES)
    states.append(told(3))
    live_file.close()
    seen = states[0]
    for before, after in itertools.pairwise(states):
        news = news_between(before, after)
        assert news is not None and "name" not in news
        seen = merged(seen, news)
        assert seen == after
    assert news_between(seen, states[-1]) is None
    grown = news_between(states[2], states[3])
    assert grown is not None and grown.keys() == {"type", "running"}
    (only,) = grown["running"]
    assert (only["number"], only["from"], only["moves"], only["shares"]) == (
        1,
        2,
        [[9, 9]],
        [52],
    ) and "black" not in only
    ended = news_between(states[3], states[4])
    assert ended is not None and ended["over"] == [1] and [each["number"] for each in ended["last"]] == [1]


def test_the_time_left_follows_the_speed_of_this_run(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.board.live.tournament.FEWEST_TIMED", 2)
    for number in (1, 2, 3):
        store.add_game(game(number, 0), MOVES)  # they end at 11, 12 and 13
    with monkeypatch.context() as patch:
        patch.setattr("time.time", lambda: 9.0)
        live_file = LiveFile(store.path, 1)
    wait_until(lambda: read_live_file(store.path).began == 9.0, PATIENCE, "the beginning is written")
    assert LiveTournament(store.path).state("en")["time_left"] == 2, "two games in four seconds, and one is left"
    store.set_state("stopped", "")
    assert LiveTournament(store.path).state("en")["time_left"] is None
    live_file.close()
    store.set_state("running", "")
    assert LiveTournament(store.path).state("en")["time_left"] is None, "nothing is known of the run"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--tournament", "{}/none.tengen"], "there is no tournament {}/none.tengen"),
        (["--tournament", "{}/other"], "{}/other is not a tournament of Tengen's: file is not a database"),
        (
            ["--tournament", "{}/cup.tengen", "--brain", "x=y"],
            "--brain cannot be combined with --tournament, which only shows the tournament",
        ),
        (
            ["--tournament", "{}/cup.tengen", "--host", "0.0.0.0"],
            "--host 0.0.0.0 can be reached from other machines: add --lan to allow that",
        ),
        (["--until-eof"], "--until-eof goes with --tournament"),
    ],
)
def test_bad_input_is_one_sentence(
    store: Store, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = store.path.parent
    (folder / "other").write_text("something else, and long enough to be a file\n" * 40)
    assert main(["serve", *(word.format(folder) for word in words)]) == 2
    assert capsys.readouterr().err == f"tengen serve: {sentence.format(folder)}\n"


@pytest.mark.parametrize("command", SHOWN)
def test_the_commands_of_the_pages_show_a_stored_tournament(command: str, store: Store) -> None:
    store.add_game(game(1, 0), MOVES)
    store.close()
    words = [*TENGEN, *shlex.split(command)[1:], "--until-eof"]
    folder = store.path.parent
    with subprocess.Popen(
        words,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        found = read_until(process, r":(\d+)/live")
        server = Server(folder)
        server.port = int(found[1])

        async def look() -> Answer:
            async with Player(server, {"Origin": server.origin}) as player:
                return await player.ask("tournament")

        state = run(look())
        assert (state["state"], state["finished"], state["last"][0]["number"]) == ("interrupted", 1, 1)
        assert server.request("/live")[0] == 200
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


def test_a_run_without_watch_shows_its_games_to_who_looks_later(tmp_path: Path) -> None:
    """Another command starts its page while it runs."""
    store, brain = tmp_path / "cup.tengen", f'"{sys.executable}" -I -S "{FAST}" 0.05'
    words = [
        *TENGEN,
        "tournament",
        "run",
        "--store",
        str(store),
        "--name",
        "cup",
        "--brain",
        f"a={brain}",
        "--brain",
        f"b={brain}",
        "--games",
        "200",
        "--draw-after",
        "60",
        "--turn-time",
        "10",
        "--tolerance",
        "5",
    ]

    async def look(server: Server) -> Answer:
        async with Player(server, {"Origin": server.origin}) as player:
            return await watch_until(player, lambda state: not state["unseen"] and is_in_progress(state))

    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as playing:
        read_until(playing, "Started game 1 ")
        with subprocess.Popen(
            [*TENGEN, "serve", "--tournament", str(store), "--until-eof"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as page:
            server = Server(tmp_path)
            server.port = int(read_until(page, r":(\d+)/live")[1])
            state = run(look(server))
            page.communicate(timeout=PATIENCE)
        playing.send_signal(signal.SIGINT)
        playing.communicate(timeout=PATIENCE)
    assert state["state"] == "running" and {state["running"][0][colour] for colour in ("black", "white")} == {"a", "b"}
    assert not live_file_path(store).exists()


class Shown:
    """A tournament of fast brains that `--watch` shows; `server` talks to its page."""

    def __init__(self, folder: Path, games: int, *arguments: str) -> None:
        self.store = folder / "cup.tengen"
        brain = f'"{sys.executable}" -I -S "{FAST}" 0.02'
        self.process = subprocess.Popen(
            [
                *TENGEN,
                "tournament",
                "run",
                "--watch",
                "--store",
                str(self.store),
                "--name",
                "cup",
                "--brain",
                f"a={brain}",
                "--brain",
                f"b={brain}",
                "--games",
                str(games),
                "--draw-after",
                "30",
                "--turn-time",
                "10",
                "--tolerance",
                "5",
                "--reuse",
                "--concurrency",
                "2",
                *arguments,
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        found = read_until(
            self.process, r"http://127\.0\.0\.1:(\d+)/live; the page ends with this command$", self.process.stderr
        )
        self.link = found[0].partition(";")[0]
        self.server = Server(folder)
        self.server.port = int(found[1])

    def page_pid(self) -> int:
        """The process of the page's server."""
        (page,) = [
            each.pid for each in processes_of(self.process.pid, "tournaments.cli") if "--until-eof" in each.cmdline()
        ]
        return page

    def close(self) -> None:
        """Ends it, if it has not ended."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=PATIENCE)


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[Shown]:
    shown = Shown(tmp_path, 400)
    yield shown
    shown.close()


def is_in_progress(message: Answer) -> bool:
    return any(len(each["moves"]) > 2 for each in message["running"])


def test_a_late_watcher_gets_the_whole_state_and_every_finished_game(shown: Shown) -> None:
    async def watch() -> None:
        async with Player(shown.server, {"Origin": shown.server.origin}) as early:
            await early.ask("hello", language="en", protocol=PROTOCOL)
            state = await watch_until(early, lambda state: state["finished"] >= 3 and is_in_progress(state))
            assert state["watching"] == 1 and len(state["last"]) == state["finished"] == state["cross"][0]["draws"]
            async with Player(shown.server, {"Origin": shown.server.origin}) as late:
                state = await late.ask("tournament")
                assert state["finished"] >= 3 and len(state["last"]) >= 3 and state["games"] == 400
                assert {row["name"] for row in state["players"]} == {"a", "b"}
                first = await late.ask("tournament_game", number=1)
                assert len(first["moves"]) == len(first["shares"]) == 30 and first["winner"] is None
                await early.until(lambda message: message["type"] == "tournament_news" and message.get("watching") == 2)
                assert first["reason"].startswith("the length of the game")
                # The requests that watchers may send. One that fits no schema counts much, so the allowance of a guest
                # is enough for only a few of them.
                for number in (9999, "1", 1 << 70):
                    assert await late.refused("tournament_game", number=number) == "This game does not exist."
                for kind in ("create", "games", "review"):
                    assert await late.refused(kind) == "Unknown request."

    run(watch())
    # The page is at /live, where / leads; the games' addresses are another server's, and so are other origins.
    paths = "/", "/live", "/g/x", "/page/watch/live.js"
    assert [shown.server.request(path)[0] for path in paths] == [307, 200, 404, 200]
    assert shown.server.request("/live", Host="evil.example")[0] == 403
    assert shown.server.request("/live", Origin="http://evil.example")[0] == 403
    assert live_file_path(shown.store).exists()


@needs_processes
def test_a_manager_that_is_killed_leaves_a_page_that_says_so_and_ends(shown: Shown) -> None:
    page = shown.page_pid()

    async def watch() -> Answer:
        async with Player(shown.server, {"Origin": shown.server.origin}) as player:
            await watch_until(player, is_in_progress)
            os.kill(shown.process.pid, signal.SIGKILL)
            return await watch_until(player, lambda state: state["ended"])

    last = run(watch())
    assert last["state"] == "interrupted" and last["running"] == []
    assert wait_until_gone([page], PATIENCE) == []
    assert live_file_path(shown.store).exists(), "what it has left"
    with Server(shown.store.with_name("games.sqlite")) as board:
        assert board.request("/live")[0] == 404, "the board's server has no tournament"
    # From its store alone the tournament is shown as it stands.
    live = LiveTournament(shown.store)
    assert live.state("en")["state"] == "interrupted" and live.state("en")["running"] == []


def test_a_finished_tournament_ends_its_page_and_leaves_nothing(tmp_path: Path) -> None:
    shown = Shown(tmp_path, 4)

    async def watch() -> Answer:
        async with Player(shown.server, {"Origin": shown.server.origin}) as player:
            return await watch_until(player, lambda state: state["ended"])

    last = run(watch())
    assert (last["state"], last["finished"], last["in_progress"]) == ("finished", 4, 0)
    assert shown.process.wait(PATIENCE) == 0
    shown.close()
    assert [path.name for path in tmp_path.iterdir()] == ["cup.tengen"]


def test_what_a_killed_manager_has_left_is_no_game_of_the_next(tmp_path: Path) -> None:
    store, brain = tmp_path / "cup.tengen", f'"{sys.executable}" -I -S "{FAST}"'
    live_file_path(store).write_text(
        '{"began": 0, "before": 0, "games": [{"number": 7, "black": "a", "white": "b", "cells": [], "used": '
        '[0, 0], "left": [null, null], "thinking": null, "since": 0, "shares": []}]}'
    )
    assert [each.number for each in read_live_file(store).games] == [7]
    words = ["--brain", f"a={brain}", "--brain", f"b={brain}", "--games", "2", "--draw-after", "10"]
    assert main(["tournament", "run", "--store", str(store), *words]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["cup.tengen"]


@pytest.mark.parametrize("command", ["match", "ladder", "tournament run"])
def test_whatever_plays_games_shows_them_on_a_page(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    brain = f'"{sys.executable}" -I -S "{FAST}"'
    brains = [f"a={brain}", f"b={brain}"]
    words = brains if command == "match" else [word for text in brains for word in ("--brain", text)]
    monkeypatch.setattr("tournaments.cli.ladder.LADDER", {})
    pages: list[tuple[Path, str]] = []
    told: list[tuple[int, Clocks]] = []

    class Page:
        def __init__(self, store: Path, command: str) -> None:
            pages.append((store, command))

        def close(self) -> None:
            pass

    monkeypatch.setattr("tournaments.cli.live_page._Page", Page)
    monkeypatch.setattr(
        LiveFile, "move", lambda live_file, number, board, message, clocks: told.append((number, clocks))
    )
    words += ["--watch", "--games", "2", "--draw-after", "10", "--turn-time", "5"]
    assert main([*command.split(), *words]) == 0
    assert [each for _, each in pages] == [command] and pages[0][0].exists()
    assert {number for number, _ in told} == {1, 2} and told[-1][1].thinking is None
    # Where the packages are missing that is one sentence, and nothing is begun.
    monkeypatch.setattr("tournaments.cli.live_page.find_spec", lambda name: None if name == "uvicorn" else name)
    capsys.readouterr()
    before = sorted(tmp_path.rglob("*"))
    assert main([*command.split(), *words, "--name", "other"]) == 2
    sentence = "--watch needs further packages: pip install starlette uvicorn websockets pydantic"
    assert capsys.readouterr().err == f"tengen {command}: {sentence}\n" and sorted(tmp_path.rglob("*")) == before


def test_a_tournament_has_a_port_of_its_own_while_that_is_free(tmp_path: Path) -> None:
    with _listen_for(tmp_path / "cup.tengen", "127.0.0.1") as first:
        port = first.getsockname()[1]
        with _listen_for(tmp_path / "cup.tengen", "127.0.0.1") as second:
            assert second.getsockname()[1] != port
    with _listen_for(tmp_path / "x" / ".." / "cup.tengen", "127.0.0.1") as again:
        assert again.getsockname()[1] == port


@pytest.mark.long
def test_a_running_tournament_in_the_browser(tmp_path: Path) -> None:
    with chromium() as browser:
        shown = Shown(tmp_path, 400)
        context = browser.new_context(**options())
        table = Table(context.new_page(), shown.server.origin)
        page = table.page
        page.goto(shown.server.origin)
        page.wait_for_url("**/live")
        page.get_by_role("heading", name="cup").wait_for()
        page.locator("#live-running svg .stone").first.wait_for()
        page.locator("#live-finished a").nth(2).wait_for()
        table.expect_status("the length of the game")
        assert [row.split()[0] for row in page.locator("#live-table tr").all_inner_texts()] == ["1", "2"]
        assert page.locator("#live-watching").inner_text() == "1 watching"
        # Both clocks of a game in progress, those of one side running: what is used, for nothing limits it.
        page.wait_for_function(
            "() => document.querySelector('#live-running li').textContent.match(/used/g)?.length === 2"
        )
        page.wait_for_function("() => document.querySelectorAll('#live-running .is-turn').length > 0")
        times = page.locator("#live-running time").all_inner_texts()
        page.wait_for_function(
            "before => [...document.querySelectorAll('#live-running time')].some("
            "(face, index) => face.textContent !== before[index])",
            arg=times,
        )
        # A game in progress grows on the large board.
        page.locator("#live-running a").last.click()
        page.wait_for_function("() => document.querySelectorAll('#live-board .stone').length > 3")
        page.get_by_role("link", name="All boards").click()
        # A finished game, stepped through.
        page.goto(f"{shown.server.origin}/live#1")
        page.wait_for_function("() => document.querySelectorAll('#live-board .stone').length === 30")
        page.locator("#live-first").click()
        stones = page.locator("#live-board .stone")
        assert stones.count() == 0
        table.press("ArrowRight", "ArrowRight")
        assert stones.count() == 2 and page.locator("#live-ply").inner_text() == "2 of 30 stones"
        page.get_by_role("link", name="All boards").click()
        page.locator("#live-ratings .ratings").wait_for()
        page.set_viewport_size({"width": 375, "height": 800})
        assert not table.scrolls_sideways()
        page.locator("#menu-button").click()
        page.select_option("#language", "zh")
        page.get_by_role("heading", name="排名").wait_for()
        page.get_by_role("link", name=re.compile("^第 .*达到手数上限")).first.wait_for()
        assert table.complaints == []
        table.forgives = lambda text: "WebSocket" in text
        shown.close()
        page.locator("#connection").get_by_text("比赛程序已结束").wait_for()
        assert page.locator("#live-state").inner_text() == "未在运行" and table.complaints == []
