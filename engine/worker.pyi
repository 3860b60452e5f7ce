# Nothing here is for Python: search.pyx and searcher.pyx call it.
