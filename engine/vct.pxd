# A solver for victory by continuous threats (VCT): fours and open threes, one after the other, until fours alone win.
#
# It is a depth-first proof-number search (df-pn: Nagai, 2002; with weak proof numbers: Ueda and others, 2008) over
# positions of two kinds. The attacker, to move, tries the moves that make an open three or better, and has won when the
# solver for fours finds a win. The defender tries every move that could refute the threat, so that every win that is
# found is proved; a search without a result proves nothing. vct.pyx explains why the defences are complete. Stones are
# only added, so that several orders of moves can lead to a position, but no line can repeat it.
from engine.position cimport Position
from engine.threats cimport SOLVER_LINE, Solver
from engine.types cimport *
from engine.watch cimport Watch

cdef enum:
    VCT_BUCKETS = 1 << 14
    VCT_WAYS = 4

# Knowledge about a position, seen from its side to move: phi 0 means that this side reaches its aim (the attacker wins,
# the defender refutes), delta 0 that it does not. Otherwise phi and delta estimate how many more positions must be
# solved to prove the first or the second.
cdef struct VctEntry:
    u64 key                      # 0: free
    u32 phi
    u32 delta
    u32 work                     # positions looked at below it: the less, the sooner it is overwritten
    u16 plies                    # to the five, when the attacker wins
    u16 move                     # the winning attack; NO_MOVE for a win by fours

# One search: set position and limits, then call solve_vct. The tables serve any number of searches, by any rule, on
# boards of any size and for either side: a position's key tells them apart. Each search uses the results of earlier
# ones.
cdef struct VctSolver:
    Position* position
    Solver vcf                   # its position and limit are set here
    VctEntry* table              # [VCT_BUCKETS * VCT_WAYS]
    int attacker
    u64 salt                     # added to the key of a position: it tells which side attacks
    u64 nodes                    # positions looked at, with those of the solver for fours
    u64 node_limit
    Watch* watch                 # ends the search early; NULL: only the limit of nodes ends it
    u64 poll_at
    bint is_stopped
    u16[SOLVER_LINE] line        # attack, longest defence, attack, ...; from where fours win, the line of that win
    int length

cdef bint allocate_vct(VctSolver* solver) noexcept nogil
cdef void release_vct(VctSolver* solver) noexcept nogil
cdef void clear_vct(VctSolver* solver) noexcept nogil
cdef int solve_vct(VctSolver* solver) noexcept nogil

cdef class ThreatSolver:
    cdef VctSolver solver        # its position is this object's own
    cdef bint is_running
    cdef int check_idle(self) except -1
