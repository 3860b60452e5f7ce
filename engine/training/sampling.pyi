from random import Random

from engine.board import Board
from engine.searcher import Searcher

def is_evaluated(board: Board) -> bool: ...
def walk_down(searcher: Searcher, board: Board, rng: Random) -> list[tuple[int, int]]: ...
