from collections.abc import Sequence
from typing import Self

from typing_extensions import disjoint_base

@disjoint_base
class Sieve:
    def __new__(cls, count: int) -> Self: ...
    def add(self, key: bytes) -> None: ...

@disjoint_base
class Stones:
    def __new__(cls, numbers: list[tuple[int, ...]]) -> Self: ...
    def keys_after(
        self, images: Sequence[int], taken: set[int], sieve: Sieve | None = None
    ) -> list[tuple[int, bytes]]: ...
