from engine.board import Board
from engine.limits import Info, Limits
from engine.searcher import Searcher

class CutSampler:
    nodes: list[tuple[bool, int, list[int], list[int], list[int], list[bool]]]
    def __init__(self, every: int) -> None: ...
    def watch(self, searcher: Searcher, board: Board, limits: Limits) -> Info: ...
