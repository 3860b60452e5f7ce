"""The order of a node's moves. The code that gives them one by one is in picker.pxd, where the search inlines it."""
from engine.moves cimport FREE_CHOICE, STRICT_TIER, Move, MoveList
from engine.policy cimport add_policy
from engine.position cimport Position
from engine.types cimport *
from engine.worker cimport Worker, makes_threat

cdef enum:
    COUNTER_BONUS = 30           # ordering points
    HISTORY_SHARE = 180          # history points that are worth an ordering point


cdef int score_moves(Worker* w, MoveList* list, int last, bint has_policy) noexcept nogil:
    """Turn table scores into ordering scores: the policy, history, the counter-move, and the strict tiers on top.

    The best move comes to the front, as by `select`. Returns the best score below those tiers. The tables are fitted to
    the cuts of searches, with these bonuses in it (against tables fitted to the moves of games: +15 +- 20 Elo, 450
    pairs at 30,000 nodes).
    """
    cdef Position* p = w.position
    cdef Move* move
    cdef Move* first = &list.moves[0]
    cdef Move chosen
    cdef int i, side = p.side, counter = w.counter[side][last], best = -INFINITE
    if has_policy and list.situation == FREE_CHOICE:
        add_policy(w.policy, p, list)
    for i in range(list.count):
        move = &list.moves[i]
        move.score += w.history[side][move.position][makes_threat(p, move.position)] // HISTORY_SHARE
        if move.position == counter:
            move.score += COUNTER_BONUS
        if move.tier >= STRICT_TIER:
            move.score += <i32>move.tier << 20
        else:
            best = max(best, move.score)
        if move.score > first.score or (move.score == first.score and move.position < first.position):
            first = move
    chosen = first[0]
    first[0] = list.moves[0]
    list.moves[0] = chosen
    return best
