/* The arithmetic of a policy; policy.pxd says what it computes. It is plain C, in loops that compilers turn into vectors:
   the same integers on every machine. */
#ifndef TENGEN_POLICY_H
#define TENGEN_POLICY_H

#include <stdint.h>

/* The shape, and the limits and shifts of its integers. constants.pyx hands them to Python. */
#define POLICY_WIDTH 16            /* features of a cell */
#define POLICY_CELLS 18            /* cells of a node that a policy looks at, at most */
#define POLICY_WITHIN 150          /* ordering points by which the tables may rate them below the best */
#define POLICY_STONES 4            /* last stones whose distance counts */
#define POLICY_DISTANCES 36        /* kinds of distances: 0 is far away, see policy.pyx:fill_distances */
#define POLICY_FEATURE_LIMIT 511   /* of a feature; the least is 0 */
#define POLICY_WORTH_LIMIT 8191    /* of what a feature is worth, up or down */
#define POLICY_POINTS_LIMIT 1000   /* of a cell's points, up or down */
#define POLICY_LAYER_SHIFT 12      /* the sum of weights times inputs, to a worth */
#define POLICY_POINTS_SHIFT 10     /* the sum of features times their worth, to ordering points */

typedef struct {
    int16_t table[2][256][POLICY_WIDTH];                       /* by the side to move; the row as in a cell's `rows` */
    int16_t layer[POLICY_WIDTH][POLICY_WIDTH];                 /* [whose worth][input] */
    int32_t base[POLICY_WIDTH];
    int16_t nearness[POLICY_STONES][POLICY_DISTANCES];
} PolicyWeights;

typedef struct {
    uint32_t rows;                                             /* of the four directions, a byte each */
    uint8_t distance[POLICY_STONES];                           /* from the last stone, from the one before, ... */
} PolicyCell;

static inline int32_t policy_limited(int32_t value, int32_t limit) {
    return value < -limit ? -limit : value > limit ? limit : value;
}

/* The ordering points of up to POLICY_CELLS cells of a node. */
static inline void policy_points(const PolicyWeights *weights, int side, const PolicyCell *cells, int count,
                                 int32_t *points) {
    int16_t features[POLICY_CELLS][POLICY_WIDTH], sums[POLICY_WIDTH] = {0}, worth[POLICY_WIDTH];
    const int16_t (*table)[POLICY_WIDTH] = weights->table[side];
    int32_t total;
    int n, i, k;
    for (n = 0; n < count; n++) {
        const uint32_t rows = cells[n].rows;
        const int16_t *a = table[rows & 255], *b = table[rows >> 8 & 255];
        const int16_t *c = table[rows >> 16 & 255], *d = table[rows >> 24];
        for (i = 0; i < POLICY_WIDTH; i++) {
            int16_t value = (int16_t)(a[i] + b[i] + c[i] + d[i]);
            value = value > 0 ? value : 0;
            value = value < POLICY_FEATURE_LIMIT ? value : POLICY_FEATURE_LIMIT;
            features[n][i] = value;
            sums[i] = (int16_t)(sums[i] + value);
        }
    }
    for (k = 0; k < POLICY_WIDTH; k++) {
        total = 0;
        for (i = 0; i < POLICY_WIDTH; i++) total += weights->layer[k][i] * sums[i];
        worth[k] = (int16_t)policy_limited(weights->base[k] + (total >> POLICY_LAYER_SHIFT), POLICY_WORTH_LIMIT);
    }
    for (n = 0; n < count; n++) {
        total = 0;
        for (i = 0; i < POLICY_WIDTH; i++) total += features[n][i] * worth[i];
        total >>= POLICY_POINTS_SHIFT;
        for (i = 0; i < POLICY_STONES; i++) total += weights->nearness[i][cells[n].distance[i]];
        points[n] = policy_limited(total, POLICY_POINTS_LIMIT);
    }
}

#endif
