# The static evaluation: the board's incremental sum, averaged over the last two plies so that the advantage of the last
# move cancels, plus a correction from a table, by the kinds of threats of both sides.
from engine.position cimport Position, State
from engine.types cimport *

cdef inline u32 threat_mask(const State* state, int side) noexcept nogil:
    # Eleven bits: which threats are on the board, seen from the side to move.
    cdef const u16* own = state.count[side]
    cdef const u16* other = state.count[side ^ 1]
    return (
        <u32>(other[CLASS_FIVE] != 0)
        | <u32>(own[CLASS_LIVE_FOUR] != 0) << 1
        | <u32>(other[CLASS_LIVE_FOUR] != 0) << 2
        | <u32>(own[CLASS_FOUR_PLUS] + own[CLASS_FOUR_THREE] != 0) << 3
        | <u32>(own[CLASS_FOUR] != 0) << 4
        | <u32>(own[CLASS_DOUBLE_THREE] + own[CLASS_THREE_PLUS] != 0) << 5
        | <u32>(own[CLASS_THREE] != 0) << 6
        | <u32>(other[CLASS_FOUR_PLUS] + other[CLASS_FOUR_THREE] != 0) << 7
        | <u32>(other[CLASS_FOUR] != 0) << 8
        | <u32>(other[CLASS_DOUBLE_THREE] + other[CLASS_THREE_PLUS] != 0) << 9
        | <u32>(other[CLASS_THREE] != 0) << 10
    )

cdef inline int evaluate(const Position* p) noexcept nogil:
    # Centipoints for the side to move, within +-EVAL_LIMIT.
    cdef const State* state = &p.states[p.ply]
    cdef int sum = state.value + p.states[p.ply - 1 if p.ply else 0].value
    cdef int score = (sum if p.side == BLACK else -sum) // 2 + p.rule.threat[p.side][threat_mask(state, p.side)]
    return min(max(score, -EVAL_LIMIT), EVAL_LIMIT)
