# The position: its stones, and the data about every empty cell that the search needs at every node.
#
# Cells live in a padded 32x32 array, so that no step along a line ever leaves it. Four sets of line words hold the same
# stones again, two bits a cell, one set for each direction: shifting a word right by a cell's place gives the window
# around it. Playing a stone changes one window of each cell within `half` steps in four directions, some 25 to 35 empty
# cells. For each, the new line pattern, pattern code and class are looked up, and the counts, the evaluation and the
# candidates are updated. The old cell goes onto a stack, so that undo only copies.
from libc.string cimport memcpy

from engine.bits cimport lowest_bit
from engine.patterns cimport CodeInfo, Rule
from engine.types cimport *

cdef enum:
    MAX_STONES = MAX_SIZE * MAX_SIZE
    MAX_PLIES = 1280             # stones, blocked cells and passes, those that a search adds included
    MAX_PASSES = MAX_PLIES - MAX_STONES
    SAVED_A_MOVE = 41            # cells that one stone can change: eight rays of five, and its own

cdef struct Cell:
    u8 piece                     # BLACK, WHITE, WALL or EMPTY
    u8[2] cls                    # pattern class for black and for white; CLASS_NONE when occupied
    u8 hot                       # bit c set: the class of colour c is hot (see patterns.pxd)
    u32 sums                     # of the marks of the line patterns (see patterns.pxd), black's in the low half
    i16 value                    # black's value of the cell less white's
    u16 position                 # its own place, so that a copy on the stack is complete
    u32 rows                     # eight bits a direction: black's line pattern in the low half, white's in the high

# The data that a move changes as a whole; make copies them forward, undo drops them.
cdef struct State:
    u16[2][CLASSES] count        # empty cells of each class by colour; not counted below CLASS_THREE, where they stay 0
    u32[32] candidates           # rows of bits: empty cells near a stone
    u64 key                      # Zobrist key of the position, see `salt_of` in position.pyx
    i32 value                    # sum of the cells' values: the evaluation before threats, for black
    i32 saved                    # height of the stack of saved cells before this move
    i16 move                     # the move that led here; PASS_MOVE for a pass, NO_MOVE at the start
    i16 colour                   # who made it (WALL for a blocked cell)

cdef struct Position:
    Cell[CELLS] cells
    u64[32] rows                 # line words: index y, place x
    u64[32] columns              # index x, place y
    u64[64] rising               # index x + y, place x
    u64[64] falling              # index 31 - x + y, place x
    u32[32] empty                # rows of bits: empty cells of the board
    u32[2][32] hot               # rows of bits: hot cells of each colour
    u32[2] hot_rows              # which rows of `hot` hold any
    u32[9] stencil               # candidate range: bit 4 of row 4 is the stone itself
    const Rule* rule
    const u64* keys              # [3][CELLS] Zobrist keys: black's stones, white's, walls
    u64 side_key                 # ... and of the side to move
    int width
    int height
    int side                     # to move
    int ply                      # moves and passes made
    int empty_cells
    int saved_height
    State[MAX_PLIES + 1] states
    Cell[MAX_STONES * SAVED_A_MOVE] saved

cdef void set_up(Position* p, const Rule* rule, int width, int height, int range_index) noexcept nogil
cdef void place_piece(Position* p, int position, int piece) noexcept nogil
cdef void make(Position* p, int position) noexcept nogil
cdef void undo(Position* p) noexcept nogil
cdef void make_pass(Position* p) noexcept nogil
cdef void undo_pass(Position* p) noexcept nogil
cdef bint is_forbidden(Position* p, int position) noexcept nogil
cdef int winner_of(Position* p) noexcept nogil

cdef inline State* top(Position* p) noexcept nogil:
    return &p.states[p.ply]

cdef inline void copy_position(Position* to, const Position* source) noexcept nogil:
    # Make a position like another one, with its history. Only what is in use is copied: most of a position's 700 KB are
    # the room that its two stacks have for a whole game and the search on top of it.
    memcpy(to, source, <size_t>(<const char*>&source.states[source.ply + 1] - <const char*>source))
    memcpy(&to.saved[0], &source.saved[0], source.saved_height * sizeof(Cell))

cdef inline u64 key_after(const Position* p, int position) noexcept nogil:
    # The key that a stone of the side to move will lead to.
    return p.states[p.ply].key ^ p.keys[p.side * CELLS + position] ^ p.side_key

cdef inline bint is_empty(const Position* p, int position) noexcept nogil:
    return p.cells[position].piece == EMPTY

