"""The features of the evaluation, which is linear in them: pattern codes of the last two plies, and threats.

The tuner fits weights to these. A test adds the weights again from the features alone, and compares the sum with the
board's incremental one.
"""
from engine.board cimport Board
from engine.evaluate cimport evaluate, threat_mask
from engine.position cimport Position, code_of, is_empty, make, undo
from engine.threats cimport static_win
from engine.types cimport *


cdef void count_codes(const Position* p, i32* counts, int sign) noexcept nogil:
    """Add every empty cell's codes: black's for the black half of `counts`, white's for the white half."""
    cdef int x, y
    for y in range(BORDER, BORDER + p.height):
        for x in range(BORDER, BORDER + p.width):
            if is_empty(p, y << 5 | x):
                counts[code_of(p, y << 5 | x, BLACK)] += sign
                counts[PATTERN_CODES + code_of(p, y << 5 | x, WHITE)] += sign


def codes(Board board not None):
    """The pattern codes of the empty cells, as a dict {(colour, code): count}; code 0, four dead lines, is left out."""
    cdef i32[2 * PATTERN_CODES] counts
    cdef int i
    for i in range(2 * PATTERN_CODES):
        counts[i] = 0
    count_codes(board.position, counts, 1)
    return {(i // PATTERN_CODES, i % PATTERN_CODES): counts[i] for i in range(2 * PATTERN_CODES)
            if counts[i] and i % PATTERN_CODES}


def sparse(Board board not None):
    """The features of a position as flat lists, for a side-independent fit.

    Returns (indices, counts, threat): indices into [black codes 0..2379, white codes 2380..4759], how often each occurs
    over this position and the one a ply before, and the threat mask (0..2047) seen from the side to move. None when the
    static win check or a five to block decides the position, where the search never asks for the evaluation.
    """
    cdef Position* p = board.position
    if static_win(p) or p.states[p.ply].count[p.side ^ 1][CLASS_FIVE] or p.ply == 0:
        return None
    cdef i32[2 * PATTERN_CODES] counts
    cdef int i, last = p.states[p.ply].move
    cdef u32 mask = threat_mask(&p.states[p.ply], p.side)
    for i in range(2 * PATTERN_CODES):
        counts[i] = 0
    count_codes(p, counts, 1)
    if last > PASS_MOVE and p.states[p.ply].colour != WALL:
        undo(p)
        count_codes(p, counts, 1)
        make(p, last)
    else:
        count_codes(p, counts, 1)
    indices = [i for i in range(2 * PATTERN_CODES) if counts[i] and i % PATTERN_CODES]
    return indices, [counts[i] for i in indices], mask


def static_evaluation(Board board not None):
    """The engine's own evaluation for the side to move, in centipoints."""
    return evaluate(board.position)


def tables_of(Board board not None):
    """The weights in force for the board's rule, as lists: black values, white values, black threats, white threats."""
    cdef int i
    return (
        [board.position.rule.info[BLACK][i].value for i in range(PATTERN_CODES)],
        [board.position.rule.info[WHITE][i].value for i in range(PATTERN_CODES)],
        [board.position.rule.threat[BLACK][i] for i in range(THREAT_MASKS)],
        [board.position.rule.threat[WHITE][i] for i in range(THREAT_MASKS)],
    )


def orderings(Board board not None):
    """The move ordering tables, own and other's, each 9520 numbers: [free, must stop a live four][colour][code]."""
    cdef int i, colour, stops
    return (
        [board.position.rule.own_score[stops][colour][i]
         for stops in range(2) for colour in range(2) for i in range(PATTERN_CODES)],
        [board.position.rule.other_score[stops][colour][i]
         for stops in range(2) for colour in range(2) for i in range(PATTERN_CODES)],
    )
