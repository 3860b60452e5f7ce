"""The threat-first move generator.

Own five > block the opponent's five > live four > own 4x3 and blocked four > stop the live four > double three > threes
> twos > others. The first tiers are exact (see moves.pxd); inside a tier moves are sorted by the table score, then by
position, so that the order is total.
"""
from engine.bits cimport lowest_bit
from engine.board cimport Board
from engine.patterns cimport Rule
from engine.position cimport (CellWalk, Position, first_of_class, five_blocks, is_empty, is_forbidden, key_at,
                              next_cell, place_in, step_of, walk_empty, walk_hot, with_line, word_through)
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


cdef bint stops(const Position* p, int cell, int attacker, int stone) noexcept nogil:
    """Whether a defender's stone on `stone` takes the live four at `cell` away from `attacker`."""
    if stone == cell:
        return True
    cdef const Rule* rule = p.rule
    cdef int direction, offset, half = rule.half
    cdef int dx = (stone & 31) - (cell & 31), dy = (stone >> 5) - (cell >> 5)
    if dy == 0:
        direction = 0
        offset = dx
    elif dx == 0:
        direction = 1
        offset = dy
    elif dx == -dy:
        direction = 2
        offset = dx
    elif dx == dy:
        direction = 3
        offset = dx
    else:
        return False
    if offset > half or offset < -half:
        return False
    cdef int place = place_in(cell, direction)
    cdef u64 word = word_through(p, cell, direction) ^ <u64>(1 + (attacker ^ 1)) << (2 * (place + offset))
    cdef u32 lines = with_line(p.cells[cell].lines, direction, rule.lines[key_at(rule, word, place)])
    return rule.facts[attacker][lines >> (16 * attacker) & 0xFFFF].cls < CLASS_LIVE_FOUR


cdef int live_four_defences(Position* p, int attacker, u16* cells) noexcept nogil:
    """All cells where one stone takes every live four away from `attacker`, in no order; returns how many.

    The attacker must have at least one. No other quiet move can save the defender: the attacker would answer it with a
    live four and then have two ways to a five.
    """
    cdef int[64] threats
    cdef int threat_count = 0, count = 0, i, direction, offset, at, half = p.rule.half
    cdef CellWalk walk = walk_hot(p, attacker)
    while next_cell(&walk):
        if p.cells[walk.position].cls[attacker] == CLASS_LIVE_FOUR and threat_count < 64:
            threats[threat_count] = walk.position
            threat_count += 1
    cdef int first = threats[0]
    for direction in range(4):
        for offset in range(-half, half + 1):
            at = first + offset * step_of(direction)
            if (offset == 0 and direction > 0) or not is_empty(p, at):
                continue
            for i in range(threat_count):
                if not stops(p, threats[i], attacker, at):
                    break
            else:
                cells[count] = <u16>at
                count += 1
    return count


cdef void generate(Position* p, MoveList* list) noexcept nogil:
    """Fill `list` with the moves that the situation allows, unsorted, each with its tier and table score.

    Renju's forbidden points are left in (asking is slow; the search asks before it plays one). On a board without
    stones the centre is the only move; without candidates every empty cell is one.
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
            append(p, list, first_of_class(p, side ^ 1, CLASS_FIVE))    # one as good as another: all lose
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
    # Not by next_cell: this loop is so hot that the two loops spelled out save 1 % of the search's instructions.
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