cdef inline int line_of(const Cell* cell, int direction, int colour) noexcept nogil:
    # The line pattern of a cell in one of the four directions.
    return (cell.rows >> (8 * direction + 4 * colour)) & 15

cdef inline bint may_play(Position* p, int position) noexcept nogil:
    # Whether the rule allows the side to move an empty cell.
    return p.side != BLACK or p.cells[position].cls[BLACK] != CLASS_FORBIDDEN or not is_forbidden(p, position)

cdef inline u16 code_of(const Position* p, int position, int colour) noexcept nogil:
    # The pattern code of a cell.
    return p.rule.codes[p.cells[position].sums >> (16 * colour) & 0xFFFF]

cdef inline u32 row_of(const Cell* cell, int direction) noexcept nogil:
    # Both colours' line patterns of a cell in a direction, as a line table's entry.
    return cell.rows >> (8 * direction) & 0xFF

cdef inline u32 with_row(u32 rows, int direction, u32 patterns) noexcept nogil:
    # `rows` with those of one direction replaced by a line table's entry.
    return rows & ~(<u32>0xFF << (8 * direction)) | patterns << (8 * direction)

cdef inline u64 word_through(const Position* p, int position, int direction) noexcept nogil:
    # The line word that a cell lies in.
    cdef int x = position & 31, y = position >> 5
    if direction == 0:
        return p.rows[y]
    if direction == 1:
        return p.columns[x]
    if direction == 2:
        return p.rising[x + y]
    return p.falling[31 - x + y]

cdef inline int place_in(int position, int direction) noexcept nogil:
    # The place of a cell in its line word.
    return position >> 5 if direction == 1 else position & 31

cdef inline u32 key_at(const Rule* rule, u64 word, int place) noexcept nogil:
    # The line key of the cell at `place`, its own two bits dropped.
    cdef u64 window = word >> (2 * (place - rule.half))
    return <u32>((window & rule.low_mask) | ((window >> 2) & rule.high_mask))

cdef inline int step_of(int direction) noexcept nogil:
    # From a cell to the next in the direction: right, down, up-right, down-right.
    if direction == 0:
        return 1
    if direction == 1:
        return STRIDE
    if direction == 2:
        return 1 - STRIDE
    return 1 + STRIDE

# A walk over the cells of some rows of bits, in reading order: `while next_cell(&walk)`, then walk.position is one.
# Moves that are made and taken back on the way do not disturb it.
cdef struct CellWalk:
    const u32* cells             # rows of bits
    u32 rows                     # still to come
    u32 bits                     # of the present row, still to come
    int y                        # the present row
    int position

cdef inline CellWalk walk_rows(const u32* cells, u32 rows) noexcept nogil:
    cdef CellWalk walk
    walk.cells = cells
    walk.rows = rows
    walk.bits = 0
    walk.y = 0
    walk.position = NO_MOVE
    return walk

cdef inline CellWalk walk_hot(const Position* p, int colour) noexcept nogil:
    return walk_rows(&p.hot[colour][0], p.hot_rows[colour])

cdef inline CellWalk walk_candidates(const Position* p) noexcept nogil:
    return walk_rows(&p.states[p.ply].candidates[0], ((<u32>1 << p.height) - 1) << BORDER)

cdef inline CellWalk walk_empty(const Position* p) noexcept nogil:
    return walk_rows(&p.empty[0], ((<u32>1 << p.height) - 1) << BORDER)

cdef inline bint next_cell(CellWalk* walk) noexcept nogil:
    while walk.bits == 0:
        if walk.rows == 0:
            return False
        walk.y = lowest_bit(walk.rows)
        walk.rows &= walk.rows - 1
        walk.bits = walk.cells[walk.y]
    walk.position = walk.y << 5 | lowest_bit(walk.bits)
    walk.bits &= walk.bits - 1
    return True

cdef inline int first_of_class(const Position* p, int colour, int wanted) noexcept nogil:
    # The first cell, in reading order, of a hot class; NO_MOVE if there is none.
    cdef CellWalk walk = walk_hot(p, colour)
    while next_cell(&walk):
        if p.cells[walk.position].cls[colour] == wanted:
            return walk.position
    return NO_MOVE

cdef inline void insert_cell(u16* cells, int* ranks, int count, int cell, int rank) noexcept nogil:
    # Put a cell among `count` others that are sorted by rank, the highest first; behind those of its own rank.
    while count > 0 and ranks[count - 1] < rank:
        cells[count] = cells[count - 1]
        ranks[count] = ranks[count - 1]
        count -= 1
    cells[count] = <u16>cell
    ranks[count] = rank
