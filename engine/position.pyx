"""The position: line patterns, pattern classes, evaluation sum, candidates and Zobrist key, updated move by move.

A plain struct and functions on it, without the GIL; `engine.board.Board` is the checked face that Python sees.
"""
from libc.string cimport memcpy

from engine.bits cimport splitmix64
from engine.patterns cimport CodeInfo, Rule
from engine.types cimport *

# Keys are the same on every machine and in every run: the bench signature depends on them.
cdef enum:
    ZOBRIST_SEED = 20260521

cdef u64[3][CELLS] zobrist
cdef u64 zobrist_side

# Which cells around a stone are worth a move, for each of `board.RANGES`; nine rows of nine bits around it.
cdef u32[5][9] stencils


cdef void fill_constants() noexcept nogil:
    cdef u64 seed = ZOBRIST_SEED
    cdef int colour, i, r, dx, dy, far, square, line
    for colour in range(3):
        for i in range(CELLS):
            zobrist[colour][i] = splitmix64(&seed)
    global zobrist_side
    zobrist_side = splitmix64(&seed)
    for i in range(CLASS_THREE, CLASSES):
        lane_of[i] = <u64>1 << (8 * (i - CLASS_THREE))
    for r in range(5):
        square = 2 if r < 2 else 3 if r < 4 else 4
        line = 3 if r == 1 else 4 if r == 3 else square
        for dy in range(-4, 5):
            stencils[r][dy + 4] = 0
            for dx in range(-4, 5):
                far = max(abs(dx), abs(dy))
                if far and (far <= square or (far <= line and (dx == 0 or dy == 0 or abs(dx) == abs(dy)))):
                    stencils[r][dy + 4] |= <u32>1 << (dx + 4)


fill_constants()


cdef u64 salt_of(const Rule* rule, int width, int height, int range_index) noexcept nogil:
    # The key of an empty board. The same stones mean something else under another rule, on a board of another size, and
    # with other candidates; the key depends on all three, so that a table cannot mix such positions up.
    cdef u64 seed = <u64>rule.number << 24 | <u64>range_index << 16 | <u64>width << 8 | <u64>height
    return splitmix64(&seed)


cdef inline void flip_hot(Position* p, int position, u8 colours) noexcept nogil:
    cdef int y = position >> 5, colour
    for colour in range(2):
        if colours >> colour & 1:
            p.hot[colour][y] ^= <u32>1 << (position & 31)
            if p.hot[colour][y]:
                p.hot_rows[colour] |= <u32>1 << y
            else:
                p.hot_rows[colour] &= ~(<u32>1 << y)


cdef inline void flip_stone(Position* p, int position, int piece) noexcept nogil:
    # Put a stone (or a wall) into the four line words, or remove it again.
    cdef int x = position & 31, y = position >> 5
    cdef u64 mask = <u64>(1 + piece)
    p.rows[y] ^= mask << (2 * x)
    p.columns[x] ^= mask << (2 * y)
    p.rising[x + y] ^= mask << (2 * x)
    p.falling[31 - x + y] ^= mask << (2 * x)
    p.empty[y] ^= <u32>1 << x


# The changes of a move, summed up in registers: in memory every cell would have to wait for the cell before it.
cdef struct Change:
    Cell* saved                  # where the next changed cell is kept
    i32 value
    u64[2] count                 # eight lanes of eight bits, one a class, each starting at LANE_ZERO

cdef enum:
    LANE_ZERO = 0x40             # a move changes at most SAVED_A_MOVE cells, so no lane carries into the next

cdef u64 LANES = <u64>0x0101010101010101
cdef u64[CLASSES] lane_of


