"""Searches, analyses and solvers interrupted at random moments, as a script: `interrupted.py SEED INTERRUPTS`.

It runs in a process of its own, because a fault of this kind ends the process, with the root of the sources on
PYTHONPATH. It prints what it saw as JSON.
"""

from __future__ import annotations

import json
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from itertools import islice
from types import FrameType

import psutil
from oracle import Oracle
from positions import clustered
from test_proof import parsed, referee_to_move

from engine import Board, Limits, Searcher
from engine.board_probe import difference
from engine.proof import Prover
from engine.threats import find_vcf
from engine.vct import ThreatSolver
from tournaments.rules.proofs import refute

PATIENCE_S = 30
"""For threads to end, and for an interrupt to come through: a busy machine may take some of it."""


def inner(task: Callable[[], object]) -> object:
    """While this function is on the stack, each signal raises KeyboardInterrupt."""
    return task()


def interrupt(number: int, frame: FrameType | None) -> None:
    while frame is not None:
        if frame.f_code is inner.__code__:
            raise KeyboardInterrupt
        frame = frame.f_back


class Script:
    """seen: counts; wins: plies of the wins that were announced, by the number of the board and the move."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.boards = [
            Board.from_moves("h8i9g7g9i7"),
            Board.from_moves("e6d6e5d8d7c3", 9),
            Board.from_moves("h8i9g7", rule=4),
            *(clustered(self.rng, rule, 11, 11, 16, careful=0.95) for rule in (0, 1, 4)),
            clustered(random.Random(39), 0, 20, 20, 59, careful=0.97),
        ]  # long work for the solver of threats
        self.texts = [board.moves_text() for board in self.boards]
        self.searcher = Searcher(1 << 20)
        self.solver = ThreatSolver()
        self.seen: Counter[str] = Counter()
        self.wins: dict[tuple[int, tuple[int, int]], int] = {}
        self.threads = psutil.Process().num_threads(), threading.active_count()

    def run(self, interrupts: int) -> None:
        while self.seen["interrupts"] < interrupts:
            number = self.rng.randrange(len(self.boards))
            kind, task, longest = self.task(number)
            self.attempt(kind, task, self.rng.uniform(0.0002, longest))
            assert self.boards[number].moves_text() == self.texts[number], kind
            assert difference(self.boards[number]) == "", kind
            self.wait_for_threads(kind)
            if self.rng.random() < 0.1:
                self.searcher.stop()  # of no effect on what follows
                self.search(number, Limits(depth=5))
        for number in range(len(self.boards)):
            self.search(number, Limits(depth=6))

    def task(self, number: int) -> tuple[str, Callable[[], object], float]:
        """What to interrupt, and seconds within which to do so."""
        board, choice = self.boards[number], self.rng.random()
        if choice < 0.6:
            self.searcher.threads = self.rng.randrange(1, 9)
            depth = self.rng.choice((None, self.rng.randrange(1, 10)))  # without one a thread left behind runs for ever
            limits = Limits(depth=depth, exclude=[(0, 0)] if self.rng.random() < 0.3 else [])
            return "search", lambda: self.search(number, limits), 0.03
        if choice < 0.7:
            return "analysis", lambda: list(islice(self.searcher.analyse(board, Limits(depth=8)), 12)), 0.05
        if choice < 0.8:
            return "fours", lambda: [find_vcf(board) for _ in range(300)], 0.02
        if choice < 0.95:
            self.solver.clear()
            return "threats", lambda: self.solver.find(self.boards[-1], 500_000), 0.05
        return "proof", lambda: Prover(nodes=2_000, steps=100).losing_moves(board), 0.1

    def search(self, number: int, limits: Limits) -> None:
        info = self.searcher.go(self.boards[number], limits)
        if info.mate is not None and info.mate > 0:
            least = self.wins.get((number, info.move), info.mate)
            self.wins[number, info.move] = min(info.mate, least)

    def attempt(self, kind: str, task: Callable[[], object], delay: float) -> None:
        """Interrupt a task, again and again while it has not ended."""
        due = time.monotonic() + delay
        signal.setitimer(signal.ITIMER_REAL, delay, 0.0005)
        try:
            inner(task)
            self.seen["ended"] += 1
        except KeyboardInterrupt:
            self.seen["interrupts"] += 1
            self.seen[kind] += 1
        signal.setitimer(signal.ITIMER_REAL, 0)
        assert time.monotonic() - due < PATIENCE_S, kind

    def wait_for_threads(self, kind: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while (psutil.Process().num_threads(), threading.active_count()) != self.threads:
            assert time.monotonic() < deadline, f"threads are left by an interrupted {kind}"
            time.sleep(0.001)

    def check_wins(self) -> None:
        """The referee replays a proof of every move that was announced to win; brute force finds very short wins."""
        for (number, move), mate in sorted(self.wins.items()):
            board, where = self.boards[number], (self.texts[number], move, mate)
            step = dict(Prover(nodes=200_000, steps=3_000).winning_moves(board)).get(move)
            twin = referee_to_move(board)
            assert twin is not None
            if step is not None:
                assert refute(twin, parsed(step)) is None, where
            elif mate > 5 or not Oracle(board, 3_000_000).wins_within(board.side_to_move, mate):
                self.check_replies(board.copy(), move, where)
            self.seen["wins"] += 1

    def check_replies(self, board: Board, move: tuple[int, int], where: object) -> None:
        """After a quiet move that wins: each reply loses, by a proof or by what a new searcher finds."""
        board.play(*move)
        for reply in board.legal_moves():
            board.play(*reply)
            step, twin = Prover(nodes=200_000).win(board), referee_to_move(board)
            assert twin is not None
            if step is not None:
                assert refute(twin, parsed(step)) is None, (reply, where)
            else:
                info = Searcher(1 << 25).go(board, Limits(nodes=5_000_000))
                assert info.mate is not None and info.mate > 0, (reply, where)
            board.undo()


if __name__ == "__main__":
    signal.signal(signal.SIGALRM, interrupt)
    script = Script(int(sys.argv[1]))
    script.run(int(sys.argv[2]))
    script.check_wins()
    print(json.dumps(script.seen))
