"""Ctrl-C, stops and other threads while the engine works: nothing is left running, and nothing false is learned."""

from __future__ import annotations

import gc
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from positions import clustered
from waiting import PATIENCE_S, wait_until

from engine import Board, Info, Limits, Searcher
from engine.board_probe import difference
from engine.proof import Prover
from engine.threats import find_vcf
from engine.vct import ThreatSolver

SCRIPT = Path(__file__).with_name("interrupted.py")
FOREVER = 10**12
"""More nodes than a test can wait for."""

needs_timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that interrupts: POSIX has it")


def hard() -> Board:
    """A position in which a win by threats is looked for, in vain, for millions of nodes."""
    return clustered(random.Random(39), 0, 20, 20, 59, careful=0.97)


def interrupts(seed: int, count: int, timeout: float) -> dict[str, int]:
    """What the script saw; it fails where a thread is left, the process crashes, or a win is false."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(seed), str(count)],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env={**os.environ, "PYTHONPATH": str(SCRIPT.parents[2])},
    )
    assert (done.returncode, done.stderr) == (0, "")
    seen: dict[str, int] = json.loads(done.stdout)
    return seen


@pytest.mark.long
@needs_timer
def test_interrupts_leave_no_thread_and_no_false_win() -> None:
    seen = interrupts(1, 40, 300)
    assert seen["interrupts"] == 40 and seen["search"] >= 10 and seen["wins"] >= 1, seen


@pytest.mark.slow
@needs_timer
@pytest.mark.parametrize("seed", range(4))
def test_a_thousand_interrupts(seed: int) -> None:
    """1,000 in all."""
    seen = interrupts(10 + seed, 250, 3_000)
    assert seen["interrupts"] == 250 and seen["search"] >= 100 and seen["wins"] >= 1, seen
    assert min(seen[kind] for kind in ("analysis", "fours", "threats", "proof")) >= 1, seen


CTRL_C = """
import signal, sys, threading
sys.path[:0] = {folders!r}
from test_interrupts import FOREVER, hard
from engine.board_probe import difference
from engine.proof import Prover
from engine.vct import ThreatSolver
board, solver, prover = hard(), ThreatSolver(), Prover(nodes=FOREVER)
before = board.moves_text()
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs start with SIGINT ignored
threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", board.moves_text() == before, difference(board) == "", solver.find(board, 100))
"""


@pytest.mark.parametrize("call", ["solver.find(board, FOREVER)", "prover.win(board)", "prover.losing_moves(board)"])
def test_ctrl_c_ends_a_solver(call: str) -> None:
    text = CTRL_C.format(folders=[str(SCRIPT.parent), str(SCRIPT.parents[1])], call=call)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("interrupted True True None\n", "", 0)


def test_a_question_ends_a_solver_and_the_board_may_change_meanwhile() -> None:
    board = hard()
    before, asked = board.moves_text(), [0]

    def is_stopped() -> bool:
        asked[0] += 1
        assert board.moves_text() == before, "no stone of the solver's is on the caller's board"
        x, y = board.legal_moves()[asked[0]]
        board.play(x, y)
        time.sleep(0.001)
        board.undo()
        return asked[0] == 4

    assert ThreatSolver().find(board, FOREVER, is_stopped=is_stopped) is None
    assert asked == [4] and board.moves_text() == before and difference(board) == ""


def test_what_a_solver_finds_does_not_depend_on_changes_of_the_board_meanwhile() -> None:
    board = Board.from_moves("e6d6e5d8d7c3", 9)
    found = ThreatSolver().find(board)
    line = find_vcf(Board.from_moves("h8a1i8c1j8e1"))

    def play() -> bool:
        board.play(*board.legal_moves()[0])
        return False

    assert ThreatSolver().find(board, is_stopped=play) == found
    assert board.ply > 6 and difference(board) == ""
    board = Board.from_moves("h8a1i8c1j8e1")
    assert find_vcf(board, is_stopped=play) == line
    assert board.ply > 6 and difference(board) == ""


@pytest.mark.parametrize(
    "call",
    [
        lambda board, ask: find_vcf(board, is_stopped=ask),
        lambda board, ask: ThreatSolver().find(board, is_stopped=ask),
        lambda board, ask: Prover(is_stopped=ask).win(board),
    ],
)
def test_what_the_question_raises_comes_through(call: Callable[[Board, Callable[[], object]], object]) -> None:
    board = Board.from_moves("e6d6e5d8d7c3", 9)

    def fail() -> object:
        raise LookupError("told to")

    class Doubt:
        def __bool__(self) -> bool:
            raise ArithmeticError("no answer")

    with pytest.raises(LookupError, match="told to"):
        call(board, fail)
    with pytest.raises(ArithmeticError, match="no answer"):
        call(board, Doubt)
    assert board.moves_text() == "e6d6e5d8d7c3"


def test_a_solver_at_work_refuses_other_work() -> None:
    board, solver = hard(), ThreatSolver()

    def again() -> object:
        return solver.find(board)

    for task in (again, solver.clear):
        with pytest.raises(RuntimeError, match="this solver is solving"):
            solver.find(board, FOREVER, is_stopped=task)
    assert solver.find(board, 100) is None


def test_a_searcher_at_work_refuses_other_work() -> None:
    """It refuses other work of every thread, and goes on with the search."""
    searcher, board, before = Searcher(1 << 20), Board.from_moves("h8i9g7"), threading.active_count()
    searcher.threads = 3
    searcher.arm()
    thread = threading.Thread(target=searcher.go, args=(board, Limits()))
    thread.start()
    wait_until(lambda: searcher.statistics["nodes"], PATIENCE_S, "it searches")
    tasks: list[Callable[[], object]] = [
        lambda: searcher.go(board, Limits(depth=1)),
        lambda: next(searcher.analyse(board, Limits(depth=1))),
        lambda: setattr(searcher, "threads", 1),
        lambda: searcher.resize(1 << 20),
        searcher.clear,
        searcher.arm,
    ]
    for task in tasks:
        with pytest.raises(RuntimeError, match="this searcher is searching"):
            task()
    searcher.stop()
    thread.join(PATIENCE_S)
    assert not thread.is_alive() and threading.active_count() == before
    assert searcher.go(board, Limits(depth=3)).depth == 3


def test_an_analysis_that_is_closed_at_work_goes_on() -> None:
    found: list[Info] = []
    searcher = Searcher(1 << 20)
    searcher.threads = 2
    analysis = searcher.analyse(Board.from_moves("h8i9g7"), Limits())
    thread = threading.Thread(target=lambda: found.extend(analysis))
    thread.start()
    wait_until(lambda: searcher.statistics["nodes"], PATIENCE_S, "it searches")
    with pytest.raises(ValueError, match="already executing"):
        analysis.close()
    searcher.stop()
    thread.join(PATIENCE_S)
    assert not thread.is_alive() and [info.line for info in found[-3:]] == [1, 2, 3]


@pytest.mark.long
def test_a_searcher_that_nobody_else_knows_ends_its_search() -> None:
    found: list[Info] = []

    def search() -> None:
        searcher = Searcher(1 << 20)
        searcher.threads = 4
        found.append(searcher.go(Board.from_moves("h8i9g7"), Limits(nodes=200_000), lambda info: gc.collect() and None))
        del searcher
        gc.collect()

    thread = threading.Thread(target=search)
    thread.start()
    thread.join(PATIENCE_S)
    assert not thread.is_alive() and found[0].depth > 4


DAEMON = """
import threading
from engine import Board, Limits, Searcher
searcher = Searcher(1 << 20)
searcher.threads = 4
threading.Thread(target=searcher.go, args=(Board.from_moves("h8i9g7"), Limits()), daemon=True).start()
while searcher.statistics["nodes"] < 10_000:
    pass
print("done")
"""


def test_a_program_may_end_while_threads_search() -> None:
    done = subprocess.run(
        [sys.executable, "-c", DAEMON], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("done\n", "", 0)


OUTLIVES = """
import ctypes, signal, threading
from engine import Board, Limits, Searcher
ctypes.pythonapi.Py_AtExit(ctypes.CDLL(None).pause)  # the process stays when the interpreter is gone
searchers = [Searcher(1 << 20) for _ in range(12)]
for searcher in searchers:
    threading.Thread(target=searcher.go, args=(Board.from_moves("h8i9g7"), Limits()), daemon=True).start()
while min(searcher.statistics["nodes"] for searcher in searchers) < 10_000:
    pass
signal.setitimer(signal.ITIMER_REAL, 2)
print("done", flush=True)
"""


@needs_timer
def test_searches_may_outlive_the_interpreter() -> None:
    """Where a library takes its time to end the process, daemon threads go on and find no interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", OUTLIVES], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("done\n", "", -signal.SIGALRM)
