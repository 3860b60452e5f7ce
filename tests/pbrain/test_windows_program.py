"""The packed program as a manager on Windows meets it, on Windows itself or under wine.

    TENGEN_WINDOWS_ZIP=...     the archive that `tengen pack` made; without it these tests are skipped
    TENGEN_WINDOWS_PYTHON=...  a python.exe of the packed version with its standard library, for the signature

Memory and time have the limits that a manager sets. .ci/windows makes the archive and runs this.
"""

from __future__ import annotations

import os
import queue
import shutil
import struct
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

import pbrain
from engine.knowledge.position import Position
from engine.knowledge.record import EXACT, Record, Source
from engine.knowledge.store import Store

ROOT = Path(__file__).parents[2]
ARCHIVE = os.environ.get("TENGEN_WINDOWS_ZIP", "")
PYTHON = os.environ.get("TENGEN_WINDOWS_PYTHON", "")
WINE = [] if os.name == "nt" else ["wine"]
PATIENCE_S = 120.0
PISKVORK_MEMORY = 83886080
LIMITS = (
    "INFO timeout_turn 300",
    "INFO timeout_match 0",
    "INFO time_left 2147483647",
    f"INFO max_memory {PISKVORK_MEMORY}",
)

pytestmark = pytest.mark.skipif(not ARCHIVE, reason="TENGEN_WINDOWS_ZIP names no archive; .ci/windows runs it")


