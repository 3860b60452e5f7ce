from collections.abc import Callable
from typing import Self

from typing_extensions import disjoint_base

from engine.board import Board

@disjoint_base
class ThreatSolver:
    def __new__(cls) -> Self: ...
    def clear(self) -> None: ...
    def solve(
        self, board: Board, nodes: int = 20000, ms: int = 0, is_stopped: Callable[[], object] | None = None
    ) -> tuple[int, list[tuple[int, int]], int]: ...
