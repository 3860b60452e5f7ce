"""Tengen.exe, the board for Windows, as a player meets it, on Windows or under wine, with a browser of this system.

    TENGEN_WINDOWS_BOARD=...   the archive that `tengen pack --board` made; without it these tests are skipped

.ci/windows makes the archive and runs this, in a wine prefix whose games may be deleted.
"""

import os
import re
import sqlite3
import struct
import subprocess
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest
from board_page import Table, options
from board_server import PERSON, Server, brain
from waiting import run, wait_until

import pbrain
from tournaments.board.game.events import GameSettings
from tournaments.board.library.library import Library
from tournaments.board.library.schema import GAME_COLUMNS, GAMES
from tournaments.board.server.server_file import read_server_file

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ARCHIVE = os.environ.get("TENGEN_WINDOWS_BOARD", "")
WINE = [] if os.name == "nt" else ["wine"]
PATIENCE_S = 120.0
ENDS = ("--end-when-unused", "1000")
"""A flag that comes after the program's own: the board does not end by itself during a test."""

pytestmark = pytest.mark.skipif(not ARCHIVE, reason="TENGEN_WINDOWS_BOARD names no archive; .ci/windows runs it")


class Program(Server):
    """The unpacked program, and the folder of its games."""

    def __init__(self, path: Path, games: Path, opened: Path) -> None:
        super().__init__(games / "games.sqlite")
        self.path = path
        self.opened = opened
        self.starts: list[subprocess.Popen[bytes]] = []

    def begin(self, *arguments: str) -> "subprocess.Popen[bytes]":
        """A start, as by a double click; under wine Python cannot use files as its streams, so these are pipes."""
        pipe = subprocess.PIPE
        command = [*WINE, str(self.path), *(arguments or ENDS)]
        self.starts.append(subprocess.Popen(command, cwd=self.path.parent, stdin=pipe, stdout=pipe, stderr=pipe))
        return self.starts[-1]

    def open(self, *arguments: str) -> "subprocess.Popen[bytes]":
        """A start, which is waited for until it serves the board."""
        began = self.begin(*arguments)
        self.wait_until_it_serves()
        return began

    def wait_until_it_serves(self) -> None:
        wait_until(self.serves, PATIENCE_S, "the board is served")

    def serves(self) -> bool:
        """Whether the address in the file is answered; then it is ours."""
        running = read_server_file(self.games.with_name("games.sqlite.server"))
        if running is None:
            return False
        self.port, self.token = running.port, running.token
        try:
            return self.request("/healthz")[0] == 200
        except OSError:
            return False

    @property
    def link(self) -> str:
        """The owner's."""
        return f"{self.origin}/#token={self.token}"

    @property
    def log(self) -> str:
        """The errors so far."""
        path = self.games.with_name("tengen.log")
        return path.read_text("utf-8") if path.exists() else ""

    def pids(self, *words: str) -> list[int]:
        """The processes from this folder; only those with one of the words in their command, if there are any."""
        found = []
        for process in psutil.process_iter(["cmdline", "status"]):
            command = " ".join(process.info["cmdline"] or ())
            if self.path.parent.name in command and process.info["status"] != psutil.STATUS_ZOMBIE:
                found += [process.pid] if not words or any(word in command for word in words) else []
        return found

    def thinks(self) -> bool:
        """Whether a brain has used the processor for longer than its start takes."""
        used = [psutil.Process(pid).cpu_times() for pid in self.pids("pbrain-tengen64")]
        return any(times.user + times.system > 1.0 for times in used)

    def end(self) -> None:
        """Kills everything."""
        for start in self.starts:
            start.kill()
            start.wait(PATIENCE_S)
            for stream in (start.stdin, start.stdout, start.stderr):  # a helper of wine's may keep the other end open
                if stream is not None:
                    stream.close()
        for pid in self.pids():
            psutil.Process(pid).kill()
        wait_until(lambda: not self.pids(), PATIENCE_S, "all processes are gone")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, in a folder with blanks and letters that no code page has together."""
    folder = tmp_path_factory.mktemp("Programme") / "Fünf in einer Reihe 五子棋 ж"
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(folder)
    return folder / "Tengen.exe"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file with all addresses that the user's browser was to open; under wine, which stays for all tests."""
    folder = tmp_path_factory.mktemp("browser")
    if os.name == "nt":
        yield folder / "opened"
        return
    browser = folder / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> "{folder}/opened"\n')
    browser.chmod(0o755)
    key = ["reg", "add", r"HKCU\Software\Wine\WineBrowser", "/v", "Browsers", "/d", str(browser), "/f"]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen([*WINE, "cmd.exe", "/c", "pause"], stdin=pipe, stdout=nothing, stderr=nothing) as waiting:
        subprocess.run([*WINE, *key], check=True, stdin=nothing, stdout=nothing, stderr=nothing, timeout=PATIENCE_S)
        yield folder / "opened"
        waiting.kill()


