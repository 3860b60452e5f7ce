# The engine's face to Python: one searcher, its table, its worker and its own copy of the position.
from engine.board cimport Board
from engine.network cimport NetworkWeights
from engine.threats cimport Solver
from engine.types cimport *
from engine.vct cimport VctSolver
from engine.worker cimport Shared, Worker

cdef class Searcher:
    cdef Shared shared
    cdef Worker* worker
    cdef Solver fours            # asked before a search, by the main thread alone
    cdef VctSolver threats       # likewise
    cdef u64 memory
    cdef bint is_armed
    cdef bint is_plain
    cdef bint is_classical       # without networks
    cdef dict networks           # by rule: the network in use, or None; filled as rules are searched
    cdef bint is_running
    cdef bint is_analysing       # a single reply is searched too
    cdef u64 stops               # calls of `stop`
    cdef int thread_count
    cdef object kept             # the last proved win: see `remember`
    cdef u64 solver_nodes        # positions that the solvers have looked at for this move
    cdef int bound               # plies within which an earlier win says that this position is won, 0 if none does
    cdef u64 counted(self)
    cdef object report(self, int depth, int score, i64 start)
    cdef object think(self, Board board, object limits, object on_info)
    cdef object confirm_bound(self, int last_depth, i64 start)
    cdef object remember(self, object info)
    cdef list recall(self)
    cdef object announce(self, object info, list line)
    cdef object prove_win(self, bint by_threes, i64 maximum, set barred, list line, i64 start)
    cdef object look_for_shorter(self, object best, int last_depth, i64 maximum, i64 start)
    cdef object prove_long_win(self, i64 deadline_us, set barred, i64 start)
    cdef object report_win(self, int plies, const u16* line, int length, i64 start)
    cdef object last_resort(self, i64 start)
    cdef int prepare_table(self, bint is_timed, i64 optimum) except -1
    cdef int check_idle(self) except -1
    cdef const NetworkWeights* weights_for(self, int rule) except? NULL
    cdef object forget_root(self)
    cdef object deepen(self, int last_depth, object clock, object on_info, i64 start)
    cdef int ask_fours(self, int plies, bint is_won, i64 deadline_us) except -1
    cdef int ask_threats(self, i64 deadline_us) except -1
