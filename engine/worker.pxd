# Workers: the data of each thread of a search, the data that all share, and their communication.
#
# Every worker does the whole search, finds the others' results in the table, and puts off the moves that they are
# searching. If two workers are in the same node or iteration nevertheless, the first to finish tells the other, which
# drops its work there and goes on with the result.
#
# The main worker's thread is the caller's. The others' threads belong to the system: they never take Python's lock, and
# Python does not know them (threads.pyx starts and ends them).
from engine.bits cimport load, store
from engine.moves cimport MoveList
from engine.network cimport NetworkWeights, Sums
from engine.policy cimport PolicyWeights
from engine.position cimport Position
from engine.table cimport Found, Table
from engine.types cimport *
from engine.watch cimport Watch

# Python's own threads and locks for C: the same on every system, and usable without Python's big lock.
cdef extern from "pythread.h":
    ctypedef void* PyThread_type_lock
    enum:
        WAIT_LOCK
        NOWAIT_LOCK
    const unsigned long PYTHREAD_INVALID_THREAD_ID
    unsigned long PyThread_start_new_thread(void (*work)(void*) noexcept nogil, void* argument) noexcept nogil
    size_t PyThread_get_stacksize() noexcept nogil
    int PyThread_set_stacksize(size_t size) noexcept nogil
    PyThread_type_lock PyThread_allocate_lock() noexcept nogil
    void PyThread_free_lock(PyThread_type_lock lock) noexcept nogil
    int PyThread_acquire_lock(PyThread_type_lock lock, int mode) noexcept nogil
    void PyThread_release_lock(PyThread_type_lock lock) noexcept nogil

cdef extern from *:
    """
    #ifdef _WIN32
    #define tengen_this_process() 0  /* Windows does not fork. */
    #else
    #include <unistd.h>
    #define tengen_this_process() getpid()
    #endif
    """
    i64 this_process "tengen_this_process"() noexcept nogil

cdef enum:
    ONE_PLY = 16
    MAX_PLY = 100                # how far below the root a line may go
    POLL_NODES = 1024
    HISTORY_LIMIT = 10692
    STOPPED = -1                 # the whole search is stopped, not only the part below a ply
    ITERATION_DONE = 1           # in place of a key
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
    POLICY_DEPTH
    POLICY_RANK_FROM
    POLICY_RANK_SLOPE
    LIVE_FOUR_COST
    TABLE_SLACK
    VCT_SHARE
    PARAMETER_COUNT

cdef struct Shared:
    Table table
    u64 stop                     # not 0: every worker leaves its search
    Worker* workers              # the first of the list of all workers, the main one
    i64 process                  # the number of the process in which the threads of the others run
    u64[BUSY_SLOTS] busy         # the moves that workers are searching, see picker.pxd:busy_key
    # The iteration of the main worker, and the outcome of one that another worker finished before it. Changed with
    # this lock held.
    PyThread_type_lock lock
    u64 depth
    int score                    # of the iteration before
    u64 offered                  # the depth of the outcome
    int offered_score
    MoveList offered_root
    u16[MAX_PLY + 2] offered_pv
    int offered_pv_length

cdef struct Statistics:
    u64 cuts                     # beta cutoffs in the move loop of non-PV nodes
    u64[8] cuts_at               # ... by the number of the move that cut, the last slot for all later ones
    u64 table_cuts
    u64 static_wins
    u64 quiescence

# For training (engine/training/cuts.pyx): it is called for non-PV nodes that failed high and had no table move, and may
# search below them.
ctypedef void (*Witness)(Worker* w, int beta, int depth, int ply) noexcept nogil

