# Nothing here is for Python: searcher.pyx calls it.
