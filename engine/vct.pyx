"""Victory by continuous threats (VCT), proved against every defence.

The attacker's move is a threat when it makes a five or a live four possible. Why the defences are complete:

- The defender has no five himself: if he threatens one, the attacker's moves are only those that stop it.
- Against a five, the defences are only the cells that stop it (`five_blocks`); after any other move the attacker makes
  it.
- Against a live four, the defences are the cells that take every live four away (`live_four_defences`) and the own
  fours. After any other move a live four is left, and the defender, who made no four, has no five: the attacker makes
  the live four, and then the five.

Cells that renju forbids to black are not moves, for the attacker as for the defender. A move that is not such a threat
counts as refuted, though it may win; so do lines that are too deep and positions with more defences than fit.
"""
from cpython.object cimport PyObject
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from engine.bits cimport now_us, splitmix64
from engine.board cimport Board
from engine.position cimport (CellWalk, Position, copy_position, insert_cell, is_forbidden, key_after,
                              make, next_cell, undo, walk_candidates, walk_hot)
from engine.threats cimport SOLVER_SLOTS, five_blocks, live_four_defences, solve_vcf
from engine.types cimport *
from engine.watch cimport Watch, begin_watch, must_end, raise_pending

from engine.checks import MOST_MS, MOST_NODES, whole_number
from engine.win import Win

cdef enum:
    UNPROVABLE = 1 << 26         # larger than any count
    MAX_CHOICES = 60             # moves of a position; the weakest attacks beyond that are dropped
    DEEPEST = 90                 # plies below the root; deeper positions count as refuted
    VCF_NODES = 100              # for the solver for fours in each position: 40 and 1000 solved as many
    VCF_PLIES = 41
    POLL_NODES = 256             # between two looks at the watch
    SOLVED = -1                  # instead of a number of moves: the side to move reaches its aim


cdef inline VctEntry* find(VctSolver* s, u64 key) noexcept nogil:
    cdef VctEntry* bucket = &s.table[(key & (VCT_BUCKETS - 1)) * VCT_WAYS]
    cdef int i
    for i in range(VCT_WAYS):
        if bucket[i].key == key:
            return &bucket[i]
    return NULL


cdef void keep(VctSolver* s, u64 key, u32 phi, u32 delta, u64 work, int plies, int move) noexcept nogil:
    """Write an entry for a position over its old one, or over the one of the least work in the bucket."""
    cdef VctEntry* bucket = &s.table[(key & (VCT_BUCKETS - 1)) * VCT_WAYS]
    cdef VctEntry* chosen = bucket
    cdef int i
    for i in range(VCT_WAYS):
        if bucket[i].key == key:
            chosen = &bucket[i]
            work += chosen.work
            break
        if bucket[i].work < chosen.work:
            chosen = &bucket[i]
    chosen.key = key
    chosen.phi = phi
    chosen.delta = delta
    chosen.work = <u32>min(work, <u64>UNPROVABLE)
    chosen.plies = <u16>plies
    chosen.move = <u16>move


cdef inline bint must_leave(VctSolver* s) noexcept nogil:
    if s.nodes >= s.poll_at:
        s.poll_at = s.nodes + POLL_NODES
        if s.watch != NULL and must_end(s.watch):
            s.is_stopped = True
    return s.is_stopped or s.nodes >= s.node_limit


cdef int vcf(VctSolver* s) noexcept nogil:
    """Plies of a win by fours of the attacker, to move; 0 when none was found."""
    cdef int plies
    if s.position.hot_rows[s.attacker] == 0:
        return 0
    s.vcf.node_limit = VCF_NODES
    plies = solve_vcf(&s.vcf, VCF_PLIES)
    s.nodes += s.vcf.nodes
    return plies


