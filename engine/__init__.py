"""The engine: board, rules, search. Import is light; tables and memory come when they are first needed."""
from engine.board import Board
from engine.limits import Info, Limits
from engine.searcher import Searcher

BLACK, WHITE = 0, 1
RULES = (0, 1, 4, 8, 9)
MIN_SIZE, MAX_SIZE = 5, 22

__all__ = ["BLACK", "MAX_SIZE", "MIN_SIZE", "RULES", "WHITE", "Board", "Info", "Limits", "Searcher"]
