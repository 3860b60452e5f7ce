# The policy: the order of the moves that the tables of pattern codes rate nearly the same.
#
# It looks at a node a ply deep or more where the side to move is free, and there at the cells that the tables
# rate best. Each cell looks up a row of 16 numbers for each of its four directions, by the line patterns of both
# sides. The four rows add up to its features, cut off below 0. What a feature is worth depends on the node: an open
# two is worth more if neither side has a three. So the features of all these cells, added up, go through a small
# layer that gives the worth of each of the 16 in this node. The distances from the last four stones bring points of
# their own.
#
#     feature = clamp(table[row of direction 0] + ... + table[row of direction 3], 0, 511)
#     worth   = clamp(base + (layer . sum of the features over the cells) >> 12, -8191, 8191)
#     points  = clamp((worth . features) >> 10 + nearness[0][distance from the last stone] + ..., -1000, 1000)
#
# The points are added to those of the tables, and are in their units. All of it is integers, and policy.h computes it.
from engine.moves cimport MoveList
from engine.policy_shape cimport *
from engine.position cimport Position
from engine.types cimport *

cdef extern from "policy.h":
    ctypedef struct PolicyWeights:
        i16[2][256][POLICY_WIDTH] table
        i16[POLICY_WIDTH // 2][POLICY_WIDTH][2] layer
        i32[POLICY_WIDTH] base
        i16[POLICY_STONES][POLICY_DISTANCES] nearness
    ctypedef struct PolicyCell:
        u32 rows
        u8[POLICY_STONES] distance
    void policy_points(const PolicyWeights* weights, int side, const PolicyCell* cells, int count,
                       i32* points) noexcept nogil

cdef int choose_cells(const MoveList* list, int* chosen) noexcept nogil
cdef enum:
    NO_STONE = -CELLS            # far from every cell

# By the difference of the positions of a cell and a stone, and CELLS: the kind of their distance.
cdef u8[3 * CELLS] distances

cdef void find_stones(const Position* p, int* stones) noexcept nogil

cdef inline PolicyCell policy_cell(const Position* p, int position, const int* stones) noexcept nogil:
    # An empty cell as a policy sees it.
    cdef PolicyCell cell
    cdef int i
    cell.rows = p.cells[position].rows
    for i in range(POLICY_STONES):
        cell.distance[i] = distances[CELLS + position - stones[i]]
    return cell

cdef void add_policy(const PolicyWeights* weights, const Position* p, MoveList* list) noexcept nogil

cdef class Policy:
    cdef PolicyWeights* weights
    cdef readonly str path
    cdef readonly int rule
    cdef object source           # what was read, for its card
