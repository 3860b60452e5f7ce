# The search itself is C functions: Python reaches it through engine.searcher.
PARAMETERS: tuple[tuple[str, int, int, int], ...]
