# Threats, and the wins that can be seen or proved without a full search: which cells stop a five or a live four, the
# static win check that every node makes, and a solver for victory by continuous fours (VCF).
from engine.position cimport Position, State, first_of_class, is_empty, is_forbidden, make, undo
from engine.types cimport *
from engine.watch cimport Watch

cdef enum:
    SOLVER_SLOTS = 1 << 16
    SOLVER_LINE = 256            # moves of a line; no longer win is found
    NO_WIN = 255                 # depth of a failure that does not depend on a limit of depth

# A stand-alone VCF search: its own small table of failures, and the line that it found.
cdef struct Solver:
    Position* position
    int attacker
    u64 nodes
    u64 node_limit               # becomes 0 when the solver has to leave
    u64 poll_at
    Watch* watch                 # ends it early; NULL: only the limits end it
    u64* failed                  # [SOLVER_SLOTS] key with its low bits replaced by the remaining depth, or NO_WIN
    bint is_cut                  # the last failure depends on a limit of depth
    u16[SOLVER_LINE] line        # attack, forced reply, attack, ... up to the live four or the five
    int length

cdef int solve_vcf(Solver* solver, int max_plies) noexcept nogil
cdef int shorten_vcf(Solver* solver, int plies) noexcept nogil
cdef int four_three_win(Position* p) noexcept nogil
cdef int foul_four(Position* p) noexcept nogil
cdef bint leaves_foul_four(Position* p, int position) noexcept nogil
cdef bint is_legal_four(Position* p, int position, int side) noexcept nogil
cdef int five_blocks(Position* p, int attacker, u16* cells) noexcept nogil
cdef int live_four_defences(Position* p, int attacker, u16* cells) noexcept nogil

cdef inline int static_win(Position* p) noexcept nogil:
    # Plies to a win that the classes prove (negative: to a loss), 0 when they prove nothing.
    cdef const u16* own = p.states[p.ply].count[p.side]
    cdef const u16* other = p.states[p.ply].count[p.side ^ 1]
    if own[CLASS_FIVE]:
        return 1
    if other[CLASS_FIVE]:
        return -2 if other[CLASS_FIVE] > 1 and not p.rule.can_spoil else 0
    if own[CLASS_LIVE_FOUR]:
        return 3
    if p.rule.has_forbidden and p.side == WHITE and foul_four(p):
        return 3
    if own[CLASS_FOUR_THREE] and four_three_win(p):
        return 5
    if own[CLASS_DOUBLE_THREE] and p.hot_rows[p.side ^ 1] == 0:
        return 5
    return 0
