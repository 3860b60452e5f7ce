"""A tournament on the page while it runs: read as it grows, by late and slow watchers, to its end or its manager's."""

import asyncio
import dataclasses
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from board_page import Table, chromium, options
from board_server import PATIENCE, Answer, Player, Server, run
from needs import needs_processes
from pages import PAGES, shell_commands
from processes import ROOT, processes_of, wait_until_gone
from waiting import read_until, wait_until, wait_until_async

from tournaments.board.messages.requests import PROTOCOL
from tournaments.board.server.clients import Client
from tournaments.board.server.live_tournament import LiveService, LiveTournament
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


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The store of a tournament in progress."""
    with Store.create(tmp_path / "cup.tengen", TOURNAMENT, PLAYERS, PAIRINGS) as store:
        yield store


def test_a_store_is_read_while_it_grows(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.board.server.live_tournament.SHARE", 0)
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
    assert [last["number"] for last in state["last"]] == [2, 1] and state["last"][0]["reason"] == "双方评分持平 (+-3)"
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
    monkeypatch.setattr("tournaments.board.server.live_tournament.SHARE", 0)
    monkeypatch.setattr("tournaments.board.server.live_tournament.LONGEST", 0.0)
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


def test_games_in_progress_are_read_until_they_are_over(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.board.server.live_tournament.SHARE", 0)
    live, live_file, board = LiveTournament(store.path), LiveFile(store.path), Board()
    live_file.start(1, "one", "two")
    live_file.start(3, "two", "one")
    clocks = Clocks(("one", "two"), (70, 5), (None, 2995), WHITE)
    for cell in ((7, 7), (8, 8), (7, 8)):
        board.place(*cell)
        live_file.move(1, board, clocks)
    live_file.move(2, board, clocks)  # not one that has begun
    cells = ((7, 7), (8, 8), (7, 8))
    wait_until(lambda: [len(each.cells) for each in read_live_file(store.path)] == [3, 0], PATIENCE, "all is written")
    first, second = read_live_file(store.path)
    assert abs(first.since - time.time()) < PATIENCE and second == RunningGame(3, "two", "one")
    assert first == RunningGame(1, "one", "two", cells, (70, 5), (None, 2995), WHITE, first.since)
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
                "used": None,
                "left": (None, None),
                "thinking": None,
                "for": 0,
            },
        ]
    )
    # A swap of the colours. No brain is to move after the end of a game, or if another machine's clock is late.
    live_file.move(3, board, Clocks(("one", "two"), (9, 9), (None, None), None))
    wait_until(lambda: read_live_file(store.path)[1].black == "one", PATIENCE, "the colours are swapped")
    assert live.look()
    monkeypatch.setattr("time.time", lambda: first.since - 60)
    assert [(each["black"], each["for"]) for each in live.state("en")["running"]] == [("one", 0), ("one", 0)]
    monkeypatch.undo()
    monkeypatch.setattr("tournaments.board.server.live_tournament.SHARE", 0)
    # Its end stands in the store before the file says so.
    store.add_game(game(1, 0), MOVES)
    assert live.look() and [each["number"] for each in live.state("en")["running"]] == [3]
    live_file.finish(1)
    wait_until(lambda: [each.number for each in read_live_file(store.path)] == [3], PATIENCE, "the other game is gone")
    live_file.close()
    assert not list(store.path.parent.glob("*live*")) and read_live_file(store.path) == []


@pytest.mark.parametrize("text", ["", "[]", '{"games": [1]}', '{"games": [{"number": 1}]}', "\x00", "[" * 9999])
def test_a_damaged_file_of_games_in_progress_shows_none(tmp_path: Path, text: str) -> None:
    live_file_path(tmp_path / "cup.tengen").write_text(text)
    assert read_live_file(tmp_path / "cup.tengen") == []
    remove_live_file(tmp_path / "cup.tengen")
    assert list(tmp_path.iterdir()) == []


def test_a_live_file_that_cannot_be_written_ends_nothing(tmp_path: Path) -> None:
    live_file = LiveFile(tmp_path / "none" / "cup.tengen")
    live_file.start(1, "one", "two")
    live_file.close()


def test_every_ending_has_its_words() -> None:
    for language in languages():
        assert all(f"live.{ending.name.lower()}" in texts(language) for ending in Ending)


def test_a_slow_client_gets_only_the_newest(store: Store) -> None:
    heard: list[str] = []

    async def watch() -> None:
        may_read = asyncio.Event()

        async def send(text: str) -> None:
            await may_read.wait()
            heard.append(text)

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
        client.is_gone = True
        client.answer({})
        await delivering
        service.leave(client)
        await service.close()

    run(watch())
    assert [re.search(r'"finished":(\d)', text)[1] for text in heard[:2]] == ["0", "3"]  # type: ignore[index]


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
            first = await player.ask("tournament")
            assert not first["unseen"]
            return first if is_in_progress(first) else await player.until(is_in_progress)

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
    return message["type"] == "tournament" and any(len(each["moves"]) > 2 for each in message["running"])


def test_a_late_watcher_gets_the_whole_state_and_every_finished_game(shown: Shown) -> None:
    async def watch() -> None:
        async with Player(shown.server, {"Origin": shown.server.origin}) as early:
            await early.ask("hello", language="en", protocol=PROTOCOL)
            await early.ask("tournament")
            await early.until(lambda message: message["type"] == "tournament" and message["finished"] >= 3)
            await early.until(is_in_progress)
            async with Player(shown.server, {"Origin": shown.server.origin}) as late:
                state = await late.ask("tournament")
                assert state["finished"] >= 3 and len(state["last"]) >= 3 and state["games"] == 400
                assert {row["name"] for row in state["players"]} == {"a", "b"}
                first = await late.ask("tournament_game", number=1)
                assert len(first["moves"]) == 30 and first["winner"] is None
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
            await player.ask("tournament")
            await player.until(is_in_progress)
            os.kill(shown.process.pid, signal.SIGKILL)
            return await player.until(lambda message: message["type"] == "tournament" and message["ended"])

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
            await player.ask("tournament")
            return await player.until(lambda message: message["type"] == "tournament" and message["ended"])

    last = run(watch())
    assert (last["state"], last["finished"], last["in_progress"]) == ("finished", 4, 0)
    assert shown.process.wait(PATIENCE) == 0
    shown.close()
    assert [path.name for path in tmp_path.iterdir()] == ["cup.tengen"]


def test_what_a_killed_manager_has_left_is_no_game_of_the_next(tmp_path: Path) -> None:
    store, brain = tmp_path / "cup.tengen", f'"{sys.executable}" -I -S "{FAST}"'
    live_file_path(store).write_text(
        '{"games": [{"number": 7, "black": "a", "white": "b", "cells": [], "used": '
        '[0, 0], "left": [null, null], "thinking": null, "since": 0}]}'
    )
    assert [each.number for each in read_live_file(store)] == [7]
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
    monkeypatch.setattr(LiveFile, "move", lambda live_file, number, board, clocks: told.append((number, clocks)))
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
        page.locator("#live-finished button").nth(2).wait_for()
        table.expect_status("the length of the game")
        assert [row.split()[0] for row in page.locator("#live-table tr").all_inner_texts()] == ["1", "2"]
        # A finished game, stepped through.
        page.get_by_role("button", name=re.compile("^Game 1: a . b ½.½, the length")).click()
        page.wait_for_function("() => document.querySelectorAll('#live-board .stone').length === 30")
        page.locator("#live-first").click()
        stones = page.locator("#live-board .stone")
        assert stones.count() == 0
        table.press("ArrowRight", "ArrowRight")
        assert stones.count() == 2 and page.locator("#live-ply").inner_text() == "2 of 30 stones"
        # A game in progress grows on the board.
        page.locator("#live-running button").last.click()
        page.wait_for_function("() => document.querySelectorAll('#live-board .stone').length > 3")
        # Both clocks of it, those of one side running: what is used, for nothing limits it.
        sides = page.locator("#live-running li").last.locator(".side")
        assert [text.split()[-1] for text in sides.all_inner_texts()] == ["used", "used"]
        page.wait_for_function("() => document.querySelectorAll('#live-running .is-turn').length > 0")
        times = page.locator("#live-running time").all_inner_texts()
        page.wait_for_function(
            "before => [...document.querySelectorAll('#live-running time')].some("
            "(face, index) => face.textContent !== before[index])",
            arg=times,
        )
        page.set_viewport_size({"width": 375, "height": 800})
        assert not table.scrolls_sideways()
        page.locator("#menu-button").click()
        page.select_option("#language", "zh")
        page.get_by_role("heading", name="积分表").wait_for()
        page.get_by_role("button", name=re.compile("^第 .*对局过长")).first.wait_for()
        assert table.complaints == []
        table.forgives = lambda text: "WebSocket" in text
        shown.close()
        page.locator("#connection").get_by_text("比赛管理程序已结束").wait_for()
        assert "已中断" in page.locator("#live-facts").inner_text() and table.complaints == []
