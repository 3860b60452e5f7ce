"""The brain as a manager meets it: a process and three pipes. Limits of time are generous; what is tested is order."""
from __future__ import annotations

import os
import queue
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE_S = 30.0  # a hang is a failure, a slow machine is none
COMMAND = [sys.executable, "-m", "pbrain"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


class Brain:
    """A brain process; whole lines out, and lines in as they come."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            COMMAND,
            cwd=folder,
            env=ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with os.fdopen(os.dup(self.process.stdout.fileno()), "rb") as stream:
            for line in stream:
                assert line.endswith(b"\n")
                self._lines.put(line.decode("ascii").removesuffix("\n"))
        self._lines.put(None)

    def say(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\r\n" for line in lines).encode())

    def line(self) -> str | None:
        """The next line of output, MESSAGE or not; None at its end."""
        return self._lines.get(timeout=PATIENCE_S)

    def answer(self) -> str | None:
        """The next line that is no MESSAGE."""
        while (line := self.line()) is not None and line.startswith("MESSAGE "):
            pass
        return line

    def think(self) -> None:
        """Starts a search of a minute and returns once it has reported."""
        self.say("START 15", "INFO timeout_turn 60000", "INFO timeout_match 0", "INFO time_left 2147483647", "TURN 7,7")
        assert self.answer() == "OK"
        line = self.line()
        assert line is not None
        assert line.startswith("MESSAGE depth ")

    def ended(self) -> int:
        """The exit status; nothing may have been written to stderr."""
        status = self.process.wait(PATIENCE_S)
        assert self.process.stderr is not None
        assert self.process.stderr.read() == b""
        return status


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    started = Brain(tmp_path)
    yield started
    if started.process.poll() is None:
        started.process.kill()
    started.process.wait()
    for stream in (started.process.stdin, started.process.stdout, started.process.stderr):
        assert stream is not None
        stream.close()


def converse(text: bytes, folder: Path) -> list[str]:
    """All answers to `text` followed by the end of input; the process must end well and say nothing on stderr."""
    done = subprocess.run(
        COMMAND, cwd=folder, env=ENVIRONMENT, input=text, capture_output=True, timeout=PATIENCE_S, check=True
    )
    assert done.stderr == b""
    return [line for line in done.stdout.decode("ascii").splitlines() if not line.startswith("MESSAGE ")]


def is_move(line: str | None, size: int = 15) -> bool:
    x, comma, y = (line or "").partition(",")
    return comma == "," and x.isdecimal() and y.isdecimal() and int(x) < size and int(y) < size


def test_the_readmes_one_liner(tmp_path: Path) -> None:
    ok, move = converse(b"START 15\nBEGIN\nEND\n", tmp_path)
    assert ok == "OK"
    assert is_move(move)


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r", b""])
def test_the_end_of_input_waits_for_the_answer_owed(tmp_path: Path, ending: bytes) -> None:
    ok, move = converse(b"START 15\nINFO timeout_turn 200\nTURN 7,7" + ending, tmp_path)
    assert ok == "OK"
    assert is_move(move)


def test_the_end_of_input_while_idle(tmp_path: Path) -> None:
    assert converse(b"START 20\n", tmp_path) == ["OK"]
    assert converse(b"", tmp_path) == []


def test_a_judges_burst_gets_one_ok_and_one_move(tmp_path: Path) -> None:
    infos = "".join(
        f"INFO {pair}\r\n"
        for pair in (
            "timeout_turn 100", "timeout_match 20000", "max_memory 83886080", "game_type 1", "rule 4",
            "folder /no such/folder", "time_left 20000",
        )
    )  # fmt: skip
    ok, move = converse(f"START 15\r\n{infos}BOARD\r\nDONE\r\n".encode(), tmp_path)
    assert ok == "OK"
    assert is_move(move)


def test_end_while_thinking_ends_at_once_and_in_silence(brain: Brain) -> None:
    brain.think()
    brain.say("END")
    assert brain.answer() is None
    assert brain.ended() == 0


@pytest.mark.parametrize("word", ["INFO timeout_turn 0", "YXSTOP", "stop"])
def test_a_move_asked_for_now_comes_now(brain: Brain, word: str) -> None:
    brain.think()
    brain.say(word)
    assert is_move(brain.answer())
    brain.say("END")
    assert brain.ended() == 0


def test_commands_during_a_search_are_answered_after_it_in_order(brain: Brain) -> None:
    brain.think()
    brain.say("TURN 0,0", "FOO", "INFO rule 1", "ABOUT", "YXSTOP", "TURN 99,99")
    assert is_move(brain.answer())
    assert is_move(brain.answer())
    assert (brain.answer() or "").startswith("UNKNOWN ")
    assert (brain.answer() or "").startswith('name="')
    assert (brain.answer() or "").startswith("ERROR ")
    brain.say("END", "END")
    assert brain.ended() == 0


def test_nobody_listening_any_more_ends_it_quietly(brain: Brain) -> None:
    reader = subprocess.Popen(
        COMMAND, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert reader.stdin and reader.stdout and reader.stderr
    reader.stdout.close()
    reader.stdin.write(b"ABOUT\n")
    reader.stdin.flush()
    assert reader.wait(PATIENCE_S) == 0
    assert reader.stderr.read() == b""
    reader.stdin.close()
    reader.stderr.close()


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send")
@pytest.mark.parametrize("is_thinking", [False, True])
def test_an_interrupt_is_quiet(brain: Brain, is_thinking: bool) -> None:
    if is_thinking:
        brain.think()
    else:
        brain.say("START 15")
        assert brain.answer() == "OK"
    brain.process.send_signal(signal.SIGINT)
    assert brain.answer() is None
    assert brain.ended() == 130


def test_noise_is_survived(brain: Brain) -> None:
    noise = random.Random(7).randbytes(20_000)
    assert brain.process.stdin is not None
    brain.process.stdin.write(noise + b"\n" + b"x" * 100_000 + b"\nSTART 15\n")
    while (line := brain.answer()) != "OK":
        assert line is not None
        assert line.startswith(("UNKNOWN ", "ERROR "))
    brain.say("INFO rule 0", "INFO timeout_turn 20", "BEGIN")
    assert is_move(brain.answer())


@pytest.mark.parametrize(("rule", "size"), [(0, 20), (1, 15), (4, 15), (8, 12), (9, 7)])
def test_a_game_against_a_random_opponent_is_legal(brain: Brain, rule: int, size: int) -> None:
    brain.say(f"START {size}", f"INFO rule {rule}", "INFO timeout_turn 20", "BEGIN")
    assert brain.answer() == "OK"
    chance = random.Random(rule)
    free = [(x, y) for x in range(size) for y in range(size)]
    for _ in range(12):
        move = brain.answer()
        assert is_move(move, size), move
        x, _, y = (move or "").partition(",")
        free.remove((int(x), int(y)))
        reply = free.pop(chance.randrange(len(free)))
        brain.say(f"TURN {reply[0]},{reply[1]}")
    assert is_move(brain.answer(), size)
    brain.say("END")
    assert brain.ended() == 0


def test_the_start_imports_nothing_slow() -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "import pbrain.__main__\n"
        "pbrain.__main__.load_engine()\n"
        "slow = {'numpy', 'typing', 'dataclasses', 'enum', 'logging', 're', 'argparse', 'asyncio', 'inspect'}\n"
        "print(sorted(slow & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("argument", "status", "text"),
    [("--version", 0, "pbrain-tengen "), ("--help", 0, "usage: "), ("--fast", 2, "--fast")],
)
def test_arguments(argument: str, status: int, text: str) -> None:
    done = subprocess.run([*COMMAND, argument], env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert text in (done.stderr if status else done.stdout)
