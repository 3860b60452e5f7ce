"""How the board begins and ends without a terminal, as an icon starts it: the browser, a second start, and the end."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from board_server import PERSON, Server, brain
from needs import needs_posix
from waiting import PATIENCE_S, run, wait_until

from tournaments.board.server.server_file import read_server_file
from tournaments.cli.main import main

SOON = 0.03  # minutes; several looks of the server

pytestmark = needs_posix


class Starts:
    """Starts of the board on one library, each with a browser that writes down what it is to open."""

    def __init__(self, folder: Path) -> None:
        self.library = folder / "games.sqlite"
        self.opened = folder / "opened"
        browser = folder / "browser"
        browser.write_text(f'#!/bin/sh\necho "$1" >> "{self.opened}"\n')
        browser.chmod(0o755)
        self.environment = {**os.environ, "BROWSER": str(browser)}
        self.processes: list[subprocess.Popen[str]] = []

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        """`tengen serve --browser`, whose output is not a terminal."""
        words = ["-m", "tournaments.cli", "serve", "--browser", "--library", str(self.library), *arguments]
        self.processes.append(
            subprocess.Popen(
                [sys.executable, *words],
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
        return self.processes[-1]

    def pages(self) -> list[Path]:
        """The pages that the browser was to open so far."""
        lines = self.opened.read_text().splitlines() if self.opened.exists() else []
        return [Path(line.removeprefix("file://")) for line in lines]

    def running(self) -> "list[subprocess.Popen[str]]":
        """The starts that have not ended."""
        return [process for process in self.processes if process.poll() is None]

    def link(self) -> str:
        """The owner's link to the server that runs."""
        running = read_server_file(self.library.with_name(f"{self.library.name}.server"))
        assert running is not None
        return running.link


@pytest.fixture
def starts(tmp_path: Path) -> Iterator[Starts]:
    made = Starts(tmp_path)
    yield made
    for process in made.processes:
        process.kill()
        process.communicate(timeout=PATIENCE_S)


def test_a_second_start_opens_the_board_that_runs(starts: Starts) -> None:
    starts.start("--port", "0")
    wait_until(lambda: len(starts.pages()) == 1, PATIENCE_S, "the browser opens the board")
    second = starts.start("--end-when-unused", "1")
    said = second.communicate(timeout=PATIENCE_S)[0]
    assert (second.returncode, said) == (0, f"A server runs already: {starts.link()}\n")
    wait_until(lambda: len(starts.pages()) == 2, PATIENCE_S, "the browser opens the board once more")
    assert all(starts.link() in page.read_text() for page in starts.pages())
    assert len(starts.running()) == 1


def test_many_starts_at_once_make_one_server_that_all_of_them_open(starts: Starts) -> None:
    with Server(starts.library) as earlier:  # leaves a file with an address at which nothing answers
        earlier.kill()
    for _ in range(4):
        starts.start("--port", "0")
    wait_until(lambda: len(starts.pages()) == 4, PATIENCE_S, "each start opens the board")
    wait_until(lambda: len(starts.running()) == 1, PATIENCE_S, "all but one have ended")
    ended = [process for process in starts.processes if process.poll() is not None]
    said = {process.communicate(timeout=PATIENCE_S)[0] for process in ended}
    assert said == {f"A server runs already: {starts.link()}\n"}
    assert {process.returncode for process in ended} == {0}


def test_a_start_waits_for_a_server_that_is_ending(starts: Starts) -> None:
    """The lock is held, and nothing answers at the address: the next start takes over as soon as the lock is free."""
    first = starts.start("--port", "0")
    wait_until(lambda: len(starts.pages()) == 1, PATIENCE_S, "the first server runs")
    first.send_signal(signal.SIGSTOP)
    second = starts.start("--port", "0")
    with pytest.raises(subprocess.TimeoutExpired):
        second.wait(1.0)
    first.kill()
    wait_until(lambda: len(starts.pages()) == 2, PATIENCE_S, "the second start serves the board")
    assert starts.running() == [second]


def test_the_board_ends_when_no_page_has_been_open_for_a_while(tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite", "--end-when-unused", str(SOON)) as server:

        async def visit() -> None:
            async with server.owner() as page:
                await asyncio.sleep(2 * 60 * SOON)  # open for longer than the board may be unused, and silent
                assert (await page.ask("ping"))["type"] == "pong"

        run(visit())
        assert server.process is not None
        assert server.process.wait(PATIENCE_S) == 0
        assert server.process.stdout is not None
        assert server.process.stdout.read().endswith("The server has stopped.\n")


def test_a_board_that_nobody_opens_ends_too(tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite", "--end-when-unused", str(SOON)) as server:
        assert server.process is not None
        assert server.process.wait(PATIENCE_S) == 0


def test_the_board_stays_while_a_brain_thinks(tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite", "--end-when-unused", str(SOON)) as server:

        async def begin() -> None:
            async with server.owner() as page:
                state = await page.create(black=PERSON, white=brain(turn_ms=600_000))
                await page.play(state, (0, 0))

        run(begin())
        assert server.process is not None
        with pytest.raises(subprocess.TimeoutExpired):
            server.process.wait(2 * 60 * SOON)


@pytest.mark.parametrize("minutes", ["0", "-1", "nan", "10001"])
def test_minutes_that_make_no_sense_are_refused(
    minutes: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library = tmp_path / "games.sqlite"
    assert main(["serve", "--no-browser", "--library", str(library), f"--end-when-unused={minutes}"]) == 2
    told = capsys.readouterr().err
    assert told == f"tengen serve: --end-when-unused {float(minutes):g} is not a number of minutes up to 10000\n"
    assert not library.exists()
