"""Cells that stop a threat, and proved wins: the 4x3 of the static win check, and a solver for victory by fours (VCF).

A VCF is a chain of fours; each four leaves the defender one reply. The solver tries all fours on the board, strong ones
first, with a growing limit of depth; a reply that makes a four must be answered by a four that blocks it.
"""
from cpython.object cimport PyObject
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from engine.board cimport Board
from engine.patterns cimport Rule, class_in
from engine.position cimport (Cell, CellWalk, Position, copy_position, first_of_class, insert_cell, is_empty,
                              is_forbidden, key_at, line_of, make, next_cell, place_in, place_piece, row_of, step_of,
                              undo, walk_hot, word_through)
from engine.types cimport *
from engine.watch cimport Watch, begin_watch, must_end, raise_pending

from engine.checks import MOST_NODES, whole_number
from engine.win import Win

cdef enum:
    POLL_NODES = 1024            # between two looks at the watch


cdef int four_three_win(Position* p) noexcept nogil:
    """Whether a four with an open three wins by force: the reply to the four must not make a four itself."""
    cdef int side = p.side, i
    cdef u16[9] replies
    cdef CellWalk walk = walk_hot(p, side)
    cdef bint wins
    while next_cell(&walk):
        if p.cells[walk.position].cls[side] != CLASS_FOUR_THREE:
            continue
        make(p, walk.position)
        wins = True
        for i in range(five_blocks(p, side, replies)):
            # For renju's black the open four after the three may be a double-four, so check it.
            wins = not p.cells[replies[i]].hot >> (side ^ 1) & 1
            if wins:
                make(p, replies[i])
                wins = p.states[p.ply].count[side][CLASS_LIVE_FOUR] > 0
                undo(p)
            if not wins:
                break
        undo(p)
        if wins:
            return True
    return False


cdef int foul_four(Position* p) noexcept nogil:
    """The cell where renju's white, if it were his move, could make a four that only a foul of black would stop.

    NO_MOVE without such a cell. While black has no five, such a four wins. The cell that stops it is one where white
    makes a four too, and a white stone removes fouls but does not make any, so that few cells have to be tried.
    """
    cdef int side = p.side, stop, direction, offset, at
    cdef bint wins
    cdef CellWalk walk
    if p.hot_rows[BLACK] & p.hot_rows[WHITE] == 0:
        return NO_MOVE
    walk = walk_hot(p, BLACK)
    while next_cell(&walk):
        stop = walk.position
        if p.cells[stop].cls[BLACK] != CLASS_FORBIDDEN or not p.cells[stop].hot >> WHITE & 1:
            continue
        for direction in range(4):
            if line_of(&p.cells[stop], direction, WHITE) < BLOCKED_FOUR:
                continue
            for offset in range(-4, 5):
                at = stop + offset * step_of(direction)
                if offset == 0 or not p.cells[at].hot >> WHITE & 1 or (
                        line_of(&p.cells[at], direction, WHITE) < BLOCKED_FOUR):
                    continue
                p.side = WHITE
                make(p, at)
                wins = p.cells[stop].cls[WHITE] == CLASS_FIVE and is_forbidden(p, stop)
                undo(p)
                p.side = side
                if wins:
                    return at
    return NO_MOVE


cdef bint leaves_foul_four(Position* p, int position) noexcept nogil:
    """Whether a quiet move of renju's white, to move, leaves a four that only a foul of black would stop.

    White has no such four yet. A white stone makes no fouls, so the stop is one already, and the move lies on a line
    with it.
    """
    cdef int stop, dx, dy
    cdef bint is_near = False, leaves
    cdef CellWalk walk = walk_hot(p, BLACK)
    while not is_near and next_cell(&walk):
        stop = walk.position
        if p.cells[stop].cls[BLACK] == CLASS_FORBIDDEN:
            dx = abs((stop & 31) - (position & 31))
            dy = abs((stop >> 5) - (position >> 5))
            is_near = max(dx, dy) <= 4 and (dx == dy or dx == 0 or dy == 0)
    if not is_near:
        return False
    make(p, position)
    leaves = foul_four(p) != NO_MOVE
    undo(p)
    return leaves


cdef bint is_legal_four(Position* p, int position, int side) noexcept nogil:
    """Whether a stone on a hot cell makes a four that the rule allows."""
    cdef const Cell* cell = &p.cells[position]
    cdef int direction
    if cell.cls[side] >= CLASS_FOUR:
        return True
    for direction in range(4):
        if line_of(cell, direction, side) >= BLOCKED_FOUR:
            return not is_forbidden(p, position)
    return False


