"""The learned evaluation: reading a network, keeping its sums, and its score. network.pxd says what it computes."""
import zlib

from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from engine.board cimport Board
from engine.evaluate cimport threat_mask
from engine.network_shape cimport *
from engine.patterns cimport Rule, rule_tables
from engine.position cimport MAX_PLIES, Cell, Position, State
from engine.types cimport *

from engine.rules import rule_number
from engine.weights.checked import Shipped
from engine.weights.networks import read_network, shipped_path

cdef extern from "network_kernels.h":
    enum:
        NETWORK_BATCH
    ctypedef struct NetworkChanges:
        u32[64] old
        u32[64] now
        u8[64] region
        int count
    ctypedef struct NetworkKernels:
        void (*add_changes)(NetworkSums* sums, const NetworkSums* before, const i16 (*table)[NETWORK_WIDTH],
                            const NetworkChanges* changes) noexcept nogil
        i32 (*score)(const NetworkWeights* weights, const i16* bias, const NetworkSums* now,
                     const i32* before) noexcept nogil
        const char* name
    int network_kernels(NetworkKernels* found) noexcept nogil

cdef enum:
    MOST_BACK = 24               # plies whose sums are made from those before; further back it is quicker to start anew
    ABSENT_VALUE = -16384        # less than three rows can make up for
    CACHE_LINE = 64

cdef NetworkKernels[4] kernels
cdef u64 read_networks = 0
cdef int kernel_count = network_kernels(&kernels[0])
cdef const NetworkKernels* kernel = &kernels[0]


