"""The threat-first move generator.

Own five > block the opponent's five > live four > own 4x3 and blocked four > stop the live four > double three > threes
> twos > others. The first tiers are exact (see moves.pxd); inside a tier moves are sorted by the table score, then by
position, so that the order is total.
"""
from engine.bits cimport lowest_bit
from engine.board cimport Board
from engine.position cimport (CellWalk, Position, first_of_class, is_empty, is_forbidden, next_cell, walk_empty,
                              walk_hot)
from engine.threats cimport five_blocks, live_four_defences
from engine.types cimport *


cdef void fill_tiers() noexcept nogil:
    cdef int own, other, tier
    for own in range(CLASSES):
        for other in range(CLASSES):
            if own == CLASS_FIVE:
                tier = 15
            elif other == CLASS_FIVE:
                tier = 14
            elif own == CLASS_LIVE_FOUR:
                tier = 13
            elif own == CLASS_FOUR_THREE:
                tier = 12
            elif own == CLASS_FOUR_PLUS or own == CLASS_FOUR:
                tier = 11
            elif other == CLASS_LIVE_FOUR:
                tier = 10
            elif own == CLASS_DOUBLE_THREE:
                tier = 9
            elif other == CLASS_FOUR_THREE or other == CLASS_DOUBLE_THREE:
                tier = 8
            elif own == CLASS_THREE_PLUS or own == CLASS_THREE:
                tier = 7
            elif other >= CLASS_THREE:
                tier = 6
            elif own == CLASS_BLOCKED_PLUS or own == CLASS_DOUBLE_TWO:
                tier = 5
            elif own == CLASS_BLOCKED_THREE or own == CLASS_TWO:
                tier = 4
            elif other >= CLASS_TWO:
                tier = 3
            else:
                tier = 2
            tier_of[own][other] = <u8>tier


fill_tiers()


cdef inline void append(Position* p, MoveList* list, int position) noexcept nogil:
    cdef Move* move = &list.moves[list.count]
    move.position = <u16>position
    move.tier = tier_of[p.cells[position].cls[p.side]][p.cells[position].cls[p.side ^ 1]]
    move.score = table_score(p, position, list.situation == STOP_LIVE_FOUR)
    list.count += 1


cdef void generate(Position* p, MoveList* list) noexcept nogil:
    """Fill `list` with the moves that the situation allows, unsorted, each with its tier and table score.

    The list may contain renju's forbidden points: the check is slow, and the search makes it before it plays a move. On
    a board without stones the centre is the only move; without candidates every empty cell is a move.
    """
    cdef int side = p.side, y, position, i, count
    cdef u16[64] defences
    cdef CellWalk walk
    cdef u32 bits
    list.count = 0
    list.situation = situation_of(p)
    if list.situation == MAKE_FIVE:
        append(p, list, first_of_class(p, side, CLASS_FIVE))
        return
    if list.situation == BLOCK_FIVE:
        count = five_blocks(p, side ^ 1, defences)
        if count == 0:
            append(p, list, first_of_class(p, side ^ 1, CLASS_FIVE))    # any of them: all lose
        for i in range(count):
            append(p, list, defences[i])
        return
    if list.situation == MAKE_LIVE_FOUR:
        append(p, list, first_of_class(p, side, CLASS_LIVE_FOUR))
        return
    if list.situation == STOP_LIVE_FOUR:
        walk = walk_hot(p, side)
        while next_cell(&walk):
            append(p, list, walk.position)
        count = live_four_defences(p, side ^ 1, defences)
        for i in range(count):
            if not p.cells[defences[i]].hot >> side & 1:
                append(p, list, defences[i])
        return
    # Without next_cell, because this loop is hot: two explicit loops save 1 % of the search's instructions.
    for y in range(BORDER, BORDER + p.height):
        bits = p.states[p.ply].candidates[y]
        while bits:
            append(p, list, y << 5 | lowest_bit(bits))
            bits &= bits - 1
    if list.count:
        return
    position = position_of(p.width // 2, p.height // 2)
    if p.empty_cells == p.width * p.height or (is_empty(p, position) and p.ply == 0):
        append(p, list, position)
        return
    walk = walk_empty(p)
    while next_cell(&walk):
        append(p, list, walk.position)


cdef int select(MoveList* list, int start) noexcept nogil:
    # Bring the best move from `start` on to `start`; ties go to the lower position, so that the order is total.
    cdef int i, best = start
    cdef Move chosen
    for i in range(start + 1, list.count):
        if list.moves[i].score > list.moves[best].score or (
                list.moves[i].score == list.moves[best].score
                and list.moves[i].position < list.moves[best].position):
            best = i
    chosen = list.moves[best]
    list.moves[best] = list.moves[start]
    list.moves[start] = chosen
    return chosen.position


cdef void move_to_front(MoveList* list, int index) noexcept nogil:
    cdef Move move = list.moves[index]
    while index > 0:
        list.moves[index] = list.moves[index - 1]
        index -= 1
    list.moves[0] = move


cdef bint remove_barred(Position* p, MoveList* list, set barred) except -1:
    """Remove the barred cells from a list of moves. If the list is empty then, list all other legal cells, best first.

    Returns False, and leaves the list, if every legal cell is barred.
    """
    cdef int i, x, y, position, kept = 0
    for i in range(list.count):
        if list.moves[i].position not in barred:
            list.moves[kept] = list.moves[i]
            kept += 1
    if kept:
        list.count = kept
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
        list.moves[i].tier = -found[i][0]
        list.moves[i].score = -found[i][1]
        list.moves[i].position = found[i][2]
    list.count = len(found) or list.count
    return bool(found)


cdef int best_legal_cell(Position* p) noexcept nogil:
    """The legal cell of the whole board that the tables rate best, or a foul if there is no other."""
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


def generate_moves(Board board not None):
    """The moves that the side to move would look at, as a list of (tier, x, y), best tier first.

    Forbidden points of renju are left out.
    """
    cdef MoveList list
    cdef Position* p = board.position
    generate(p, &list)
    found = []
    for i in range(list.count):
        if p.side == BLACK and is_forbidden(p, list.moves[i].position):
            continue
        found.append((-list.moves[i].tier, -list.moves[i].score, list.moves[i].position))
    found.sort()
    return [(-tier, x_of(position), y_of(position)) for tier, _, position in found]
