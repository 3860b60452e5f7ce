from collections.abc import Callable

from engine.board import Board
from engine.win import Win

def find_vcf(
    board: Board, max_plies: int = 255, nodes: int = 20000, is_stopped: Callable[[], object] | None = None
) -> Win | None: ...
def four_cells(board: Board, colour: int) -> list[tuple[int, int, int]]: ...