cdef int attacks(VctSolver* s, bint is_new, u16* moves, int* plies) noexcept nogil:
    """The threatening moves of the attacker, to move, strongest classes first; SOLVED, with plies, when fours win.

    is_new: the position was not here before. (If it was, it has no win by fours.) Where the defender could make a
    five, only the moves that stop it.
    """
    cdef Position* p = s.position
    cdef int me = s.attacker, you = me ^ 1, count = 0, kept = 0, i, cls
    cdef int[MAX_CHOICES] ranks
    cdef CellWalk walk
    if is_new:
        plies[0] = vcf(s)
        if plies[0]:
            return SOLVED
    if p.states[p.ply].count[you][CLASS_FIVE]:
        count = five_blocks(p, you, moves)
        for i in range(count):
            if me == WHITE or not is_forbidden(p, moves[i]):
                moves[kept] = moves[i]
                kept += 1
        return kept
    walk = walk_candidates(p)
    while next_cell(&walk):
        cls = p.cells[walk.position].cls[me]
        if cls < CLASS_THREE and (cls != CLASS_FORBIDDEN or is_forbidden(p, walk.position)):
            continue
        if count < MAX_CHOICES:
            count += 1
        elif ranks[count - 1] >= cls:
            continue
        insert_cell(moves, ranks, count - 1, walk.position, cls)
    return count


cdef int defences(VctSolver* s, u16* moves, int* plies) noexcept nogil:
    """Every move of the defender, to move, that could refute the attacker's last one; SOLVED if that is not a threat.

    The defender has no five, which `attacks` sees to. With no such move the attacker has won, within `plies`.
    """
    cdef Position* p = s.position
    cdef int me = s.attacker, you = me ^ 1, count, kept = 0, i
    cdef const u16* own = p.states[p.ply].count[me]
    cdef u16[64] cells
    cdef CellWalk walk = walk_hot(p, you)
    if own[CLASS_FIVE]:
        plies[0] = 2
        count = five_blocks(p, me, cells)
    elif own[CLASS_LIVE_FOUR]:
        plies[0] = 4
        count = live_four_defences(p, me, cells)
    else:
        return SOLVED
    for i in range(count):
        if you == WHITE or not is_forbidden(p, cells[i]):
            moves[kept] = cells[i]
            kept += 1
    count = kept
    if own[CLASS_FIVE]:
        return kept
    while next_cell(&walk):
        for i in range(count):
            if moves[i] == walk.position:
                break
        else:
            if you == BLACK and is_forbidden(p, walk.position):
                continue
            if kept == MAX_CHOICES:
                return SOLVED
            moves[kept] = <u16>walk.position
            kept += 1
    return kept


cdef void look_at(VctSolver* s, u64 key, int move) noexcept nogil:
    """Enter the position after an attack into the table: solved, or as hard to win as it has defences.

    A four has one defence, and counts as harder than that: fours alone do not win here (`vcf` has tried), and the many
    orders in which they can be played would all be searched before any three.
    """
    cdef u16[MAX_CHOICES] answers
    cdef int count, plies = 0
    cdef bint is_four
    s.nodes += 1
    make(s.position, move)
    is_four = s.position.states[s.position.ply].count[s.attacker][CLASS_FIVE] > 0
    count = defences(s, answers, &plies)
    undo(s.position)
    if count == SOLVED:
        keep(s, key, 0, UNPROVABLE, 0, 0, NO_MOVE)
    elif count == 0:
        keep(s, key, UNPROVABLE, 0, 0, plies, NO_MOVE)
    else:
        keep(s, key, 1, count + 2 * is_four, 0, 0, NO_MOVE)


