"""Several threads with one table: limits hold for all of them together, and one thread alone plays as before."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time

import psutil
import pytest
from needs import needs_fork, needs_idle_threads
from oracle import Oracle
from positions import clustered, empty_cells_of

from engine import RULES, Board, Info, Limits, Searcher

MEMORY = 1 << 20


def opening(rule: int = 0, size: int = 15) -> Board:
    board = Board(size, size, rule)
    for cell in ((7, 7), (8, 8), (6, 8), (8, 6)):
        board.play(*cell)
    return board


def crew(threads: int) -> Searcher:
    searcher = Searcher(MEMORY)
    searcher.threads = threads
    return searcher


def running_threads() -> int:
    """Those of the whole process: Python does not know of the ones that help a search."""
    return psutil.Process().num_threads()


def wait_until_running(threads: int) -> None:
    """Waits until no more than `threads` run: one that is done takes a moment to be gone.

    There may be fewer in the end, because those of an earlier test may have been counted in their last moment.
    """
    deadline = time.monotonic() + 30
    while running_threads() > threads:
        assert time.monotonic() < deadline
        time.sleep(0.001)


def wait_until_settled() -> None:
    """Waits until no thread begins or ends any more: one that has ended may be counted for a moment."""
    deadline = time.monotonic() + 30
    count, since = running_threads(), time.monotonic()
    while time.monotonic() - since < 0.5:
        assert time.monotonic() < deadline
        time.sleep(0.01)
        if running_threads() != count:
            count, since = running_threads(), time.monotonic()


def test_one_thread_at_first() -> None:
    assert Searcher(MEMORY).threads == 1


def test_the_number_of_threads_can_rise_and_fall() -> None:
    searcher = Searcher(MEMORY, threads=2)
    searcher.go(opening(), Limits(nodes=1000))  # ThreadSanitizer begins a thread of its own with the first one of ours
    wait_until_settled()
    for threads in (3, 1, 4, 4, 2, 1):
        searcher.threads = threads
        assert searcher.threads == threads
        running = running_threads()
        seen: list[int] = []
        limits = Limits(nodes=50_000)

        def look(info: Info, seen: list[int] = seen) -> None:
            seen.append(running_threads())

        info = searcher.go(opening(), limits, look)
        assert info.depth >= 6
        assert max(seen) == running + threads - 1
        wait_until_running(running)


DEEP_STACKS = """
import os, re, sys, threading
from pathlib import Path
from engine import Board, Limits, Searcher

def stacks(size):
    # How many mapped areas of Linux's, such as the stacks of threads, have this size.
    areas = re.findall(r"^(\\w+)-(\\w+) rw", os.fsdecode(Path("/proc/self/maps").read_bytes()), re.M)
    return sum(int(end, 16) - int(start, 16) == size for start, end in areas)

threading.stack_size(1 << 20)
seen = []
searcher = Searcher(16 << 20)
searcher.threads = 3
look = lambda info: seen.append(stacks(4 << 20) if sys.platform == "linux" else 2)
searcher.go(Board.from_moves("h8i9g7"), Limits(nodes=300_000), look)
print(max(seen), threading.stack_size())
"""


def test_helping_threads_have_deep_stacks_and_other_threads_the_usual_ones() -> None:
    """In a process of its own: a larger stack of a thread that has ended is given to the next thread."""
    done = subprocess.run([sys.executable, "-c", DEEP_STACKS], capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["2", str(1 << 20)], done.stderr


def test_no_thread_is_an_error() -> None:
    with pytest.raises(ValueError, match="threads is 1 to 256, not 0"):
        Searcher(MEMORY).threads = 0


def test_one_thread_after_several_searches_like_a_new_searcher() -> None:
    searcher = crew(3)
    searcher.go(opening(), Limits(depth=6))
    searcher.threads = 1
    searcher.clear()
    infos = [some.go(opening(), Limits(nodes=20_000)) for some in (searcher, Searcher(MEMORY))]
    first, second = [(info.depth, info.score, info.nodes, info.pv) for info in infos]
    assert first == second


def test_the_node_limit_is_for_all_threads_together() -> None:
    searcher = crew(3)
    limit = 1_000_000  # long enough for every thread to get its turn on one busy core
    together = searcher.go(opening(), Limits(nodes=limit)).nodes
    of_the_main_thread = searcher.statistics["nodes"]
    assert 0 < of_the_main_thread < limit <= together


def test_a_move_without_a_search_counts_no_nodes_of_the_search_before() -> None:
    searcher = crew(3)
    assert searcher.go(opening(), Limits(depth=6)).nodes > 0
    info = searcher.go(opening(), Limits(turn_ms=0))
    assert (info.depth, info.nodes) == (0, 0)


def test_a_stop_ends_every_thread() -> None:
    searcher = crew(4)
    before = running_threads()
    found: list[Info] = []
    thread = threading.Thread(target=lambda: found.append(searcher.go(opening(0, 20), Limits())))
    thread.start()
    time.sleep(0.2)
    searcher.stop()
    thread.join(5)
    assert not thread.is_alive()
    wait_until_running(before)
    assert opening(0, 20).cell(*found[0].move) == -1


@needs_idle_threads
def test_an_answer_does_not_wait_for_a_helper_without_a_core() -> None:
    """With as many threads as cores on a busy machine, 50 ms became 391: the search waited for its helpers' end."""
    one, *others = sorted(os.sched_getaffinity(0))
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    own = {thread.id for thread in psutil.Process().threads()}
    searchers, starved = [crew(2), crew(2)], set()

    def starve(info: Info) -> None:
        """The helper shares its core with the busy process, and gets it once in seconds."""
        for thread in {thread.id for thread in psutil.Process().threads()} - own - starved:
            starved.add(thread)
            os.sched_setaffinity(thread, {one})
            os.sched_setscheduler(thread, os.SCHED_IDLE, os.sched_param(0))

    try:
        os.sched_setaffinity(busy.pid, {one})
        os.sched_setaffinity(0, set(others))
        waits = []
        for searcher in searchers:
            start = time.monotonic()
            info = searcher.go(opening(), Limits(turn_ms=200), starve)
            waits.append((time.monotonic() - start) * 1000 - info.time_ms)
    finally:
        busy.kill()
        busy.wait()
        os.sched_setaffinity(0, {one, *others})
    assert starved
    assert min(waits) < 100, waits


