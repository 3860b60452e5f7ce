"""The position: line patterns, pattern classes, evaluation sum, candidates and Zobrist key, updated move by move.

A plain struct and functions on it, without the GIL; `engine.board.Board` is the checked face that Python sees.
"""
from libc.string cimport memcpy

from engine.bits cimport lowest_bit, splitmix64
from engine.patterns cimport Rule, class_in
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


cdef enum:
    LANE_ZERO = 0x40             # a move changes at most SAVED_A_MOVE cells, so no lane carries into the next

cdef u64 LANES = <u64>0x0101010101010101
cdef u64[CLASSES] lane_of


cdef inline Cell* refresh_line(Position* p, Cell* saved, int position, int direction, int half) noexcept nogil:
    # Look up again the line patterns of every empty cell that a stone on `position` can have changed in this direction.
    # A changed cell is kept at `saved` as it was. Returns the place behind the last one. half: the rule's, a constant.
    cdef const Rule* rule = p.rule
    cdef const u8* lines = rule.lines
    cdef Cell* first = &p.cells[position - half * step_of(direction)]
    cdef Cell* cell
    cdef int place = place_in(position, direction) - half
    cdef i64 at
    cdef u64 word = word_through(p, position, direction), window = word >> (2 * place)
    # Two bits a cell: both are set where it is empty.
    cdef u32 empty = <u32>(window & window >> 1) & (0x15555 if half == 4 else 0x155555), key, known, patterns
    place = 2 * (place - half)
    while empty:
        at = lowest_bit(empty)
        empty &= empty - 1
        key = <u32>(word >> (place + <int>at))  # as `key_at`
        key = (key & 0xFF) | (key >> 2 & 0xFF00) if half == 4 else (key & 0x3FF) | (key >> 2 & 0xFFC00)
        patterns = lines[key]
        cell = <Cell*>(<u8*>first + at * (<i64>sizeof(Cell) // 2 * step_of(direction)))
        known = row_of(cell, direction)
        if patterns == known:
            continue
        saved[0] = cell[0]
        saved += 1
        cell.rows = with_row(cell.rows, direction, patterns)
        cell.sums += rule.marks[patterns] - rule.marks[known]
    return saved


cdef inline void refresh_lines(Position* p, Cell* saved, int position, int half) noexcept nogil:
    saved = refresh_line(p, saved, position, 0, half)
    saved = refresh_line(p, saved, position, 1, half)
    saved = refresh_line(p, saved, position, 2, half)
    saved = refresh_line(p, saved, position, 3, half)
    p.saved_height = <i32>(saved - &p.saved[0])


cdef void place_piece(Position* p, int position, int piece) noexcept nogil:
    # The common part of a move and of a blocked cell: everything but the side to move.
    cdef State* state = &p.states[p.ply + 1]
    cdef Cell* cell = &p.cells[position]
    cdef const Cell* before
    cdef const u64* black = p.rule.parts[BLACK]
    cdef const u64* white = p.rule.parts[WHITE]
    cdef int x = position & 31, y = position >> 5, i, height = p.saved_height
    cdef u64 part, black_count, white_count
    cdef i32 value = -cell.value
    memcpy(state, &p.states[p.ply], sizeof(State))
    p.ply += 1
    state.saved = height
    state.move = <i16>position
    state.colour = <i16>piece
    state.key ^= zobrist[piece][position]

    p.saved[height] = cell[0]
    # The changes of a move are summed up in registers: in memory every cell would have to wait for the cell before it.
    # Eight lanes of eight bits for each colour, one a class, each starting at LANE_ZERO.
    black_count = LANE_ZERO * LANES - lane_of[cell.cls[BLACK]]
    white_count = LANE_ZERO * LANES - lane_of[cell.cls[WHITE]]
    if cell.hot:
        flip_hot(p, position, cell.hot)
    cell.piece = <u8>piece
    cell.cls[BLACK] = cell.cls[WHITE] = CLASS_NONE
    cell.hot = 0
    cell.value = 0
    flip_stone(p, position, piece)
    if p.rule.half == 4:
        refresh_lines(p, &p.saved[height + 1], position, 4)
    else:
        refresh_lines(p, &p.saved[height + 1], position, 5)
    # This loop is apart from the lookups above: together their numbers do not fit into the registers.
    for i in range(height + 1, p.saved_height):
        before = &p.saved[i]
        cell = &p.cells[before.position]
        part = black[cell.sums & 0xFFFF] + white[cell.sums >> 16]
        cell.piece = <u8>part  # EMPTY, as before: the compiler writes these four bytes at once
        cell.cls[BLACK] = class_in(part, BLACK)
        cell.cls[WHITE] = class_in(part, WHITE)
        cell.hot = <u8>(part >> 24)
        cell.value = <i16>(part >> 32)
        black_count += lane_of[class_in(part, BLACK)] - lane_of[before.cls[BLACK]]
        white_count += lane_of[class_in(part, WHITE)] - lane_of[before.cls[WHITE]]
        value += <i16>(part >> 32) - before.value
        if <u8>(part >> 24) != before.hot:
            flip_hot(p, before.position, <u8>(part >> 24) ^ before.hot)
    state.value += value
    for i in range(8):
        state.count[BLACK][CLASS_THREE + i] += <u16>(black_count >> (8 * i) & 0xFF) - LANE_ZERO
        state.count[WHITE][CLASS_THREE + i] += <u16>(white_count >> (8 * i) & 0xFF) - LANE_ZERO

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
    before = &p.saved[p.saved_height]
    p.saved_height = state.saved
    while before > &p.saved[state.saved]:
        before -= 1
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

    cdef Cell before = cell[0]
    cdef int threes = 0, way, at, _step, found
    cdef const Cell* there
    cdef int side = p.side
    place_piece(p, position, BLACK)
    for direction in range(4):
        pattern = line_of(&before, direction, BLACK)
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
    cdef u64 part
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
                cell.rows = with_row(cell.rows, direction, patterns)
                cell.sums += rule.marks[patterns]
            part = rule.parts[BLACK][cell.sums & 0xFFFF] + rule.parts[WHITE][cell.sums >> 16]
            cell.value = <i16>(part >> 32)
            for colour in range(2):
                cell.cls[colour] = class_in(part, colour)
                if cell.cls[colour] >= CLASS_THREE:
                    p.states[0].count[colour][cell.cls[colour]] += 1
            p.states[0].value += cell.value
