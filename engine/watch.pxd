# Reasons to end long work early: a flag that any thread may set, the clock, Ctrl-C, and the caller's question.
#
# The search and both solvers look here now and then, from their parts without Python's lock. An exception of a signal's
# handler or of the caller's question is kept until they return to Python: `raise_pending` raises it.
from cpython.object cimport PyObject

from engine.bits cimport load, now_us
from engine.types cimport i64, u64

cdef enum:
    LOOK_US = 30000              # between two looks at signals and the question, which need Python's lock
    GAP_FADES = 32               # a long time between two looks at the clock counts less by this part with each look

# Declared without `except`: the exception must stay pending until the work has left its part without the lock.
cdef extern from "Python.h":
    int Py_IsInitialized() noexcept nogil
    int PyErr_CheckSignals() noexcept
    PyObject* PyObject_CallNoArgs(PyObject* function) noexcept
    int PyObject_IsTrue(PyObject* value) noexcept
    void Py_DecRef(PyObject* value) noexcept

cdef struct Watch:
    const u64* stop              # the work ends when this is not 0; NULL: there is no flag
    i64 deadline_us              # on the clock of now_us; 0: none
    i64 looked_at_us             # the last look at the clock
    i64 gap_us                   # the longest time between two looks, of late
    i64 look_at_us               # when signals are looked at next
    PyObject* question           # called with them, says whether to end; the caller keeps it alive; NULL: none
    bint has_raised              # a handler or the question raised, and the exception is pending

cdef inline void begin_watch(Watch* watch, const u64* stop, i64 deadline_us, PyObject* question) noexcept nogil:
    # A question is asked at once, signals are looked at later: Python has just seen to them.
    watch.stop = stop
    watch.deadline_us = deadline_us
    watch.looked_at_us = now_us()
    watch.gap_us = 0
    watch.look_at_us = 0 if question != NULL else watch.looked_at_us + LOOK_US
    watch.question = question
    watch.has_raised = False

cdef inline bint is_told_to_end(Watch* watch) noexcept:
    # Whether a handler raises, or the question says so; with Python's lock.
    cdef PyObject* answer
    cdef int truth
    if PyErr_CheckSignals():
        watch.has_raised = True
        return True
    if watch.question == NULL:
        return False
    answer = PyObject_CallNoArgs(watch.question)
    truth = -1 if answer == NULL else PyObject_IsTrue(answer)
    if answer != NULL:
        Py_DecRef(answer)
    watch.has_raised = truth < 0
    return truth != 0

cdef inline bint is_time_over(Watch* watch, i64 now) noexcept nogil:
    # Whether the deadline may have passed before the next look. On a busy machine looks are far apart, because other
    # programs take the core between them: the next look is expected after as long a time as the longest of late.
    watch.gap_us = max(now - watch.looked_at_us, watch.gap_us - watch.gap_us // GAP_FADES)
    watch.looked_at_us = now
    return watch.deadline_us != 0 and now + watch.gap_us >= watch.deadline_us

cdef inline bint must_end(Watch* watch) noexcept nogil:
    # Whether the work is to end now. It takes a look at the clock, and Python's lock now and then.
    cdef i64 now = now_us()
    cdef bint is_over = is_time_over(watch, now), is_told = watch.has_raised
    if is_told or is_over or (watch.stop != NULL and load(watch.stop)):
        return True
    if now >= watch.look_at_us:
        watch.look_at_us = now + LOOK_US
        # A daemon thread can outlive the interpreter. To ask for a lock that no longer exists is a crash.
        if not Py_IsInitialized():
            return True
        with gil:
            is_told = is_told_to_end(watch)
    return is_told

cdef inline int raise_pending(const Watch* watch) except -1:
    # With Python's lock, after the work: raise the kept exception.
    return -1 if watch.has_raised else 0
