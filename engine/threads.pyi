# Python cannot call anything here: it is for searcher.pyx.
