# Wins that are known without the search: those that the two solvers prove before it and after it, and a win that an
# earlier answer announced and the next answers must follow. The infos of all answers are made here too, because their
# nodes include the solvers' positions.
from engine.threats cimport Solver
from engine.types cimport *
from engine.vct cimport VctSolver
from engine.worker cimport Worker

cdef class Proving:
    cdef Worker* worker          # the searcher's main worker: it has the position, the root's moves and the limits
    cdef Solver fours            # both solvers are asked by the main thread alone
    cdef VctSolver threats
    cdef i64 start_us            # when the move began, on the clock of now_us
    cdef u64 solver_nodes        # positions that the solvers have looked at for this move
    cdef object kept             # the last announced win: see `remember`
    cdef int kept_plies          # plies within which this position is won by the kept win, 0 if unknown
    cdef void begin(self, i64 start_us) noexcept
    cdef void forget(self) noexcept
    cdef u64 counted(self) noexcept
    cdef i64 spent_ms(self) noexcept
    cdef object report(self, int depth, int score)
    cdef object report_win(self, int plies, const u16* line, int length)
    cdef int remember(self, object info) except -1
    cdef list recall(self)
    cdef object announce(self, object info, list line)
    cdef object confirm(self, int last_depth)
    cdef object prove(self, bint by_threes, i64 maximum_ms, set barred, list line)
    cdef object prove_long(self, i64 deadline_us, set barred)
    cdef int ask_fours(self, int plies, bint is_won, i64 deadline_us) except -1
    cdef int ask_threats(self, i64 deadline_us) except -1

cdef inline int to_mate(int score) noexcept nogil:
    # Plies to a proved win, negative to a proved loss, 0 for a score that proves nothing.
    return MATE - score if score >= MATE_BOUND else -MATE - score if score <= -MATE_BOUND else 0
