"""Positions that a search looked at, below the position that it was asked about: what the evaluation is used on.

Most of them are refutations of bad moves and nodes of the quiescence search, which no game between good players shows.
The transposition table tells which positions the search has seen; a random walk down through them chooses one.
"""
from engine.board cimport (Board, Position, five_blocks, is_empty, is_forbidden, key_after, make, next_cell, undo,
                           walk_empty, CellWalk)
from engine.moves cimport FREE_CHOICE, MoveList, generate, situation_of
from engine.search cimport ONE_PLY, select
from engine.searcher cimport Searcher
from engine.table cimport Found, Table, probe
from engine.threats cimport static_win
from engine.types cimport *

cdef enum:
    MOST_PLIES = 60              # of a walk
    END_ONE_IN = 3               # a walk of at least one move ends with this chance at every step
    SHALLOW = 2 * ONE_PLY        # nodes whose moves lead to quiescence at once
    FIRST_MOVES = 5              # of such a node: so many are tried, whatever move-count pruning leaves out


cdef bint has_evaluation(Position* p) noexcept nogil:
    return not (p.ply == 0 or p.empty_cells == 0 or p.states[p.ply].count[p.side ^ 1][CLASS_FIVE] or static_win(p))


cdef bint may_play(Position* p, int position) noexcept nogil:
    return is_empty(p, position) and not (p.side == BLACK and is_forbidden(p, position))


cdef int known_children(Position* p, const Table* table, u16* moves) noexcept nogil:
    """Fills `moves` with those that lead to positions which the search has seen; returns how many.

    A five is blocked without a table entry. And a quiescence node that is good enough as it stands leaves none: such
    are the children, or most of them, of a node that failed low with a ply or two to go, so that its best-looking moves
    count as well.
    """
    cdef Found found
    cdef MoveList list
    cdef CellWalk walk
    cdef u16[9] blocks
    cdef int count = 0, i, move
    if p.empty_cells == 0:
        return 0
    if p.states[p.ply].count[p.side ^ 1][CLASS_FIVE]:
        for i in range(five_blocks(p, p.side ^ 1, blocks)):
            if may_play(p, blocks[i]):
                moves[count] = blocks[i]
                count += 1
        return count
    if static_win(p):
        return 0
    walk = walk_empty(p)
    while next_cell(&walk):
        if probe(table, key_after(p, walk.position), 0, &found) and may_play(p, walk.position):
            moves[count] = <u16>walk.position
            count += 1
    if (situation_of(p) == FREE_CHOICE and probe(table, p.states[p.ply].key, 0, &found)
            and found.bound == BOUND_UPPER and 0 < found.depth <= SHALLOW):
        generate(p, &list)
        for i in range(min(list.count, <int>FIRST_MOVES)):
            move = select(&list, i)
            if not probe(table, key_after(p, move), 0, &found) and may_play(p, move):
                moves[count] = <u16>move
                count += 1
    return count


def is_evaluated(Board board not None):
    """Whether the search asks for the static evaluation here: a stone is on the board and a cell empty, the classes
    prove no win, and no five must be blocked."""
    return bool(has_evaluation(board.position))


def walk_down(Searcher searcher not None, Board board not None, rng):
    """The moves, as (x, y), from the position to one below it that the searcher has looked at and evaluated.

    The walk chooses among the moves to known positions, each as likely as another, and is over with one chance in
    three after each move, or where no further position is known. board: the position last searched, left as it is;
    rng: a `random.Random`. Empty where there is nothing to be found.
    """
    cdef Position* p = board.position
    cdef u16[CELLS] moves
    cdef int count, move, made = 0, length = 0
    played = []
    if searcher.shared.table.size == 0:
        return played
    while made < MOST_PLIES:
        if length == made and made and rng.randrange(END_ONE_IN) == 0:
            break
        count = known_children(p, &searcher.shared.table, moves)
        if count == 0:
            break
        move = moves[rng.randrange(count)]
        make(p, move)
        made += 1
        played.append((x_of(move), y_of(move)))
        if has_evaluation(p):
            length = made
    for _ in range(made):
        undo(p)
    return played[:length]
