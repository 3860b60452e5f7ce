"""The root: getting a worker ready for a search, and what can be said without a search."""
from libc.string cimport memset

from engine.bits cimport store
from engine.moves cimport BLOCK_FIVE, MoveList, generate, situation_of, table_score, tier_of
from engine.network cimport static_score
from engine.position cimport Position, five_blocks, is_empty, is_forbidden, may_play, top
from engine.search cimport move_to_front, score_moves, select
from engine.threats cimport foul_four, static_win
from engine.types cimport *
from engine.worker cimport Statistics, Worker


cdef void new_search(Worker* w) noexcept nogil:
    """Forget the counters of the last search and list the moves of the root; what was learned of moves fades."""
    cdef int i, colour, kind
    store(&w.nodes, 0)
    w.poll_at = 1
    w.is_stopped = False
    w.selective_depth = 0
    w.done = 0
    if w.number == 0:
        w.shared.depth = w.shared.offered = 0
    memset(&w.statistics, 0, sizeof(Statistics))
    for colour in range(2):
        for i in range(CELLS):
            for kind in range(2):
                w.history[colour][i][kind] //= 2
    generate(w.position, &w.root)
    score_moves(w, &w.root, w.position.states[w.position.ply].move)
    cdef int kept = 0
    for i in range(w.root.count):
        if may_play(w.position, select(&w.root, i)):
            w.root.moves[kept] = w.root.moves[i]
            kept += 1
    w.root.count = kept


cdef bint strike(Worker* w, set barred) except -1:
    """Take cells off the root's moves; when none is left, list the other legal ones, best first. False: none."""
    cdef Position* p = w.position
    cdef int i, x, y, position, kept = 0
    for i in range(w.root.count):
        if w.root.moves[i].position not in barred:
            w.root.moves[kept] = w.root.moves[i]
            kept += 1
    if kept:
        w.root.count = kept
        return True
    found = []
    for y in range(p.height):
        for x in range(p.width):
            position = position_of(x, y)
            if is_empty(p, position) and position not in barred and not (
                    p.side == BLACK and is_forbidden(p, position)):
                found.append((-tier_of[p.cells[position].cls[p.side]][p.cells[position].cls[p.side ^ 1]],
                              -table_score(p, position, False), position))
    found.sort()
    for i in range(len(found)):
        w.root.moves[i].tier = -found[i][0]
        w.root.moves[i].score = -found[i][1]
        w.root.moves[i].position = found[i][2]
    w.root.count = len(found) or w.root.count
    return bool(found)


cdef int glance(Worker* w) noexcept nogil:
    """A score without a search: what the classes prove, else the static evaluation.

    Of the wins that the order of the moves may put behind others, the first move of a foul trap goes to the front.
    """
    cdef Position* p = w.position
    cdef MoveList* root = &w.root
    cdef u16[9] blocks
    cdef int win = static_win(p), i
    cdef int four = foul_four(p) if win == 3 and top(p).count[p.side][CLASS_LIVE_FOUR] == 0 else NO_MOVE
    for i in range(root.count if four else 0):
        if root.moves[i].position == four:
            move_to_front(root, i)
    if win == 0 and situation_of(p) == BLOCK_FIVE and five_blocks(p, p.side ^ 1, blocks) == 0:
        win = -2
    return MATE - win if win > 0 else -MATE - win if win < 0 else static_score(w.network, w.sums, p)


cdef int best_legal_cell(Position* p) noexcept nogil:
    """The best-looking legal cell of the whole board, or a foul if there is no other."""
    cdef int x, y, position, score, best = NO_MOVE, best_score = 0
    for y in range(p.height):
        for x in range(p.width):
            position = position_of(x, y)
            if p.cells[position].piece != EMPTY:
                continue
            score = table_score(p, position, False)
            if p.side == BLACK and is_forbidden(p, position):
                score -= 1 << 20
            if best == NO_MOVE or score > best_score:
                best = position
                best_score = score
    return best
