# Nothing here is for Python: search.pyx calls it.
