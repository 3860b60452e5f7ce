// The sums of the network's cell features over many positions, and their gradient, in floats: for training alone. The
// arrays are those of network_cells.pyx; a table is [views][NETWORK_ROWS][NETWORK_WIDTH], its row the byte of a
// direction.
//
// Each loop has one body, compiled twice: for the processors that the package is built for, and for AVX2, which is
// twice as fast. Nothing is contracted to fused operations, so both round in the same way.
#ifndef TENGEN_NETWORK_SUMS_H
#define TENGEN_NETWORK_SUMS_H

#include <stdint.h>
#include <string.h>

#include "network_shape.h"

#if defined(__GNUC__)
#define TENGEN_INLINE static inline __attribute__((always_inline))
#else
#define TENGEN_INLINE static inline
#endif
#define NETWORK_SUMS (NETWORK_REGIONS + 1)   // of a position: of each region now, and of the board a ply ago

typedef struct {
    const uint32_t* cells;   // of the positions of a part, a position's three runs one after the other
    const uint8_t* regions;  // where on the board each cell lies
    const uint8_t* times;    // how often each cell counts
} Tengen_columns;

typedef struct {
    const Tengen_columns* columns;  // of each part
    const uint16_t* parts;   // the part that a position is in
    const int64_t* starts;   // where a position's cells begin in the columns of its part
    const uint16_t* runs;    // [3] a position: the lengths of its runs
    const uint8_t* views;    // which table a position is read with
    const float* table;
    float limit;             // of a feature
} Tengen_cells;

// The four rows of a cell added up.
TENGEN_INLINE void tengen_feature(const float* table, uint32_t cell, float* sum) {
    const float* a = table + NETWORK_WIDTH * (cell & 255);
    const float* b = table + NETWORK_WIDTH * (cell >> 8 & 255);
    const float* c = table + NETWORK_WIDTH * (cell >> 16 & 255);
    const float* d = table + NETWORK_WIDTH * (cell >> 24);
    for (int i = 0; i < NETWORK_WIDTH; i++) sum[i] = (a[i] + b[i]) + (c[i] + d[i]);
}

// Add a run of cells to the sums of features of their regions, which lie so far apart; at 0 they have one sum together.
TENGEN_INLINE void tengen_add_run(const Tengen_columns* p, const float* table, float limit, int64_t from, int64_t to,
                                  int apart, float* sums) {
    float sum[NETWORK_WIDTH];
    for (int64_t at = from; at < to; at++) {
        const float times = p->times[at];
        float* own = sums + apart * p->regions[at];
        tengen_feature(table, p->cells[at], sum);
        for (int i = 0; i < NETWORK_WIDTH; i++) {
            float feature = sum[i] > 0.0f ? sum[i] : 0.0f;
            feature = feature < limit ? feature : limit;
            own[i] += times * feature;
        }
    }
}

// Add to the gradient of the table what those of the sums mean for it: of the regions, `above`, and one for all cells.
TENGEN_INLINE void tengen_push_run(const Tengen_columns* p, const float* table, float limit, int64_t from, int64_t to,
                                   const float* above, const float* all, float* gradient) {
    float sum[NETWORK_WIDTH], part[NETWORK_WIDTH];
    for (int64_t at = from; at < to; at++) {
        const uint32_t cell = p->cells[at];
        const float times = p->times[at];
        const float* region = above + NETWORK_WIDTH * p->regions[at];
        tengen_feature(table, cell, sum);
        // A product with 0 or 1: a branch would cost twenty times as much.
        for (int i = 0; i < NETWORK_WIDTH; i++)
            part[i] = times * (region[i] + all[i]) * (float)((sum[i] > 0.0f) & (sum[i] < limit));
        for (int k = 0; k < 32; k += 8) {
            float* row = gradient + NETWORK_WIDTH * (cell >> k & 255);
            for (int i = 0; i < NETWORK_WIDTH; i++) row[i] += part[i];
        }
    }
}

// sums: [count][NETWORK_SUMS][NETWORK_WIDTH]
TENGEN_INLINE void tengen_forward_body(const Tengen_cells* p, const int64_t* chosen, int64_t count, float* sums) {
    for (int64_t n = 0; n < count; n++) {
        const int64_t which = chosen[n], first = p->starts[which];
        const int64_t second = first + p->runs[3 * which], third = second + p->runs[3 * which + 1];
        const int64_t end = third + p->runs[3 * which + 2];
        const Tengen_columns* part = p->columns + p->parts[which];
        const float* table = p->table + NETWORK_ROWS * NETWORK_WIDTH * p->views[which];
        float* now = sums + NETWORK_SUMS * NETWORK_WIDTH * n;
        float* before = now + NETWORK_REGIONS * NETWORK_WIDTH;
        memset(now, 0, NETWORK_SUMS * NETWORK_WIDTH * sizeof(float));
        tengen_add_run(part, table, p->limit, first, second, NETWORK_WIDTH, now);
        for (int region = 0; region < NETWORK_REGIONS; region++)
            for (int i = 0; i < NETWORK_WIDTH; i++) before[i] += now[NETWORK_WIDTH * region + i];
        tengen_add_run(part, table, p->limit, second, third, NETWORK_WIDTH, now);
        tengen_add_run(part, table, p->limit, third, end, 0, before);
    }
}

TENGEN_INLINE void tengen_backward_body(const Tengen_cells* p, const int64_t* chosen, int64_t count,
                                        const float* above, float* gradient) {
    const float none[NETWORK_SUMS * NETWORK_WIDTH] = {0};
    for (int64_t n = 0; n < count; n++) {
        const int64_t which = chosen[n], first = p->starts[which];
        const int64_t second = first + p->runs[3 * which], third = second + p->runs[3 * which + 1];
        const int64_t end = third + p->runs[3 * which + 2];
        const Tengen_columns* part = p->columns + p->parts[which];
        const int64_t view = NETWORK_ROWS * NETWORK_WIDTH * p->views[which];
        const float* table = p->table + view;
        const float* now = above + NETWORK_SUMS * NETWORK_WIDTH * n;
        const float* before = now + NETWORK_REGIONS * NETWORK_WIDTH;
        tengen_push_run(part, table, p->limit, first, second, now, before, gradient + view);
        tengen_push_run(part, table, p->limit, second, third, now, none, gradient + view);
        tengen_push_run(part, table, p->limit, third, end, none, before, gradient + view);
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

#endif