@pytest.fixture
def program(unpacked: Path, opened: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    """The program without games."""
    if os.name == "nt":
        monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
        games = tmp_path / "tengen"
    else:
        (games,) = Path(os.environ["WINEPREFIX"]).glob("drive_c/users/*/AppData/Local")
        games /= "tengen"
        for path in games.glob("*"):
            path.unlink()
    opened.unlink(missing_ok=True)
    made = Program(unpacked, games, opened)
    yield made
    made.end()


def test_the_archive_is_small_and_has_two_programs_at_its_top() -> None:
    with zipfile.ZipFile(ARCHIVE) as archive:
        names = archive.namelist()
        program = archive.read("Tengen.exe")
    assert [name for name in names if name.lower().endswith(".exe")] == ["Tengen.exe", "pbrain-tengen64.exe"]
    assert os.path.getsize(ARCHIVE) <= 40_000_000
    (header,) = struct.unpack_from("<I", program, 0x3C)
    (subsystem,) = struct.unpack_from("<H", program, header + 24 + 68)
    assert subsystem == 2, "a program without a console"
    for text in ("ProductVersion", pbrain.__version__, "FileDescription", "Tengen.exe"):
        assert text.encode("utf-16-le") in program


def test_a_second_start_opens_the_board_that_runs(program: Program) -> None:
    program.open()
    before = program.link
    second = program.begin()
    assert second.wait(PATIENCE_S) == 0
    program.wait_until_it_serves()
    assert program.link == before and program.log == ""
    if WINE:
        wait_until(lambda: program.opened.read_text().splitlines() == [before, before], PATIENCE_S, "two pages")


def test_two_starts_at_once_make_one_board(program: Program) -> None:
    starts = [program.begin(), program.begin()]
    wait_until(lambda: [start.poll() for start in starts].count(0) == 1, PATIENCE_S, "one of them has ended")
    program.wait_until_it_serves()
    assert [start.poll() for start in starts].count(None) == 1 and program.log == ""
    if WINE:
        wait_until(lambda: program.opened.read_text().splitlines() == [program.link] * 2, PATIENCE_S, "two pages")


def test_each_part_may_be_killed(program: Program) -> None:
    """The brain, the watchdog, and the board itself: nothing is left, and the game goes on."""
    began = program.open()

    async def begin_to_think() -> str:
        async with program.owner() as page:
            state = await page.create(black=PERSON, white=brain(turn_ms=600_000))
            await page.play(state, (0, 0))
            return str(state["game"])

    game = run(begin_to_think(), PATIENCE_S)
    wait_until(program.thinks, PATIENCE_S, "the brain thinks")
    (watchdog,) = program.pids("brains.watchdog")
    psutil.Process(watchdog).kill()
    wait_until(lambda: program.pids("brains.watchdog") not in ([], [watchdog]), PATIENCE_S, "another watchdog watches")
    (thinking,) = program.pids("pbrain-tengen64")
    psutil.Process(thinking).kill()

    async def is_paused() -> None:
        async with program.owner() as page:
            state = await page.ask("watch", game=game)
            if not state["paused"]:
                await page.state(lambda state: state["paused"])

    run(is_paused(), PATIENCE_S)

    async def think_again() -> None:
        async with program.owner() as page:
            await page.ask("watch", game=game)
            assert (await page.ask("resume", game=game))["type"] == "state"

    run(think_again(), PATIENCE_S)
    wait_until(program.thinks, PATIENCE_S, "the brain thinks once more")
    began.kill()
    wait_until(lambda: not program.pids(), PATIENCE_S, "the board's processes are gone")
    program.open()

    async def goes_on() -> None:
        async with program.owner() as page:
            state = await page.ask("watch", game=game)
            assert len(state["moves"]) == 1

    run(goes_on(), PATIENCE_S)
    wait_until(program.thinks, PATIENCE_S, "the brain thinks after the new start")


def make_first_version(path: Path) -> None:
    """Takes from a library all that has come since the first version of its tables."""
    connection = sqlite3.connect(path)
    first = re.findall(r"CREATE TABLE (\w+)", GAMES)
    for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        if table not in first and not table.startswith("sqlite_"):
            connection.execute(f"DROP TABLE {table}")
    for index in re.findall(r"CREATE INDEX (\w+)", " ".join(GAME_COLUMNS)):
        connection.execute(f"DROP INDEX {index}")
    for column in re.findall(r"ADD COLUMN (\w+)", " ".join(GAME_COLUMNS)):
        connection.execute(f"ALTER TABLE game DROP COLUMN {column}")
    connection.execute("PRAGMA user_version = 1")
    connection.close()


def test_games_of_an_older_version_are_there_after_an_update(program: Program) -> None:
    with Library(program.games) as library:
        game = library.games.create(GameSettings())
    make_first_version(program.games)
    program.open()

    async def look() -> None:
        async with program.owner() as page:
            assert (await page.ask("watch", game=game))["type"] == "state"

    run(look(), PATIENCE_S)


def test_it_ends_when_no_page_is_open(program: Program) -> None:
    began = program.open("--end-when-unused", "0.05")
    assert began.wait(PATIENCE_S) == 0
    wait_until(lambda: not program.pids(), PATIENCE_S, "nothing is left")
    assert program.log == ""


def test_games_that_cannot_be_opened_are_told(program: Program) -> None:
    program.games.parent.mkdir(exist_ok=True)
    program.games.write_text("this is not a library\n" * 100)
    assert program.begin().wait(PATIENCE_S) == 2
    assert "is not a library of Tengen's games" in program.log


def test_a_game_by_clicks_to_its_end(program: Program, browser: "Browser") -> None:
    """Stones from the first row upwards, against the brain, until the game is over. This test is the last one: while
    its browser is there, this thread can run no other loop."""
    began = time.perf_counter()
    program.open()
    print(f"start to the first answer: {time.perf_counter() - began:.2f} s")
    context = browser.new_context(**options())
    table = Table(context.new_page(), program.origin)
    table.page.goto(program.link)
    table.new_game(opponent="brain", colour="black")
    cells = (f"{column}{row}" for row in range(1, 16) for column in "abcdefghijklmno")
    result = table.page.locator("#result:not([hidden])")
    for cell in cells:
        if cell in table.stones():
            continue
        table.play(cell)
        table.page.wait_for_function(
            "() => !document.getElementById('result').hidden"
            " || document.getElementById('status').textContent.includes('Your move')",
            timeout=1000 * PATIENCE_S,
        )
        if result.count():
            break
    assert result.count() == 1 and len(table.stones()) >= 9
    assert table.complaints == []
    print(f"memory: {sum(psutil.Process(pid).memory_info().rss for pid in program.pids()) >> 20} MB in all processes")
    table.page.get_by_role("link", name="Games").click()
    table.page.locator("#games-list li").first.wait_for()
    context.close()
    assert program.log == ""
