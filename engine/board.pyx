"""The board: incremental line patterns, pattern classes, evaluation sum, candidates and Zobrist key.

The C side is a plain struct and a handful of functions on it; `Board` is the checked face that Python sees.
"""
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy

from engine.bits cimport splitmix64
from engine.patterns cimport CodeInfo, Rule, rule_tables
from engine.types cimport *

from engine.checks import whole_number
from engine.notation import BLOCK, PASS, format_move, parse_history

cdef extern from "processor.h":  # the engine begins with this module, and an old processor crashes in its first lines
    pass

# Keys are the same on every machine and in every run: the bench signature depends on them.
cdef enum:
    ZOBRIST_SEED = 20260521

cdef u64[3][CELLS] zobrist
cdef u64 zobrist_side

# Which cells around a stone are worth a move; nine rows of nine bits around it.
cdef u32[5][9] stencils
RANGES = ("square2", "square2_line3", "square3", "square3_line4", "square4")


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
    # where other cells are candidates; so that no table takes one for the other, the key knows all three.
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
    # Put a stone (or a wall) into the four line words, or take it out again.
    cdef int x = position & 31, y = position >> 5
    cdef u64 mask = <u64>(1 + piece)
    p.rows[y] ^= mask << (2 * x)
    p.columns[x] ^= mask << (2 * y)
    p.rising[x + y] ^= mask << (2 * x)
    p.falling[31 - x + y] ^= mask << (2 * x)
    p.empty[y] ^= <u32>1 << x


# What a move changes, summed up in registers: memory would make every cell wait for the one before it.
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

    The class tells an overline and a double-four at once. What looks like a double-three is one only if at least two
    of its threes are real: a three counts when black could go on to an open four there, which means that the cell that
    makes the four is not itself forbidden. That is asked on the board, by playing the stone.
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


cdef int five_blocks(Position* p, int attacker, u16* cells) noexcept nogil:
    """All cells where one stone leaves `attacker`, who could make a five next, none; returns how many (at most 9).

    That is the five's own cell unless there are several fives. In caro the ends of the five block as well.
    """
    cdef int first = first_of_class(p, attacker, CLASS_FIVE), side = p.side
    cdef int direction, way, at, i, tried = 1, count = 0
    cells[0] = <u16>first
    if not p.rule.can_spoil:
        return p.states[p.ply].count[attacker][CLASS_FIVE] == 1
    for direction in range(4):
        if line_of(&p.cells[first], direction, attacker) != FIVE:
            continue
        for way in range(2):
            at = first
            while True:
                at += step_of(direction) if way == 0 else -step_of(direction)
                if p.cells[at].piece != attacker:
                    break
            if p.cells[at].piece == EMPTY:
                cells[tried] = <u16>at
                tried += 1
    for i in range(tried):
        place_piece(p, cells[i], attacker ^ 1)
        if p.states[p.ply].count[attacker][CLASS_FIVE] == 0:
            cells[count] = cells[i]
            count += 1
        p.side = side ^ 1   # undo flips it back
        undo(p)
    return count


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


