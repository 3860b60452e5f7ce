from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

@disjoint_base
class Cells:
    arrays: tuple[Any, ...]
    is_wide: bool
    def __init__(
        self,
        cells: npt.NDArray[np.uint32],
        regions: npt.NDArray[np.uint8],
        times: npt.NDArray[np.uint8],
        starts: npt.NDArray[np.int64],
        runs: npt.NDArray[np.uint16],
        views: npt.NDArray[np.uint8],
    ) -> None: ...
    def forward(
        self, chosen: npt.NDArray[np.int64], table: npt.NDArray[np.float32], limit: float
    ) -> npt.NDArray[np.float32]: ...
    def backward(
        self,
        chosen: npt.NDArray[np.int64],
        table: npt.NDArray[np.float32],
        limit: float,
        above: npt.NDArray[np.float32],
    ) -> npt.NDArray[np.float32]: ...
