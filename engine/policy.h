/* The arithmetic of a policy; policy.pxd says what it computes. It is written twice, for SSE2 and in plain C, with the
   same integers from both: tests/engine/policy_twin.py checks the one of the machine. */
#ifndef TENGEN_POLICY_H
#define TENGEN_POLICY_H

#include <stdint.h>
#include <string.h>

#if (defined(__x86_64__) || defined(_M_X64)) && !defined(POLICY_PLAIN)
#define POLICY_SSE2
#include <emmintrin.h>
#endif

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
    int16_t layer[POLICY_WIDTH / 2][POLICY_WIDTH][2];          /* [input / 2][whose worth][input % 2] */
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

typedef int16_t PolicyNumbers[POLICY_WIDTH];

#ifdef POLICY_SSE2
#define POLICY_LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define POLICY_STORE(p, v) _mm_storeu_si128((__m128i *)(p), v)

/* The features of a cell, which are added to `sums` too. */
static inline void policy_look(const PolicyNumbers *table, uint32_t rows, int16_t *features, int16_t *sums) {
    const int16_t *a = table[rows & 255], *b = table[rows >> 8 & 255], *c = table[rows >> 16 & 255], *d = table[rows >> 24];
    __m128i value;
    int i;
    for (i = 0; i < POLICY_WIDTH; i += 8) {
        value = _mm_add_epi16(_mm_add_epi16(POLICY_LOAD(a + i), POLICY_LOAD(b + i)),
                              _mm_add_epi16(POLICY_LOAD(c + i), POLICY_LOAD(d + i)));
        value = _mm_min_epi16(_mm_max_epi16(value, _mm_setzero_si128()), _mm_set1_epi16(POLICY_FEATURE_LIMIT));
        POLICY_STORE(features + i, value);
        POLICY_STORE(sums + i, _mm_add_epi16(POLICY_LOAD(sums + i), value));
    }
}

/* The layer's weights times the sums. */
static inline void policy_layer(const PolicyWeights *weights, const int16_t *sums, int32_t *totals) {
    __m128i total[POLICY_WIDTH / 4], pair;
    int32_t both;
    int n, i;
    for (i = 0; i < POLICY_WIDTH / 4; i++) total[i] = _mm_setzero_si128();
    for (n = 0; n < POLICY_WIDTH / 2; n++) {
        memcpy(&both, sums + 2 * n, sizeof both);
        pair = _mm_set1_epi32(both);
        for (i = 0; i < POLICY_WIDTH / 4; i++)
            total[i] = _mm_add_epi32(total[i], _mm_madd_epi16(pair, POLICY_LOAD(&weights->layer[n][4 * i][0])));
    }
    for (i = 0; i < POLICY_WIDTH / 4; i++) POLICY_STORE(totals + 4 * i, total[i]);
}

static inline int32_t policy_product(const int16_t *features, const int16_t *worth) {
    __m128i total = _mm_madd_epi16(POLICY_LOAD(features), POLICY_LOAD(worth));
    int i;
    for (i = 8; i < POLICY_WIDTH; i += 8)
        total = _mm_add_epi32(total, _mm_madd_epi16(POLICY_LOAD(features + i), POLICY_LOAD(worth + i)));
    total = _mm_add_epi32(total, _mm_shuffle_epi32(total, _MM_SHUFFLE(1, 0, 3, 2)));
    total = _mm_add_epi32(total, _mm_shuffle_epi32(total, _MM_SHUFFLE(2, 3, 0, 1)));
    return _mm_cvtsi128_si32(total);
}
#else
static inline void policy_look(const PolicyNumbers *table, uint32_t rows, int16_t *features, int16_t *sums) {
    const int16_t *a = table[rows & 255], *b = table[rows >> 8 & 255], *c = table[rows >> 16 & 255], *d = table[rows >> 24];
    int16_t value;
    int i;
    for (i = 0; i < POLICY_WIDTH; i++) {
        value = (int16_t)(a[i] + b[i] + c[i] + d[i]);
        value = value > 0 ? value : 0;
        features[i] = value < POLICY_FEATURE_LIMIT ? value : POLICY_FEATURE_LIMIT;
        sums[i] = (int16_t)(sums[i] + features[i]);
    }
}

static inline void policy_layer(const PolicyWeights *weights, const int16_t *sums, int32_t *totals) {
    int n, i;
    for (i = 0; i < POLICY_WIDTH; i++) totals[i] = 0;
    for (n = 0; n < POLICY_WIDTH / 2; n++)
        for (i = 0; i < POLICY_WIDTH; i++)
            totals[i] += weights->layer[n][i][0] * sums[2 * n] + weights->layer[n][i][1] * sums[2 * n + 1];
}

static inline int32_t policy_product(const int16_t *features, const int16_t *worth) {
    int32_t total = 0;
    int i;
    for (i = 0; i < POLICY_WIDTH; i++) total += features[i] * worth[i];
    return total;
}
#endif

/* The ordering points of up to POLICY_CELLS cells of a node. */
static inline void policy_points(const PolicyWeights *weights, int side, const PolicyCell *cells, int count,
                                 int32_t *points) {
    PolicyNumbers features[POLICY_CELLS], sums = {0}, worth;
    int32_t totals[POLICY_WIDTH], total;
    int n, i;
    for (n = 0; n < count; n++) policy_look(weights->table[side], cells[n].rows, features[n], sums);
    policy_layer(weights, sums, totals);
    for (i = 0; i < POLICY_WIDTH; i++)
        worth[i] = (int16_t)policy_limited(weights->base[i] + (totals[i] >> POLICY_LAYER_SHIFT), POLICY_WORTH_LIMIT);
    for (n = 0; n < count; n++) {
        total = policy_product(features[n], worth) >> POLICY_POINTS_SHIFT;
        for (i = 0; i < POLICY_STONES; i++) total += weights->nearness[i][cells[n].distance[i]];
        points[n] = policy_limited(total, POLICY_POINTS_LIMIT);
    }
}

#endif
