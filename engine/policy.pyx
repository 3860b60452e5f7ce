"""The policy: reading one, the cells that it looks at, and their points. policy.pxd says what it computes."""
from libc.stdlib cimport calloc, free

from engine.board cimport Board
from engine.moves cimport FREE_CHOICE, STRICT_TIER, Move, MoveList, generate
from engine.policy_shape cimport *
from engine.position cimport Position
from engine.types cimport *

from engine.network import patterns_signature
from engine.rules import rule_number
from engine.weights.checked import Shipped
from engine.weights.policies import read_policy, shipped_path

cdef enum:
    NEAREST = 7                  # cells in a row or a column that a stone may be away without being far


cdef void fill_distances() noexcept nogil:
    # The longer and the shorter of the steps along a row and along a column: the eight turns of a board are alike. The
    # difference tells them apart, because a board is less than STRIDE - NEAREST cells wide.
    cdef int x, y, longer, shorter
    for y in range(-NEAREST, NEAREST + 1):
        for x in range(-NEAREST, NEAREST + 1):
            longer = max(abs(x), abs(y))
            shorter = min(abs(x), abs(y))
            distances[CELLS + y * STRIDE + x] = <u8>(longer * (longer + 1) // 2 + shorter)


fill_distances()


cdef int choose_cells(const MoveList* list, int* chosen) noexcept nogil:
    """The places in the list of the moves that a policy looks at, the best by the tables first; how many there are.

    The scores are those of the tables alone. Moves of the strict tiers are left out: their order is certain.
    """
    cdef const Move* move
    cdef int i, at, count = 0, least = -INFINITE
    for i in range(list.count):
        if list.moves[i].tier < STRICT_TIER:
            least = max(least, list.moves[i].score - POLICY_WITHIN)
    for i in range(list.count):
        move = &list.moves[i]
        if move.tier >= STRICT_TIER or move.score < least:
            continue
        at = count
        if count < POLICY_CELLS:
            count += 1
        else:
            at -= 1
        while at > 0 and list.moves[chosen[at - 1]].score < move.score:
            chosen[at] = chosen[at - 1]
            at -= 1
        chosen[at] = i
        if count == POLICY_CELLS:
            least = list.moves[chosen[count - 1]].score + 1
    return count


cdef void find_stones(const Position* p, int* stones) noexcept nogil:
    """The last stones, the last one first; NO_STONE for a pass, a blocked cell and the time before the first ply."""
    cdef int i, ply
    for i in range(POLICY_STONES):
        ply = p.ply - i
        stones[i] = (p.states[ply].move if ply > 0 and p.states[ply].move > PASS_MOVE and p.states[ply].colour != WALL
                     else NO_STONE)


cdef void add_policy(const PolicyWeights* weights, const Position* p, MoveList* list) noexcept nogil:
    """Add the points of a policy to the scores of the tables, in a list of a side that is free."""
    cdef int[POLICY_CELLS] chosen
    cdef PolicyCell[POLICY_CELLS] cells
    cdef i32[POLICY_CELLS] points
    cdef int[POLICY_STONES] stones
    cdef int i, count = choose_cells(list, chosen)
    find_stones(p, stones)
    for i in range(count):
        cells[i] = policy_cell(p, list.moves[chosen[i]].position, stones)
    policy_points(weights, p.side, cells, count, points)
    for i in range(count):
        list.moves[chosen[i]].score += points[i]


cdef class Policy:
    """The weights of a file, ready for the search. They do not change, and any number of searchers can share them.

    path: of the file; rule: the rule that it must be for, by number or name. Raises ValueError, in one sentence, for a
    file that holds no policy, one of another rule, and one whose line patterns meant something else; OSError when it
    cannot be read.
    """

    def __cinit__(self, path, rule):
        rule = rule_number(rule)
        self.path = str(path)
        self.rule = rule
        read = read_policy(self.path)
        if read.rule != rule:
            raise ValueError(f"{self.path} is a policy for rule {read.rule}, not {rule}")
        if read.patterns != patterns_signature(rule):
            raise ValueError(f"{self.path} was trained with line patterns that this engine does not have")
        self.source = read.without_tables()
        self.weights = <PolicyWeights*>calloc(1, sizeof(PolicyWeights))
        if self.weights == NULL:
            raise MemoryError("no memory for a policy")
        fill_weights(self.weights, read)

    def __dealloc__(self):
        free(self.weights)

    @property
    def card(self):
        """The card of the file, a dict: the command that made the policy, its data and its losses."""
        return self.source.card

    def points(self, Board board not None):
        """The points of the cells that it looks at, {(x, y): points}; no cells if the side to move is not free."""
        cdef MoveList list
        cdef int[POLICY_CELLS] chosen
        cdef int i, count
        generate(board.position, &list)
        if list.situation != FREE_CHOICE:
            return {}
        count = choose_cells(&list, chosen)
        before = [list.moves[chosen[i]].score for i in range(count)]
        add_policy(self.weights, board.position, &list)
        return {(x_of(list.moves[chosen[i]].position), y_of(list.moves[chosen[i]].position)):
                list.moves[chosen[i]].score - before[i] for i in range(count)}


cdef int fill_weights(PolicyWeights* weights, read) except -1:
    """Lay the tables of a file out for the search."""
    cdef const i16[::1] table = read.table, layer = read.layer, nearness = read.nearness
    cdef const i32[::1] base = read.base
    cdef int own, other, i, k
    for own in range(LINE_PATTERNS):
        for other in range(LINE_PATTERNS):
            for i in range(POLICY_WIDTH):
                weights.table[BLACK][other << 4 | own][i] = table[(own * LINE_PATTERNS + other) * POLICY_WIDTH + i]
                weights.table[WHITE][own << 4 | other][i] = table[(own * LINE_PATTERNS + other) * POLICY_WIDTH + i]
    for k in range(POLICY_WIDTH):
        weights.base[k] = base[k]
        for i in range(POLICY_WIDTH):
            weights.layer[i // 2][k][i % 2] = layer[k * POLICY_WIDTH + i]
    for k in range(POLICY_STONES):
        for i in range(POLICY_DISTANCES):
            weights.nearness[k][i] = nearness[k * POLICY_DISTANCES + i]
    return 0


def table_scores(Board board not None):
    """The moves of the side to move by the tables alone, as (x, y, tier, points): for comparison with a slow twin."""
    cdef MoveList list
    generate(board.position, &list)
    return [(x_of(list.moves[i].position), y_of(list.moves[i].position), list.moves[i].tier, list.moves[i].score)
            for i in range(list.count)]


shipped = Shipped(Policy, shipped_path)


def shipped_policy(rule):
    """The policy that comes with the package for a rule, read once; None when there is none that can be used.

    Raises ValueError for a rule that does not exist.
    """
    return shipped.weights(rule_number(rule))


def policy_problem(rule):
    """Why the policy of a rule cannot be used, in one sentence; None when it can be used, or when there is none.

    rule: its number or its name. Raises ValueError for a rule that does not exist.
    """
    return shipped.problem(rule_number(rule))
