# The root: getting the workers ready for a search, their threads, and what can be said without a search.
from engine.board cimport Position
from engine.worker cimport Shared, Worker

cdef void new_search(Worker* w) noexcept nogil
cdef void rest_helpers(Worker* main) noexcept nogil
cdef void start_helpers(Worker* main, int last_depth) noexcept
cdef void end_helpers(Shared* shared) noexcept
cdef bint strike(Worker* w, set barred) except -1
cdef int glance(Worker* w) noexcept nogil
cdef int best_legal_cell(Position* p) noexcept nogil
