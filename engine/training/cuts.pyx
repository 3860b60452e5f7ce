"""Cut nodes of a search, with what each of their moves would have done: what the move ordering is fitted to.

A move ordering is good when the first move cuts, so it is learned from just that: at some of the nodes that fail high,
every move is tried, and not only those that the search tried until one cut.
"""
from engine.board cimport Board
from engine.moves cimport STOP_LIVE_FOUR, STRICT_TIER, MoveList, generate, select, table_score
from engine.picker cimport score_moves
from engine.position cimport Position, code_of, is_forbidden, make, undo
from engine.search cimport search
from engine.searcher cimport Searcher
from engine.types cimport *
from engine.worker cimport LIVE_FOUR_COST, ONE_PLY, Statistics, Worker

from engine.checks import whole_number

cdef enum:
    MOST_MOVES = 24              # of a node: cuts by moves further down the order are too rare to learn from
    MOST_DEPTH = 8 * ONE_PLY     # of a node: deeper ones take long, and are few


cdef class CutSampler:
    """Collects nodes that failed high without a table move while a searcher searched: every `every`-th one.

    nodes: those collected, as `try_all` describes them.
    """
    cdef readonly list nodes
    cdef int every
    cdef u64 seen

    def __init__(self, every):
        self.every = whole_number("every", every, 1, 1 << 30)
        self.nodes = []

    def watch(self, Searcher searcher not None, Board board not None, limits):
        """Search as `Searcher.go` does, with one thread, and add to `nodes`. Returns what was found.

        The search finds more in the table than it otherwise would.
        """
        if searcher.thread_count > 1:
            raise ValueError("cut nodes are collected from a searcher with one thread")
        searcher.worker.witness = see_cut
        searcher.worker.witness_data = <void*>self
        try:
            return searcher.go(board, limits)
        finally:
            searcher.worker.witness = NULL


cdef void see_cut(Worker* w, int beta, int depth, int ply) noexcept nogil:
    if depth > MOST_DEPTH:
        return
    with gil:
        sampler = <CutSampler>w.witness_data
        sampler.seen += 1
        if sampler.seen % <u64>sampler.every == 0:
            node = try_all(w, beta, depth, ply)
            if node is not None:
                sampler.nodes.append(node)


cdef object try_all(Worker* w, int beta, int depth, int ply):
    """A node as (stops, side, own, other, bonus, cuts), or None when the move to begin with is beyond doubt.

    stops: whether the side to move must stop a live four; side: its colour. Then, for each of its best-looking moves,
    best first: its own pattern code, the other side's, the ordering points that do not come from those, and whether
    the move cuts when it is searched as deep as the node was.
    """
    cdef Position* p = w.position
    cdef MoveList* list = &w.lists[ply]
    cdef int i, move, value, side = p.side
    cdef u64 nodes = w.nodes, poll_at = w.poll_at
    cdef Statistics statistics = w.statistics
    generate(p, list)
    cdef bint stops = list.situation == STOP_LIVE_FOUR
    score_moves(w, list, p.states[p.ply].move)
    moves, own, other, bonus, cuts = [], [], [], [], []
    for i in range(min(list.count, <int>MOST_MOVES)):
        move = select(list, i)
        if list.moves[i].tier >= STRICT_TIER:
            return None
        if side == BLACK and is_forbidden(p, move):
            continue
        moves.append(move)
        own.append(code_of(p, move, side))
        other.append(code_of(p, move, side ^ 1))
        bonus.append(list.moves[i].score - table_score(p, move, stops))
    if len(moves) < 2:
        return None
    witness, w.witness = w.witness, NULL
    w.poll_at = <u64>-1
    for move in moves:
        make(p, move)
        value = -search(w, -beta, -beta + 1, depth - (w.tuned[LIVE_FOUR_COST] if stops else ONE_PLY), ply + 1, False)
        undo(p)
        cuts.append(value >= beta)
    w.witness = witness
    w.poll_at = poll_at
    w.nodes = nodes
    w.statistics = statistics
    return bool(stops), side, own, other, bonus, cuts
