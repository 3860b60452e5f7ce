"""The brain as a process: signals, pipes, order and what it writes where. Limits of time are generous."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest
from brain_process import COMMAND, ENVIRONMENT, IS_SANITIZED, PATIENCE_S, ROOT, Brain
from fake_engine import FakeEngine
from needs import needs_posix
from waiting import wait_until

from pbrain import console


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    started = Brain(tmp_path)
    yield started
    started.close()


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
    """Case 33."""
    ok, move = converse(b"START 15\nINFO timeout_turn 200\nTURN 7,7" + ending, tmp_path)
    assert ok == "OK"
    assert is_move(move)


def test_the_end_of_input_while_idle(tmp_path: Path) -> None:
    """Case 33."""
    assert converse(b"START 20\n", tmp_path) == ["OK"]
    assert converse(b"", tmp_path) == []


def test_a_judges_burst_gets_one_ok_and_one_move(tmp_path: Path) -> None:
    """Case 7."""
    infos = "".join(
        f"INFO {pair}\r\n"
        for pair in (
            "timeout_turn 100",
            "timeout_match 20000",
            "max_memory 83886080",
            "game_type 1",
            "rule 4",
            "folder /no such/folder",
            "time_left 20000",
        )
    )
    ok, move = converse(f"START 15\r\n{infos}BOARD\r\nDONE\r\n".encode(), tmp_path)
    assert ok == "OK"
    assert is_move(move)


def test_end_while_thinking_ends_at_once_and_in_silence(brain: Brain) -> None:
    """Case 32."""
    brain.think()
    brain.say("END")
    assert brain.answer() is None
    assert brain.ended() == 0


@pytest.mark.parametrize("word", ["INFO timeout_turn 0", "YXSTOP", "stop"])
def test_a_move_asked_for_now_comes_now(brain: Brain, word: str) -> None:
    """Case 17."""
    brain.think()
    brain.say(word)
    assert is_move(brain.answer())
    brain.say("END")
    assert brain.ended() == 0


def test_commands_during_a_search_are_answered_after_it_in_order(brain: Brain) -> None:
    """Case 31."""
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
    """Case 33."""
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


@needs_posix
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
    """Case 30."""
    noise = random.Random(7).randbytes(20_000)
    brain.write(noise + b"\n" + b"x" * 100_000 + b"\nSTART 15\n")
    deadline = time.monotonic() + PATIENCE_S
    while (line := brain.answer()) != "OK":
        assert line is not None and time.monotonic() < deadline
        assert line.startswith(("UNKNOWN ", "ERROR "))
    brain.say("INFO rule 0", "INFO timeout_turn 20", "BEGIN")
    assert is_move(brain.answer())


@pytest.mark.parametrize(("rule", "size"), [(0, 20), (1, 15), (4, 15), (8, 12), (9, 7)])
def test_a_game_against_a_random_opponent_is_legal(brain: Brain, rule: int, size: int) -> None:
    """Case 37."""
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


def test_the_flag_with_which_yixin_board_starts_its_engine_on_windows_changes_nothing() -> None:
    done = subprocess.run(
        [*COMMAND, "--force-utf8"], env=ENVIRONMENT, input="START 15\nEND\n", capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("OK\n", "")


def test_ten_thousand_commands_during_a_search_get_one_answer_each_in_order(brain: Brain) -> None:
    """Case 31."""
    brain.think()
    burst = []
    for number in range(2500):
        burst += [f"FOO{number}", "ABOUT", f"TAKEBACK 0,{number}", f"INFO max_depth {1 + number % 5}"]
    brain.say(*burst, "YXSTOP", "TURN 0,0")
    assert is_move(brain.answer())
    for number in range(2500):
        assert brain.answer() == f"UNKNOWN command FOO{number}"
        assert (brain.answer() or "").startswith('name="Tengen"')
        assert (brain.answer() or "").startswith(f"ERROR TAKEBACK of 0,{number},")
    assert is_move(brain.answer())
    brain.say("END")
    assert brain.ended() == 0


@needs_posix
def test_a_brain_that_was_frozen_thinks_as_long_as_ever(brain: Brain) -> None:
    """Case 24: GomocupJudge stops the process between moves and writes the next command before it goes on."""
    brain.say("START 15", "INFO timeout_turn 400", "INFO timeout_match 20000", "INFO time_left 20000", "BEGIN")
    assert brain.answer() == "OK"
    assert is_move(brain.answer())
    brain.process.send_signal(signal.SIGSTOP)
    time.sleep(1.5)
    brain.say("INFO time_left 19500", "TURN 0,0")
    brain.process.send_signal(signal.SIGCONT)
    line = brain.line()
    assert line is not None
    assert line.startswith("MESSAGE depth "), "it searched: the time that was not its own did not count"
    assert is_move(brain.answer())


def test_pondering_stops_for_the_next_command(brain: Brain) -> None:
    brain.say("START 15", "INFO pondering 1", "INFO timeout_turn 100", "BEGIN")
    assert brain.answer() == "OK"
    for x in (0, 4, 8, 12):
        assert is_move(brain.answer())
        time.sleep(0.05)
        brain.say(f"TURN {x},0")
    assert is_move(brain.answer())
    brain.say("ABOUT")
    assert (brain.answer() or "").startswith("name=")
    brain.say("TURN 2,14", "END")
    assert is_move(brain.answer())
    assert brain.ended() == 0


@pytest.mark.parametrize("word", ["END", ""])
def test_pondering_holds_up_no_ending(tmp_path: Path, word: str) -> None:
    """Cases 32 and 33."""
    text = f"START 15\nINFO pondering 1\nINFO timeout_turn 100\nBEGIN\n{word}\n".encode()
    assert len(converse(text, tmp_path)) == 2


def test_the_log_has_both_directions_and_the_pipes_nothing_of_it(tmp_path: Path) -> None:
    """Case 34."""
    logged = Brain(tmp_path, "--log", "game.log")
    logged.say("START 15", "ABOUT", "END")
    assert logged.answer() == "OK"
    assert (logged.answer() or "").startswith("name=")
    assert logged.answer() is None
    assert logged.ended() == 0
    logged.close()
    entries = [line.split(None, 1)[1] for line in (tmp_path / "game.log").read_text("utf-8").splitlines()[1:]]
    assert [entry for entry in entries if entry.startswith("> ")] == ["> START 15", "> ABOUT", "> END"]
    assert entries[-1].startswith('< name="Tengen"')


@pytest.mark.parametrize("arguments", [["--log"], ["--log", "no/such/folder/log"], ["--log", ""]])
def test_a_log_that_cannot_be_written_is_said_before_the_game(tmp_path: Path, arguments: list[str]) -> None:
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=tmp_path,
        env=ENVIRONMENT,
        input="ABOUT\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("pbrain-tengen: ")


def test_a_whole_line_in_one_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """Case 35."""
    written: list[bytes] = []

    def write(_: int, data: bytes) -> int:
        written.append(data)
        return len(data)

    monkeypatch.setattr(os, "write", write)
    console.write_line("7,7")
    console.write_line("MESSAGE żółw")
    assert written == [b"7,7\n", "MESSAGE żółw\n".encode()], "as a text of a database"


def test_what_the_start_cost(tmp_path: Path) -> None:
    schedule = tmp_path / "schedstat"
    schedule.write_text("57000000 2500000000 12\n", "ascii")
    assert 2.5 <= console.startup_seconds(str(schedule)) - time.process_time() + 1e-3 < 2.6
    for text in ("", "57000000", "fast slow"):
        schedule.write_text(text, "ascii")
        assert console.startup_seconds(str(schedule)) <= time.process_time()
    assert console.startup_seconds(str(tmp_path / "missing")) <= time.process_time()


@pytest.mark.parametrize(
    ("chunks", "least", "most"),
    [
        ([b"START 15\nINFO timeout_turn 100000\nBEGIN\n"], 0, 70_000),
        ([b"START 15\nINFO timeout_turn 100000\n", b"BEGIN\n"], 70_001, 100_000),
    ],
)
def test_the_first_burst_was_sent_before_we_were_up(
    monkeypatch: pytest.MonkeyPatch, chunks: list[bytes], least: int, most: int
) -> None:
    """Case 23: the clock of a manager that does not wait runs from the start of the process."""
    engine = FakeEngine()
    rest = [*chunks, b""]
    written: list[str] = []
    monkeypatch.setattr(console, "startup_seconds", lambda: 30.0)
    monkeypatch.setattr(console, "make_streams_wait", lambda: None)
    monkeypatch.setattr(console, "write_line", written.append)
    monkeypatch.setattr(os, "read", lambda stream, size: rest.pop(0))
    assert console.Console(lambda: cast(ModuleType, engine)).run() == 0
    assert written == ["OK", "7,7"]
    turn = engine.limits[-1].turn_ms
    assert turn is not None
    assert least <= turn <= most


def test_text_that_comes_whole_is_answered_by_a_slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """END in the first read does not come from a manager, so the brain waits for the engine to load."""
    rest = [b"START 15\nBEGIN\nEND\n"]
    written: list[str] = []
    monkeypatch.setattr(console, "make_streams_wait", lambda: None)
    monkeypatch.setattr(console, "write_line", written.append)
    monkeypatch.setattr(os, "read", lambda stream, size: rest.pop(0))

    def load() -> ModuleType:
        time.sleep(2 * console.END_GRACE_S)
        return cast(ModuleType, FakeEngine())

    assert console.Console(load).run() == 0
    assert written == ["OK", "7,7"]


def test_what_the_first_move_waits_for_is_loaded_while_no_line_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = FakeEngine()
    rest = [b"START 15\n", b"INFO rule 4\n", b"TURN 7,7\n", b""]
    written: list[str] = []
    monkeypatch.setattr(console, "make_streams_wait", lambda: None)
    monkeypatch.setattr(console, "write_line", written.append)
    monkeypatch.setattr(console, "QUIET_S", 0.0)

    def read(stream: int, size: int) -> bytes:
        expected = [0, 4, 4][: 4 - len(rest)]  # one more for each line: of a START, a rule, and a move
        wait_until(lambda: engine.asked == expected, PATIENCE_S, f"the engine is asked {expected}")
        return rest.pop(0)

    monkeypatch.setattr(os, "read", read)
    assert console.Console(lambda: cast(ModuleType, engine)).run() == 0
    assert written[-1] == "6,6"


def test_another_folder_a_relative_path_and_blanks(tmp_path: Path) -> None:
    """Case 38: nothing is looked for in the working folder, and nothing is written there."""
    home = tmp_path / "some where"
    home.mkdir()
    (home / "pbrain tengen").write_text("from pbrain.__main__ import main\nmain()\n", "utf-8")
    cell = tmp_path / "cell"
    cell.mkdir(mode=0o555)
    done = subprocess.run(
        [sys.executable, "../some where/pbrain tengen"],
        cwd=cell,
        env=ENVIRONMENT,
        input=b"START 15\nINFO timeout_turn 100\nBEGIN\n",
        capture_output=True,
        timeout=PATIENCE_S,
        check=True,
    )
    assert done.stderr == b""
    assert is_move(done.stdout.decode().splitlines()[-1])
    assert list(cell.iterdir()) == []


@needs_posix
def test_pipes_that_do_not_wait_are_waited_for(tmp_path: Path) -> None:
    """An empty pipe is not the end of input, and a full pipe is not a broken one."""
    brain_reads, we_write = os.pipe()
    we_read, brain_writes = os.pipe()
    for end in (brain_reads, brain_writes):
        os.set_blocking(end, False)
    process = subprocess.Popen(COMMAND, cwd=tmp_path, env=ENVIRONMENT, stdin=brain_reads, stdout=brain_writes)
    os.close(brain_writes)
    os.close(brain_reads)
    try:
        time.sleep(0.5)  # by now it has read once
        with os.fdopen(we_write, "wb") as commands:
            commands.write(b"ABOUT\n" * 5000)  # their answers fill the pipe several times
        time.sleep(0.5)
        with os.fdopen(we_read, "rb") as answers:
            assert answers.read().count(b'name="Tengen"') == 5000
        assert process.wait(PATIENCE_S) == 0
    finally:
        process.kill()
        process.wait()


def test_two_brains_in_one_folder(tmp_path: Path) -> None:
    """Case 39: both write the same file of openings, and the log, at the same time."""
    brains = [Brain(tmp_path, "--log", "both.log") for _ in range(2)]
    for one in brains:
        one.say("START 15", f"INFO folder {tmp_path}", "INFO max_depth 1", *["SWAP2BOARD", "DONE"] * 10)
    for one in brains:
        assert one.answer() == "OK"
        for _ in range(10):
            assert (one.answer() or "").count(",") == 3
        one.say("END")
        assert one.ended() == 0
        one.close()
    kept = list((tmp_path / "Tengen").iterdir())
    assert [path.name for path in kept] == ["swap2-rule0-15x15.txt"]
    assert (tmp_path / "both.log").read_text("ascii").count("< OK\n") == 2


def test_many_games_in_one_process_are_the_same_game(brain: Brain) -> None:
    """Case 40: with a limit of positions each START begins the same game, and memory does not grow."""
    moves = [f"TURN {x},0" for x in range(0, 15, 2)]
    games: set[tuple[str | None, ...]] = set()
    peaks: list[int] = []
    for _ in range(200):
        brain.say("START 15", "INFO max_node 200", "INFO max_memory 83886080", "BEGIN", *moves)
        assert brain.answer() == "OK"
        games.add(tuple(brain.answer() for _ in range(1 + len(moves))))
        peaks.append(brain.peak_bytes() or 0)
    assert len(games) == 1
    assert IS_SANITIZED or peaks[-1] <= peaks[9] + (4 << 20)


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="reads /proc/self/maps, which Linux has")
def test_the_thread_that_searches_has_a_deep_stack(brain: Brain) -> None:
    brain.think()
    sizes = [
        int(end, 16) - int(start, 16)
        for start, end in (
            line.split(" ", 1)[0].split("-")
            for line in Path(f"/proc/{brain.process.pid}/maps").read_text().splitlines()
            if line.split()[1] == "rw-p"
        )
    ]
    # Its guard page may be a part of it. The usual stack has 8 MiB.
    assert any((4 << 20) - (64 << 10) <= size <= 4 << 20 for size in sizes), sizes


@pytest.mark.skipif(
    IS_SANITIZED or not os.path.exists("/proc/self/status"),
    reason="reads /proc/self/status, which Linux has, and no sanitizer may be on",
)
@pytest.mark.parametrize(("limit", "threads"), [(32 << 20, 1), (32 << 20, 2), (83886080, 1), (367001600, 2)])
def test_memory_stays_under_the_limit(brain: Brain, limit: int, threads: int) -> None:
    """Case 25: on 20x20, with searches that touch all of the table and every rule's patterns."""
    brain.say("START 20", f"INFO max_memory {limit}", f"INFO thread_num {threads}", "INFO timeout_turn 400", "BEGIN")
    assert brain.answer() == "OK"
    assert is_move(brain.answer(), 20)
    for rule, point in ((0, "10,8"), (1, "0,0"), (4, "19,0"), (8, "0,19"), (9, "19,19")):
        brain.say(f"INFO rule {rule}", f"TURN {point}")
        assert is_move(brain.answer(), 20)
    peak = brain.peak_bytes()
    assert peak is not None
    assert peak < limit


FREE_THREADED = """
import sys, types, warnings
sys._is_gil_enabled = lambda: False
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "engine":
            warnings.warn("The global interpreter lock (GIL) has been enabled to load module 'x'", RuntimeWarning)
sys.meta_path.insert(0, Finder())
from pbrain.__main__ import load_engine
print(load_engine().MATE)
"""


def test_a_free_threaded_python_says_nothing_of_its_lock() -> None:
    """It turns the lock on for the engine with a warning on stderr, where some managers would read an answer."""
    done = subprocess.run([sys.executable, "-c", FREE_THREADED], env=ENVIRONMENT, capture_output=True, check=False)
    assert (done.stdout.strip(), done.stderr, done.returncode) == (b"30000", b"", 0)
