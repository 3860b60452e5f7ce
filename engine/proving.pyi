from typing import Self, final

# Only for engine.searcher, which uses the other parts in C.
@final
class Proving:
    def __new__(cls) -> Self: ...
