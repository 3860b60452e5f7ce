# The vocabulary of the engine: fixed-width integers, colours, line patterns, pattern classes and score limits.
#
# A *line pattern* is the shape that a stone on an empty cell would make in one direction; a *pattern class* combines
# the four directions of the cell into one of fourteen kinds of move. Both are ordered by strength, so that < compares
# them. "Open" shapes need two answers, "blocked" shapes one.
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef int8_t i8
ctypedef int16_t i16
ctypedef int32_t i32
ctypedef int64_t i64
ctypedef uint8_t u8
ctypedef uint16_t u16
ctypedef uint32_t u32
ctypedef uint64_t u64

# The content of a cell. WALL is the border, and any cell that BOARD declared unusable.
cdef enum:
    BLACK = 0
    WHITE = 1
    WALL = 2
    EMPTY = 3

# A position is (y + 5) << 5 | (x + 5): rows of 32 cells, five of them wall on each side.
cdef enum:
    MIN_SIZE = 5
    MAX_SIZE = 22
    BORDER = 5
    STRIDE = 32
    CELLS = 1024
    NO_MOVE = 0     # a wall cell, so never a real move
    PASS_MOVE = 1   # likewise

# Line patterns, weakest first.
cdef enum:
    DEAD = 0             # it can never become a five
    OVERLINE = 1         # six or more if that does not win (for renju's black also two fours in one line)
    BLOCKED_ONE = 2
    OPEN_ONE = 3
    BLOCKED_TWO = 4
    OPEN_TWO = 5
    OPEN_TWO_3 = 6       # an open two with three ways to an open three
    OPEN_TWO_4 = 7       # ... with four or more
    BLOCKED_THREE = 8
    OPEN_THREE = 9
    OPEN_THREE_2 = 10    # an open three with two or more ways to an open four
    BLOCKED_FOUR = 11
    OPEN_FOUR = 12
    FIVE = 13
    LINE_PATTERNS = 14

# Pattern classes of an empty cell, weakest first.
cdef enum:
    CLASS_NONE = 0
    CLASS_FORBIDDEN = 1      # renju's black: an overline, a double-four, or what looks like a double-three
    CLASS_TWO = 2
    CLASS_BLOCKED_THREE = 3
    CLASS_DOUBLE_TWO = 4
    CLASS_BLOCKED_PLUS = 5   # a blocked three with another blocked three or an open two
    CLASS_THREE = 6
    CLASS_THREE_PLUS = 7     # an open three with a blocked three or an open two
    CLASS_DOUBLE_THREE = 8
    CLASS_FOUR = 9
    CLASS_FOUR_PLUS = 10     # a blocked four with a blocked three or an open two
    CLASS_FOUR_THREE = 11    # a blocked four with an open three ("4x3")
    CLASS_LIVE_FOUR = 12     # an open four, or two blocked fours
    CLASS_FIVE = 13
    CLASSES = 14

# The multisets of four line patterns: C(14 + 3, 4).
cdef enum:
    PATTERN_CODES = 2380

# The sets of kinds of threats that can be on the board: evaluate.pxd has a bit for each kind.
cdef enum:
    THREAT_MASKS = 2048

# Scores are centipoints seen from the side to move; a win in n plies is MATE - n.
cdef enum:
    MATE = 30000
    MATE_BOUND = 29000   # a score from here on, or down to its negative, is a proved win or loss
    EVAL_LIMIT = 6000
    INFINITE = 31000
    NO_SCORE = 32000

# Bounds that a stored score can be.
cdef enum:
    BOUND_NONE = 0
    BOUND_UPPER = 1
    BOUND_LOWER = 2
    BOUND_EXACT = 3

cdef inline int position_of(int x, int y) noexcept nogil:
    return (y + BORDER) << 5 | (x + BORDER)

cdef inline int x_of(int position) noexcept nogil:
    return (position & 31) - BORDER

cdef inline int y_of(int position) noexcept nogil:
    return (position >> 5) - BORDER
