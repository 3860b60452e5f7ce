# The engine's face to Python: one searcher, its table, its worker and its own copy of the position.
from engine.board cimport Board
from engine.network cimport NetworkWeights
from engine.policy cimport PolicyWeights
from engine.proving cimport Proving
from engine.types cimport *
from engine.worker cimport Shared, Worker

cdef class Searcher:
    cdef Shared shared
    cdef Worker* worker          # the main one
    cdef Proving proving         # wins without a search, and the infos of all answers
    cdef u64 memory
    cdef bint is_armed
    cdef i64 joined_us           # how long `arm` waited for helpers of the search before: part of the move's time
    cdef bint is_plain
    cdef bint is_classical       # without networks and policies
    cdef dict networks           # by rule: the network in use, or None; filled as rules are searched
    cdef dict policies           # likewise the policy
    cdef bint is_running
    cdef bint is_analysing       # search even if only one reply is possible
    cdef u64 stops               # calls of `stop`
    cdef int thread_count
    cdef object think(self, Board board, object limits, object on_info, i64 start)
    cdef object look_for_shorter(self, object best, int last_depth, i64 maximum)
    cdef object last_resort(self)
    cdef int prepare_table(self, bint is_timed, i64 optimum) except -1
    cdef int check_idle(self) except -1
    cdef const NetworkWeights* weights_for(self, int rule) except? NULL
    cdef const PolicyWeights* policy_for(self, int rule) except? NULL
    cdef object forget_root(self)
    cdef object deepen(self, int last_depth, object clock, object on_info)