cdef inline void refresh_line(Position* p, Change* change, int position, int direction) noexcept nogil:
    # Look up again every empty cell that the line through `position` can have changed.
    cdef const Rule* rule = p.rule
    cdef const CodeInfo* black
    cdef const CodeInfo* white
    cdef Cell* cell
    cdef int half = rule.half, step = step_of(direction), place = place_in(position, direction), offset
    cdef u64 word = word_through(p, position, direction)
    cdef u32 lines, patterns
    cdef u8 hot
    for offset in range(-half, half + 1):
        cell = &p.cells[position + offset * step]
        if cell.piece != EMPTY:
            continue
        patterns = rule.lines[key_at(rule, word, place + offset)]
        lines = with_line(cell.lines, direction, patterns)
        if lines == cell.lines:
            continue
        change.saved[0] = cell[0]
        change.saved += 1
        cell.lines = lines
        cell.rows = with_row(cell.rows, direction, patterns)
        black = &rule.facts[BLACK][lines & 0xFFFF]
        white = &rule.facts[WHITE][lines >> 16]
        change.count[BLACK] += lane_of[black.cls] - lane_of[cell.cls[BLACK]]
        change.count[WHITE] += lane_of[white.cls] - lane_of[cell.cls[WHITE]]
        cell.cls[BLACK] = black.cls
        cell.cls[WHITE] = white.cls
        change.value += black.value - white.value - cell.value
        cell.value = black.value - white.value
        hot = black.hot | white.hot << 1
        if hot != cell.hot:
            flip_hot(p, position + offset * step, hot ^ cell.hot)
            cell.hot = hot


cdef void place_piece(Position* p, int position, int piece) noexcept nogil:
    # The common part of a move and of a blocked cell: everything but the side to move.
    cdef State* state = &p.states[p.ply + 1]
    cdef Change change
    cdef Cell* cell = &p.cells[position]
    cdef int x = position & 31, y = position >> 5, i
    memcpy(state, &p.states[p.ply], sizeof(State))
    p.ply += 1
    state.saved = p.saved_height
    state.move = <i16>position
    state.colour = <i16>piece
    state.key ^= zobrist[piece][position]

    change.saved = &p.saved[p.saved_height]
    change.saved[0] = cell[0]
    change.saved += 1
    change.value = -cell.value
    change.count[BLACK] = LANE_ZERO * LANES - lane_of[cell.cls[BLACK]]
    change.count[WHITE] = LANE_ZERO * LANES - lane_of[cell.cls[WHITE]]
    if cell.hot:
        flip_hot(p, position, cell.hot)
    cell.piece = <u8>piece
    cell.cls[BLACK] = cell.cls[WHITE] = CLASS_NONE
    cell.hot = 0
    cell.value = 0
    flip_stone(p, position, piece)
    refresh_line(p, &change, position, 0)
    refresh_line(p, &change, position, 1)
    refresh_line(p, &change, position, 2)
    refresh_line(p, &change, position, 3)
    p.saved_height = <i32>(change.saved - &p.saved[0])
    state.value += change.value
    for i in range(8):
        state.count[BLACK][CLASS_THREE + i] += <u16>(change.count[BLACK] >> (8 * i) & 0xFF) - LANE_ZERO
        state.count[WHITE][CLASS_THREE + i] += <u16>(change.count[WHITE] >> (8 * i) & 0xFF) - LANE_ZERO

    p.empty_cells -= 1
    if piece == WALL:
        state.candidates[y] &= p.empty[y]
    else:
        for i in range(9):
            state.candidates[y - 4 + i] = (state.candidates[y - 4 + i] | p.stencil[i] << (x - 4)) & p.empty[y - 4 + i]


cdef void make(Position* p, int position) noexcept nogil:
    """Play a stone of the side to move on an empty cell."""
    place_piece(p, position, p.side)
    p.states[p.ply].key ^= zobrist_side
    p.side ^= 1


cdef void undo(Position* p) noexcept nogil:
    """Take back the last stone (never a pass)."""
    cdef State* state = &p.states[p.ply]
    cdef const Cell* before
    cdef Cell* cell
    flip_stone(p, state.move, state.colour)
    while p.saved_height > state.saved:
        p.saved_height -= 1
        before = &p.saved[p.saved_height]
        cell = &p.cells[before.position]
        if before.hot != cell.hot:
            flip_hot(p, before.position, before.hot ^ cell.hot)
        cell[0] = before[0]
    p.empty_cells += 1
    p.ply -= 1
    p.side ^= 1


cdef void make_pass(Position* p) noexcept nogil:
    """Give the move away."""
    memcpy(&p.states[p.ply + 1], &p.states[p.ply], sizeof(State))
    p.ply += 1
    p.states[p.ply].move = PASS_MOVE
    p.states[p.ply].colour = <i16>p.side
    p.states[p.ply].saved = p.saved_height
    p.states[p.ply].key ^= zobrist_side
    p.side ^= 1


