# Which moves to look at, threats first.
#
# If the position leaves no choice, the list is exact: a cell that makes a five, or one that blocks the opponent's, or
# one that makes a live four; against a live four that the opponent could make next, all cells that stop it and all own
# fours. Otherwise the list has every candidate, in tiers, the strong threats of both sides first.
from engine.position cimport Position, code_of
from engine.types cimport *

cdef enum:
    MAX_MOVES = MAX_SIZE * MAX_SIZE
    # From this tier up (the own 4x3) the search keeps the order of the tiers and ignores scores and history. Trying
    # bare fours, tier 11, before everything else is mostly a waste (94 +- 49 Elo, 200 games at 25,000 nodes).
    STRICT_TIER = 12

# The task of the side to move in the position.
cdef enum Situation:
    MAKE_FIVE
    BLOCK_FIVE
    MAKE_LIVE_FOUR
    STOP_LIVE_FOUR
    FREE_CHOICE

cdef struct Move:
    i32 score
    u16 position
    u16 tier

cdef struct MoveList:
    int count
    Situation situation
    Move[MAX_MOVES] moves

cdef u8[CLASSES][CLASSES] tier_of   # [own class][other's class] of a cell

cdef void generate(Position* p, MoveList* list) noexcept nogil
cdef int select(MoveList* list, int start) noexcept nogil
cdef void move_to_front(MoveList* list, int index) noexcept nogil
cdef bint remove_barred(Position* p, MoveList* list, set barred) except -1
cdef int best_legal_cell(Position* p) noexcept nogil

cdef inline Situation situation_of(const Position* p) noexcept nogil:
    cdef const u16* own = p.states[p.ply].count[p.side]
    cdef const u16* other = p.states[p.ply].count[p.side ^ 1]
    if own[CLASS_FIVE]:
        return MAKE_FIVE
    if other[CLASS_FIVE]:
        return BLOCK_FIVE
    if own[CLASS_LIVE_FOUR]:
        return MAKE_LIVE_FOUR
    if other[CLASS_LIVE_FOUR]:
        return STOP_LIVE_FOUR
    return FREE_CHOICE

cdef inline int table_score(const Position* p, int position, bint stops) noexcept nogil:
    # The value of a move by the pattern codes: for the mover, and for denying the cell to the other side. stops: the
    # mover must stop a live four.
    cdef int side = p.side
    return (p.rule.own_score[stops][side][code_of(p, position, side)]
            + p.rule.other_score[stops][side ^ 1][code_of(p, position, side ^ 1)])
