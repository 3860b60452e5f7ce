from struct import Struct
from typing import Any

from typing_extensions import disjoint_base

from engine.board import Board
from engine.limits import Info, Limits
from engine.searcher import Searcher

CUTS: int
LOOKED_AT: int
CELL: Struct

@disjoint_base
class CutSampler:
    def __init__(self, every: int, for_policy: bool = False) -> None: ...
    @property
    def nodes(self) -> list[Any]: ...
    def watch(self, searcher: Searcher, board: Board, limits: Limits) -> Info: ...