cdef void undo_pass(Position* p) noexcept nogil:
    """Take back the last pass."""
    p.ply -= 1
    p.side ^= 1


cdef bint is_forbidden(Position* p, int position) noexcept nogil:
    """Whether renju forbids black to play on an empty cell.

    The class tells an overline and a double-four at once. An apparent double-three is a foul only if at least two of
    its threes are real: a three counts if black could go on to an open four there, so that the cell that makes the four
    is not forbidden itself. This is found on the board, by playing the stone.
    """
    cdef const Cell* cell = &p.cells[position]
    if cell.piece != EMPTY or cell.cls[BLACK] != CLASS_FORBIDDEN:
        return False
    cdef int direction, pattern, fours = 0
    for direction in range(4):
        pattern = line_of(cell, direction, BLACK)
        if pattern == OVERLINE:
            return True
        if pattern == BLOCKED_FOUR or pattern == OPEN_FOUR:
            fours += 1
    if fours >= 2:
        return True

    cdef int threes = 0, lines = <int>(cell.lines & 0xFFFF), way, at, _step, found
    cdef const Cell* there
    cdef int side = p.side
    place_piece(p, position, BLACK)
    for direction in range(4):
        pattern = (lines >> (4 * direction)) & 15
        if pattern != OPEN_THREE and pattern != OPEN_THREE_2:
            continue
        found = 0
        for way in range(2):
            at = position
            for _step in range(4):
                at += step_of(direction) if way == 0 else -step_of(direction)
                if p.cells[at].piece != BLACK:
                    break
            there = &p.cells[at]
            if there.piece != EMPTY:
                continue
            if line_of(there, direction, BLACK) == OPEN_FOUR and (
                there.cls[BLACK] == CLASS_LIVE_FOUR
                or (there.cls[BLACK] == CLASS_FORBIDDEN and not is_forbidden(p, at))
            ):
                found = 1
                break
        threes += found
    p.side = side ^ 1   # undo flips it back
    undo(p)
    return threes >= 2


cdef int winner_of(Position* p) noexcept nogil:
    """The colour that has a five by the rule, or -1."""
    cdef int x, y, position, direction, piece
    for y in range(BORDER, BORDER + p.height):
        for x in range(BORDER, BORDER + p.width):
            position = y << 5 | x
            piece = p.cells[position].piece
            if piece > WHITE:
                continue
            for direction in range(4):
                if (p.rule.lines[key_at(p.rule, word_through(p, position, direction), place_in(position, direction))]
                        >> (4 * piece) & 15) == FIVE:
                    return piece
    return -1


cdef void set_up(Position* p, const Rule* rule, int width, int height, int range_index) noexcept nogil:
    """An empty board. The struct must be zeroed."""
    cdef int x, y, position, direction, colour
    cdef u32 patterns
    cdef Cell* cell
    cdef const CodeInfo* info
    p.rule = rule
    p.keys = &zobrist[0][0]
    p.side_key = zobrist_side
    p.width = width
    p.height = height
    p.side = BLACK
    p.empty_cells = width * height
    p.states[0].key = salt_of(rule, width, height, range_index)
    memcpy(&p.stencil[0], &stencils[range_index][0], 9 * sizeof(u32))
    for position in range(CELLS):
        p.cells[position].piece = WALL
        p.cells[position].position = <u16>position
    for y in range(BORDER, BORDER + height):
        for x in range(BORDER, BORDER + width):
            p.cells[y << 5 | x].piece = EMPTY
            flip_stone(p, y << 5 | x, WALL)   # walls out of the line words, and the cell into `empty`
    for y in range(BORDER, BORDER + height):
        for x in range(BORDER, BORDER + width):
            position = y << 5 | x
            cell = &p.cells[position]
            for direction in range(4):
                patterns = rule.lines[
                    key_at(rule, word_through(p, position, direction), place_in(position, direction))]
                cell.lines = with_line(cell.lines, direction, patterns)
                cell.rows = with_row(cell.rows, direction, patterns)
            for colour in range(2):
                info = &rule.facts[colour][cell.lines >> (16 * colour) & 0xFFFF]
                cell.cls[colour] = info.cls
                cell.value += info.value if colour == BLACK else -info.value
                if info.cls >= CLASS_THREE:
                    p.states[0].count[colour][info.cls] += 1
            p.states[0].value += cell.value
