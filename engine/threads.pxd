# The threads of the helping workers: started for one search and told to end with it. worker.pxd describes their
# communication.
#
# A helper ends when it next looks at the stop flag. If other programs use all cores, that can take long, so the search
# answers before, and whatever comes next waits: another search, or a change of what the helpers use.
from engine.worker cimport Shared, Worker

cdef void rest_helpers(Worker* main) noexcept nogil
cdef void start_helpers(Worker* main, int last_depth) noexcept
cdef void end_helpers(Shared* shared) noexcept
cdef void wait_for_helpers(Shared* shared) noexcept
