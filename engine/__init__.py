"""The engine: board, rules, search. Import is light; tables and memory come when they are first needed."""
try:
    from engine.board import Board
except ImportError as error:
    if isinstance(error, ModuleNotFoundError) and error.name == "engine.board":
        raise ModuleNotFoundError(
            "the folder 'engine' that Python found is Tengen's source without its compiled modules, and hides a Tengen "
            "that is installed: start Python in another folder, or compile the source with pip install -e .",
            name=error.name,
        ) from None
    if "__asan" not in str(error) and "__tsan" not in str(error):
        raise
    library = "libtsan.so" if "__tsan" in str(error) else "libasan.so"
    raise ImportError(
        "this engine was built with TENGEN_DEBUG, and starts only where the library of its sanitizers is loaded first: "
        f"LD_PRELOAD=$(gcc -print-file-name={library}) ASAN_OPTIONS=detect_leaks=0 tengen bench; "
        "build it again without TENGEN_DEBUG for the usual one"
    ) from None
from engine.limits import Info, Limits
from engine.network import network_problem
from engine.rules import CARO, FREESTYLE, RENJU, RULE_NAMES, RULES, STANDARD, STANDARD_CARO
from engine.searcher import Searcher
from engine.values import Outcome

EMPTY, BLACK, WHITE, BLOCKED = -1, 0, 1, 2  # what Board.cell returns; colours are BLACK and WHITE
MIN_SIZE, MAX_SIZE = 5, 22
MATE = 30000                          # the score of a five on the board, in centipoints
CLASS_NAMES = (  # what Board.class_at and Board.classes count by, weakest first
    "none", "forbidden", "two", "blocked three", "double two", "blocked plus", "three", "three plus", "double three",
    "four", "four plus", "four three", "live four", "five",
)
CLASS_FORBIDDEN, CLASS_THREE, CLASS_FOUR, CLASS_LIVE_FOUR, CLASS_FIVE = 1, 6, 9, 12, 13

__all__ = [
    "BLACK", "BLOCKED", "CARO", "CLASS_FIVE", "CLASS_FORBIDDEN", "CLASS_FOUR", "CLASS_LIVE_FOUR", "CLASS_NAMES",
    "CLASS_THREE", "EMPTY", "FREESTYLE", "MATE", "MAX_SIZE", "MIN_SIZE", "RENJU", "RULES", "RULE_NAMES", "STANDARD",
    "STANDARD_CARO", "WHITE", "Board", "Info", "Limits", "Outcome", "Searcher", "network_problem",
]