class Program:
    """The program as a process: lines out, and lines in as they come."""

    def __init__(self, path: Path, folder: Path) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([*WINE, str(path)], cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
        self.lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        for line in stream:  # in a thread of its own; `line` has the deadline
            self.lines.put(line.decode("ascii").rstrip("\r\n"))
        self.lines.put(None)

    def say(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\r\n" for line in lines).encode())

    def line(self) -> str | None:
        return self.lines.get(timeout=PATIENCE_S)

    def answer(self) -> str | None:
        """The next line that is not a MESSAGE; None at the end."""
        deadline = time.monotonic() + PATIENCE_S
        while (line := self.line()) is not None and line.startswith("MESSAGE "):
            assert time.monotonic() < deadline
        return line

    def move(self, *lines: str) -> tuple[int, int]:
        self.say(*lines)
        answer = self.answer()
        assert answer is not None
        x, y = map(int, answer.split(","))
        return x, y

    def ended(self) -> int:
        """The exit status; nothing may have been said on stderr."""
        status = self.process.wait(PATIENCE_S)
        assert self.process.stderr is not None
        assert self.process.stderr.read() == b""
        return status

    def memory(self) -> int:
        """The most bytes that it has held so far."""
        if os.name == "nt":
            return int(psutil.Process(self.process.pid).memory_info().peak_wset)
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, in a folder with blanks and letters that no code page has together."""
    folder = tmp_path_factory.mktemp("Programme") / "Fünf in einer Reihe 五子棋 ж"
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(folder)
    return folder / "pbrain-tengen64.exe"


@pytest.fixture(scope="module", autouse=True)
def wine_stays() -> Iterator[None]:
    """One brain waits all the time, so that wine need not start anew for each of the others."""
    if os.name == "nt":
        yield
        return
    with subprocess.Popen(
        [*WINE, "cmd.exe", "/c", "pause"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as waiting:
        yield
        waiting.kill()


@pytest.fixture
def program(path: Path, tmp_path: Path) -> Iterator[Program]:
    run = Program(path, tmp_path)
    yield run
    if run.process.poll() is None:
        run.process.kill()
        run.process.wait()


def tree(folder: Path) -> dict[str, int]:
    return {path.relative_to(folder).as_posix(): path.stat().st_size for path in folder.rglob("*") if path.is_file()}


def processes_of(path: Path) -> list[int]:
    """The processes that were started from this file."""
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if any(path.name in word and path.parent.name in word for word in process.info["cmdline"] or ())
    ]


def test_the_archive_has_one_program_at_its_top_and_is_small() -> None:
    with zipfile.ZipFile(ARCHIVE) as archive:
        names = archive.namelist()
    assert [name for name in names if name.lower().endswith(".exe")] == ["pbrain-tengen64.exe"]
    assert os.path.getsize(ARCHIVE) < 8_000_000


def test_a_conversation_from_another_folder(program: Program, path: Path, tmp_path: Path) -> None:
    before = tree(path.parent)
    program.say("ABOUT", "START 15")
    about = program.line()
    assert about is not None
    assert about.startswith('name="Tengen"')
    assert program.answer() == "OK"
    program.say(*LIMITS)
    assert program.move("BEGIN") == (7, 7)
    taken = {(7, 7), (8, 8)}
    move = program.move("TURN 8,8")
    assert move not in taken
    assert program.move("BOARD", "7,7,2", "8,7,1", "7,8,2", "8,8,1", "7,9,2", "8,9,1", "7,10,2", "8,10,1", "DONE") in {
        (8, 6),
        (8, 11),
    }
    program.say("FOO")
    assert (program.answer() or "").startswith("UNKNOWN")
    program.say("END")
    assert program.ended() == 0
    assert tree(path.parent) == before
    assert tree(tmp_path) == {}


@pytest.mark.parametrize("rule", [0, 1, 4, 8, 9])
def test_every_rule_and_its_network(program: Program, rule: int) -> None:
    program.say("START 20", *LIMITS, f"INFO rule {rule}", "TURN 10,10")
    assert program.answer() == "OK"
    line = program.line()
    assert line is not None
    assert line.startswith("MESSAGE depth ")  # and not that a network is missing
    program.say("END")
    assert program.ended() == 0


def test_it_plays_from_a_book(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "my opening.book"
    with Store(path) as store:
        store.add([(Position.from_moves("h8", rule=0), Record(-20, EXACT, 12, (1, 1)))], Source("a test"))
    program.say("START 15", *LIMITS, f"INFO book {in_windows(path)}", "TURN 7,7")
    assert program.answer() == "OK"
    assert (program.line() or "").startswith("MESSAGE book depth 12")
    assert program.line() == "1,1"
    program.say("END")
    assert program.ended() == 0


def test_it_may_have_another_name_and_be_started_by_a_relative_path(path: Path) -> None:
    other = path.with_name("pbrain-other_renju64.exe")
    shutil.copyfile(path, other)
    try:
        run = Program(Path(path.parent.name) / other.name, path.parent.parent)
        run.say("START 15", *LIMITS)
        assert run.answer() == "OK"
        assert run.move("BEGIN") == (7, 7)
        run.say("END")
        assert run.ended() == 0
    finally:
        other.unlink()


def test_without_its_folder_it_says_what_to_do(path: Path, tmp_path: Path) -> None:
    for file in path.parent.glob("*.*"):
        shutil.copy(file, tmp_path)
    done = subprocess.run(
        [*WINE, str(tmp_path / path.name)], input=b"START 15\r\n", capture_output=True, timeout=PATIENCE_S, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.split(b":")[-1].strip() == b"unpack the whole archive"


def test_windows_can_show_its_icon_and_its_version(path: Path) -> None:
    program, drawn = path.read_bytes(), (ROOT / "pbrain" / "windows" / "launcher.ico").read_bytes()
    smallest, place = struct.unpack_from("<II", drawn, 6 + 8)
    assert drawn[place : place + smallest] in program
    for text in ("ProductVersion", pbrain.__version__, "Tengen, a gomoku brain"):
        assert text.encode("utf-16-le") in program


def test_it_is_one_process_and_killed_while_it_thinks_leaves_nothing(program: Program, path: Path) -> None:
    before = tree(path.parent)
    program.say("START 15", "INFO timeout_turn 60000", "INFO timeout_match 0", "INFO time_left 2147483647", "TURN 7,7")
    assert program.answer() == "OK"
    assert (program.line() or "").startswith("MESSAGE depth ")
    assert processes_of(path) == [program.process.pid]
    assert psutil.Process(program.process.pid).children() == []
    program.process.kill()
    program.process.wait(PATIENCE_S)
    assert processes_of(path) == []
    assert tree(path.parent) == before


def test_the_end_of_input_while_it_thinks_is_answered_and_ends_it(program: Program) -> None:
    program.say("START 15", "INFO timeout_turn 1000", "BEGIN", "TURN 0,0")
    assert program.process.stdin is not None
    program.process.stdin.close()
    assert [program.answer(), program.answer()] == ["OK", "7,7"]
    assert program.answer() is not None
    assert program.answer() is None
    assert program.ended() == 0


def test_end_while_it_thinks_ends_it_without_a_move(program: Program) -> None:
    program.say("START 15", "INFO timeout_turn 60000", "INFO timeout_match 0", "INFO time_left 2147483647", "TURN 7,7")
    assert program.answer() == "OK"
    assert (program.line() or "").startswith("MESSAGE depth ")
    program.say("END")
    assert program.answer() is None
    assert program.ended() == 0


def test_moves_keep_their_time_and_memory_on_a_large_board(program: Program) -> None:
    turn_ms = 1000
    program.say("START 20")
    assert program.answer() == "OK"
    program.say(*LIMITS, f"INFO timeout_turn {turn_ms}")
    slowest = 0.0
    mine: set[tuple[int, int]] = set()
    theirs = [(2, 2), (17, 2), (2, 17), (17, 17), (9, 2), (2, 9), (17, 9), (9, 17)]
    for stone in theirs:
        if stone in mine:
            continue
        began = time.perf_counter()
        mine.add(program.move(f"TURN {stone[0]},{stone[1]}"))
        slowest = max(slowest, time.perf_counter() - began)
    print(f"slowest move {slowest:.3f} s, most memory {program.memory()} bytes")
    assert slowest < turn_ms / 1000
    assert program.memory() < PISKVORK_MEMORY


def test_it_starts_soon(path: Path, tmp_path: Path) -> None:
    times = []
    for _ in range(20):
        began = time.perf_counter()
        run = Program(path, tmp_path)
        run.say("START 15")
        assert run.answer() == "OK"
        times.append(time.perf_counter() - began)
        run.say("END")
        assert run.ended() == 0
    print(f"START to OK: median {sorted(times)[10]:.3f} s, slowest {max(times):.3f} s")
    assert sorted(times)[10] < 5.0  # a hang is a failure, a slow machine is none


def searched(command: list[str]) -> list[str]:
    """What a brain says of searches to a fixed depth, without times; of each search the last report and the move. A
    search that takes longer, on a busy machine, has reports before the last one."""
    lines = ["START 15", "INFO max_depth 7", "INFO timeout_turn 600000", "INFO timeout_match 0"]
    for rule in (0, 1, 4, 8, 9):
        lines += [f"INFO rule {rule}", "BOARD", "7,7,1", "8,8,2", "6,8,1", "8,6,2", "8,7,1", "6,7,2", "DONE"]
    text = "\r\n".join([*lines, ""]).encode()  # without END, so that every answer is waited for
    done = subprocess.run(command, input=text, capture_output=True, timeout=PATIENCE_S, check=False, cwd=ROOT)
    assert done.returncode == 0
    said = done.stdout.decode("ascii").splitlines()
    words = [
        line.split()
        for line, after in zip(said, [*said[1:], ""], strict=True)
        if not (line.startswith("MESSAGE ") and after.startswith("MESSAGE "))
    ]
    return [
        " ".join(word for before, word in zip(["", *line], line, strict=False) if before not in ("tm", "n/ms"))
        for line in words
    ]


def test_it_searches_what_the_brain_here_searches(path: Path) -> None:
    lines = searched([*WINE, str(path)])
    assert len([line for line in lines if line.startswith("MESSAGE depth ")]) == 5
    assert lines == searched([sys.executable, "-m", "pbrain"])


@pytest.mark.skipif(not PYTHON, reason="TENGEN_WINDOWS_PYTHON names no python.exe; .ci/windows runs it")
def test_its_engine_has_the_signature_of_the_engine_here(path: Path) -> None:
    home, bench = path.parent / "tengen", ROOT / "engine" / "bench.py"
    program = (
        f"import sys; sys.path.insert(0, {in_windows(home)!r}); import engine, runpy; "
        f"sys.argv[1:] = ['--depth', '9']; runpy.run_path({in_windows(bench)!r}, run_name='__main__')"
    )
    theirs = signature([*WINE, PYTHON, "-I", "-c", program])
    assert theirs == signature([sys.executable, "-m", "engine.bench", "--depth", "9"])


def in_windows(path: Path) -> str:
    """The path as a program of Windows is to be told it."""
    return str(path) if os.name == "nt" else "Z:" + str(path).replace("/", "\\")


def signature(command: list[str]) -> list[str]:
    done = subprocess.run(command, input=b"", capture_output=True, timeout=PATIENCE_S * 5, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    lines = done.stdout.decode("ascii").splitlines()
    signatures = [line for line in lines if line.startswith(("Classical:", "Bench:"))]
    assert len(signatures) == 2
    return signatures
