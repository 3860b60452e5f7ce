"""Board: the checked face of a position (position.pxd), with its history, as Python sees it."""
from libc.stdlib cimport calloc, free

from engine.patterns cimport Rule, rule_tables
from engine.position cimport (MAX_PASSES, Position, copy_position, is_empty, is_forbidden, make, make_pass, place_piece,
                              set_up, top, undo, undo_pass, winner_of)
from engine.types cimport *

from engine.checks import shown, whole_number
from engine.notation import BLOCK, PASS, format_move, parse_history, read_cell
from engine.rules import RULE_NAMES
from engine.values import Outcome

cdef extern from "processor.h":  # the engine begins with this module, and an old processor crashes in its first lines
    pass

RANGES = ("square2", "square2_line3", "square3", "square3_line4", "square4")


cdef class Board:
    """A gomoku board with its history.

    width, height: 5 to 22 cells (height defaults to width); rule: a name or a number of `engine.RULE_NAMES`;
    candidates: how far from the stones a move of the search may lie, one of `engine.board.RANGES`. Black, colour 0,
    moves first; White is 1. Raises ValueError for arguments outside these ranges.

    A cell is given by its name, such as "h8", or by its column x and its row y from 0 at the top left, as two numbers
    or as a pair. Names count rows from the bottom, see `engine.notation`. Methods return cells as pairs (x, y).

    Boards are equal when size, rule, stones, blocked cells and the side to move are; how they came about does not
    matter. A board can change and so has no hash. It can be copied and pickled.

    >>> board = Board.from_moves("c3 d4", width=5)
    >>> board.play("b4")
    >>> print(board)
     5  . . . . .
     4  .(x). o .
     3  . . x . .
     2  . . . . .
     1  . . . . .
        a b c d e
    >>> board
    Board.from_moves('c3d4b4', 5, 5, rule='freestyle')
    """

    def __cinit__(self, width=15, height=None, rule=0, candidates="square3_line4"):
        if isinstance(width, str):
            raise TypeError(f"width is a whole number, not {shown(width)}: Board.from_moves reads moves")
        width, rows = whole_number("width", width), whole_number("height", width if height is None else height)
        if not (MIN_SIZE <= width <= MAX_SIZE and MIN_SIZE <= rows <= MAX_SIZE):
            raise ValueError(f"a board has {MIN_SIZE} to {MAX_SIZE} cells a side, not {width}x{rows}")
        if candidates not in RANGES:
            raise ValueError(f"candidates must be one of {', '.join(RANGES)}, not {shown(candidates)}")
        cdef const Rule* tables = rule_tables(rule)
        self.range_index = RANGES.index(candidates)
        self.position = <Position*>calloc(1, sizeof(Position))
        if self.position == NULL:
            raise MemoryError("no memory for a board")
        set_up(self.position, tables, width, rows, self.range_index)

    def __dealloc__(self):
        free(self.position)

    @classmethod
    def from_moves(cls, moves, width=15, height=None, rule=0, candidates="square3_line4"):
        """The board after some moves, Black's first; the other arguments are those of `Board`.

        moves: text, or a sequence of cells in which None is a pass.

        >>> Board.from_moves("h8 i9 j10", rule="renju").moves()
        [(7, 7), (8, 6), (9, 5)]
        >>> Board.from_moves([(7, 7), "i9"]).moves_text()
        'h8i9'

        In text, blanks and commas between moves may be left out, ``-`` is a pass, and ``*`` in front of a cell blocks
        it, as `moves_text` writes them. Raises ValueError, naming the move, for text that is not moves, a cell off the
        board and a cell that is not empty; TypeError for anything else.
        """
        cdef Board board = cls(width, height, rule, candidates)
        if not isinstance(moves, str):
            board.play_all(moves)
            return board
        for number, (mark, x, y) in enumerate(parse_history(moves, board.width, board.height), 1):
            if mark == PASS:
                board.pass_move()
            elif board.cell(x, y) != -1:
                raise ValueError(f"move {number}, {format_move(x, y, board.height)}, is on a cell that is not empty")
            elif mark == BLOCK:
                board.block(x, y)
            else:
                board.play(x, y)
        return board

    cdef int play_all(self, moves) except -1:
        """Play a sequence of cells, None for a pass. An error names the move."""
        try:
            moves = list(moves)
        except TypeError:
            raise TypeError(f"moves are text such as h8i9 or a sequence of cells, not {shown(moves)}") from None
        for number, move in enumerate(moves, 1):
            try:
                self.pass_move() if move is None else self.play(move)
            except (TypeError, ValueError) as error:
                raise type(error)(f"move {number}: {error}") from None
        return 0

    cdef int place(self, x, y) except -1:
        """The index of a cell, given as `read_cell` takes it. Raises as that does, and ValueError off the board."""
        if type(x) is not int or type(y) is not int:  # most are
            x, y = read_cell(x, y, self.position.width, self.position.height)
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
        """The number of the rule, a key of `engine.RULE_NAMES`: 0, 1, 4, 8 or 9."""
        return self.position.rule.number

    @property
    def ply(self):
        """Moves, passes and blocked cells so far."""
        return self.position.ply

    @property
    def side_to_move(self):
        """0 Black, 1 White."""
        return self.position.side

    @property
    def key(self):
        """Zobrist key of the position, 64 bits, the same in every run: of its stones, its blocked cells, the side to
        move, the rule, the size and the candidate range."""
        return top(self.position).key

    @property
    def empty_cells(self):
        """The number of empty cells that are not blocked."""
        return self.position.empty_cells

    @property
    def value(self):
        """The evaluation before threats: the sum of all cells' values, for Black, in centipoints."""
        return top(self.position).value

    def play(self, x, y=None):
        """The side to move plays on a cell. Raises ValueError when the cell is off the board or not empty.

        Renju's forbidden points can be played; ask `is_forbidden` first.

        >>> board = Board()
        >>> board.play("h8")
        >>> board.play(8, 6)
        >>> board.moves_text()
        'h8i9'
        """
        cdef int position = self.place(x, y)
        if not is_empty(self.position, position):
            raise ValueError(f"{x if isinstance(x, str) else f'{x_of(position)},{y_of(position)}'} is not empty")
        make(self.position, position)

    def pass_move(self):
        """The side to move passes. Raises ValueError after 796 passes: a board holds no more."""
        if self.position.ply - (self.width * self.height - self.position.empty_cells) >= MAX_PASSES:
            raise ValueError(f"a board holds at most {MAX_PASSES} passes")
        make_pass(self.position)

    def push(self, x, y=None):
        """`play` by the name that python-chess has for it."""
        self.play(x, y)

    def block(self, x, y=None):
        """Close a cell: it takes no stone, and counts in no five. Raises ValueError as `play` does."""
        cdef int position = self.place(x, y)
        if not is_empty(self.position, position):
            raise ValueError(f"{x if isinstance(x, str) else f'{x_of(position)},{y_of(position)}'} is not empty")
        place_piece(self.position, position, WALL)

    def undo(self):
        """Take back the last move, pass or blocked cell, and return its cell (x, y), or None for a pass.

        Raises IndexError when there is nothing to take back.

        >>> board = Board.from_moves("h8i9")
        >>> board.undo(), board
        ((8, 6), Board.from_moves('h8', 15, 15, rule='freestyle'))
        """
        if self.position.ply == 0:
            raise IndexError("no move to take back")
        cdef int colour = top(self.position).colour, position = top(self.position).move
        if position == PASS_MOVE:
            undo_pass(self.position)
            return None
        undo(self.position)
        if colour == WALL:
            self.position.side ^= 1   # a blocked cell had not changed the side to move
        return x_of(position), y_of(position)

    def pop(self):
        """`undo` by the name that python-chess has for it."""
        return self.undo()

    def cell(self, x, y=None):
        """The content of a cell: -1 empty, 0 Black, 1 White, 2 blocked. Raises ValueError off the board."""
        cdef int piece = self.position.cells[self.place(x, y)].piece
        return -1 if piece == EMPTY else piece

    def is_forbidden(self, x, y=None):
        """Whether renju forbids Black to play on a cell (False for occupied cells and in other rules)."""
        return bool(is_forbidden(self.position, self.place(x, y)))

    def winner(self):
        """The colour that has a five by the rule, 0 black or 1 white, or None."""
        cdef int colour = winner_of(self.position)
        return None if colour < 0 else colour

    def is_full(self):
        """Whether no cell is empty."""
        return self.position.empty_cells == 0

    def is_game_over(self):
        """Whether the game has an `outcome`."""
        return self.outcome() is not None

    def outcome(self):
        """The end of the game, as an `engine.Outcome`; None while it goes on.

        A five wins, Black's last move loses if renju forbids it, and a full board is a draw. A game that goes on may
        have no legal move: Black's last empty cells may all be forbidden to him.

        >>> board = Board.from_moves("h8a1i8a2j8a3k8a4")
        >>> board.is_game_over()
        False
        >>> board.play("l8")
        >>> board.outcome()
        Outcome(winner=0, reason='five')
        >>> print(board.outcome())
        Black wins: five
        """
        cdef Position* p = self.position
        cdef int colour = winner_of(p), position = top(p).move
        cdef bint is_foul
        if colour >= 0:
            return Outcome(colour, "five")
        if position > PASS_MOVE and top(p).colour == BLACK and p.rule.has_forbidden:
            undo(p)
            is_foul = is_forbidden(p, position)
            make(p, position)
            if is_foul:
                return Outcome(WHITE, "foul")
        return Outcome(None, "full board") if p.empty_cells == 0 else None

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
        """The arguments of both pictures."""
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
                f"rule={RULE_NAMES[self.rule]!r}{reach})")

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
        """How many empty cells have each pattern class for a colour, 0 or 1: 14 counts in the order of
        `engine.CLASS_NAMES`."""
        counts = [0] * CLASSES
        cdef int y, x, side = whole_number("colour", colour, 0, 1)
        for y in range(BORDER, BORDER + self.position.height):
            for x in range(BORDER, BORDER + self.position.width):
                if is_empty(self.position, y << 5 | x):
                    counts[self.position.cells[y << 5 | x].cls[side]] += 1
        return counts

    def class_at(self, x, y, colour=None):
        """The pattern class of a cell for a colour: 0 to 13, see `engine.CLASS_NAMES`; 0 when it is occupied.

        The cell is given as to `play`, before the colour, which is 0 or 1.

        >>> board = Board.from_moves("h8a1i8a2j8a3k8a4")
        >>> board.class_at("l8", 0), board.class_at(11, 7, 0)
        (13, 13)
        """
        if colour is None:
            x, y, colour = x, None, y
        return self.position.cells[self.place(x, y)].cls[<int>whole_number("colour", colour, 0, 1)]
