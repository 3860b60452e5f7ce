from collections.abc import Sequence

from typing_extensions import disjoint_base

@disjoint_base
class Sieve:
    def __init__(self, count: int) -> None: ...
    def add(self, key: bytes) -> None: ...

@disjoint_base
class Stones:
    def __init__(self, numbers: list[tuple[int, ...]]) -> None: ...
    def keys_after(
        self, images: Sequence[int], taken: set[int], sieve: Sieve | None = None
    ) -> list[tuple[int, bytes]]: ...
