"""Questions that only tests and the bench ask: whether a board's state is right, how fast it changes, which win the
search sees in it at each node, which moves set a foul trap, and which look at the clock ends a search."""
from libc.string cimport memcmp

from engine.board cimport Board
from engine.position cimport (Cell, CellWalk, Position, State, make, make_pass, next_cell, place_piece, top, undo,
                              walk_candidates)
from engine.threats cimport leaves_foul_four, static_win
from engine.types cimport *
from engine.watch cimport Watch, begin_watch, is_time_over

from engine.board import RANGES
from engine.checks import whole_number


def difference(Board board not None):
    """The first part of a board's state that differs from the same position set up anew; "" if none does.

    The other board gets the stones one by one in reading order, so the state there came about by other updates.
    """
    cdef Position* p = board.position
    cdef Board other = Board(board.width, board.height, board.rule, RANGES[board.range_index])
    cdef Position* q = other.position
    cdef int i, piece
    for i in range(CELLS):
        piece = p.cells[i].piece
        if piece != EMPTY and q.cells[i].piece == EMPTY:
            place_piece(q, i, piece)
    if q.side != p.side:
        make_pass(q)
    for i in range(CELLS):
        if p.cells[i].piece != q.cells[i].piece:
            return f"stone at {x_of(i)},{y_of(i)}"
        if p.cells[i].piece == EMPTY and memcmp(&p.cells[i], &q.cells[i], sizeof(Cell)):
            return f"cell {x_of(i)},{y_of(i)}"
    cdef State* s = top(p)
    cdef State* t = top(q)
    if memcmp(&s.count, &t.count, sizeof(s.count)):
        return "class counts"
    if s.value != t.value:
        return "value"
    if s.key != t.key:
        return "key"
    if memcmp(&s.candidates, &t.candidates, sizeof(s.candidates)):
        return "candidates"
    if memcmp(&p.empty, &q.empty, sizeof(p.empty)) or p.empty_cells != q.empty_cells:
        return "empty cells"
    if memcmp(&p.hot, &q.hot, sizeof(p.hot)) or memcmp(&p.hot_rows, &q.hot_rows, sizeof(p.hot_rows)):
        return "hot cells"
    if (memcmp(&p.rows, &q.rows, sizeof(p.rows)) or memcmp(&p.columns, &q.columns, sizeof(p.columns))
            or memcmp(&p.rising, &q.rising, sizeof(p.rising)) or memcmp(&p.falling, &q.falling, sizeof(p.falling))):
        return "line words"
    return ""


def plies_to_win(Board board not None):
    """Plies to the win that the pattern classes prove for the side to move, negative to a loss, 0 if they prove none.

    The search asks this at each node. A user asks a solver, which answers with a `Win`.
    """
    return static_win(board.position)


def leaves_foul(Board board not None, x, y):
    """Whether a quiet stone of renju's white, to move, on an empty cell leaves a four that only a foul would stop."""
    x, y = whole_number("x", x, 0, board.width - 1), whole_number("y", y, 0, board.height - 1)
    return bool(leaves_foul_four(board.position, position_of(x, y)))


def make_and_undo(Board board not None, pairs):
    """Play and take back the candidates of a board in turn until at least `pairs` moves were made; returns how many.

    A bench times it. A board without candidates makes none.
    """
    cdef Position* p = board.position
    cdef u64 made = 0, wanted = whole_number("pairs", pairs, 0, 1 << 62)
    cdef CellWalk walk = walk_candidates(p)
    if not next_cell(&walk):
        return 0
    with nogil:
        while made < wanted:
            walk = walk_candidates(p)
            while next_cell(&walk):
                make(p, walk.position)
                undo(p)
                made += 1
    return made


def ending_look(looks, deadline_us):
    """The place of the first look at the clock at which a search with this deadline ends; None if none does.

    looks: their times in microseconds; the first one begins the search.
    """
    cdef Watch watch
    cdef i64 now
    begin_watch(&watch, NULL, whole_number("deadline_us", deadline_us, 1, 1 << 62), NULL)
    watch.looked_at_us = whole_number("a look", looks[0], 0, 1 << 62)
    for place, look in enumerate(looks):
        now = whole_number("a look", look, 0, 1 << 62)
        if is_time_over(&watch, now):
            return place
    return None