cdef int five_blocks(Position* p, int attacker, u16* cells) noexcept nogil:
    """All cells where one stone prevents every five of `attacker`, who could make one next; returns how many, up to 9.

    That is the five's own cell unless there are several fives. In caro the ends of the five block as well.
    """
    cdef int first = first_of_class(p, attacker, CLASS_FIVE), side = p.side
    cdef int direction, way, at, i, tried = 1, count = 0
    cells[0] = <u16>first
    if not p.rule.can_spoil:
        return p.states[p.ply].count[attacker][CLASS_FIVE] == 1
    for direction in range(4):
        if line_of(&p.cells[first], direction, attacker) != FIVE:
            continue
        for way in range(2):
            at = first
            while True:
                at += step_of(direction) if way == 0 else -step_of(direction)
                if p.cells[at].piece != attacker:
                    break
            if p.cells[at].piece == EMPTY:
                cells[tried] = <u16>at
                tried += 1
    for i in range(tried):
        place_piece(p, cells[i], attacker ^ 1)
        if p.states[p.ply].count[attacker][CLASS_FIVE] == 0:
            cells[count] = cells[i]
            count += 1
        p.side = side ^ 1   # undo flips it back
        undo(p)
    return count


cdef bint takes_away(const Position* p, int cell, int attacker, int stone) noexcept nogil:
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
    cdef u32 sums = (p.cells[cell].sums + rule.marks[rule.lines[key_at(rule, word, place)]]
                     - rule.marks[row_of(&p.cells[cell], direction)])
    return class_in(rule.parts[attacker][sums >> (16 * attacker) & 0xFFFF], attacker) < CLASS_LIVE_FOUR


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
                if not takes_away(p, threats[i], attacker, at):
                    break
            else:
                cells[count] = <u16>at
                count += 1
    return count


cdef void poll(Solver* s) noexcept nogil:
    """Look at the watch, which may end the search early."""
    s.poll_at = s.nodes + POLL_NODES
    if s.watch != NULL and must_end(s.watch):
        s.node_limit = 0


cdef int attack(Solver* s, int depth, int last) noexcept nogil:
    """Whether the attacker, to move, wins by fours within `depth` plies; fills the line from s.length on.

    A failure that depends on the depth sets s.is_cut.
    """
    cdef Position* p = s.position
    cdef int me = s.attacker, you = me ^ 1
    cdef const u16* own = p.states[p.ply].count[me]
    cdef const u16* other = p.states[p.ply].count[you]
    cdef int position, i, count, at = s.length, blocks = 0, kept, k
    cdef u16[9] must
    cdef u16[9] replies
    cdef u16[SOLVER_LINE] longest
    s.nodes += 1
    if s.nodes >= s.poll_at:
        poll(s)
    if own[CLASS_FIVE]:
        s.line[at] = <u16>first_of_class(p, me, CLASS_FIVE)
        s.length = at + 1
        return True
    if other[CLASS_FIVE]:
        blocks = five_blocks(p, you, must)
        if blocks == 0:
            return False
    elif own[CLASS_LIVE_FOUR] and depth >= 3:
        s.line[at] = <u16>first_of_class(p, me, CLASS_LIVE_FOUR)
        s.length = at + 1
        return True
    # Within three plies only a four with no legal reply is left, and if the opponent has no five and no fouls,
    # that is a live four.
    cdef bint is_last = depth < 5
    if depth < 3 or s.nodes >= s.node_limit or p.hot_rows[me] == 0 or at + 4 > SOLVER_LINE or (
            is_last and blocks == 0 and not p.rule.has_forbidden and not p.rule.can_spoil):
        if p.hot_rows[me]:
            s.is_cut = True
        return False
    cdef u64* slot = &s.failed[top_key(p) & (SOLVER_SLOTS - 1)]
    cdef u64 tag = top_key(p) >> 8 << 8
    if (slot[0] >> 8 << 8) == tag and <int>(slot[0] & 0xFF) >= depth:
        if slot[0] & 0xFF != NO_WIN:
            s.is_cut = True
        return False
    cdef bint was_cut = s.is_cut
    s.is_cut = False

    # Fours in order: by class, near the last stone first. A list of 64 is enough: fours are in lines of three stones.
    cdef u16[64] order
    cdef int[64] ranks
    cdef CellWalk walk = walk_hot(p, me)
    count = 0
    while count < 64 and next_cell(&walk):
        position = walk.position
        if blocks:
            for k in range(blocks):
                if position == must[k]:
                    break
            else:
                continue
        insert_cell(order, ranks, count, position, p.cells[position].cls[me] * 64 - (
            max(abs((position & 31) - (last & 31)), abs(walk.y - (last >> 5))) if last else 0))
        count += 1
    for i in range(count):
        position = order[i]
        if not is_legal_four(p, position, me):
            continue
        make(p, position)
        s.line[at] = <u16>position
        k = five_blocks(p, me, replies)
        if k == 0 or (you == BLACK and is_forbidden(p, replies[0])):
            undo(p)
            s.length = at + 1
            s.is_cut = was_cut
            return True
        if is_last:
            undo(p)
            s.is_cut = True
            continue
        kept = 0
        for k in range(k):
            make(p, replies[k])
            s.line[at + 1] = replies[k]
            s.length = at + 2
            if not attack(s, depth - 2, position):
                undo(p)
                kept = 0
                break
            undo(p)
            # The longest defence is the line that counts.
            if s.length > kept:
                kept = s.length
                memcpy(&longest[at + 1], &s.line[at + 1], (kept - at - 1) * sizeof(u16))
        undo(p)
        if kept:
            memcpy(&s.line[at + 1], &longest[at + 1], (kept - at - 1) * sizeof(u16))
            s.length = kept
            s.is_cut = was_cut
            return True
        s.length = at
    if s.nodes < s.node_limit and not is_last:
        slot[0] = tag | <u64>(min(depth, NO_WIN - 1) if s.is_cut else NO_WIN)
    s.is_cut = s.is_cut or was_cut
    return False


