"""Cut nodes of a search, with what each of their moves would have done: what the move ordering is fitted to.

A move ordering is good when the first move cuts, so it is learned from just that: at some of the nodes that fail high,
every move is tried, and not only those that the search tried until one cut.
"""
from struct import Struct

from engine.board cimport Board
from engine.moves cimport FREE_CHOICE, STOP_LIVE_FOUR, STRICT_TIER, MoveList, generate, select, table_score
from engine.picker cimport score_moves
from engine.policy cimport PolicyCell, choose_cells, find_stones, policy_cell
from engine.policy_shape cimport *
from engine.position cimport Position, code_of, is_forbidden, make, undo
from engine.search cimport search
from engine.searcher cimport Searcher
from engine.types cimport *
from engine.worker cimport LIVE_FOUR_COST, ONE_PLY, Statistics, Worker, asks_policy

from engine.checks import whole_number

cdef enum:
    MOST_MOVES = 24              # of a node: cuts by moves further down the order are too rare to learn from
    MOST_DEPTH = 8 * ONE_PLY     # of a node: deeper ones take long, and are few

CUTS, LOOKED_AT = 1, 2           # flags of a CELL
CELL = Struct("<hbBI4B")


cdef class CutSampler:
    """Collects nodes that failed high without a table move while a searcher searched: every `every`-th one.

    for_policy: only those where the side to move is free, for the fit of a policy; the moves are those that the tables
    put first without one. nodes: those collected, as `try_all` describes them, for a policy as `see_cells` does.
    """
    cdef readonly list nodes
    cdef bint for_policy
    cdef int every
    cdef u64 seen

    def __init__(self, every, for_policy=False):
        self.every = whole_number("every", every, 1, 1 << 30)
        self.for_policy = for_policy
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
            node = see_cells(w, beta, depth, ply) if sampler.for_policy else try_all(w, beta, depth, ply)
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
    cdef int move, side = p.side
    generate(p, list)
    cdef bint stops = list.situation == STOP_LIVE_FOUR
    score_moves(w, list, p.states[p.ply].move, asks_policy(w, depth))
    places = best_places(p, list)
    if places is None:
        return None
    moves = [list.moves[i].position for i in places]
    own = [code_of(p, move, side) for move in moves]
    other = [code_of(p, move, side ^ 1) for move in moves]
    bonus = [list.moves[i].score - table_score(p, list.moves[i].position, stops) for i in places]
    cuts = cuts_of(w, moves, beta, depth - (w.tuned[LIVE_FOUR_COST] if stops else ONE_PLY), ply)
    return bool(stops), side, own, other, bonus, cuts


cdef object see_cells(Worker* w, int beta, int depth, int ply):
    """A node where the side to move is free, as bytes for `tengen tune --policy`; None for other nodes.

    A CELL for each of its best-looking moves: the points of the tables, those of history and counter-moves, CUTS and
    LOOKED_AT as flags, and what a policy sees: four bytes of pairs of line patterns (the mover's in the low half), and
    the distances from the last four stones.
    """
    cdef Position* p = w.position
    cdef MoveList* list = &w.lists[ply]
    cdef int[POLICY_CELLS] chosen
    cdef int[POLICY_STONES] stones
    cdef PolicyCell cell
    cdef int i, count
    generate(p, list)
    if list.situation != FREE_CHOICE:
        return None
    count = choose_cells(list, chosen)
    looked_at = {list.moves[chosen[i]].position for i in range(count)}
    score_moves(w, list, p.states[p.ply].move, False)
    places = best_places(p, list)
    if places is None:
        return None
    moves = [list.moves[i].position for i in places]
    scores = [list.moves[i].score for i in places]
    cuts = cuts_of(w, moves, beta, depth - ONE_PLY, ply)
    find_stones(p, stones)
    cells = []
    for i in range(len(moves)):
        cell = policy_cell(p, moves[i], stones)
        points = table_score(p, moves[i], False)
        cells.append(CELL.pack(points, max(min(scores[i] - points, 127), -128),
                               CUTS * cuts[i] | LOOKED_AT * (moves[i] in looked_at),
                               cell.rows if p.side == BLACK else turned(cell.rows),
                               *[cell.distance[k] for k in range(POLICY_STONES)]))
    return b"".join(cells)


cdef inline u32 turned(u32 rows) noexcept nogil:
    # The rows of a cell with the two colours changed.
    return (rows & 0x0F0F0F0F) << 4 | (rows >> 4 & 0x0F0F0F0F)


cdef object best_places(Position* p, MoveList* list):
    """The places in a list of its best-looking moves, sorted so; None when the first is certain, or alone."""
    cdef int i, move
    places = []
    for i in range(min(list.count, <int>MOST_MOVES)):
        move = select(list, i)
        if list.moves[i].tier >= STRICT_TIER:
            return None
        if p.side == WHITE or not is_forbidden(p, move):
            places.append(i)
    return places if len(places) > 1 else None


cdef object cuts_of(Worker* w, moves, int beta, int depth, int ply):
    """Whether each move fails high when it is searched that deep. What the search counts stays as it was."""
    cdef u64 nodes = w.nodes, poll_at = w.poll_at
    cdef Statistics statistics = w.statistics
    cdef int move, value
    cuts = []
    witness, w.witness = w.witness, NULL
    w.poll_at = <u64>-1
    for move in moves:
        make(w.position, move)
        value = -search(w, -beta, -beta + 1, depth, ply + 1, False)
        undo(w.position)
        cuts.append(value >= beta)
    w.witness = witness
    w.poll_at = poll_at
    w.nodes = nodes
    w.statistics = statistics
    return cuts
