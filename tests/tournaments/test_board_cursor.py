"""The cursor over the board: keys through a pipe, what they stand for, and what the terminal shows."""

import io
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from needs import needs_processes
from waiting import PATIENCE_S, wait_until

pytest.importorskip("prompt_toolkit", reason="needs prompt_toolkit: pip install -e '.[test]' brings it")
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from tournaments.board.game.events import ClockSettings, Event, GameSettings
from tournaments.board.game.game import Game
from tournaments.board.library.library import Library
from tournaments.board.terminal.cursor_console import CursorConsole
from tournaments.rules.notation import parse_opening
from tournaments.rules.referee import Rule

RIGHT, LEFT, UP, DOWN, HOME, END = "\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B", "\x1b[H", "\x1b[F"


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        yield keys


def game_of(moves: str = "", **values: object) -> Game:
    game = Game.from_events([Event(1, 0.0, "created", {"settings": GameSettings(**values).to_json()})])  # type: ignore[arg-type]
    for cell in parse_opening(moves, 15, 15) if moves else ():
        game.apply(Event(game.event + 1, 0.0, "move", {"cell": list(cell)}))
    return game


def read(keys: PipeInput, typed: str, console: CursorConsole, game: Game) -> str | None:
    keys.send_text(typed)
    return console.read("Black, move 1: ", game, lambda: False)


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("\r", "h8"),
        (" ", "h8"),
        (RIGHT + RIGHT + UP + "\r", "j9"),
        (LEFT + DOWN + "\r", "g7"),
        (HOME + "\r", "a8"),
        (END + RIGHT + "\r", "o8"),
        (UP * 20 + "\r", "h15"),
        (DOWN * 20 + HOME + "\r", "a1"),
        ("undo\r", "undo"),
        ("h 8\r", "h 8"),
        ("x\x7f\r", "h8"),
        ("ab\x7f\x7f" + RIGHT + "\r", "i8"),
        ("save \u5c40.sgf\r", "save \u5c40.sgf"),
        ("?", "help"),
        ("\x1a", "undo"),
        ("\x04", None),
    ],
)
def test_keys_are_commands(keys: PipeInput, typed: str, command: str | None) -> None:
    assert read(keys, typed, CursorConsole(io.StringIO()), game_of()) == command


def test_control_c_is_an_interrupt(keys: PipeInput) -> None:
    with pytest.raises(KeyboardInterrupt):
        read(keys, "\x03", CursorConsole(io.StringIO()), game_of())


def test_the_cursor_stays_where_it_was_and_fits_a_smaller_board(keys: PipeInput) -> None:
    console = CursorConsole(io.StringIO())
    assert read(keys, RIGHT * 5 + "\r", console, game_of()) == "m8"
    assert read(keys, "\r", console, game_of("a1")) == "m8"
    assert read(keys, "\r", console, game_of(width=7, height=6)) == "g1"


def test_the_line_says_what_is_at_the_cursor(keys: PipeInput) -> None:
    console = CursorConsole(io.StringIO())
    read(keys, RIGHT + RIGHT + "\r", console, game_of())
    game = game_of("h8a1i8a3j9a5j10a7", rule=Rule.RENJU)
    assert console._describe(game) == "j8, forbidden: a double three"
    assert console._place() == (3 + 2 * 9, 7)
    assert console._describe(game_of("j8")) == "j8, taken by move 1 of Black"
    assert console._describe(game_of("a1")) == "j8, empty"


def test_the_line_has_the_clocks_that_run(keys: PipeInput, monkeypatch: pytest.MonkeyPatch) -> None:
    console = CursorConsole(io.StringIO())
    read(keys, "\r", console, game_of())
    game = game_of("a1", clock=ClockSettings(65))
    monkeypatch.setattr("tournaments.board.terminal.cursor_console.process_now", lambda: 3.0)
    assert console._status("White, move 2: ", game) == (
        "White, move 2: h8, empty. Time left: Black 1 minute 5 seconds, White 1 minute 2 seconds."
    )
    assert console._status("Black, move 1: ", game_of(clock=ClockSettings(60))) == "Black, move 1: h8, empty"


def test_what_others_do_ends_the_reading_and_is_said_after_it(keys: PipeInput) -> None:
    target = io.StringIO()
    console = CursorConsole(target)

    def has_changed() -> bool:
        console.write("White, a friend: i9.")
        assert target.getvalue() == "", "it would be written into the board"
        return True

    assert console.read("", game_of(), has_changed) == ""
    assert target.getvalue() == "White, a friend: i9.\n"


def test_the_board_is_there_while_others_think() -> None:
    target = io.StringIO()
    console = CursorConsole(target)
    console.wait(game_of("h8"))
    assert "(X)" in target.getvalue() and target.getvalue().count("\n") == 16
    console.write("White: i9.")
    assert target.getvalue().endswith("\n\x1b[16A\r\x1b[JWhite: i9.\n")
    console.write("Hint: a1.")
    assert target.getvalue().endswith("i9.\nHint: a1.\n")


def wait_until_asleep(pid: int) -> None:
    """Python's own editing of lines misses a signal that comes just before it begins to wait for a key."""
    looks: list[bool] = []

    def is_asleep() -> bool:
        looks.append(psutil.Process(pid).status() == psutil.STATUS_SLEEPING)
        return looks[-10:] == [True] * 10

    wait_until(is_asleep, PATIENCE_S, "it waits for a key")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="waits until a process sleeps: Linux runs it")
@needs_processes
@pytest.mark.parametrize(("flags", "shown"), [([], "\u25cf"), (["--plain"], "White, move 2: ")])
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_game_on_a_real_terminal(tmp_path: Path, flags: list[str], shown: str, sent: signal.Signals) -> None:
    """Two people play two stones; then the program is interrupted, and the terminal is as it was."""
    import fcntl
    import pty
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    before = termios.tcgetattr(theirs)
    environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    environment["TENGEN_GAMES"] = str(tmp_path / "g.sqlite")
    environment.pop("NO_COLOR", None)
    words = [sys.executable, "-m", "tournaments.cli", "play", "--white", "me", "--black", "me", *flags]
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    process = subprocess.Popen(words, **streams, env=environment, start_new_session=True)
    said = ""

    def wait_for(text: str) -> None:
        nonlocal said
        deadline = time.monotonic() + 60
        while text not in re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", said):
            assert time.monotonic() < deadline, said
            if select.select([ours], [], [], 0.5)[0]:
                data = os.read(ours, 65536)
                if b"\x1b[6n" in data:
                    os.write(ours, b"\x1b[1;1R")  # where the cursor is
                said += data.decode(errors="replace")

    try:
        wait_for("Black, move 1: ")
        os.write(ours, b"h8\r")
        wait_for("Black, player 1: h8.")
        wait_for("White, move 2: ")
        assert shown in said
        os.write(ours, b"resign\r")
        wait_for("Do you really want to resign? y/N: ")
        os.write(ours, b"n\r")
        wait_for("You did not resign.")
        wait_until_asleep(process.pid)
        os.write(ours, b"i9\r")
        wait_for("Black, move 3: ")
        wait_until_asleep(process.pid)
        process.send_signal(sent)
        wait_for("The game is saved as number 1: tengen play --resume 1 continues it.")
        assert process.wait(60) == (130 if sent == signal.SIGINT else 143)
        assert termios.tcgetattr(theirs) == before
    finally:
        process.kill()
        process.wait()
        os.close(ours)
        os.close(theirs)
    with Library(tmp_path / "g.sqlite") as library:
        assert library.games.all()[0].stones == 2
