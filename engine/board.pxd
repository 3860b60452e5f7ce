# The class that Python sees: it owns one position, checks its arguments, and translates cells.
from engine.position cimport Position

cdef class Board:
    cdef Position* position
    cdef int range_index
    cdef int play_all(self, moves) except -1
    cdef int place(self, x, y) except -1
    cdef list entries(self)
    cdef dict drawing(self)