cdef void expand(VctSolver* s, u64 key, u32 phi_limit, u32 delta_limit, int depth) noexcept nogil:
    """Work on a position until its phi or delta reaches its limit, and keep both in the table."""
    cdef Position* p = s.position
    cdef bint is_attack = p.side == s.attacker
    cdef u16[MAX_CHOICES] moves
    cdef u64[MAX_CHOICES] keys
    cdef VctEntry* child
    cdef u32 phi, delta, second, child_phi, child_delta
    cdef u64 before = s.nodes
    cdef int count, i, best, open_moves, plies = 0
    s.nodes += 1
    if must_leave(s):
        return
    if depth >= DEEPEST:
        count = 0 if is_attack else SOLVED
    elif is_attack:
        count = attacks(s, find(s, key) == NULL, moves, &plies)
    else:
        count = defences(s, moves, &plies)
    if count == SOLVED:
        keep(s, key, 0, UNPROVABLE, s.nodes - before, plies, NO_MOVE)
        return
    for i in range(count):
        keys[i] = key_after(p, moves[i]) ^ s.salt
        if is_attack and find(s, keys[i]) == NULL:
            look_at(s, keys[i], moves[i])

    # One successful move is enough for the side to move, so that phi is the smallest delta of the children. Delta is
    # about refuting all moves. The sum of the children's phi would count shared positions more than once, and a short
    # win would look hard; so delta is the largest phi, plus one for each other open move. The search works on the most
    # promising move until another move is more promising.
    while True:
        phi = second = UNPROVABLE
        delta = 0
        best = open_moves = 0
        for i in range(count):
            child = find(s, keys[i])
            child_phi = child.phi if child != NULL else 1
            child_delta = child.delta if child != NULL else 1
            delta = max(delta, child_phi)
            open_moves += child_phi > 0
            if child_delta < phi:
                second = phi
                phi = child_delta
                best = i
            elif child_delta < second:
                second = child_delta
        if 0 < delta < UNPROVABLE:
            delta += open_moves - 1
        if phi >= phi_limit or delta >= delta_limit or must_leave(s):
            break
        make(p, moves[best])
        # A quarter more than the second best, so that two equal moves do not take turns at every step.
        expand(s, keys[best], delta_limit - open_moves + 1,
               min(phi_limit, second + 1 + second // 4), depth + 1)
        undo(p)

    # The attacker takes the shortest of the wins found, the defender the longest of the losses.
    best = NO_MOVE
    if count and (phi if is_attack else delta) == 0:
        for i in range(count):
            child = find(s, keys[i])
            if child == NULL or (is_attack and child.delta):
                continue
            if best == NO_MOVE or (child.plies < plies if is_attack else child.plies > plies):
                plies = child.plies
                best = moves[i]
        plies += 1
    keep(s, key, phi, delta, s.nodes - before, plies, best)


cdef void take_line(VctSolver* s, u64 key) noexcept nogil:
    """Fill s.line from the table: the winning attacks against the longest defence."""
    cdef Position* p = s.position
    cdef VctEntry* entry
    cdef int i, before = p.ply
    while s.length < SOLVER_LINE:
        entry = find(s, key)
        if entry == NULL:
            break
        if entry.move == NO_MOVE:
            if p.side == s.attacker and vcf(s):
                for i in range(min(s.vcf.length, SOLVER_LINE - s.length)):
                    s.line[s.length] = s.vcf.line[i]
                    s.length += 1
            break
        key = key_after(p, entry.move) ^ s.salt
        s.line[s.length] = entry.move
        s.length += 1
        make(p, entry.move)
    while p.ply > before:
        undo(p)


cdef int solve_vct(VctSolver* s) noexcept nogil:
    """Look for a win by threats of the side to move until a limit or the watch says to leave.

    Returns the plies within which the attacker has a five against every defence, 0 when no win was found. The line
    holds attacks and the longest defences, up to the attack that leaves two ways to a five or cannot be stopped; it is
    cut short if the table was overwritten, but has the first attack at least.
    """
    cdef u64 key, seed
    cdef VctEntry* entry
    s.attacker = s.position.side
    s.vcf.position = s.position
    s.nodes = 0
    s.poll_at = 0
    s.is_stopped = False
    s.length = 0
    # The key of a position does not say which side attacks.
    seed = <u64>s.attacker
    s.salt = splitmix64(&seed)
    key = s.position.states[s.position.ply].key ^ s.salt
    entry = find(s, key)
    if entry == NULL or (entry.phi and entry.delta):
        expand(s, key, UNPROVABLE, UNPROVABLE, 0)
        entry = find(s, key)
    if entry == NULL or entry.phi:
        return 0
    take_line(s, key)
    return entry.plies


cdef bint allocate_vct(VctSolver* s) noexcept nogil:
    """Tables for a solver; False, and nothing allocated, without memory."""
    s.table = <VctEntry*>calloc(VCT_BUCKETS * VCT_WAYS, sizeof(VctEntry))
    s.vcf.failed = <u64*>calloc(SOLVER_SLOTS, sizeof(u64))
    if s.table == NULL or s.vcf.failed == NULL:
        release_vct(s)
        return False
    return True


cdef void release_vct(VctSolver* s) noexcept nogil:
    free(s.table)
    free(s.vcf.failed)
    s.table = NULL
    s.vcf.failed = NULL


cdef void clear_vct(VctSolver* s) noexcept nogil:
    memset(s.table, 0, VCT_BUCKETS * VCT_WAYS * sizeof(VctEntry))
    memset(s.vcf.failed, 0, SOLVER_SLOTS * sizeof(u64))


cdef class ThreatSolver:
    """Looks for victories by continuous threats. The results of a search stay in its tables for the next one, which may
    have another rule and board size. While a search runs, another one and `clear` raise RuntimeError."""

    def __cinit__(self):
        self.solver.position = <Position*>malloc(sizeof(Position))
        if not allocate_vct(&self.solver) or self.solver.position == NULL:
            raise MemoryError("no memory for the solver's tables")

    def __dealloc__(self):
        release_vct(&self.solver)
        free(self.solver.position)

    cdef int check_idle(self) except -1:
        if self.is_running:
            raise RuntimeError("this solver is solving")
        return 0

    def clear(self):
        """Forget every earlier search, so that the next depends on its position and limits alone."""
        self.check_idle()
        clear_vct(&self.solver)

    @property
    def nodes(self):
        """How many positions the last search looked at; 0 before the first."""
        return self.solver.nodes

    def __getattr__(self, name):
        where = ": `find` returns a Win, or None, and `nodes` says how many positions" if name == "solve" else ""
        raise AttributeError(f"a ThreatSolver has no '{name}'{where}")

    def find(self, Board board not None, nodes=20000, ms=0, is_stopped=None):
        """A victory by continuous threats for the side to move: a `Win`, or None.

        board: copied, so that it may change meanwhile; nodes: how many positions to look at, at least 1; ms: for how
        long, 0 without end; is_stopped: called without arguments at once and then every 30 ms, ends the search when it
        says true. The five of the win stands within its plies against every defence. Its line has the longest defences,
        and ends with the attack that leaves two ways to a five or cannot be stopped. None means that no win was found
        within the limits; a win may still exist. Ctrl-C in the main thread raises KeyboardInterrupt, and exceptions of
        `is_stopped` are passed on.
        """
        cdef Watch watch
        cdef int plies
        cdef i64 allowed_ms = min(whole_number("ms", ms, 0), MOST_MS)
        cdef u64 node_limit = min(whole_number("nodes", nodes, 1), MOST_NODES)
        self.check_idle()
        self.is_running = True
        try:
            copy_position(self.solver.position, board.position)
            begin_watch(&watch, NULL, now_us() + 1000 * allowed_ms if allowed_ms else 0,
                        NULL if is_stopped is None else <PyObject*>is_stopped)
            self.solver.watch = &watch
            self.solver.node_limit = node_limit
            with nogil:
                plies = solve_vct(&self.solver)
            raise_pending(&watch)
            line = [(x_of(self.solver.line[i]), y_of(self.solver.line[i])) for i in range(self.solver.length)]
            return Win(plies, line) if plies else None
        finally:
            self.solver.watch = NULL
            self.is_running = False
