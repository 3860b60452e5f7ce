"""The sums of the network's cell features, and their gradient: what of its training is too slow as matrices.

A feature is a cell's four rows of the table added up, clamped between 0 and a limit, in 32 numbers; the sums are over
the empty cells of a position and of the one a ply before. See network_cells.pyx for the arrays of cells.

The loops are C, so that they exist twice: for the processors that the package is built for, and for those with AVX2,
chosen at run time. Both add in the same order and round alike.
"""
from engine.types cimport *

import numpy as np

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #if defined(__GNUC__)
    #define TENGEN_INLINE static inline __attribute__((always_inline))
    #else
    #define TENGEN_INLINE static inline
    #endif
    #define DEPTH 32

    typedef struct {
        const uint32_t* cells; const uint8_t* times; const int64_t* starts; const uint16_t* runs; const uint8_t* views;
        const float* table;
        float limit;
    } Tengen_cells;

    TENGEN_INLINE void tengen_feature(const float* table, uint32_t cell, float* sum) {
        const float* a = table + DEPTH * (cell & 255);
        const float* b = table + DEPTH * (cell >> 8 & 255);
        const float* c = table + DEPTH * (cell >> 16 & 255);
        const float* d = table + DEPTH * (cell >> 24);
        for (int i = 0; i < DEPTH; i++) sum[i] = (a[i] + b[i]) + (c[i] + d[i]);
    }

    TENGEN_INLINE void tengen_add_run(const Tengen_cells* p, const float* table, int64_t from, int64_t to,
                                      float* total) {
        float own[DEPTH], sum[DEPTH];
        memcpy(own, total, sizeof own);
        for (int64_t at = from; at < to; at++) {
            const float times = p->times[at];
            tengen_feature(table, p->cells[at], sum);
            for (int i = 0; i < DEPTH; i++) {
                float feature = sum[i] > 0.0f ? sum[i] : 0.0f;
                feature = feature < p->limit ? feature : p->limit;
                own[i] += times * feature;
            }
        }
        memcpy(total, own, sizeof own);
    }

    TENGEN_INLINE void tengen_push_run(const Tengen_cells* p, const float* table, int64_t from, int64_t to,
                                       const float* above, float* gradient) {
        float sum[DEPTH], part[DEPTH];
        for (int64_t at = from; at < to; at++) {
            const uint32_t cell = p->cells[at];
            const float times = p->times[at];
            tengen_feature(table, cell, sum);
            // A product with 0 or 1: a branch would cost twenty times as much.
            for (int i = 0; i < DEPTH; i++)
                part[i] = times * above[i] * (float)((sum[i] > 0.0f) & (sum[i] < p->limit));
            for (int k = 0; k < 32; k += 8) {
                float* row = gradient + DEPTH * (cell >> k & 255);
                for (int i = 0; i < DEPTH; i++) row[i] += part[i];
            }
        }
    }

    TENGEN_INLINE void tengen_forward_body(const Tengen_cells* p, const int64_t* chosen, int64_t count, float* sums) {
        for (int64_t n = 0; n < count; n++) {
            const int64_t which = chosen[n], first = p->starts[which];
            const int64_t second = first + p->runs[3 * which], third = second + p->runs[3 * which + 1];
            const float* table = p->table + 256 * DEPTH * p->views[which];
            float* now = sums + 2 * DEPTH * n;
            float* before = now + DEPTH;
            memset(now, 0, DEPTH * sizeof(float));
            tengen_add_run(p, table, first, second, now);
            memcpy(before, now, DEPTH * sizeof(float));
            tengen_add_run(p, table, second, third, now);
            tengen_add_run(p, table, third, p->starts[which + 1], before);
        }
    }

    TENGEN_INLINE void tengen_backward_body(const Tengen_cells* p, const int64_t* chosen, int64_t count,
                                            const float* above, float* gradient) {
        float both[DEPTH];
        for (int64_t n = 0; n < count; n++) {
            const int64_t which = chosen[n], first = p->starts[which];
            const int64_t second = first + p->runs[3 * which], third = second + p->runs[3 * which + 1];
            const int64_t view = 256 * DEPTH * p->views[which];
            const float* now = above + 2 * DEPTH * n;
            const float* before = now + DEPTH;
            for (int i = 0; i < DEPTH; i++) both[i] = now[i] + before[i];
            tengen_push_run(p, p->table + view, first, second, both, gradient + view);
            tengen_push_run(p, p->table + view, second, third, now, gradient + view);
            tengen_push_run(p, p->table + view, third, p->starts[which + 1], before, gradient + view);
        }
    }

    #if defined(__GNUC__) && defined(__x86_64__)
    #define TENGEN_WIDE __attribute__((target("avx2")))
    TENGEN_WIDE static void tengen_forward_wide(const Tengen_cells* p, const int64_t* chosen, int64_t count,
                                                float* sums) {
        tengen_forward_body(p, chosen, count, sums);
    }
    TENGEN_WIDE static void tengen_backward_wide(const Tengen_cells* p, const int64_t* chosen, int64_t count,
                                                 const float* above, float* gradient) {
        tengen_backward_body(p, chosen, count, above, gradient);
    }
    static int tengen_has_wide(void) { return __builtin_cpu_supports("avx2") != 0; }
    #else
    #define tengen_forward_wide tengen_forward_body
    #define tengen_backward_wide tengen_backward_body
    static int tengen_has_wide(void) { return 0; }
    #endif

    static void tengen_forward(const Tengen_cells* p, const int64_t* chosen, int64_t count, float* sums, int wide) {
        if (wide) tengen_forward_wide(p, chosen, count, sums);
        else tengen_forward_body(p, chosen, count, sums);
    }
    static void tengen_backward(const Tengen_cells* p, const int64_t* chosen, int64_t count, const float* above,
                                float* gradient, int wide) {
        if (wide) tengen_backward_wide(p, chosen, count, above, gradient);
        else tengen_backward_body(p, chosen, count, above, gradient);
    }
    """
    ctypedef struct Tengen_cells:
        const u32* cells
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

    cells, times: of all positions; starts: int64 [n + 1], where each position's begin; runs: uint16 [n, 3]; views:
    uint8 [n], which table of several a position is read with. `is_wide`: whether the AVX2 loops run; tests turn it off.
    """
    cdef readonly object arrays
    cdef Tengen_cells held
    cdef public bint is_wide
    cdef i64 count
    cdef int view_count

    def __init__(self, const u32[::1] cells not None, const u8[::1] times not None, const i64[::1] starts not None,
                 const u16[:, ::1] runs not None, const u8[::1] views not None):
        self.count = runs.shape[0]
        self.view_count = int(np.max(views, initial=0)) + 1
        lengths = np.asarray(runs).sum(axis=1, dtype=np.int64)
        if (starts.shape[0] != self.count + 1 or views.shape[0] != self.count or runs.shape[1] != 3
                or cells.shape[0] != times.shape[0] or self.count == 0 or cells.shape[0] == 0
                or starts[0] != 0 or starts[self.count] != cells.shape[0]
                or not np.array_equal(np.diff(np.asarray(starts)), lengths)):
            raise ValueError("the arrays of the cells do not belong together")
        self.arrays = (cells, times, starts, runs, views)  # kept alive
        self.held.cells = &cells[0]
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
        if table.shape[0] < self.view_count or table.shape[1] != 256 or table.shape[2] != 32:
            raise ValueError("the table is not one of [views, 256, 32]")
        return 0

    def forward(self, const i64[::1] chosen, const float[:, :, ::1] table, float limit):
        """The sums of the chosen positions, now and a ply ago: float32 [chosen, 2, 32]. table: [views, 256, 32]."""
        self.check(chosen, table)
        found = np.empty((chosen.shape[0], 2, 32), dtype=np.float32)
        if not chosen.shape[0]:
            return found
        cdef float[:, :, ::1] sums = found
        cdef Tengen_cells held = self.held
        held.table = &table[0, 0, 0]
        held.limit = limit
        with nogil:
            tengen_forward(&held, &chosen[0], chosen.shape[0], &sums[0, 0, 0], self.is_wide)
        return found

    def backward(self, const i64[::1] chosen, const float[:, :, ::1] table, float limit,
                 const float[:, :, ::1] above):
        """What `above`, the gradient of the sums, means for the table: float32 [views, 256, 32]."""
        self.check(chosen, table)
        if above.shape[0] != chosen.shape[0] or above.shape[1] != 2 or above.shape[2] != 32:
            raise ValueError("the gradient is not one of these sums")
        found = np.zeros((table.shape[0], 256, 32), dtype=np.float32)
        if not chosen.shape[0]:
            return found
        cdef float[:, :, ::1] gradient = found
        cdef Tengen_cells held = self.held
        held.table = &table[0, 0, 0]
        held.limit = limit
        with nogil:
            tengen_backward(&held, &chosen[0], chosen.shape[0], &above[0, 0, 0], &gradient[0, 0, 0], self.is_wide)
        return found
