# Python cannot call anything here: it is for search.pyx and searcher.pyx.