cdef inline u64 top_key(const Position* p) noexcept nogil:
    return p.states[p.ply].key


cdef int solve_vcf(Solver* s, int max_plies) noexcept nogil:
    """Look for a VCF of the side to move, at most `max_plies` long, until a limit or the watch says to leave.

    Returns the plies to the five, 0 when none was found. The line holds attacks and forced replies up to the move that
    leaves two ways to a five. It need not be the shortest: see `shorten_vcf`.
    """
    cdef int limit = 5
    if max_plies < 1:
        return 0
    s.attacker = s.position.side
    s.nodes = 0
    s.poll_at = 0
    while True:
        limit = min(limit, max_plies)
        s.length = 0
        s.is_cut = False
        if attack(s, limit, NO_MOVE):
            return plies_to_five(s)
        if limit >= max_plies or not s.is_cut or s.nodes >= s.node_limit:
            return 0
        limit = limit * 2 + 1


cdef int shorten_vcf(Solver* s, int plies) noexcept nogil:
    """After a VCF of `plies` plies was found: look for shorter ones, two plies at a time, until a limit.

    Returns the plies of the shortest that was found, and leaves its line.
    """
    cdef u16[SOLVER_LINE] line
    cdef int length
    while plies > 1:
        length = s.length
        memcpy(&line, &s.line, sizeof(line))
        s.length = 0
        if not attack(s, plies - 2, NO_MOVE):
            s.length = length
            memcpy(&s.line, &line, sizeof(line))
            break
        plies = plies_to_five(s)
    return plies


cdef int plies_to_five(Solver* s) noexcept nogil:
    # The line ends with a five, or with a four that the defender can answer but not stop.
    cdef Position* p = s.position
    cdef int i, before = p.ply
    cdef bint is_five = False
    for i in range(s.length):
        is_five = p.cells[s.line[i]].cls[s.attacker] == CLASS_FIVE
        make(p, s.line[i])
    while p.ply > before:
        undo(p)
    return s.length if is_five else s.length + 2


def find_vcf(Board board not None, max_plies=255, nodes=20000, is_stopped=None):
    """A victory by continuous fours for the side to move.

    board: copied, so that it may change meanwhile; max_plies: longest win looked for, counted to the five, at least
    1; nodes: the most positions that the solver may visit, at least 1; is_stopped: called without arguments at once and
    then every 30 ms; the search ends when it returns true. Returns a `Win`, in whose line every attack is a four, or
    None if no such win is found within the limits. Ctrl-C in the main thread raises KeyboardInterrupt. An exception of
    `is_stopped` is passed on.
    """
    cdef Solver solver
    cdef Watch watch
    cdef int longest = min(whole_number("max_plies", max_plies, 1), SOLVER_LINE + 2), plies
    begin_watch(&watch, NULL, 0, NULL if is_stopped is None else <PyObject*>is_stopped)
    solver.watch = &watch
    solver.node_limit = min(whole_number("nodes", nodes, 1), MOST_NODES)
    solver.position = <Position*>malloc(sizeof(Position))
    solver.failed = <u64*>calloc(SOLVER_SLOTS, sizeof(u64))
    try:
        if solver.position == NULL or solver.failed == NULL:
            raise MemoryError("no memory for the solver")
        copy_position(solver.position, board.position)
        with nogil:
            plies = solve_vcf(&solver, longest)
        raise_pending(&watch)
    finally:
        free(solver.failed)
        free(solver.position)
    if plies == 0:
        return None
    return Win(plies, [(x_of(solver.line[i]), y_of(solver.line[i])) for i in range(solver.length)])


def four_cells(Board board not None, colour):
    """The empty cells where a stone of a colour, 0 or 1, makes a five or a four: a list of (x, y, class).

    In reading order, with the pattern class of the cell, by which CLASS_FIVE and CLASS_LIVE_FOUR are told apart from
    lesser fours. Points that renju forbids to Black are among them.
    """
    cdef int side = whole_number("colour", colour, 0, 1)
    cdef CellWalk walk = walk_hot(board.position, side)
    found = []
    while next_cell(&walk):
        found.append((x_of(walk.position), y_of(walk.position), board.position.cells[walk.position].cls[side]))
    return found


def __getattr__(name):
    """Says where an earlier function went. `from engine.threats import` passes on an ImportError alone."""
    if name == "plies_to_win":
        raise ImportError("engine.threats has no 'plies_to_win': `find_vcf` returns a Win, which has `plies`")
    raise AttributeError(f"module 'engine.threats' has no attribute '{name}'")
