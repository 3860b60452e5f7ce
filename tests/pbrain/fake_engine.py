"""The engine's Python face in plain Python, for tests of the brain's conversation: legal moves, no strength.

It plays the free cell nearest to the centre (top left one of several), "searches" the iterations a test gives it, and
writes down every board and every limit it was handed. In renju it forbids black the four corners, so that a test
can tell who is black. Its score is the distance of the move from the centre, in half cells, below 35: a move that is
not the best scores less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine.analysis import rounds

BLACK, WHITE = 0, 1


class Info:
    def __init__(
        self, move: tuple[int, int], depth: int = 0, nodes: int = 0, time_ms: int = 0, score: int = 35
    ) -> None:
        self.depth = depth
        self.selective_depth = depth + 2
        self.score = score
        self.nodes = nodes
        self.time_ms = time_ms
        self.pv = [move]
        self.move = move
        self.mate: int | None = None

    def as_line(self, line: int) -> Info:
        return self


class Board:
    def __init__(
        self, width: int = 15, height: int | None = None, rule: int = 0, candidates: str = "square3_line4"
    ) -> None:
        if rule not in (0, 1, 4, 8, 9):
            raise ValueError(f"no rule {rule}")
        self.width = width
        self.height = width if height is None else height
        self.rule = rule
        self.range = candidates
        self.side_to_move = BLACK
        self.cells: dict[tuple[int, int], int] = {}
        self.history: list[tuple[int, int] | None] = []

    def play(self, x: int, y: int) -> None:
        if not (0 <= x < self.width and 0 <= y < self.height) or (x, y) in self.cells:
            raise ValueError(f"{x},{y} cannot be played")
        self.cells[x, y] = self.side_to_move
        self.history.append((x, y))
        self.side_to_move = 1 - self.side_to_move

    def undo(self) -> None:
        move = self.history.pop()
        self.side_to_move = 1 - self.side_to_move
        if move is not None:
            del self.cells[move]

    def cell(self, x: int, y: int) -> int:
        return self.cells.get((x, y), -1)

    def moves(self) -> list[tuple[int, int] | None]:
        return list(self.history)

    def candidates(self) -> list[tuple[int, int]]:
        return [] if not self.history else self.free_cells()

    def class_at(self, x: int, y: int, colour: int) -> int:
        return 0

    def legal_moves(self) -> list[tuple[int, int]]:
        return [cell for cell in self.free_cells() if self.side_to_move != BLACK or not self.is_forbidden(*cell)]

    def stones(self) -> list[tuple[tuple[int, int], int]]:
        return [(cell, colour) for cell, colour in self.cells.items() if colour != 2]

    def is_full(self) -> bool:
        return len(self.cells) >= self.width * self.height

    def pass_move(self) -> None:
        self.history.append(None)
        self.side_to_move = 1 - self.side_to_move

    def block(self, x: int, y: int) -> None:
        assert not self.history, "cells are blocked before stones are played"
        self.cells[x, y] = 2

    def is_forbidden(self, x: int, y: int) -> bool:
        is_corner = x in (0, self.width - 1) and y in (0, self.height - 1)
        return self.rule == 4 and is_corner and (x, y) not in self.cells

    def winner(self) -> int | None:
        for (x, y), colour in self.cells.items():
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if colour != 2 and all(self.cells.get((x + i * dx, y + i * dy)) == colour for i in range(5)):
                    return colour
        return None

    def distance(self, cell: tuple[int, int]) -> int:
        return max(abs(2 * cell[0] - self.width + 1), abs(2 * cell[1] - self.height + 1))

    def free_cells(self) -> list[tuple[int, int]]:
        cells = [(x, y) for y in range(self.height) for x in range(self.width) if (x, y) not in self.cells]
        cells.sort(key=self.distance)
        if self.side_to_move == BLACK:
            cells.sort(key=lambda cell: self.is_forbidden(*cell))
        return cells


class Limits:
    def __init__(
        self,
        *,
        turn_ms: int | None = None,
        match_ms: int | None = None,
        left_ms: int | None = None,
        increment_ms: int | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        exclude: tuple[tuple[int, int], ...] = (),
        ponder: bool = False,
    ) -> None:
        self.turn_ms = turn_ms
        self.match_ms = match_ms
        self.left_ms = left_ms
        self.increment_ms = increment_ms
        self.depth = depth
        self.nodes = nodes
        self.exclude = exclude
        self.ponder = ponder


class Searcher:
    def __init__(self, engine: FakeEngine, memory_bytes: int) -> None:
        self.engine = engine
        self.memory_bytes = memory_bytes
        self.threads = 1
        self.evaluator = "network"
        self.stops = 0
        self.clears = 0
        self.hash_full = 12
        self.is_stopped = False
        self.is_armed = False

    def go(self, board: Board, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Info:
        self.engine.boards.append(board)
        self.engine.limits.append(limits)
        self.is_stopped = self.is_stopped and self.is_armed
        self.is_armed = False
        cells = board.free_cells()
        move = next((cell for cell in cells if cell not in limits.exclude), cells[0])
        info = Info(move, score=35 - board.distance(move))
        if limits.turn_ms == 0:
            return info
        for depth in range(1, min(self.engine.iterations, limits.depth or 99) + 1):
            self.engine.between_iterations()
            info = Info(move, depth, depth * 1000, depth * 200, info.score)
            if on_info is not None:
                on_info(info)
            if self.is_stopped:
                break
        return info

    def rounds(self, board: Board, limits: Limits, lines: int) -> Iterator[list[Any]]:
        stops = self.stops

        def search(within: Any) -> Any:
            self.arm()
            return self.go(board, within)

        return rounds(search, lambda: self.stops != stops, limits, lines, limits.turn_ms)  # type: ignore[arg-type]

    def arm(self) -> None:
        self.is_stopped = False
        self.is_armed = True

    def stop(self) -> None:
        self.stops += 1
        self.is_stopped = True

    def clear(self) -> None:
        self.clears += 1

    def resize(self, memory_bytes: int) -> None:
        self.memory_bytes = memory_bytes


class FakeEngine:
    """Stands where the module stands; its own attributes are the test's handles."""

    MIN_SIZE, MAX_SIZE = 5, 22
    BLACK, WHITE = BLACK, WHITE
    MATE = 30000
    CLASS_THREE, CLASS_LIVE_FOUR, CLASS_FIVE = 6, 12, 13
    Board = Board
    Limits = Limits

    def __init__(self) -> None:
        self.boards: list[Board] = []
        self.limits: list[Limits] = []
        self.searchers: list[Searcher] = []
        self.iterations = 0
        self.problem: str | None = None  # with the network of every rule
        self.policy_fault: str | None = None  # likewise with the policy
        self.asked: list[int] = []  # the rules whose network was asked for
        self.between_iterations: Callable[[], None] = lambda: None

    def Searcher(self, memory_bytes: int) -> Searcher:
        self.searchers.append(Searcher(self, memory_bytes))
        return self.searchers[-1]

    def policy_problem(self, rule: int) -> str | None:
        return self.policy_fault

    def network_problem(self, rule: int) -> str | None:
        self.asked.append(rule)
        return self.problem