cdef void cut_into_regions() noexcept:
    cdef int size, i
    for size in range(MIN_SIZE, MAX_SIZE + 1):
        for i in range(size):
            # By the middle of the cell, which for an odd NETWORK_SIDE is never on a border: both ends of a board are
            # cut the same way.
            parts[size][i + BORDER] = <u8>((2 * i + 1) * NETWORK_SIDE // (2 * size))

cut_into_regions()


cdef void* allocate_aligned(size_t bytes) noexcept nogil:
    """Zeros that begin with a cache line, so that no vector lies in two; NULL without memory."""
    cdef void* block = calloc(bytes + CACHE_LINE + sizeof(void*), 1)
    if block == NULL:
        return NULL
    cdef void** aligned = <void**>((<uintptr_t>block + sizeof(void*) + CACHE_LINE - 1) & ~<uintptr_t>(CACHE_LINE - 1))
    (aligned - 1)[0] = block
    return aligned


cdef void free_aligned(void* memory) noexcept nogil:
    if memory != NULL:
        free((<void**>memory - 1)[0])


cdef inline u32 absent(u32 rows) noexcept nogil:
    # Rows that mean "no cell here": they differ from the cell's in one row, which forces its feature to 0.
    return (rows & ~<u32>0xFF) | NETWORK_ABSENT


cdef inline u64 key_of(const NetworkWeights* weights, const Position* p, int ply) noexcept nogil:
    return p.states[ply].key ^ weights.number


cdef inline void add_changes(const NetworkWeights* weights, View* view, const View* earlier, int colour,
                             const NetworkChanges* changes) noexcept nogil:
    kernel.add_changes(&view.sums, &earlier.sums, &weights.table[colour][0], changes)


cdef void sum_anew(const NetworkWeights* weights, View* view, const Position* p, int ply, int colour) noexcept nogil:
    """A view of the position that was on the board at a ply, from its cells."""
    cdef u32[CELLS] rows
    cdef u8[CELLS] empty
    cdef int i, position
    cdef NetworkChanges changes
    cdef const Cell* cell
    for position in range(CELLS):
        rows[position] = p.cells[position].rows
        empty[position] = p.cells[position].piece == EMPTY
    for i in range(p.saved_height - 1, p.states[ply + 1].saved - 1 if ply < p.ply else p.saved_height - 1, -1):
        cell = &p.saved[i]
        rows[cell.position] = cell.rows
        empty[cell.position] = True
    memset(view, 0, sizeof(View))
    view.key = key_of(weights, p, ply)
    changes.count = 0
    for position in range(CELLS):
        if empty[position]:
            changes.old[changes.count] = absent(rows[position])
            changes.now[changes.count] = rows[position]
            changes.region[changes.count] = region_of(p.width, p.height, position)
            changes.count += 1
            if changes.count == NETWORK_BATCH:
                add_changes(weights, view, view, colour, &changes)
                changes.count = 0
    add_changes(weights, view, view, colour, &changes)


cdef inline void sum_last(const NetworkWeights* weights, Sums* stack, const Position* p, int colour) noexcept nogil:
    """A view of the present ply from that of the ply before."""
    cdef NetworkChanges changes
    cdef int i, position, first = p.states[p.ply].saved
    changes.count = p.saved_height - first
    for i in range(changes.count):
        position = p.saved[first + i].position
        changes.old[i] = p.saved[first + i].rows
        changes.now[i] = p.cells[position].rows
        changes.region[i] = region_of(p.width, p.height, position)
    if changes.count:  # not so for a pass
        changes.now[0] = absent(changes.old[0])  # the stone's own cell
    add_changes(weights, &stack[p.ply].views[colour], &stack[p.ply - 1].views[colour], colour, &changes)
    stack[p.ply].views[colour].key = key_of(weights, p, p.ply)


cdef void sum_plies(const NetworkWeights* weights, Sums* stack, const Position* p, int known,
                    int colour) noexcept nogil:
    """A view of the plies after `known`, at most MOST_BACK of them, from that of `known`."""
    cdef NetworkChanges[MOST_BACK] changes
    cdef u32[CELLS] rows         # of the cells that changed: at the end of the ply that is looked at
    cdef NetworkChanges* ply
    cdef const Cell* cell
    cdef int m, i, end = p.saved_height
    for i in range(p.states[known + 1].saved, end):
        rows[p.saved[i].position] = p.cells[p.saved[i].position].rows
    for m in range(p.ply, known, -1):
        ply = &changes[m - known - 1]
        ply.count = end - p.states[m].saved
        for i in range(ply.count):
            cell = &p.saved[p.states[m].saved + i]
            ply.old[i] = cell.rows
            ply.now[i] = rows[cell.position]
            ply.region[i] = region_of(p.width, p.height, cell.position)
            rows[cell.position] = cell.rows
        if ply.count:  # not so for a pass
            ply.now[0] = absent(ply.old[0])  # the stone's own cell
        end = p.states[m].saved
    for m in range(known + 1, p.ply + 1):
        add_changes(weights, &stack[m].views[colour], &stack[m - 1].views[colour], colour, &changes[m - known - 1])
        stack[m].views[colour].key = key_of(weights, p, m)


cdef int network_score(const NetworkWeights* weights, Sums* stack, const Position* p) noexcept nogil:
    """The network's score of the position in centipoints for the side to move, within its limit."""
    cdef const State* state = &p.states[p.ply]
    # The ply before counts when it was left by a stone; the sums of a pass would be those of now.
    cdef int before = p.ply - 1 if p.ply and state.move > PASS_MOVE and state.colour != WALL else p.ply
    cdef int score, known = before, side = p.side
    while known >= 0 and p.ply - known <= MOST_BACK and stack[known].views[side].key != key_of(weights, p, known):
        known -= 1
    if known < 0 or p.ply - known > MOST_BACK:
        known = before
        sum_anew(weights, &stack[before].views[side], p, before, side)
    if known < before:
        sum_plies(weights, stack, p, known, side)
    elif known < p.ply and stack[p.ply].views[side].key != key_of(weights, p, p.ply):
        sum_last(weights, stack, p, side)
    score = kernel.score(weights, &weights.mask[side][threat_mask(state, side)][0],
                         &stack[p.ply].views[side].sums, stack[before].views[side].sums.total)
    return min(max(score, -weights.limit), weights.limit)


def patterns_signature(rule):
    """Eight hex digits that tell what a rule's line patterns mean: a network of other patterns would see others."""
    cdef const Rule* tables = rule_tables(rule)
    return f"{zlib.crc32(tables.lines[:<size_t>1 << (4 * tables.half)]):08x}"


def kernel_names():
    """The instruction sets that this machine runs, the fastest first, as `use_kernel` takes them."""
    return [kernels[i].name.decode() for i in range(kernel_count)]


def use_kernel(str name not None):
    """Compute with this instruction set from now on. Raises ValueError for one that the machine does not run."""
    global kernel
    for i in range(kernel_count):
        if kernels[i].name.decode() == name:
            kernel = &kernels[i]
            return
    raise ValueError(f"this machine's kernels are {', '.join(kernel_names())}, not {name}")


cdef class Network:
    """The weights of a file, ready for the search. They do not change, and any number of searchers can share them.

    path: of the file; rule: the rule that it must be for, by number or name. Raises ValueError, in one sentence, for a
    file that holds no network, one of another rule, and one whose line patterns meant something else; OSError when it
    cannot be read.
    """

    def __cinit__(self, path, rule):
        rule = rule_number(rule)
        self.path = str(path)
        self.rule = rule
        read = read_network(self.path)
        if read.rule != rule:
            raise ValueError(f"{self.path} is a network for rule {read.rule}, not {rule}")
        if read.patterns != patterns_signature(rule):
            raise ValueError(f"{self.path} was trained with line patterns that this engine does not have")
        self.weights = <NetworkWeights*>allocate_aligned(sizeof(NetworkWeights))
        self.masks = <i16*>allocate_aligned(len(read.mask) * sizeof(i16))
        if self.weights == NULL or self.masks == NULL:
            raise MemoryError("no memory for a network")
        fill_weights(self.weights, self.masks, read)
        self.source = read.without_tables()

    def __dealloc__(self):
        free_aligned(self.masks)
        free_aligned(self.weights)

    @property
    def card(self):
        """The card of the file, a dict: the commands that made the network, its data and its losses."""
        return self.source.card


cdef int fill_weights(NetworkWeights* weights, i16* masks, read) except -1:
    """Lay the tables of a file out as the kernels want them."""
    cdef const i16[::1] table = read.table, mask = read.mask, window = read.window, first = read.first
    cdef const i16[::1] second = read.second, output = read.output
    cdef const i32[::1] bias = read.second_bias, window_bias = read.window_bias
    global read_networks
    cdef int views = read.views, view, own, other, i, neuron, source
    memcpy(masks, &mask[0], mask.shape[0] * sizeof(i16))
    for view in range(2):
        source = view if views == 2 else 0
        for own in range(LINE_PATTERNS):
            for other in range(LINE_PATTERNS):
                memcpy(&weights.table[view][other << 4 | own if view == BLACK else own << 4 | other][0],
                       &table[((source * LINE_PATTERNS + own) * LINE_PATTERNS + other) * NETWORK_WIDTH],
                       NETWORK_WIDTH * sizeof(i16))
        for i in range(NETWORK_WIDTH):
            weights.table[view][NETWORK_ABSENT][i] = ABSENT_VALUE
        weights.mask[view] = <i16 (*)[NETWORK_WIDTH]>&masks[source * THREAT_MASKS * NETWORK_WIDTH]
    for neuron in range(NETWORK_WINDOW):
        for i in range(NETWORK_SEEN):
            weights.window[i // 2][neuron][i % 2] = window[neuron * NETWORK_SEEN + i]
        weights.window_bias[neuron] = window_bias[neuron]
    for neuron in range(NETWORK_WIDTH):
        for i in range(NETWORK_INPUTS):
            weights.first[i // 2][neuron][i % 2] = first[neuron * NETWORK_INPUTS + i]
        for i in range(NETWORK_WIDTH):
            weights.second[i // 2][neuron][i % 2] = second[neuron * NETWORK_WIDTH + i]
        weights.second_bias[neuron] = bias[neuron]
        weights.output[neuron] = output[neuron]
    weights.output_bias = read.output_bias[0]
    weights.limit = read.limit
    weights.has_base = read.base == "classical"
    read_networks += 1
    weights.number = read_networks * <u64>0x9E3779B97F4A7C15
    return 0


shipped = Shipped(Network, shipped_path)


def shipped_network(rule):
    """The network that comes with the package for a rule, read once; None when there is none that can be used.

    Raises ValueError for a rule that does not exist.
    """
    return shipped.weights(rule_number(rule))


def network_problem(rule):
    """Why the network of a rule cannot be used, in one sentence; None when it can be used, or when there is none.

    rule: its number or its name. Raises ValueError for a rule that does not exist.

    >>> network_problem("renju") is None
    True
    """
    return shipped.problem(rule_number(rule))


cdef class Evaluator:
    """The static evaluation of boards, as the search computes it: for training, and for comparison with a slow twin.

    network: None for the classical evaluation. One object may follow one board through moves and undos, and is quick
    then, or go from board to board.
    """
    cdef Network network
    cdef Sums* stack

    def __cinit__(self, Network network=None):
        self.network = network
        self.stack = <Sums*>allocate_aligned((MAX_PLIES + 1) * sizeof(Sums))
        if self.stack == NULL:
            raise MemoryError("no memory for an evaluator")

    def __dealloc__(self):
        free_aligned(self.stack)

    def score(self, Board board not None):
        """Centipoints for the side to move. Threats are not played out: a five to be blocked counts like any other.

        Raises ValueError for a board of another rule than the network's.
        """
        if self.network is not None and self.network.rule != board.position.rule.number:
            raise ValueError(f"a network for rule {self.network.rule} does not evaluate boards of rule {board.rule}")
        return static_score(NULL if self.network is None else self.network.weights, self.stack, board.position)