cdef struct Worker:
    Position* position
    Shared* shared
    const NetworkWeights* network  # NULL: the evaluation is the classical one
    Sums* sums                   # of the network, by ply
    const PolicyWeights* policy  # NULL: the tables alone order the moves
    Worker* next                 # in the list of all workers
    int number                   # 0: the main worker, which looks at the watch and the node limit for all
    bint is_plain                # no reductions, table cuts at equal depth only: for comparison with a plain twin
    bint is_stopped
    Watch watch                  # of the main worker
    u64 nodes                    # read by the main worker while this one counts: see bits.pxd
    u64 node_limit               # 0: none
    u64 poll_at
    int selective_depth
    i16[2][CELLS][2] history     # by colour, cell, and whether the move made a threat (1) or not (0)
    u16[2][CELLS] counter        # the reply that last refuted a move
    i32[PARAMETER_COUNT] tuned   # values of the parameters
    i32[MAX_PLY + 4] evals       # static evaluations along the line
    u16[MAX_PLY + 2][MAX_PLY + 2] pv
    int[MAX_PLY + 2] pv_length
    MoveList root                # moves of the root, best of the last iteration first
    bint is_barred               # ... without some cells that the caller excludes
    MoveList[MAX_PLY + 2] lists
    int depth                    # of the iteration that it is in
    int last_depth               # of a helping worker: its last iteration
    bint is_at_work              # a helping worker's thread runs, or has run and was not waited for yet
    PyThread_type_lock at_work   # ... held until it is done
    # The nodes from the root to here that another worker may be in as well, by ply.
    u64[MAX_PLY + 2] path        # their keys, 0: none
    i32[MAX_PLY + 2] depths
    i32[MAX_PLY + 2] betas
    u64 done                     # the key of such a node that another worker is done with, or ITERATION_DONE; 0: none
    int back_to                  # while is_stopped: the ply from which to go on (0: with another iteration), or STOPPED
    int back_value               # ... and the value of the node there
    Statistics statistics
    Witness witness              # NULL, but for the collecting of cut nodes (see engine/training/cuts.pyx)
    void* witness_data

cdef bint allocate_lock(Shared* shared) noexcept nogil
cdef Worker* new_worker(Shared* shared, int number) noexcept nogil
cdef void free_workers(Shared* shared, int count) noexcept nogil
cdef u64 total_nodes(const Shared* shared) noexcept nogil
cdef int static_answer(Worker* w) noexcept nogil
cdef void drop_what_is_done(Worker* w, int ply) noexcept nogil
cdef void forget_helpers_of_a_parent(Shared* shared) noexcept nogil
cdef void acquire(Shared* shared) noexcept nogil
cdef void start_iteration(Worker* w, int depth, int previous) noexcept nogil
cdef void offer_outcome(Worker* w, int score) noexcept nogil
cdef int take_outcome(Worker* w) noexcept nogil

cdef inline bint asks_policy(const Worker* w, int depth) noexcept nogil:
    # Whether a policy orders the moves of a node of this depth, if its side to move is free.
    return w.policy != NULL and depth >= w.tuned[POLICY_DEPTH]

cdef inline bint makes_threat(const Position* p, int position) noexcept nogil:
    # Whether the move threatens something: the history of threats is kept apart.
    return p.cells[position].cls[p.side] >= CLASS_THREE

cdef inline bint is_enough(const Worker* w, const Found* found, int depth, int alpha, int beta) noexcept nogil:
    # Whether a table entry is deep enough, and the right kind of bound, to be the result of a node off the PV.
    # Reductions come in sixteenths of a ply and depend on the history, so that the same node is often searched again a
    # little deeper, and its entry is good enough (+28 +- 21 Elo, 800 games at 15,000 nodes). A plain search does not do
    # this at the last ply, because the fours tried below it are those near the stone that led here.
    return (found.depth == depth > ONE_PLY if w.is_plain else found.depth + w.tuned[TABLE_SLACK] >= depth) and (
        found.bound == BOUND_EXACT
        or (found.bound == BOUND_LOWER and found.value >= beta)
        or (found.bound == BOUND_UPPER and found.value <= alpha))

cdef inline void enter_node(Worker* w, u64 key, int depth, int beta, int ply) noexcept nogil:
    w.depths[ply] = depth
    w.betas[ply] = beta
    store(&w.path[ply], key)

cdef inline void tell_others(const Worker* w, u64 key, int ply) noexcept nogil:
    # The node is done. (A position is at the same ply in every line of a search.)
    cdef Worker* other = w.shared.workers
    while other != NULL:
        if other != w and load(&other.path[ply]) == key:
            store(&other.done, key)
        other = other.next
