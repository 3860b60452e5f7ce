"""The sums of the network's cell features, and their gradient: what of its training is too slow as matrices.

A feature is a cell's four rows of the table added up, clamped between 0 and a limit, in NETWORK_WIDTH numbers; the sums
are over the empty cells of each region of a position's board, and over all of those of the position a ply before. See
network_cells.pyx for the arrays of cells.

The loops are C, in network_sums.h, so that they exist twice: for the processors that the package is built for, and for
those with AVX2, chosen at run time. Both add in the same order and round in the same way.
"""
from libc.stdlib cimport calloc, free

from engine.network_shape cimport *
from engine.types cimport *

import numpy as np

cdef extern from "training/network_sums.h":
    enum:
        NETWORK_SUMS
    ctypedef struct Tengen_columns:
        const u32* cells
        const u8* regions
        const u8* times
    ctypedef struct Tengen_cells:
        const Tengen_columns* columns
        const u16* parts
        const i64* starts
        const u16* runs
        const u8* views
        const float* table
        float limit
    bint tengen_has_wide() noexcept nogil
    void tengen_forward(const Tengen_cells*, const i64*, i64, float*, bint) noexcept nogil
    void tengen_backward(const Tengen_cells*, const i64*, i64, const float*, float*, bint) noexcept nogil

cdef enum:
    MOST_PARTS = 65535           # a position keeps the number of its part in two bytes

cdef bint has_wide = tengen_has_wide()


cdef class Cells:
    """The cells of many positions, as read_positions gives them, and the sums over them.

    parts: each with the cells, regions, times and number of its positions; the arrays may be mapped files. runs: uint16
    [n, 3], of the positions of all parts; views: uint8 [n], which table of several a position is read with. `is_wide`:
    whether the AVX2 loops run; tests turn it off.
    """
    cdef readonly object arrays
    cdef Tengen_columns* columns
    cdef Tengen_cells held
    cdef public bint is_wide
    cdef i64 count
    cdef int view_count

    def __cinit__(self, parts not None, const u16[:, ::1] runs not None, const u8[::1] views not None):
        cdef const u32[::1] cells
        cdef const u8[::1] regions
        cdef const u8[::1] times
        cdef const i64[::1] starts
        cdef const u16[::1] places
        cdef i64 first = 0, size
        cdef int number
        self.count = runs.shape[0]
        self.view_count = int(np.max(views, initial=0)) + 1
        if views.shape[0] != self.count or runs.shape[1] != 3 or not 0 < len(parts) <= MOST_PARTS or self.count == 0:
            raise ValueError("the arrays of the cells do not belong together")
        lengths = np.asarray(runs).sum(axis=1, dtype=np.int64)
        self.columns = <Tengen_columns*>calloc(len(parts), sizeof(Tengen_columns))
        if self.columns == NULL:
            raise MemoryError("no memory for the columns")
        kept, begins = [], []
        for number, (cells, regions, times, positions) in enumerate(parts):
            size = cells.shape[0]
            own = lengths[first : first + positions]
            if (regions.shape[0] != size or times.shape[0] != size or len(own) != positions
                    or own.sum() != size or np.max(regions, initial=0) >= NETWORK_REGIONS):
                raise ValueError("the arrays of the cells do not belong together")
            if size:
                self.columns[number].cells = &cells[0]
                self.columns[number].regions = &regions[0]
                self.columns[number].times = &times[0]
            kept.append((cells, regions, times))
            begins.append(np.cumsum(own) - own)
            first += positions
        if first != self.count:
            raise ValueError("the arrays of the cells do not belong together")
        starts = np.concatenate(begins)
        places = np.repeat(np.arange(len(parts), dtype=np.uint16), [len(part) for part in begins])
        self.arrays = (kept, places, starts, runs, views)  # kept alive
        self.held.columns = self.columns
        self.held.parts = &places[0]
        self.held.starts = &starts[0]
        self.held.runs = &runs[0, 0]
        self.held.views = &views[0]
        self.is_wide = has_wide

    def __dealloc__(self):
        free(self.columns)

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
        """The gradient of the table from `above`, the gradient of the sums: float32, with the table's shape."""
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
