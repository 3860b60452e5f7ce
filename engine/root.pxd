# The root: getting a worker ready for a search, and what can be said without a search.
from engine.position cimport Position
from engine.worker cimport Worker

cdef void new_search(Worker* w) noexcept nogil
cdef bint strike(Worker* w, set barred) except -1
cdef int glance(Worker* w) noexcept nogil
cdef int best_legal_cell(Position* p) noexcept nogil
