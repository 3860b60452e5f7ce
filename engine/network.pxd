# The learned evaluation: a small network over the line patterns that the board keeps anyway.
#
# Every empty cell looks up a row of 32 numbers for each of its four directions, by the line patterns of the side whose
# view it is and of the other side; the rows add up to the cell's feature, cut off below 0. The sums of the features
# over the board, now and a ply ago, both seen by the side to move, go through two layers of 32 neurons to a score.
# Which threats are on the board chooses the biases of the first layer.
#
# A sum over the board does not say what lies close together. So the board is also cut into 5 x 5 regions, and the sums
# of now over each window of 2 x 2 regions go through 8 neurons, the same ones for all 16 windows; what they say, added
# up over the windows, are 8 more inputs. They see half of the channels, which costs half and loses next to nothing.
#
#     feature = clamp(table[row of direction 0] + ... + table[row of direction 3], 0, 511)
#     seen    = clamp((window . (window's sums >> 2) + bias) >> 10, 0, 4095)
#     inputs  = min(sums >> 3, 8191)                           72 of them: those of now, of a ply ago, and of `seen`
#     first   = clamp((first . inputs + mask << 10) >> 10, 0, 4095)
#     second  = clamp((second . first + bias) >> 10, 0, 4095)
#     score   = (output . second + bias) >> 10                 centipoints
#
# All of it is integers, the same on every machine. The sums are kept by ply: a move changes the features of some 25
# cells, those that the board saved to be able to undo it, so that the sums of a position come from those of the one
# before it. They are caught up with when a position is evaluated, and not before.
from engine.evaluate cimport evaluate
from engine.network_shape cimport *
from engine.position cimport Position
from engine.types cimport *

cdef extern from "network_weights.h":
    ctypedef struct NetworkWeights:
        i16[2][NETWORK_ROWS][NETWORK_WIDTH] table
        i16[NETWORK_INPUTS // 2][NETWORK_WIDTH][2] first
        i16[NETWORK_WIDTH // 2][NETWORK_WIDTH][2] second
        i32[NETWORK_WIDTH] second_bias
        i16[NETWORK_SEEN // 2][NETWORK_WINDOW][2] window
        i32[NETWORK_WINDOW] window_bias
        i16[NETWORK_WIDTH] output
        i16 (*mask[2])[NETWORK_WIDTH]
        i32 output_bias
        i32 limit
        u64 number
        i32 has_base
    ctypedef struct NetworkSums:
        i32[NETWORK_WIDTH] total
        i16[NETWORK_REGIONS][NETWORK_SEEN] regions

# The features of a position as one side sees them, summed over its empty cells.
cdef struct View:
    NetworkSums sums
    u64 key                      # of the position and the network that they belong to
    u64[3] unused                # the next one's vectors begin where a vector should

# A ply's two views, by colour. Each is made when it is asked for: most positions are left again after one was.
cdef struct Sums:
    View[2] views

# By a board's width or height and a coordinate with its border: which of NETWORK_SIDE parts it lies in.
cdef u8[MAX_SIZE + 1][STRIDE] parts

cdef inline u8 region_of(int width, int height, int position) noexcept nogil:
    # Which of the board's regions a cell lies in, row by row.
    return <u8>(NETWORK_SIDE * parts[height][position >> 5] + parts[width][position & (STRIDE - 1)])

cdef void* allocate_aligned(size_t bytes) noexcept nogil
cdef void free_aligned(void* memory) noexcept nogil

cdef int network_score(const NetworkWeights* weights, Sums* stack, const Position* p) noexcept nogil

cdef inline int static_score(const NetworkWeights* weights, Sums* stack, const Position* p) noexcept nogil:
    # The static evaluation: the classical one without a network. Centipoints for the side to move, within +-EVAL_LIMIT.
    # stack: [MAX_PLIES + 1], of the search; old entries of other positions or networks do no harm.
    if weights == NULL:
        return evaluate(p)
    cdef int score = network_score(weights, stack, p)
    if weights.has_base:
        score += evaluate(p)
    return min(max(score, -EVAL_LIMIT), EVAL_LIMIT)

cdef class Network:
    cdef NetworkWeights* weights
    cdef i16* masks              # that `weights` points into
    cdef object source           # what was read, for its card
    cdef readonly str path
    cdef readonly int rule
