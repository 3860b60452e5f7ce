# The search: principal variation search over a shared transposition table, with quiescence by fours at the leaves.
#
# A Worker is all that one thread needs. Workers share the table, the stop flag and the moves that are being searched:
# each does the whole search, finds in the table what the others have done, and puts off what they are doing. Scores
# are centipoints for the side to move; a win in n plies from the root is MATE - n. Depth is counted in sixteenths of a
# ply, so that a move can cost more or less than one.
from engine.board cimport Position
from engine.moves cimport MoveList
from engine.network cimport NetworkWeights, Sums
from engine.table cimport Table
from engine.types cimport *

cdef enum:
    ONE_PLY = 16
    MAX_PLY = 100                # how far below the root a line may go
    POLL_NODES = 1024
    SIGNAL_NODES = 65536
    HISTORY_LIMIT = 10692
    BUSY_SLOTS = 4096            # a power of two

# The margins and depths that a tuning run may change; their values stand in search.pyx, PARAMETERS.
cdef enum:
    ASPIRATION_DELTA
    RAZOR
    RAZOR_SLOPE
    FUTILITY
    MOVE_COUNT
    MOVE_COUNT_SLOPE
    REDUCTION
    REDUCTION_PV
    REDUCTION_NOT_IMPROVING
    REDUCTION_THREAT
    REDUCTION_CUT
    REDUCTION_HISTORY
    REDUCTION_DELAY
    RANK_FROM
    RANK_SLOPE
    RANK_LIMIT
    LIVE_FOUR_COST
    TABLE_SLACK
    VCT_SHARE
    PARAMETER_COUNT

cdef struct Shared:
    Table table
    u64 stop                     # not 0: every worker leaves its search
    Worker* workers              # the first of the list of all workers, the main one
    u64[BUSY_SLOTS] busy         # names of the moves that some worker is searching, see `name_of`

cdef struct Statistics:
    u64 cuts                     # beta cutoffs in the move loop of non-PV nodes
    u64[8] cuts_at               # ... by the number of the move that cut, the last slot for all later ones
    u64 table_cuts
    u64 static_wins
    u64 quiescence

# For training (engine/training/cuts.pyx): is told of non-PV nodes that failed high and had no table move. It may search
# below them.
ctypedef void (*Witness)(Worker* w, int beta, int depth, int ply) noexcept nogil

cdef struct Worker:
    Position* position
    Shared* shared
    const NetworkWeights* network  # NULL: the evaluation is the classical one
    Sums* sums                   # of the network, by ply
    Worker* next                 # in the list of all workers
    int number                   # 0: the main worker, which polls the clock, the node limit and signals for all
    bint is_plain                # no reductions, table cuts at equal depth only: for comparison with a plain twin
    bint is_stopped
    bint has_signal              # a Python signal handler raised
    u64 nodes                    # read by the main worker while this one counts: see bits.pxd
    u64 node_limit               # 0: none
    u64 poll_at
    i64 deadline_us              # 0: none
    int selective_depth
    i16[2][CELLS][2] history     # by colour, cell, and whether the move made a threat (1) or not (0)
    u16[2][CELLS] counter        # the reply that last refuted a move
    i32[PARAMETER_COUNT] tuned   # values of the parameters
    i32[MAX_PLY + 4] evals       # static evaluations along the line
    u16[MAX_PLY + 2][MAX_PLY + 2] pv
    int[MAX_PLY + 2] pv_length
    MoveList root                # moves of the root, best of the last iteration first
    MoveList[MAX_PLY + 2] lists
    Statistics statistics
    Witness witness              # NULL, but for the collecting of cut nodes (see engine/training/cuts.pyx)
    void* witness_data

cdef int search(Worker* w, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil
cdef int score_moves(Worker* w, MoveList* list, int last) noexcept nogil
cdef void move_to_front(MoveList* list, int index) noexcept nogil
cdef int select(MoveList* list, int start) noexcept nogil
cdef Worker* new_worker(Shared* shared, int number) noexcept nogil
cdef void free_workers(Shared* shared, int count) noexcept nogil
cdef u64 total_nodes(const Shared* shared) noexcept nogil
cdef void help(Worker* w) noexcept nogil
cdef int iterate(Worker* w, int depth, int previous) noexcept nogil
cdef int raise_signal() except -1

cdef inline void note_cut(Worker* w, int beta, int depth, int ply, int number, int table_move) noexcept nogil:
    # A non-PV node failed high by its move of this number: for the statistics, and for who collects such nodes.
    if w.witness != NULL and table_move == NO_MOVE:
        w.witness(w, beta, depth, ply)
    w.statistics.cuts += 1
    w.statistics.cuts_at[min(number, 8) - 1] += 1