def test_a_searcher_may_be_changed_or_dropped_at_once_after_a_search() -> None:
    before = running_threads()
    board = opening()
    for number in range(12):
        searcher = crew(6)
        searcher.go(board, Limits(nodes=3000))
        if number % 4 == 1:
            searcher.clear()
        elif number % 4 == 2:
            searcher.threads = 1 + number % 3
        elif number % 4 == 3:
            searcher.use_network(board.rule, None)
        if number % 4:
            assert searcher.go(board, Limits(nodes=3000)).move in empty_cells_of(board)
    del searcher
    wait_until_running(before)


@needs_fork
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("attempt", range(20))  # a helper holds the common lock in a few forks of a hundred
def test_a_forked_process_does_not_wait_for_helpers_that_only_its_parent_has(attempt: int) -> None:
    """The fork is within the search, so that helpers surely run."""
    searcher, board, children = crew(4), opening(), list[int]()

    def fork(info: Info) -> None:
        if not children:
            children.append(os.fork())
            if children == [0]:
                signal.alarm(10)  # ends a child that waits for ever
            searcher.stop()

    def search(crew: Searcher) -> bool:
        return crew.go(board, Limits(nodes=3000)).move in empty_cells_of(board)

    try:
        searcher.go(board, Limits(turn_ms=20_000), fork)
        are_right = search(searcher), search(crew(2))
        searcher.threads = 2
        searcher.clear()
        if children == [0]:
            os._exit(0 if all(are_right) and search(searcher) else 1)
    finally:
        if children == [0]:
            os._exit(2)
    assert all(are_right) and search(searcher)
    assert os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 0


def test_an_exception_in_the_callback_ends_every_thread() -> None:
    searcher = crew(3)
    before = running_threads()

    def fail(info: Info) -> None:
        raise LookupError("told to")

    with pytest.raises(LookupError, match="told to"):
        searcher.go(opening(), Limits(depth=6), fail)
    wait_until_running(before)
    assert searcher.go(opening(), Limits(depth=3)).depth == 3


def test_excluded_cells_are_excluded_for_every_thread() -> None:
    board = opening()
    first = crew(3).go(board, Limits(depth=5))
    for _ in range(5):
        assert crew(3).go(board, Limits(depth=5, exclude=[first.move])).move != first.move


@pytest.mark.parametrize("rule", RULES)
def test_what_threads_claim_is_real(rule: int) -> None:
    """Short wins of a search by three threads with a tiny table, against brute force."""
    rng = random.Random(f"threads {rule}")
    searcher = crew(3)
    wins = losses = 0
    for _ in range(150):
        board = clustered(rng, rule, 10, 10, rng.randrange(6, 22), careful=rng.choice((0.3, 0.95)))
        info = searcher.go(board, Limits(depth=4))
        assert info.move in empty_cells_of(board)
        side, where = board.side_to_move, (rule, board.moves(), info)
        if info.mate in (3, 5):
            wins += 1
            if wins < 20:
                assert Oracle(board, 1_000_000).wins_within(side, info.mate), where
        elif info.mate in (-2, -4):
            losses += 1
            oracle = Oracle(board, 1_000_000)
            for cell in [oracle.at(*cell) for cell in empty_cells_of(board)]:
                if not oracle.is_foul(cell, side):
                    oracle.place(cell, side)
                    assert oracle.wins_by_fours(1 - side, -info.mate - 1), (oracle.xy(cell), where)
                    oracle.undo(cell)
    assert wins >= 5, (wins, losses)


def test_the_depth_is_the_one_asked_for_whoever_finishes_it() -> None:
    searcher = crew(3)
    for number in range(48):
        board = opening(rule=(0, 1, 4)[number % 3])
        board.play(number % 4 + 2, number // 4 + 2)
        depth = number % 9 + 1
        searcher.clear()
        info = searcher.go(board, Limits(depth=depth))
        assert info.depth == depth or info.mate is not None
        assert info.pv[0] == info.move
        for cell in info.pv:
            board.play(*cell)  # raises where the line goes to a cell that is taken
