from typing import Any

import numpy as np
import numpy.typing as npt

from engine.board import Board

def read_positions(
    board: Board, moves: npt.NDArray[np.uint16], starts: npt.NDArray[np.int64]
) -> dict[str, npt.NDArray[Any]]: ...
