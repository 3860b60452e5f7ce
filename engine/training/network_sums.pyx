"""The sums of the network's cell features, and their gradient: what of its training is too slow as matrices.

A feature is a cell's four rows of the table added up, clamped between 0 and a limit, in NETWORK_WIDTH numbers; the sums
are over the empty cells of each region of a position's board, and over all of those of the position a ply before. See
network_cells.pyx for the arrays of cells.

The loops are C, in network_sums.h, so that they exist twice: for the processors that the package is built for, and for
those with AVX2, chosen at run time. Both add in the same order and round in the same way.
"""
from engine.network_shape cimport *
from engine.types cimport *

import numpy as np

cdef extern from "training/network_sums.h":
    enum:
        NETWORK_SUMS
    ctypedef struct Tengen_cells:
        const u32* cells
        const u8* regions
        const u8* times
        const i64* starts
        const u16* runs
        const u8* views
        const float* table
        float limit
    bint tengen_has_wide() noexcept nogil
    void tengen_forward(const Tengen_cells*, const i64*, i64, float*, bint) noexcept nogil
    void tengen_backward(const Tengen_cells*, const i64*, i64, const float*, float*, bint) noexcept nogil

cdef bint has_wide = tengen_has_wide()


cdef class Cells:
    """The cells of many positions, as read_positions gives them, and the sums over them.

    cells, regions, times: of all positions; starts: int64 [n + 1], where each position's begin; runs: uint16 [n, 3];
    views: uint8 [n], which table of several a position is read with. `is_wide`: whether the AVX2 loops run; tests turn
    it off.
    """
    cdef readonly object arrays
    cdef Tengen_cells held
    cdef public bint is_wide
    cdef i64 count
    cdef int view_count

    def __init__(self, const u32[::1] cells not None, const u8[::1] regions not None, const u8[::1] times not None,
                 const i64[::1] starts not None, const u16[:, ::1] runs not None, const u8[::1] views not None):
        self.count = runs.shape[0]
        self.view_count = int(np.max(views, initial=0)) + 1
        lengths = np.asarray(runs).sum(axis=1, dtype=np.int64)
        if (starts.shape[0] != self.count + 1 or views.shape[0] != self.count or runs.shape[1] != 3
                or cells.shape[0] != times.shape[0] or cells.shape[0] != regions.shape[0]
                or self.count == 0 or cells.shape[0] == 0
                or starts[0] != 0 or starts[self.count] != cells.shape[0]
                or not np.array_equal(np.diff(np.asarray(starts)), lengths) or np.max(regions) >= NETWORK_REGIONS):
            raise ValueError("the arrays of the cells do not belong together")
        self.arrays = (cells, regions, times, starts, runs, views)  # kept alive
        self.held.cells = &cells[0]
        self.held.regions = &regions[0]
        self.held.times = &times[0]
        self.held.starts = &starts[0]
        self.held.runs = &runs[0, 0]
        self.held.views = &views[0]
        self.is_wide = has_wide

    cdef int check(self, const i64[::1] chosen, const float[:, :, ::1] table) except -1:
        cdef Py_ssize_t n
        for n in range(chosen.shape[0]):
            if not 0 <= chosen[n] < self.count:
                raise IndexError(f"position {chosen[n]} of {self.count}")
        if table.shape[0] < self.view_count or table.shape[1] != NETWORK_ROWS or table.shape[2] != NETWORK_WIDTH:
            raise ValueError(f"the table is not one of [views, {NETWORK_ROWS}, {NETWORK_WIDTH}]")
        return 0

    def forward(self, const i64[::1] chosen, const float[:, :, ::1] table, float limit):
        """The sums of the chosen positions, of each region now and of the board a ply ago.

        They are float32 [chosen, NETWORK_SUMS, NETWORK_WIDTH]; table: [views, NETWORK_ROWS, NETWORK_WIDTH].
        """
        self.check(chosen, table)
        found = np.empty((chosen.shape[0], NETWORK_SUMS, NETWORK_WIDTH), dtype=np.float32)
        if not chosen.shape[0]:
            return found
        cdef float[:, :, ::1] sums = found
        cdef Tengen_cells held = self.held
        held.table = &table[0, 0, 0]
        held.limit = limit
        with nogil:
            tengen_forward(&held, &chosen[0], chosen.shape[0], &sums[0, 0, 0], has_wide and self.is_wide)
        return found

    def backward(self, const i64[::1] chosen, const float[:, :, ::1] table, float limit,
                 const float[:, :, ::1] above):
        """What `above`, the gradient of the sums, means for the table: float32, of its shape."""
        self.check(chosen, table)
        if above.shape[0] != chosen.shape[0] or above.shape[1] != NETWORK_SUMS or above.shape[2] != NETWORK_WIDTH:
            raise ValueError("the gradient is not one of these sums")
        found = np.zeros((table.shape[0], NETWORK_ROWS, NETWORK_WIDTH), dtype=np.float32)
        if not chosen.shape[0]:
            return found
        cdef float[:, :, ::1] gradient = found
        cdef Tengen_cells held = self.held
        held.table = &table[0, 0, 0]
        held.limit = limit
        with nogil:
            tengen_backward(&held, &chosen[0], chosen.shape[0], &above[0, 0, 0], &gradient[0, 0, 0],
                            has_wide and self.is_wide)
        return found
