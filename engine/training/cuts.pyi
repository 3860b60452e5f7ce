from typing_extensions import disjoint_base

from engine.board import Board
from engine.limits import Info, Limits
from engine.searcher import Searcher

@disjoint_base
class CutSampler:
    def __init__(self, every: int) -> None: ...
    @property
    def nodes(self) -> list[tuple[bool, int, list[int], list[int], list[int], list[bool]]]: ...
    def watch(self, searcher: Searcher, board: Board, limits: Limits) -> Info: ...
