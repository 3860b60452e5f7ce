# The engine's face to Python: one searcher, its table, its worker and its own copy of the position.
from engine.search cimport Shared, Worker
from engine.types cimport *

cdef class Searcher:
    cdef Shared shared
    cdef Worker* worker
    cdef u64 memory
    cdef bint is_armed
    cdef bint is_plain
    cdef object report(self, int depth, int score, i64 start)
    cdef object strike(self, set barred)
    cdef object forget_root(self)
