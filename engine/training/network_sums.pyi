from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

_Part = tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint8], npt.NDArray[np.uint8], int]

@disjoint_base
class Cells:
    arrays: tuple[Any, ...]
    is_wide: bool
    def __new__(
        cls,
        parts: Sequence[_Part],
        runs: npt.NDArray[np.uint16],
        views: npt.NDArray[np.uint8],
    ) -> Self: ...
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
