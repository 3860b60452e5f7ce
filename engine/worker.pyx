"""Workers: their memory, an answer without a search, and the way in which a worker helps another that is behind."""
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from engine.bits cimport load, store
from engine.moves cimport BLOCK_FIVE, MoveList, move_to_front, situation_of
from engine.network cimport Sums, allocate_aligned, free_aligned, static_score
from engine.position cimport MAX_PLIES, Position, top
from engine.table cimport Found, probe
from engine.threats cimport five_blocks, foul_four, static_win
from engine.types cimport *


cdef bint allocate_lock(Shared* shared) noexcept nogil:
    """Make the lock that workers share; False without memory. `free_workers` frees it with the last worker."""
    shared.lock = PyThread_allocate_lock()
    return shared.lock != NULL


cdef void free_worker(Worker* w) noexcept nogil:
    if w.at_work != NULL:
        PyThread_free_lock(w.at_work)
    free_aligned(w.sums)
    free(w.position)
    free(w)


cdef Worker* new_worker(Shared* shared, int number) noexcept nogil:
    """A worker with a position, at the end of the list; NULL without memory. Its parameters are 0."""
    cdef Worker** link = &shared.workers
    cdef Worker* w = <Worker*>calloc(1, sizeof(Worker))
    if w == NULL:
        return NULL
    w.position = <Position*>calloc(1, sizeof(Position))
    w.sums = <Sums*>allocate_aligned((MAX_PLIES + 1) * sizeof(Sums))
    w.at_work = PyThread_allocate_lock()
    if w.position == NULL or w.sums == NULL or w.at_work == NULL:
        free_worker(w)
        return NULL
    w.shared = shared
    w.number = number
    while link[0] != NULL:
        link = &link[0].next
    link[0] = w
    return w


cdef void free_workers(Shared* shared, int count) noexcept nogil:
    """Free all workers except the first `count`. None of the freed workers is running."""
    cdef Worker** link = &shared.workers
    cdef Worker* w
    while link[0] != NULL:
        w = link[0]
        if w.number < count:
            link = &w.next
        else:
            link[0] = w.next
            free_worker(w)
    if count == 0 and shared.lock != NULL:
        PyThread_free_lock(shared.lock)
        shared.lock = NULL


cdef u64 total_nodes(const Shared* shared) noexcept nogil:
    """The nodes of all workers. Those of running workers are a moment old."""
    cdef const Worker* w = shared.workers
    cdef u64 nodes = 0
    while w != NULL:
        nodes += load(&w.nodes)
        w = w.next
    return nodes


cdef int static_answer(Worker* w) noexcept nogil:
    """The root's score without a search: the win or loss that the pattern classes prove, else the static evaluation.

    The first move of the list is the answer. So a four that only a foul of renju's black could stop goes to the front,
    because the order of the moves does not take such wins into account. With excluded cells a win counts only if the
    first move makes it, as the classes may mean a move that is excluded.
    """
    cdef Position* p = w.position
    cdef MoveList* root = &w.root
    cdef u16[9] blocks
    cdef int win = static_win(p), i
    cdef int four = foul_four(p) if win == 3 and top(p).count[p.side][CLASS_LIVE_FOUR] == 0 else NO_MOVE
    for i in range(root.count if four else 0):
        if root.moves[i].position == four:
            move_to_front(root, i)
    cdef int front = p.cells[root.moves[0].position].cls[p.side]
    if win > 0 and w.is_barred and front != CLASS_FIVE and not (win == 3 and front == CLASS_LIVE_FOUR):
        win = 0
    if win == 0 and situation_of(p) == BLOCK_FIVE and five_blocks(p, p.side ^ 1, blocks) == 0:
        win = -2
    return MATE - win if win > 0 else -MATE - win if win < 0 else static_score(w.network, w.sums, p)


cdef void drop_what_is_done(Worker* w, int ply) noexcept nogil:
    """Give up the outermost node on our path that another worker has finished; if there is none, carry on.

    ply: of the node that the worker is in. It goes back as if it were stopped, to w.back_to.
    """
    cdef u64 key = load(&w.done)
    cdef Found found
    cdef int above
    store(&w.done, 0)
    if <int>load(&w.shared.offered) >= w.depth if w.number == 0 else <int>load(&w.shared.depth) > w.depth:
        w.back_to = 0
        w.is_stopped = True
        return
    for above in range(1, ply + 1):
        if w.path[above] == key and probe(&w.shared.table, key, above, &found) and is_enough(
                w, &found, w.depths[above], w.betas[above] - 1, w.betas[above]):
            w.back_to = above
            w.back_value = found.value
            w.is_stopped = True
            return


cdef void set_free(PyThread_type_lock lock) noexcept nogil:
    """Release a lock, whether it is held or not."""
    PyThread_acquire_lock(lock, NOWAIT_LOCK)
    PyThread_release_lock(lock)


cdef void forget_helpers_of_a_parent(Shared* shared) noexcept nogil:
    """After a fork: release the locks that the helpers hold in the parent, for only the parent has their threads."""
    cdef Worker* w = shared.workers.next
    if shared.process == this_process():
        return
    shared.process = this_process()
    set_free(shared.lock)
    while w != NULL:
        set_free(w.at_work)
        w.is_at_work = False
        w = w.next


cdef void acquire(Shared* shared) noexcept nogil:
    """Take the lock that the workers share. A callback or the handler of a signal may have forked within the search."""
    forget_helpers_of_a_parent(shared)
    PyThread_acquire_lock(shared.lock, WAIT_LOCK)


cdef void start_iteration(Worker* w, int depth, int previous) noexcept nogil:
    """Begin an iteration; the main worker also moves on those that are in an earlier one. previous: its value."""
    cdef Shared* shared = w.shared
    cdef Worker* other = w.next
    w.selective_depth = 0
    w.depth = depth
    if w.number == 0 and other != NULL:
        acquire(shared)
        shared.score = previous
        store(&shared.depth, depth)
        PyThread_release_lock(shared.lock)
        while other != NULL:
            store(&other.done, ITERATION_DONE)
            other = other.next


cdef void offer_outcome(Worker* w, int score) noexcept nogil:
    """Hand an iteration that a helper has finished to the main worker, if that is still in it or before it."""
    cdef Shared* shared = w.shared
    acquire(shared)
    if shared.offered < shared.depth <= <u64>w.depth:
        shared.offered_score = score
        memcpy(&shared.offered_root, &w.root, sizeof(MoveList))
        memcpy(shared.offered_pv, w.pv[0], sizeof(shared.offered_pv))
        shared.offered_pv_length = w.pv_length[0]
        store(&shared.offered, w.depth)
        store(&shared.workers.done, ITERATION_DONE)
    PyThread_release_lock(shared.lock)


cdef int take_outcome(Worker* w) noexcept nogil:
    """Take over the iteration that another worker offered: root, line and depth. Returns the value of the root."""
    cdef Shared* shared = w.shared
    cdef int score
    acquire(shared)
    w.depth = <int>shared.offered
    memcpy(&w.root, &shared.offered_root, sizeof(MoveList))
    memcpy(w.pv[0], shared.offered_pv, sizeof(shared.offered_pv))
    w.pv_length[0] = shared.offered_pv_length
    score = shared.offered_score
    PyThread_release_lock(shared.lock)
    w.is_stopped = False
    return score
