"""A gomoku engine as a library: boards, searches, proofs.

A board has a size and a rule, and takes moves as they are written. A letter names the column from the left, a number
the row from the bottom. A cell can also be given as (x, y), counted from 0 at the top left; methods return such pairs.

>>> from engine import Board, Limits, Searcher
>>> board = Board.from_moves("h8 i9 i8", rule="renju")
>>> board.play("j7")
>>> board.cell("j7") == WHITE, board.undo()
(True, (9, 8))
>>> board.moves_text(), board.side_to_move == WHITE
('h8i9i8', True)

`print(board)` draws it, and a notebook shows a picture. `Board.outcome` has the result of a game, `Board.legal_moves`
the cells on which the side to move may play, without renju's fouls (`Board.is_forbidden`). RULE_NAMES has the rules,
with the numbers FREESTYLE, STANDARD, RENJU, CARO and STANDARD_CARO.

A `Searcher` finds moves. `Limits` limits a search in milliseconds, plies or nodes. The answer is an `Info`, with the
score in centipoints for the side to move, the principal variation, and `mate` if a win or a loss is proved. With a
limit of plies or nodes alone, the answer is the same on every machine.

>>> searcher = Searcher(memory_bytes=16 << 20)
>>> info = searcher.go(board, Limits(depth=6))
>>> info.move_text, info.mate
('h7', None)
>>> board.play(info.move)
>>> for info in searcher.analyse(board, Limits(depth=1), lines=2):  # the best moves, a ply deeper in every round
...     print(info.line, info.move_text)
1 k7
2 f9

Wins that can be proved come from `engine.threats.find_vcf` (by fours), `engine.vct.ThreatSolver` (by fours and threes)
and `engine.proof.Prover`, whose trees answer every defence.

>>> from engine.proof import Prover
>>> win = Prover().win(Board.from_moves("h8a1i8c1j8e1"))
>>> win.move, win.plies
((6, 7), 3)

`Board.class_at` has the kind of a move on a cell; CLASS_NAMES has all kinds, from none to five. Boards have MIN_SIZE to
MAX_SIZE cells a side. MATE is the score of a five on the board; a win in n plies scores MATE - n. `network_problem`
returns a sentence if the learned evaluation of a rule cannot be used, else None; `policy_problem` does so for the
learned order of its moves.

>>> board = Board.from_moves("h8a1i8c1j8e1")
>>> CLASS_NAMES[board.class_at("k8", BLACK)], board.class_at("k8", BLACK) == CLASS_LIVE_FOUR
('live four', True)
>>> Searcher().go(board, Limits(depth=1)).score == MATE - 3
True

Importing this package is fast: tables and memory are made when they are first needed.
"""

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
from engine.constants import (
    CLASS_FIVE,
    CLASS_FORBIDDEN,
    CLASS_FOUR,
    CLASS_LIVE_FOUR,
    CLASS_THREE,
    MATE,
    MAX_SIZE,
    MIN_SIZE,
)
from engine.limits import Info, Limits
from engine.network import network_problem
from engine.policy import policy_problem
from engine.rules import CARO, FREESTYLE, RENJU, RULE_NAMES, RULES, STANDARD, STANDARD_CARO
from engine.searcher import Searcher
from engine.values import Outcome
from engine.win import Win

EMPTY, BLACK, WHITE, BLOCKED = -1, 0, 1, 2  # what Board.cell returns; colours are BLACK and WHITE
CLASS_NAMES = (  # what Board.class_at and Board.classes count by, weakest first
    "none",
    "forbidden",
    "two",
    "blocked three",
    "double two",
    "blocked plus",
    "three",
    "three plus",
    "double three",
    "four",
    "four plus",
    "four three",
    "live four",
    "five",
)

__all__ = [
    "BLACK",
    "BLOCKED",
    "CARO",
    "CLASS_FIVE",
    "CLASS_FORBIDDEN",
    "CLASS_FOUR",
    "CLASS_LIVE_FOUR",
    "CLASS_NAMES",
    "CLASS_THREE",
    "EMPTY",
    "FREESTYLE",
    "MATE",
    "MAX_SIZE",
    "MIN_SIZE",
    "RENJU",
    "RULES",
    "RULE_NAMES",
    "STANDARD",
    "STANDARD_CARO",
    "WHITE",
    "Board",
    "Info",
    "Limits",
    "Outcome",
    "Searcher",
    "Win",
    "network_problem",
    "policy_problem",
]
