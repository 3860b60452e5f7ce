# Only C functions: Python reaches the search through engine.searcher.
