# The search: principal variation search over a shared transposition table, with quiescence by fours at the leaves.
#
# Scores are centipoints for the side to move; a win in n plies from the root is MATE - n. Depth is counted in
# sixteenths of a ply, so that a move can cost more or less than one.
from engine.types cimport *
from engine.worker cimport Worker

cdef int search(Worker* w, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil
cdef void new_search(Worker* w) noexcept nogil
cdef void help(Worker* w, int last_depth) noexcept nogil
cdef int iterate(Worker* w, int depth, int previous) noexcept nogil

cdef inline void note_cut(Worker* w, int beta, int depth, int ply, int number, int table_move) noexcept nogil:
    # A non-PV node failed high by its move of this number: for the statistics, and for a collector of such nodes.
    if w.witness != NULL and table_move == NO_MOVE:
        w.witness(w, beta, depth, ply)
    w.statistics.cuts += 1
    w.statistics.cuts_at[min(number, 8) - 1] += 1
