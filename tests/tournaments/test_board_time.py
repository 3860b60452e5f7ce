"""The time of a game's clocks: it passes while the game's program runs, even if the system's clock changes."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from board_server import PERSON, Server, run

from tournaments.board.game.actions import Play
from tournaments.board.game.events import ClockSettings, GameSettings
from tournaments.board.game.steady_time import LONGEST_LOOK, SteadyTime
from tournaments.board.library.library import Library
from tournaments.board.library.stored_game import StoredGame


@dataclass
class Machine:
    """The two clocks of a machine, and a process on it that looks at them twice a second."""

    wall: float = 1_000_000.0
    monotonic: float = 50.0

    def __post_init__(self) -> None:
        self.time = SteadyTime(lambda: self.wall, lambda: self.monotonic)

    def run(self, seconds: float) -> None:
        for _ in range(round(2 * seconds)):
            self.wall += 0.5
            self.monotonic += 0.5
            self.time.now()

    def stop_process(self, seconds: float) -> None:
        self.wall += seconds
        self.monotonic += seconds

    def sleep(self, seconds: float) -> None:
        """The machine sleeps; on most systems its monotonic clock sleeps too."""
        self.wall += seconds

    def set_clock(self, seconds: float) -> None:
        self.wall += seconds


GAPS = {
    "a stopped process": Machine.stop_process,
    "a machine that sleeps": Machine.sleep,
    "a clock set forward": Machine.set_clock,
}


@pytest.mark.parametrize("gap", GAPS.values(), ids=GAPS)
def test_a_gap_is_no_time_that_passed(gap: "type[Machine.sleep]") -> None:
    machine = Machine()
    begin = machine.time.now()
    machine.run(30)
    gap(machine, 3600.0)
    machine.run(30)
    end = machine.time.now()
    assert end == machine.wall and machine.time.count == 1
    assert machine.time.lost(begin, end) == pytest.approx(3600, abs=LONGEST_LOOK)
    assert machine.time.lost(begin, begin + 30) == 0 == machine.time.lost(end - 29, end)


def test_the_time_goes_on_where_the_clock_is_set_back() -> None:
    machine = Machine()
    begin = machine.time.now()
    machine.run(10)
    machine.set_clock(-3600)
    machine.run(10)
    assert machine.time.now() == begin + 20 and machine.time.count == 0
    machine.set_clock(3600)
    machine.run(10)
    assert machine.time.now() == begin + 30 == machine.wall and machine.time.lost(0, 1e9) == 0


def on(machine: Machine, library: Library, id: str) -> StoredGame:
    return StoredGame(library, id, machine.time.now, lost=machine.time.lost)


def left(game: StoredGame) -> float:
    """What Black, whose clock runs, has left."""
    assert game.game.clocks is not None and game.game.clocks.running == 0
    return game.game.clocks.at(game.now())[0] or 0.0


@pytest.mark.parametrize("gap", GAPS.values(), ids=GAPS)
def test_nobody_loses_on_time_in_a_gap(tmp_path: Path, gap: "type[Machine.sleep]") -> None:
    machine = Machine()
    with Library(tmp_path / "games.sqlite") as library:
        settings = GameSettings(clock=ClockSettings(60))
        game = on(machine, library, library.games.create(settings, at=machine.time.now()))
        game.do(Play((0,), cell=(7, 7)))
        game.do(Play((1,), cell=(8, 8)))
        machine.run(20)
        for _ in range(2):
            gap(machine, 3600.0)
            machine.time.now()
            machine.run(5)
        assert game.expire() != [] and not game.game.is_over and left(game) == pytest.approx(30, abs=4)
        machine.run(10)
        other = on(machine, library, game.id)
        assert other.expire() == [], "a gap is forgiven once"
        assert left(other) == left(game) == pytest.approx(20, abs=4)
        game.do(Play((0,), cell=(7, 8)))
        assert game.game.moves[-1].ms == pytest.approx(40_000, abs=4000)
        game.do(Play((1,), cell=(8, 9)))
        machine.run(30)
        game.expire()
        assert game.game.is_over and game.game.winner == 1


def test_a_clock_that_was_set_back_neither_stands_nor_runs_out(tmp_path: Path) -> None:
    """Also after the program was started again: its clocks go on from what was stored."""
    machine = Machine()
    with Library(tmp_path / "games.sqlite") as library:
        game = on(machine, library, library.games.create(GameSettings(clock=ClockSettings(60)), at=machine.time.now()))
        game.do(Play((0,), cell=(7, 7)))
        game.do(Play((1,), cell=(8, 8)))
        machine.run(20)
        machine.set_clock(-3600)
        machine.run(10)
        assert left(game) == pytest.approx(30, abs=1)
        again = Machine(machine.wall, 7.0)
        game = on(again, library, game.id)
        game.wake()
        assert left(game) == pytest.approx(60, abs=1)
        again.run(20)
        assert left(game) == pytest.approx(40, abs=1)


@pytest.mark.skipif(os.name != "posix", reason="a process cannot be stopped by a signal")
def test_a_server_that_stood_still_takes_nobodys_time(tmp_path: Path) -> None:
    async def play() -> None:
        async with server.owner() as me:
            state = await me.create(black=PERSON, white=PERSON, clock={"main": 4, "increment": 0})
            state = await me.play(state, (7, 7), (8, 8))
            assert state["clock"]["running"] == 0 and server.process is not None
            server.process.send_signal(signal.SIGSTOP)
            time.sleep(5)
            server.process.send_signal(signal.SIGCONT)
            state = await me.play(state, (7, 8))
            assert state["phase"] == "play" and state["clock"]["left"][0] > 0
            ended = await me.state(lambda state: state["phase"] == "over")
            assert ended["ending"] == "time" and ended["winner"] == 0

    with Server(tmp_path / "games.sqlite") as server:
        run(play(), 120)
