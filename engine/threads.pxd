# The threads of the helping workers: started for one search, and waited for at its end. worker.pxd describes their
# communication.
from engine.worker cimport Shared, Worker

cdef void rest_helpers(Worker* main) noexcept nogil
cdef void start_helpers(Worker* main, int last_depth) noexcept
cdef void end_helpers(Shared* shared) noexcept
