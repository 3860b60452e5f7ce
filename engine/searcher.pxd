# The engine's face to Python: one searcher, its table, its worker and its own copy of the position.
from engine.search cimport Shared, Worker
from engine.threats cimport Solver
from engine.types cimport *
from engine.vct cimport VctSolver

cdef class Searcher:
    cdef Shared shared
    cdef Worker* worker
    cdef Solver fours            # asked before a search, by the main thread alone
    cdef VctSolver threats       # likewise
    cdef u64 memory
    cdef bint is_armed
    cdef bint is_plain
    cdef bint is_analysing       # a single reply is searched too
    cdef u64 stops               # calls of `stop`
    cdef int thread_count
    cdef object report(self, int depth, int score, i64 start)
    cdef int glance(self) noexcept
    cdef object prove_win(self, bint by_threes, i64 maximum, set barred, i64 start)
    cdef object report_win(self, int plies, const u16* line, int length, i64 start)
    cdef object last_resort(self, i64 start)
    cdef int prepare_table(self, i64 optimum) except -1
    cdef object strike(self, set barred)
    cdef object forget_root(self)
    cdef object deepen(self, int last_depth, object clock, object on_info, i64 start)
    cdef void rest_helpers(self) noexcept
    cdef list start_helpers(self)
    cdef object end_helpers(self, list helpers)
