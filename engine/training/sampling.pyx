"""Positions that a search looked at, below the position that it was asked about: what the evaluation is used on.

Most of them are refutations of bad moves and nodes of the quiescence search, which no game between good players shows.
The transposition table tells which positions the search has seen; a random walk down through them chooses one.
"""
from libc.math cimport sqrt

from engine.board cimport Board
from engine.moves cimport FREE_CHOICE, MoveList, generate, select
from engine.policy cimport add_policy
from engine.position cimport CellWalk, Position, key_after, make, may_play, next_cell, undo, walk_empty
from engine.searcher cimport Searcher
from engine.table cimport Found, Table, probe
from engine.threats cimport five_blocks, static_win
from engine.types cimport *
from engine.worker cimport MOVE_COUNT, MOVE_COUNT_SLOPE, ONE_PLY, Worker, asks_policy

cdef enum:
    MOST_PLIES = 60              # of a walk

# A walk steps to a position that was cut with the first chance, else to one that has an entry, and ends there with the
# second. With them what is sampled scores much as all positions do that searches of 1,500 nodes evaluate: expected
# score 0.61 +- 0.33 here, 0.60 +- 0.35 there; 37 and 39 % expect more than 0.8, 38 and 39 % are one ply below.
cdef double CUT_CHANCE = 0.4
cdef double END_CHANCE = 0.1


cdef bint has_evaluation(Position* p) noexcept nogil:
    return not (p.ply == 0 or p.empty_cells == 0 or p.states[p.ply].count[p.side ^ 1][CLASS_FIVE] or static_win(p))


cdef bint is_known(Position* p, const Table* table, int position) noexcept nogil:
    """Whether the position after this move has an entry, or, where a four has to be blocked, the one after the block:
    the search blocks a five without an entry."""
    cdef Found found
    cdef u16[9] blocks
    cdef bint result = False
    cdef int i
    if probe(table, key_after(p, position), 0, &found):
        return may_play(p, position)
    if p.cells[position].cls[p.side] < CLASS_FOUR or not may_play(p, position):
        return False
    make(p, position)
    if p.states[p.ply].count[p.side ^ 1][CLASS_FIVE]:
        for i in range(five_blocks(p, p.side ^ 1, blocks)):
            result = result or probe(table, key_after(p, blocks[i]), 0, &found)
    undo(p)
    return result


cdef int known_moves(Position* p, const Table* table, u16* moves) noexcept nogil:
    """Fills `moves` with the moves by which the search went on from here, if the table has them; returns their number.

    There are none if the classes prove a win. If a five must be blocked, the block is taken without the table.
    """
    cdef CellWalk walk
    cdef u16[9] blocks
    cdef int count = 0, i
    if p.empty_cells == 0 or static_win(p):
        return 0
    if p.states[p.ply].count[p.side ^ 1][CLASS_FIVE]:
        for i in range(five_blocks(p, p.side ^ 1, blocks)):
            if may_play(p, blocks[i]):
                moves[count] = blocks[i]
                count += 1
        return count
    walk = walk_empty(p)
    while next_cell(&walk):
        if is_known(p, table, walk.position):
            moves[count] = <u16>walk.position
            count += 1
    return count


cdef int cut_moves(Position* p, const Worker* w, u16* moves, bint is_root) noexcept nogil:
    """Fills `moves` with those that the search has tried here and refuted by the evaluation alone; returns how many.

    Such a refutation leaves no entry. So they are what has none among the moves that the search tries, at a node where
    it has tried all of them: one that did not fail high.
    """
    cdef Found found
    cdef MoveList list
    cdef const Table* table = &w.shared.table
    cdef int count = 0, i, move, limit
    cdef double plies
    if (p.states[p.ply].count[p.side ^ 1][CLASS_FIVE] or not probe(table, p.states[p.ply].key, 0, &found)
            or found.depth <= 0 or found.bound == BOUND_LOWER):
        return 0
    generate(p, &list)
    limit = list.count
    if asks_policy(w, found.depth) and list.situation == FREE_CHOICE:
        add_policy(w.policy, p, &list)
    if list.situation == FREE_CHOICE and not is_root:
        # As many as move-count pruning lets through.
        plies = <double>found.depth / ONE_PLY
        limit = min(limit, <int>(w.tuned[MOVE_COUNT] + w.tuned[MOVE_COUNT_SLOPE] * plies * sqrt(plies)) // 16)
    for i in range(limit):
        move = select(&list, i)
        if not is_known(p, table, move) and may_play(p, move):
            moves[count] = <u16>move
            count += 1
    return count


def is_evaluated(Board board not None):
    """Whether the search asks for the static evaluation here: a stone is on the board and a cell empty, the classes
    prove no win, and no five must be blocked."""
    return bool(has_evaluation(board.position))


def walk_down(Searcher searcher not None, Board board not None, rng):
    """The moves, as (x, y), from the position to one below it that the searcher has looked at and evaluated.

    Each step of the walk is to a position that the searcher has in its table or that it left by its evaluation alone;
    it chooses evenly among either. It is over by chance after any step, and where nothing further is known.
    board: the position last searched, left as it is; rng: a `random.Random`. Empty where there is nothing to be found.
    """
    cdef Position* p = board.position
    cdef const Worker* w = searcher.worker
    cdef u16[CELLS] moves
    cdef int count, move, made = 0, length = 0
    cdef bint is_cut = False
    played = []
    if searcher.shared.table.size == 0:
        return played
    while made < MOST_PLIES and not is_cut:
        is_cut = rng.random() < CUT_CHANCE
        count = cut_moves(p, w, moves, made == 0) if is_cut else 0
        if count == 0:
            is_cut = False
            count = known_moves(p, &w.shared.table, moves)
        if count == 0:
            break
        move = moves[rng.randrange(count)]
        make(p, move)
        made += 1
        played.append((x_of(move), y_of(move)))
        if has_evaluation(p):
            length = made
            if rng.random() < END_CHANCE:
                break
    for _ in range(made):
        undo(p)
    return played[:length]
