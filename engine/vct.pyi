from collections.abc import Callable
from typing import Self

from typing_extensions import disjoint_base

from engine.board import Board
from engine.win import Win

@disjoint_base
class ThreatSolver:
    def __new__(cls) -> Self: ...
    def clear(self) -> None: ...
    @property
    def nodes(self) -> int: ...
    def find(
        self, board: Board, nodes: int = 20000, ms: int = 0, is_stopped: Callable[[], object] | None = None
    ) -> Win | None: ...
