"""The time to think: the budget of a move, and the decision whether to start another iteration.

The budget and the stopping rule follow the measured behaviour of Rapfi: a hard maximum that leaves a reserve for the
pipe, and an optimum that spreads the rest of the match over the moves that matter most, those of the opening and
the middle game. An increment is used up by the move after it. All times are milliseconds.
"""

from __future__ import annotations

import sys
from math import exp

# A reserve in every move for the pipe and the scheduler. Windows wakes a waiting thread only every 16 ms.
POSIX_OVERHEAD_MS, WINDOWS_OVERHEAD_MS = 30, 70
OVERHEAD_MS = WINDOWS_OVERHEAD_MS if sys.platform == "win32" else POSIX_OVERHEAD_MS
UNLIMITED_MS = 1 << 40
HORIZON_MOVES = 64  # time is planned for at most this many own moves ahead
# A move may use at most one part of MATCH_PART of the time that is left, and aims at less than one of MATCH_MOVES. If
# the increments of the later moves are as large as the time that is left, INCREMENT_PART and INCREMENT_MOVES replace
# these, and the time is spent sooner: with the first two numbers, 30 % of 10 + 0.1 s were left after 40 moves.
MATCH_PART, MATCH_MOVES = 7, 22
INCREMENT_PART, INCREMENT_MOVES = 5, 12
INCREMENT_LIMIT = 2  # increments that a move may use besides
INCREMENT_AIM = 1.8  # ... that it aims at: a search ends at about five ninths of its optimum


def budget(
    turn_ms: int | None,
    match_ms: int | None,
    left_ms: int | None,
    ply: int,
    cells_left: int,
    increment_ms: int | None = None,
) -> tuple[int, int]:
    """(maximum, optimum) for one move.

    turn_ms, match_ms, left_ms: limits, None (or 0 for the match) for no limit; ply: stones on the board;
    cells_left: empty cells; increment_ms: what the time left grows by after each move. Without any limit below
    UNLIMITED_MS both are that. Never negative.
    """
    if match_ms is not None and match_ms <= 0:
        match_ms = None
    left = left_ms if left_ms is not None else match_ms
    turn_ms, left = (None if ms is None or ms >= UNLIMITED_MS else ms for ms in (turn_ms, left))
    increment = min(increment_ms or 0, UNLIMITED_MS)
    if turn_ms is None and left is None:
        return UNLIMITED_MS, UNLIMITED_MS
    moves_left = max(1, (cells_left + 1) // 2)
    horizon = min(moves_left, HORIZON_MOVES)
    turn = turn_ms if turn_ms is not None else UNLIMITED_MS
    maximum = turn
    share = 0.0  # of the increments, 1 if they are as large as the time that is left
    if left is not None:
        share = min(1.0, HORIZON_MOVES * increment / left) if left > 0 else 0.0
        part = min(MATCH_PART - share * (MATCH_PART - INCREMENT_PART), moves_left)
        # The increment comes after the move, so half of the time that is left is kept, except for the last move.
        maximum = min(turn, int(left / part) + INCREMENT_LIMIT * increment, left // min(2, moves_left))
    # A limit too short for the whole reserve still keeps a part of it.
    maximum -= min(OVERHEAD_MS, max(maximum, 0) * 2 // 5)
    maximum = max(maximum, 0)
    optimum = maximum * 9 // 10
    if left is not None and turn * horizon >= left + increment * (horizon - 1):
        importance = (1 + exp((ply - 50) / 8)) ** -0.08 + 0.1 * exp(-0.04 * ply)
        moves = min(MATCH_MOVES - share * (MATCH_MOVES - INCREMENT_MOVES), moves_left)
        gained = int(INCREMENT_AIM * increment)
        most = int(max(maximum - INCREMENT_LIMIT * increment, 0) / 1.7 * importance)
        optimum = min(optimum, most + gained, int(max(left, 0) / moves) + gained)
    return maximum, optimum


class Clock:
    """Decides after each iteration whether to start the next.

    Give it every iteration's depth, score and best move; it thinks longer while the best move changes or the score
    falls, and shorter while both stay the same.
    """

    __slots__ = ("ample", "best", "changes", "last_change", "maximum", "optimum", "previous_reduction", "score")

    def __init__(self, maximum: int, optimum: int) -> None:
        self.maximum = maximum
        self.optimum = optimum
        # If every move has time to spare, saving time gains nothing.
        self.ample = optimum >= maximum * 9 // 10
        self.changes = 0.0
        self.best: object = None
        self.last_change = 0
        self.score: int | None = None
        self.previous_reduction = 1.0

    def is_time_up(self, elapsed: float, depth: int, score: int, best: object) -> bool:
        """Whether to stop after an iteration of `depth` plies that ended `elapsed` ms into the move."""
        self.changes /= 2
        if best != self.best:
            if self.best is not None:
                self.changes += 1
            self.best = best
            self.last_change = depth
        drop = 0 if self.score is None else self.score - score
        self.score = score
        if self.ample:
            return elapsed >= self.optimum
        falling = min(max(0.0032 * drop + 0.544, 0.5), 1.5)
        reduction = 1 + 0.0125 * (depth - self.last_change)
        wanted = self.optimum * (1 + 2 * self.changes) * falling * self.previous_reduction**0.528 / reduction
        self.previous_reduction = reduction
        return bool(elapsed >= min(wanted, self.maximum / (1.25 + 0.02 * depth**1.4)))
