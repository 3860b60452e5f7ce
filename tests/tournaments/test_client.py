"""Brains from Python: a move or an analysis under limits, and no process that is left after the context."""

import asyncio
import contextlib
import gc
import math
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from needs import needs_processes
from processes import SCRIPT, children, is_running, wait_until_gone

from tournaments.brains import Answer, BrainFailure, BrainLimits, open_brain, open_brain_async
from tournaments.brains.search_info import SearchInfo
from tournaments.rules.ending import Ending
from tournaments.rules.referee import Rule

LIMITS = BrainLimits(turn=20.0, startup=20.0)
SHORT = BrainLimits(turn=0.2, startup=20.0, tolerance=0.1, grace=0.2)


def brain(fault: str, moves: str = "") -> str:
    return f'"{sys.executable}" -I -S "{SCRIPT}" {fault} {moves}'


def ours() -> list[int]:
    return children(os.getpid(), SCRIPT.name)


@needs_processes
def test_a_move_and_what_was_said_of_it() -> None:
    with open_brain(brain("'evaluates=-M4'", "3,4 5,6"), LIMITS) as opened:
        answer = opened.play([(7, 7)])
        assert answer == Answer(1, (3, 4), SearchInfo(7, None, -4, 12000), ("depth 7-12 ev -M4 n 12K",), answer.seconds)
        assert 0 < answer.seconds < 20
        assert opened.play("h8i9j10").move == (5, 6) and len(ours()) == 1
    assert ours() == []


def test_a_brain_runs_in_the_folder_that_it_is_given(tmp_path: Path) -> None:
    program = tmp_path / "tells.py"
    program.write_text(
        "import os, sys\nfor line in sys.stdin:\n"
        "    if 'START' in line: print('OK', flush=True)\n"
        "    if 'DONE' in line: print(f'MESSAGE {os.getcwd()}\\n0,0', flush=True)\n"
        "    if 'END' in line: break\n"
    )
    command = f'"{sys.executable}" -I -S "{program}"'
    with open_brain(command, LIMITS, folder=tmp_path) as opened:
        assert opened.play("h8").messages == (str(tmp_path),)
    with open_brain(command, LIMITS) as opened:
        assert opened.play("h8").messages != (str(tmp_path),)
    with pytest.raises(ValueError, match=r"^there is no folder .*none for the brain to run in$"):
        open_brain(command, LIMITS, folder=tmp_path / "none")
    with pytest.raises(ValueError, match=r"^the brain cannot run in .*tells\.py: Not a directory$"):
        open_brain(command, LIMITS, folder=program)
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(ValueError, match=r"^the brain cannot run in .*loop: Too many levels of symbolic links$"):
        open_brain(command, LIMITS, folder=tmp_path / "loop")


def test_what_a_brain_does_in_swap2() -> None:
    with open_brain("weights", LIMITS) as opened:
        placed = opened.propose()
        assert len(placed) == len(set(placed)) == 3
        assert len(opened.propose(placed)) in (0, 1, 2) and len(opened.propose("h8a1i9a2j10")) in (0, 1)
        assert opened.play("h8").stones == 1
        with pytest.raises(ValueError, match="swap2 asks after 0, 3 or 5 stones, not 2"):
            opened.propose("h8i9")
    for answer, ending in (("7,7_8,8_7,7", Ending.OCCUPIED), ("7,7_8,8_15,0", Ending.OFF_BOARD)):
        with open_brain(brain(f"swap2={answer}"), LIMITS) as opened, pytest.raises(BrainFailure) as failure:
            opened.propose()
        assert failure.value.ending is ending


def test_questions_are_put_by_begin_and_by_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRANSCRIPT", str(tmp_path / "read"))
    with open_brain(brain("x", "7,7 8,8"), LIMITS, [("max_node", "100")]) as opened:
        opened.play()
        opened.play([(1, 2), (3, 4)])
        opened.play([(1, 2)], BrainLimits(turn=5.0, startup=20.0))
        opened.start(20, 12, Rule.RENJU)
        opened.play()
    (path,) = tmp_path.glob("read-*")
    heard = [line.split(" ", 1)[1] for line in path.read_text().splitlines()]
    talk = [line for line in heard if "INFO" not in line or any(key in line for key in ("node", "turn", "rule"))]
    begin = ["START 15", "INFO timeout_turn 20000", "INFO rule 0", "INFO max_node 100"]
    assert talk == [
        *begin,
        "BEGIN",
        "BOARD",
        "1,2,1",
        "3,4,2",
        "DONE",
        "START 15",
        "INFO timeout_turn 5000",
        *begin[2:],
        "BOARD",
        "1,2,2",
        "DONE",
        "RECTSTART 20,12",
        "INFO timeout_turn 5000",
        "INFO rule 4",
        begin[3],
        "BEGIN",
        "END",
    ]


