"""The threads of the helping workers: started for one search, told to end with it, and waited for before the next."""
from libc.string cimport memcpy

from engine.bits cimport store
from engine.moves cimport MoveList
from engine.position cimport copy_position
from engine.search cimport help, new_search
from engine.worker cimport (NOWAIT_LOCK, PYTHREAD_INVALID_THREAD_ID, WAIT_LOCK, PyThread_acquire_lock,
                            PyThread_get_stacksize, PyThread_release_lock, PyThread_set_stacksize,
                            PyThread_start_new_thread, Shared, Worker, forget_helpers_of_a_parent, this_process)

cdef enum:
    STACK_BYTES = 4 << 20        # of a helping thread: some systems give 128 KiB, and the search goes deep


cdef void join_search(Worker* w, const Worker* main) noexcept nogil:
    """Make a helping worker ready for the search that the main worker is ready for."""
    copy_position(w.position, main.position)
    w.is_plain = main.is_plain
    w.network = main.network
    w.policy = main.policy
    memcpy(&w.tuned, &main.tuned, sizeof(w.tuned))
    new_search(w)
    memcpy(&w.root, &main.root, sizeof(MoveList))


cdef void rest_helpers(Worker* main) noexcept nogil:
    """Set the node counts of the other workers to 0: a move without a search starts none of them."""
    cdef Worker* w = main.next
    while w != NULL:
        store(&w.nodes, 0)
        w = w.next


cdef void run_helper(void* worker) noexcept nogil:
    """The work of a helping thread. Python does not know the thread, so that exceptions are impossible in it."""
    cdef Worker* w = <Worker*>worker
    help(w, w.last_depth)
    PyThread_release_lock(w.at_work)


cdef void start_helpers(Worker* main, int last_depth) noexcept:
    """Set the other workers to the main worker's search, each in a thread of its own.

    Fewer run if the system has no room for more threads. No Python code runs between the first thread and the last,
    so that no signal's handler can leave some of them behind; `wait_for_helpers` waits for them.
    """
    cdef size_t usual_size
    cdef Worker* w = main.next
    if w == NULL:
        return
    while w != NULL:
        join_search(w, main)
        w.last_depth = last_depth
        w = w.next
    main.shared.process = this_process()
    usual_size = PyThread_get_stacksize()
    PyThread_set_stacksize(STACK_BYTES)
    w = main.next
    while w != NULL:
        PyThread_acquire_lock(w.at_work, NOWAIT_LOCK)
        w.is_at_work = PyThread_start_new_thread(run_helper, w) != PYTHREAD_INVALID_THREAD_ID
        if not w.is_at_work:
            PyThread_release_lock(w.at_work)
            break
        w = w.next
    PyThread_set_stacksize(usual_size)


cdef void end_helpers(Shared* shared) noexcept:
    """Tell the other workers to end. The search's answer does not wait until the last of them gets a core for that."""
    if shared.workers.next != NULL:
        store(&shared.stop, 1)


cdef void wait_for_helpers(Shared* shared) noexcept:
    """Wait until the other workers have ended. No Python code runs meanwhile, not even a handler of signals.

    After a fork only the parent has the helpers, so the child does not wait for them.
    """
    cdef Worker* w = shared.workers.next
    if w == NULL:
        return
    forget_helpers_of_a_parent(shared)
    with nogil:
        while w != NULL:
            if w.is_at_work:
                PyThread_acquire_lock(w.at_work, WAIT_LOCK)
                PyThread_release_lock(w.at_work)
                w.is_at_work = False
            w = w.next