cdef class Board:
    """A gomoku board with its history.

    width, height: 5 to 22 cells (height defaults to width); rule: 0 freestyle, 1 standard, 4 renju, 8 caro with
    overlines, 9 standard caro; candidates: how far from the stones a move may lie, one of `engine.board.RANGES`.
    Black, colour 0, moves first; White is 1. Coordinates are x, the column, and y, the row, from 0 at the top left;
    text counts rows from the bottom, see `engine.notation`. Raises ValueError for arguments outside these ranges.

    Boards are equal when size, rule, stones, blocked cells and the side to move are; how they came about does not
    matter. A board can change and so has no hash. It can be copied and pickled.

    >>> board = Board.from_moves("c3d4", width=5)
    >>> board.play(1, 1)
    >>> print(board)
     5  . . . . .
     4  .(x). o .
     3  . . x . .
     2  . . . . .
     1  . . . . .
        a b c d e
    >>> board
    Board.from_moves('c3d4b4', 5, 5, rule=0)
    """

    def __cinit__(self, width=15, height=None, rule=0, str candidates="square3_line4"):
        width, rows = whole_number("width", width), whole_number("height", width if height is None else height)
        if not (MIN_SIZE <= width <= MAX_SIZE and MIN_SIZE <= rows <= MAX_SIZE):
            raise ValueError(f"a board has {MIN_SIZE} to {MAX_SIZE} cells a side, not {width}x{rows}")
        if candidates not in RANGES:
            raise ValueError(f"candidates must be one of {', '.join(RANGES)}, not {candidates!r}")
        cdef const Rule* tables = rule_tables(rule)
        self.range_index = RANGES.index(candidates)
        self.position = <Position*>calloc(1, sizeof(Position))
        if self.position == NULL:
            raise MemoryError("no memory for a board")
        set_up(self.position, tables, width, rows, self.range_index)

    def __dealloc__(self):
        free(self.position)

    @classmethod
    def from_moves(cls, str text not None, width=15, height=None, rule=0, str candidates="square3_line4"):
        """The board after the moves that `text` names, Black's first; the other arguments are those of `Board`.

        >>> Board.from_moves("h8i9j10", rule=4).moves()
        [(7, 7), (8, 6), (9, 5)]

        Between the moves ``-`` is a pass, and ``*`` in front of a cell blocks it, as `moves_text` writes them. Raises
        ValueError, naming the move, for text that is not moves, a cell off the board and a cell that is not empty.
        """
        board = cls(width, height, rule, candidates)
        for number, (mark, x, y) in enumerate(parse_history(text, board.width, board.height), 1):
            if mark == PASS:
                board.pass_move()
            elif board.cell(x, y) != -1:
                raise ValueError(f"move {number}, {format_move(x, y, board.height)}, is on a cell that is not empty")
            elif mark == BLOCK:
                board.block(x, y)
            else:
                board.play(x, y)
        return board

    cdef int place(self, x, y) except -1:
        """The index of a cell; ValueError when it is off the board, TypeError for anything but whole numbers."""
        if type(x) is not int or type(y) is not int:  # most are
            x, y = whole_number("x", x), whole_number("y", y)
        if not (0 <= x < self.position.width and 0 <= y < self.position.height):
            raise ValueError(f"{x},{y} is off the {self.position.width}x{self.position.height} board")
        return position_of(x, y)

    @property
    def width(self):
        """Columns."""
        return self.position.width

    @property
    def height(self):
        """Rows."""
        return self.position.height

    @property
    def rule(self):
        """0 freestyle, 1 standard, 4 renju, 8 caro with overlines, 9 standard caro."""
        return self.position.rule.number

    @property
    def ply(self):
        """Moves, passes and blocked cells so far."""
        return self.position.ply

    @property
    def side_to_move(self):
        """0 black, 1 white."""
        return self.position.side

    @property
    def key(self):
        """Zobrist key of the position, 64 bits, the same in every run: of its stones, its blocked cells, the side to
        move, the rule, the size and the candidate range."""
        return top(self.position).key

    @property
    def empty_cells(self):
        """How many cells hold neither a stone nor a block."""
        return self.position.empty_cells

    @property
    def value(self):
        """The evaluation before threats: the sum of all cells' values, for black, in centipoints."""
        return top(self.position).value

    def play(self, x, y):
        """The side to move plays at x, y. Raises ValueError when the cell is off the board or not empty.

        Renju's forbidden points can be played; ask `is_forbidden` first.
        """
        cdef int position = self.place(x, y)
        if not is_empty(self.position, position):
            raise ValueError(f"{x},{y} is not empty")
        make(self.position, position)

    def pass_move(self):
        """The side to move passes. Raises ValueError after 796 passes: a board holds no more."""
        if self.position.ply - (self.width * self.height - self.position.empty_cells) >= MAX_PASSES:
            raise ValueError(f"a board holds at most {MAX_PASSES} passes")
        make_pass(self.position)

    def block(self, x, y):
        """No stone may ever stand at x, y; the cell counts in no five. Raises ValueError as `play` does."""
        cdef int position = self.place(x, y)
        if not is_empty(self.position, position):
            raise ValueError(f"{x},{y} is not empty")
        place_piece(self.position, position, WALL)

    def undo(self):
        """Take back the last move, pass or blocked cell. Raises IndexError when there is none."""
        if self.position.ply == 0:
            raise IndexError("no move to take back")
        cdef int colour = top(self.position).colour
        if top(self.position).move == PASS_MOVE:
            undo_pass(self.position)
            return
        undo(self.position)
        if colour == WALL:
            self.position.side ^= 1   # a blocked cell had not changed the side to move

    def pop(self):
        """`undo`, which says what it took back: the cell (x, y) of a stone or a block, None for a pass.

        >>> board = Board.from_moves("h8i9")
        >>> board.pop(), board
        ((8, 6), Board.from_moves('h8', 15, 15, rule=0))
        """
        cdef int position = top(self.position).move
        self.undo()
        return None if position == PASS_MOVE else (x_of(position), y_of(position))

    def cell(self, x, y):
        """-1 empty, 0 black, 1 white, 2 blocked. Raises ValueError off the board."""
        cdef int piece = self.position.cells[self.place(x, y)].piece
        return -1 if piece == EMPTY else piece

    def is_forbidden(self, x, y):
        """Whether renju forbids black to play at x, y (False for occupied cells and in other rules)."""
        return bool(is_forbidden(self.position, self.place(x, y)))

    def winner(self):
        """The colour that has a five by the rule, 0 black or 1 white, or None."""
        cdef int colour = winner_of(self.position)
        return None if colour < 0 else colour

    def is_full(self):
        """Whether no cell is empty."""
        return self.position.empty_cells == 0

    def moves(self):
        """The history as a list of (x, y), None for a pass; blocked cells are left out."""
        return [cell for cell, colour in self.entries() if colour != WALL]

    def stones(self):
        """The stones on the board as a list of ((x, y), colour), in the order in which they were played.

        >>> Board.from_moves("h8i9").stones()
        [((7, 7), 0), ((8, 6), 1)]
        """
        return [(cell, colour) for cell, colour in self.entries() if cell is not None and colour != WALL]

    def legal_moves(self):
        """The cells (x, y) where the side to move may play, in reading order.

        Those are all empty cells, without the points that renju forbids Black; none once a colour has a five.

        >>> len(Board.from_moves("h8").legal_moves())
        224
        """
        cdef Position* p = self.position
        if winner_of(p) >= 0:
            return []
        return [
            (x, y)
            for y in range(p.height)
            for x in range(p.width)
            if is_empty(p, position_of(x, y)) and not (p.side == BLACK and is_forbidden(p, position_of(x, y)))
        ]

    def moves_text(self):
        """The history as text, which `from_moves` reads: moves as ``h8``, ``-`` for a pass, ``*a1`` for a blocked cell.

        >>> Board.from_moves("h8i9-").moves_text()
        'h8i9-'
        """
        return "".join([
            PASS if cell is None else (BLOCK if colour == WALL else "") + format_move(*cell, self.position.height)
            for cell, colour in self.entries()
        ])

    cdef list entries(self):
        """The history as a list of (cell, colour): None for a pass, WALL for a blocked cell."""
        cdef int i, position
        history = []
        for i in range(1, self.position.ply + 1):
            position = self.position.states[i].move
            cell = None if position == PASS_MOVE else (x_of(position), y_of(position))
            history.append((cell, self.position.states[i].colour))
        return history

    cdef dict drawing(self):
        """What both pictures show."""
        stones = self.stones()
        return {"stones": stones, "last": stones[len(stones) - 1][0] if stones else None,
                "blocked": [cell for cell, colour in self.entries() if colour == WALL]}

    def __str__(self):
        from engine.diagram import text_board  # a brain draws nothing
        return text_board(self.width, self.height, **self.drawing())

    def __repr__(self):
        name = RANGES[self.range_index]
        reach = "" if name == "square3_line4" else f", candidates={name!r}"
        return (f"{type(self).__name__}.from_moves({self.moves_text()!r}, {self.width}, {self.height}, "
                f"rule={self.rule}{reach})")

    def _repr_svg_(self):
        """The board as a notebook shows it: stones with numbers, the last one marked, and Black's forbidden points."""
        from engine.diagram import svg_board  # a brain draws nothing
        cells = [(x, y) for y in range(self.height) for x in range(self.width)]
        fouls = [cell for cell in cells if self.position.side == BLACK and self.is_forbidden(*cell)]
        return svg_board(self.width, self.height, forbidden=fouls, **self.drawing())

    def __eq__(self, other):
        cdef Position* p = self.position
        cdef Position* q
        cdef int i
        if not isinstance(other, Board):
            return NotImplemented
        q = (<Board>other).position
        for i in range(CELLS):
            if p.cells[i].piece != q.cells[i].piece:  # walls around the board make its size a part of this
                return False
        return p.rule == q.rule and p.side == q.side

    def __reduce__(self):
        return type(self).from_moves, (self.moves_text(), self.width, self.height, self.rule,
                                       RANGES[self.range_index])

    def copy(self):
        """An independent board with the same history."""
        cdef Board other = Board(self.width, self.height, self.rule, RANGES[self.range_index])
        copy_position(other.position, self.position)
        return other

    def candidates(self):
        """The empty cells near the stones as a list of (x, y) in reading order; empty on an empty board."""
        return [(x, y) for y in range(self.height) for x in range(self.width)
                if top(self.position).candidates[y + BORDER] >> (x + BORDER) & 1]

    def classes(self, colour):
        """How many empty cells have each pattern class for a colour, 0 or 1: a list of 14 counts."""
        counts = [0] * CLASSES
        cdef int y, x, side = whole_number("colour", colour, 0, 1)
        for y in range(BORDER, BORDER + self.position.height):
            for x in range(BORDER, BORDER + self.position.width):
                if is_empty(self.position, y << 5 | x):
                    counts[self.position.cells[y << 5 | x].cls[side]] += 1
        return counts

    def class_at(self, x, y, colour):
        """The pattern class (0..13) of a cell for a colour, 0 or 1; 0 when it is occupied."""
        return self.position.cells[self.place(x, y)].cls[<int>whole_number("colour", colour, 0, 1)]

    def difference(self):
        """What of the incremental state differs from the position set up anew, stone by stone in reading order.

        An empty string when nothing does: the check that tests make after every move.
        """
        cdef Position* p = self.position
        cdef Board other = Board(self.width, self.height, self.rule, RANGES[self.range_index])
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

    def make_and_undo(self, pairs):
        """Play and take back every candidate in turn, `pairs` times in all: for timing. Returns how many were made."""
        cdef Position* p = self.position
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
