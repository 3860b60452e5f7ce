"""The engine: board, rules, search. Import is light; tables and memory come when they are first needed."""
from engine.board import Board
from engine.limits import Info, Limits
from engine.network import network_problem
from engine.searcher import Searcher

BLACK, WHITE = 0, 1
RULES = (0, 1, 4, 8, 9)
MIN_SIZE, MAX_SIZE = 5, 22
MATE = 30000                          # the score of a five on the board, in centipoints
CLASS_THREE, CLASS_LIVE_FOUR, CLASS_FIVE = 6, 12, 13  # what Board.class_at and Board.classes count by

__all__ = [
    "BLACK", "CLASS_FIVE", "CLASS_LIVE_FOUR", "CLASS_THREE", "MATE", "MAX_SIZE", "MIN_SIZE", "RULES", "WHITE", "Board",
    "Info", "Limits", "Searcher", "network_problem",
]
