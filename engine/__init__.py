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
