"""Wins that are known without the search, and the infos of all answers. proving.pxd says more."""
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from engine.bits cimport now_us
from engine.moves cimport move_to_front
from engine.position cimport Position, key_after, top
from engine.search cimport search
from engine.table cimport Found, probe
from engine.threats cimport SOLVER_LINE, SOLVER_SLOTS, shorten_vcf, solve_vcf, static_win
from engine.types cimport *
from engine.vct cimport allocate_vct, clear_vct, release_vct, solve_vct
from engine.watch cimport raise_pending
from engine.worker cimport ONE_PLY, VCT_SHARE, Worker, total_nodes

from engine.limits import Info

cdef enum:
    VCF_NODES = 20000
    VCF_PLIES = SOLVER_LINE - 1
    VCT_NODES = 100000
    LONG_NODES = 100000000       # for the solvers after the deepest search, if neither time nor nodes are limited
    CONFIRMING_DEPTH = 6         # for a known win, against the table's proof of it


cdef class Proving:
    """One searcher's proofs and announced wins, beside its searches. Only for the searcher."""

    def __cinit__(self):
        self.fours.failed = <u64*>calloc(SOLVER_SLOTS, sizeof(u64))
        if self.fours.failed == NULL or not allocate_vct(&self.threats):
            raise MemoryError("no memory for a searcher")

    def __dealloc__(self):
        release_vct(&self.threats)
        free(self.fours.failed)

    cdef void begin(self, i64 start_us) noexcept:
        """A move begins: the worker has its position."""
        self.start_us = start_us
        self.solver_nodes = 0
        self.kept_plies = 0

    cdef void forget(self) noexcept:
        """Forget what the solvers have learned, and the announced win."""
        clear_vct(&self.threats)
        memset(self.fours.failed, 0, SOLVER_SLOTS * sizeof(u64))
        self.kept = None

    cdef u64 counted(self) noexcept:
        """The positions that this move has taken so far: those of the search, in all threads, and of the solvers."""
        return total_nodes(self.worker.shared) + self.solver_nodes

    cdef i64 spent_ms(self) noexcept:
        """Milliseconds since the move began."""
        return (now_us() - self.start_us) // 1000

    cdef object report(self, int depth, int score):
        """An Info of the present state: the first root move, and the line if it belongs to that move."""
        cdef Worker* w = self.worker
        cdef int i
        move = x_of(w.root.moves[0].position), y_of(w.root.moves[0].position)
        pv = [move]
        if depth and w.pv_length[0] and w.pv[0][0] == w.root.moves[0].position:
            pv = [(x_of(w.pv[0][i]), y_of(w.pv[0][i])) for i in range(w.pv_length[0])]
        return Info(depth, w.selective_depth, score, to_mate(score) or None, self.counted(), self.spent_ms(),
                    pv, move)

    cdef object report_win(self, int plies, const u16* line, int length):
        """The Info of a win that a solver proved."""
        cdef int i
        pv = [(x_of(line[i]), y_of(line[i])) for i in range(length)]
        return Info(plies, plies, MATE - plies, plies, self.counted(), self.spent_ms(), pv, pv[0])

    cdef int remember(self, object info) except -1:
        """Keep an announced win, if `info` is one: the keys of the position and of that after its move, plies and line.

        A depth-0 answer proves the score, not its move: it is kept only if it continues a win announced before.
        """
        cdef Position* p = self.worker.position
        if info.mate is None or info.mate < 0 or (info.depth == 0 and info.mate != self.kept_plies):
            return 0
        x, y = info.move
        self.kept = (top(p).key, key_after(p, position_of(x, y)), info.mate, info.pv)
        return 0

    cdef list recall(self):
        """Set kept_plies if the position is that of the kept win, or comes after its move and any reply.

        Returns the rest of the win's line, [] if unknown.
        """
        cdef Position* p = self.worker.position
        cdef u64 key, after
        cdef int x, y, other = p.side ^ 1
        if self.kept is None:
            return []
        key, after, plies, line = self.kept
        if key == top(p).key:
            self.kept_plies = plies
            return line
        for y in range(p.height):
            for x in range(p.width):
                if plies > 2 and p.cells[position_of(x, y)].piece == other and (
                        after ^ p.keys[other * CELLS + position_of(x, y)] ^ p.side_key == top(p).key):
                    self.kept_plies = plies - 2
                    return line[2:] if len(line) > 2 and line[1] == (x, y) else []
        return []

    cdef object announce(self, object info, list line):
        """The Info of a move without a search, or of the kept win if its next move is known or is the only one."""
        if not line and self.worker.root.count > 1:
            self.kept_plies = 0
        if self.kept_plies == 0 or info.mate == 1:
            return info
        line = line or info.pv
        return Info(info.depth, info.selective_depth, MATE - self.kept_plies, self.kept_plies, info.nodes,
                    info.time_ms, line, line[0])

    cdef object confirm(self, int last_depth):
        """The Info of a win within kept_plies, or None: the proof in the table, with its first plies searched anew."""
        cdef Worker* w = self.worker
        cdef Found found
        cdef int i, depth, value, wanted = MATE - self.kept_plies
        if probe(&w.shared.table, top(w.position).key, 0, &found):
            for i in range(w.root.count):
                if w.root.moves[i].position == found.move:
                    move_to_front(&w.root, i)
                    break
        for depth in range(1, min(last_depth, CONFIRMING_DEPTH) + 1):
            with nogil:
                value = search(w, wanted - 1, wanted, depth * ONE_PLY, 0, False)
            raise_pending(&w.watch)
            if w.is_stopped:
                return None
            if value >= wanted:
                return self.report(depth, value)
        return None

    cdef object prove(self, bint by_threes, i64 maximum_ms, set barred, list line):
        """A win that needs no search, by fours or, if `by_threes`, by threats: its Info, or None.

        maximum_ms: the time for the move, 0 without a limit; barred: cells that may not be the first move; line: how a
        kept win goes on, [] if unknown. The win is longer than kept_plies only if no win within them was found. If the
        solver for threats finds nothing, its positions are taken from the node limit.
        """
        cdef Worker* w = self.worker
        cdef int plies, i
        cdef u64 fours_limit = VCF_NODES
        cdef i64 fours_deadline = 0, threats_deadline = 0
        self.threats.nodes = 0
        self.threats.node_limit = VCT_NODES
        if w.node_limit:
            fours_limit = min(max(fours_limit, w.node_limit // 16), w.node_limit // 4)
            self.threats.node_limit = min(self.threats.node_limit, w.node_limit // w.tuned[VCT_SHARE])
        if maximum_ms:
            fours_limit = min(max(fours_limit, <u64>(20 * maximum_ms)), <u64>(300 * maximum_ms))
            fours_deadline = min(w.watch.deadline_us, now_us() + 1000 * maximum_ms // 3)
            threats_deadline = min(w.watch.deadline_us, now_us() + 1000 * maximum_ms // w.tuned[VCT_SHARE])
        self.fours.node_limit = fours_limit
        plies = self.ask_fours(min(<int>VCF_PLIES, self.kept_plies) if self.kept_plies else VCF_PLIES, False,
                               fours_deadline)
        if plies and self.fours.line[0] not in barred:
            if not barred:
                self.fours.node_limit = self.fours.nodes + fours_limit
                plies = self.ask_fours(plies, True, fours_deadline)
            if plies <= 5:
                return self.report_win(plies, self.fours.line, self.fours.length)
        else:
            plies = 0
        if static_win(w.position) == 5 and w.position.hot_rows[w.position.side ^ 1] == 0:
            # Without a four of the opponent's a double-three wins.
            for i in range(w.root.count):
                if w.position.cells[w.root.moves[i].position].cls[w.position.side] == CLASS_DOUBLE_THREE:
                    return self.report_win(5, &w.root.moves[i].position, 1)
        if plies:
            return self.report_win(plies, self.fours.line, self.fours.length)
        if line:
            return Info(self.kept_plies, self.kept_plies, MATE - self.kept_plies, self.kept_plies, self.counted(),
                        self.spent_ms(), line, line[0])
        if not by_threes:
            return None
        plies = self.ask_threats(threats_deadline)
        if w.node_limit:
            w.node_limit -= min(self.threats.nodes, w.node_limit - 1)
        if plies and self.threats.line[0] not in barred:
            return self.report_win(plies, self.threats.line, self.threats.length)
        return None

    cdef int ask_fours(self, int plies, bint is_won, i64 deadline_us) except -1:
        """Plies of a win by fours, at most `plies`; 0 for none. is_won: after the answer `plies`, find fewer.

        deadline_us: of the solver alone, on the clock of now_us, 0 without one. A stop or Ctrl-C ends it like a search.
        """
        cdef Worker* w = self.worker
        cdef i64 usual = w.watch.deadline_us
        w.watch.deadline_us = deadline_us
        self.fours.position = w.position
        self.fours.watch = &w.watch
        self.solver_nodes -= self.fours.nodes if is_won else 0  # the solver counts on
        with nogil:
            plies = shorten_vcf(&self.fours, plies) if is_won else solve_vcf(&self.fours, plies)
        self.solver_nodes += self.fours.nodes
        w.watch.deadline_us = usual
        raise_pending(&w.watch)
        return plies

    cdef int ask_threats(self, i64 deadline_us) except -1:
        """Plies of a win by threats, 0 for none; the deadline is as in `ask_fours`."""
        cdef Worker* w = self.worker
        cdef i64 usual = w.watch.deadline_us
        cdef int plies
        w.watch.deadline_us = deadline_us
        self.threats.position = w.position
        self.threats.watch = &w.watch
        with nogil:
            plies = solve_vct(&self.threats)
        self.solver_nodes += self.threats.nodes
        w.watch.deadline_us = usual
        raise_pending(&w.watch)
        return plies

    cdef object prove_long(self, i64 deadline_us, set barred):
        """A win of any length that the solvers find with the time and nodes that are left: its Info, or None.

        deadline_us: on the clock of now_us, 0 without one.
        """
        cdef Worker* w = self.worker
        cdef u64 nodes = total_nodes(w.shared)
        cdef int plies
        self.fours.node_limit = w.node_limit - min(nodes, w.node_limit) if w.node_limit else LONG_NODES
        plies = self.ask_fours(VCF_PLIES, False, deadline_us)
        if plies and self.fours.line[0] not in barred:
            return self.report_win(plies, self.fours.line, self.fours.length)
        nodes += self.fours.nodes
        self.threats.node_limit = w.node_limit - min(nodes, w.node_limit) if w.node_limit else LONG_NODES
        plies = self.ask_threats(deadline_us)
        if plies and self.threats.line[0] not in barred:
            return self.report_win(plies, self.threats.line, self.threats.length)
        return None