def test_an_increment_of_earlier_limits_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A brain keeps the values of INFO lines: with the old increment it would use more time than it has."""
    monkeypatch.setenv("TRANSCRIPT", str(tmp_path / "read"))
    with open_brain(brain("x", "7,7 8,8 9,9"), LIMITS) as opened:
        for match, increment in ((None, 3.0), (60.0, 3.0), (60.0, 0.0)):
            opened.play([(1, 2)], replace(LIMITS, match=match, increment=increment))
            opened.start()
    (path,) = tmp_path.glob("read-*")
    heard = [line.split(" ", 1)[1] for line in path.read_text().splitlines()]
    assert [line for line in heard if "increment" in line or "match" in line] == [
        *["INFO timeout_match 0"] * 2,
        *["INFO timeout_match 60000", "INFO time_increment 3000"] * 2,
        "INFO timeout_match 60000",
        "INFO time_increment 0",
        "INFO timeout_match 60000",
    ]


@needs_processes
def test_every_position_of_a_game_until_it_is_over() -> None:
    with open_brain(brain("x", " ".join(f"{x},14" for x in range(15))), LIMITS) as opened:
        found = list(opened.analyse("h8h9i8i9j8j9k8k9l8"))
        assert [(answer.stones, answer.move) for answer in found] == [(stones, (stones, 14)) for stones in range(9)]
        assert [answer.stones for answer in opened.analyse("h8h9i8", first=2)] == [2, 3]
        for answer in opened.analyse("h8h9i8", first=1, last=2):
            assert answer.stones == 1
            break
    assert ours() == []


@needs_processes
@pytest.mark.parametrize(
    ("fault", "moves", "ending", "said"),
    [
        ("hangs", "", Ending.TURN_TIMEOUT, "its turn time ran out (no answer)"),
        ("crashes", "", Ending.CRASH, "its program ended (exited with code 9)"),
        ("refuses", "", Ending.REFUSED, "it refused the board ('ERROR too big')"),
        ("babbles", "", Ending.GARBAGE, "its answer is not a move ('lovely weather')"),
        ("x", "15,0", Ending.OFF_BOARD, "it moved off the board (15,0)"),
        ("x", "7,7", Ending.OCCUPIED, "it moved to an occupied point (h8)"),
    ],
)
def test_a_failure_says_what_the_brain_did(fault: str, moves: str, ending: Ending, said: str) -> None:
    with open_brain(brain(fault, moves), SHORT if fault == "hangs" else LIMITS) as opened:
        with pytest.raises(BrainFailure) as failure:
            opened.play("h8")
        assert failure.value.ending is ending and str(failure.value) == said
    assert ours() == []


@needs_processes
def test_a_brain_that_has_crashed_is_started_anew() -> None:
    with open_brain(brain("crashes", "1,1"), LIMITS) as opened:
        assert opened.play("h8").move == (1, 1)
        with pytest.raises(BrainFailure):
            opened.play("h8")
        assert opened.play("h8").move == (1, 1) and len(ours()) == 1
    opened.close()  # once more does no harm


@needs_processes
def test_bad_input_is_told_before_anybody_is_asked() -> None:
    with pytest.raises(ValueError, match="there is no brain 'no-such'"):
        open_brain("no-such")
    with open_brain(brain("x", "1,1")) as opened:
        with pytest.raises(ValueError, match="7,7 is already taken"):
            opened.play([(7, 7), (7, 7)])
        with pytest.raises(ValueError, match="15,0 is off the 15x15 board"):
            opened.play([(15, 0)])
        with pytest.raises(ValueError, match="a board of 4x4 is not possible"):
            opened.start(4)
        assert ours() == []


@needs_processes
def test_leaving_the_context_by_an_exception_ends_the_brain() -> None:
    with pytest.raises(RuntimeError), open_brain(brain("ignores-end", "1,1"), SHORT) as opened:
        opened.start()
        (pid,) = ours()
        raise RuntimeError
    assert wait_until_gone([pid]) == []


@needs_processes
def test_a_brain_that_nobody_closed_goes_with_its_object() -> None:
    opened = open_brain(brain("ignores-end", "1,1"), SHORT)
    opened.start()
    (pid,) = ours()
    assert is_running(pid)
    del opened
    gc.collect()
    assert wait_until_gone([pid]) == []


def test_a_brain_that_nobody_closed_goes_with_the_interpreter() -> None:
    program = (
        "import sys; from tournaments.brains import open_brain; brain = open_brain(sys.argv[1]);"
        "print(brain.play([(7, 7)]).move, brain._brain._process.pid)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, brain("ignores-end", "1,1")],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    move, pid = done.stdout.rsplit(" ", 1)
    assert move == "(1, 1)" and done.stderr == ""
    assert wait_until_gone([int(pid)]) == []


@needs_processes
def test_the_event_loop_goes_on_while_a_brain_thinks() -> None:
    async def ask() -> None:
        async with open_brain_async(brain("sleeps=0.3", "1,1 2,2 3,3"), LIMITS) as one:
            turns = 0
            asked = asyncio.ensure_future(one.play("h8"))
            deadline = time.monotonic() + 60
            while not asked.done():
                assert time.monotonic() < deadline
                turns += 1
                await asyncio.sleep(0.01)
            assert turns > 3 and (await asked).move == (1, 1)
            assert [answer.move async for answer in one.analyse("h8h9", first=1, last=2)] == [(2, 2), (3, 3)]
            with pytest.raises(BrainFailure):
                await one.play("h8", SHORT)

    asyncio.run(ask())
    assert ours() == []


@needs_processes
def test_a_call_that_is_cancelled_kills_the_brain() -> None:
    async def ask() -> None:
        async with open_brain_async(brain("hangs", "1,1"), BrainLimits(turn=1000.0, startup=20.0)) as one:
            assert (await one.play("h8")).move == (1, 1)
            (pid,) = ours()
            began = time.monotonic()
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(one.play("h8"), 0.2)
            assert wait_until_gone([pid]) == [] and time.monotonic() - began < 60
            assert (await one.play("h8")).move == (1, 1), "it was started anew"
            # Cancelled while it starts.
            await one.start()
            starting = asyncio.ensure_future(one.play("h8", BrainLimits(turn=999.0, startup=20.0)))
            await asyncio.sleep(0)
            starting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await starting

    asyncio.run(ask())
    assert ours() == []


@pytest.mark.parametrize("command", [["weights"], None, 5, b"weights"])
def test_a_command_that_is_not_a_text_is_named(command: object) -> None:
    with pytest.raises(TypeError, match="a brain command is one text such as 'weights' or"):
        open_brain(command)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("limits", "kind", "said"),
    [
        ({"turn": math.nan}, ValueError, "the limit turn is 0 to 10,000,000 seconds, not nan"),
        ({"turn": -1}, ValueError, "the limit turn is 0 to 10,000,000 seconds, not -1"),
        ({"turn": None}, TypeError, "the limit turn is a number of seconds, not None"),
        ({"match": math.inf}, ValueError, "the limit match is 0 to 10,000,000 seconds, not inf"),
        ({"increment": "1"}, TypeError, "the limit increment is a number of seconds, not '1'"),
        ({"memory": 1.5}, TypeError, "the limit memory is a whole number, not 1.5"),
        ({"processes": 0}, ValueError, "the limit processes is at least 1, not 0"),
        ({"output": -1}, ValueError, "the limit output is at least 1, not -1"),
    ],
)
def test_limits_that_make_no_sense_are_named(limits: dict[str, float], kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said):
        BrainLimits(**limits)  # type: ignore[arg-type]


@needs_processes
def test_threads_that_share_a_brain_are_answered_in_turn() -> None:
    """Three threads read one another's answers, and two of them got an AttributeError or a failure."""
    with open_brain("weights", LIMITS) as opened, ThreadPoolExecutor(3) as threads:
        games = ["h8", "h8i9j10", "h8a1i8a2j8a3k8"] * 4
        alone = {game: opened.play(game).move for game in games}
        assert {game: answer.move for game, answer in zip(games, threads.map(opened.play, games), strict=True)} == alone
