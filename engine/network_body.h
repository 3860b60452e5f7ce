/* The network's functions in the vector operations that network_kernels.h defines; it includes this file once for each
   instruction set. */

/* Vectors for the windows: the same ones, unless they are longer than a window has channels. */
#ifndef NARROW
#define NARROW VECTOR
#define NARROW_LANES (LANES / 2)
#define NARROW_LOAD LOAD
#define NARROW_STORE STORE
#define NARROW_SET32 SET32
#define NARROW_DOT DOT
#define NARROW_ADD16 ADD16
#define NARROW_LOW(v) v
#endif

#define VECTORS (NETWORK_WIDTH / LANES)          /* that hold NETWORK_WIDTH numbers of sixteen bits */

TARGET static void NAME(add_changes)(NetworkSums *sums, const NetworkSums *from, const int16_t (*table)[NETWORK_WIDTH],
                                     const NetworkChanges *changes) {
    const VECTOR zero = SET16(0), limit = SET16(NETWORK_FEATURE_LIMIT);
    VECTOR delta[VECTORS], common, change;
    NARROW sum;
    int16_t out[NETWORK_WIDTH];
    int n, i;
    if (sums != from) memcpy(sums->regions, from->regions, sizeof sums->regions);
    for (i = 0; i < VECTORS; i++) delta[i] = zero;
    for (n = 0; n < changes->count; n++) {
        const uint32_t old = changes->old[n], now = changes->now[n];
        const int turn = network_lowest_bit((old ^ now) | 1u << 31) & 24;
        const uint32_t rest = old >> turn | old << (-turn & 31);
        int16_t *region = sums->regions[changes->region[n]];
        const int16_t *a = table[rest & 255], *b = table[now >> turn & 255];
        const int16_t *c = table[rest >> 8 & 255], *d = table[rest >> 16 & 255], *e = table[rest >> 24];
        for (i = 0; i < VECTORS; i++) {
            common = ADD16(ADD16(LOAD(c + i * LANES), LOAD(d + i * LANES)), LOAD(e + i * LANES));
            change = SUB16(MIN16(MAX16(ADD16(common, LOAD(b + i * LANES)), zero), limit),
                           MIN16(MAX16(ADD16(common, LOAD(a + i * LANES)), zero), limit));
            delta[i] = ADD16(delta[i], change);
            if (i * LANES < NETWORK_SEEN) {
                sum = NARROW_ADD16(NARROW_LOAD(region + i * LANES), NARROW_LOW(change));
                NARROW_STORE(region + i * LANES, sum);
            }
        }
    }
    for (i = 0; i < VECTORS; i++) STORE(out + i * LANES, delta[i]);
    for (i = 0; i < NETWORK_WIDTH; i++) sums->total[i] = from->total[i] + out[i];
}

/* The outputs of the neurons, added over the windows. */
TARGET static void NAME(add_windows)(const NetworkWeights *weights, const NetworkSums *now, int32_t *sums) {
    int16_t inputs[NETWORK_WINDOWS][NETWORK_SEEN];
    NARROW last, next, total[WINDOWS_AT_ONCE], seen, weight;
    int32_t pair;
    int x, y, i, n, first;
    for (y = 0; y < NETWORK_SIDE - 1; y++) {
        const int16_t (*above)[NETWORK_SEEN] = now->regions + y * NETWORK_SIDE;
        const int16_t (*below)[NETWORK_SEEN] = above + NETWORK_SIDE;
        for (i = 0; i < NETWORK_SEEN; i += 2 * NARROW_LANES) {
            last = NARROW_ADD16(NARROW_LOAD(above[0] + i), NARROW_LOAD(below[0] + i));
            for (x = 0; x < NETWORK_SIDE - 1; x++) {
                next = NARROW_ADD16(NARROW_LOAD(above[x + 1] + i), NARROW_LOAD(below[x + 1] + i));
                last = NARROW_SHIFT16(NARROW_ADD16(last, next));
                NARROW_STORE(inputs[y * (NETWORK_SIDE - 1) + x] + i, last);
                last = next;
            }
        }
    }
    for (i = 0; i < NETWORK_WINDOW; i += NARROW_LANES) {
        seen = NARROW_SET32(0);
        for (first = 0; first < NETWORK_WINDOWS; first += WINDOWS_AT_ONCE) {
            for (x = 0; x < WINDOWS_AT_ONCE; x++) total[x] = NARROW_LOAD(weights->window_bias + i);
            /* Unrolled, this loop has gcc move its operands through memory several times over. */
            NETWORK_NOT_UNROLLED
            for (n = 0; n < NETWORK_SEEN / 2; n++) {
                weight = NARROW_LOAD(&weights->window[n][i][0]);
                for (x = 0; x < WINDOWS_AT_ONCE; x++) {
                    memcpy(&pair, inputs[first + x] + 2 * n, sizeof pair);
                    total[x] = NARROW_DOT(total[x], NARROW_SET32(pair), weight);
                }
            }
            for (x = 0; x < WINDOWS_AT_ONCE; x++) seen = NARROW_ADD32(seen, NARROW_CLAMP(total[x]));
        }
        NARROW_STORE(sums + i, seen);
    }
}

/* Adds a layer's weights times its inputs; `count` is the number of inputs. */
TARGET static inline void NAME(add_layer)(int32_t *sums, const int16_t *inputs,
                                          const int16_t (*layer)[NETWORK_WIDTH][2], int count) {
    VECTOR total[2 * VECTORS];
    int32_t pair;
    int i, n;
    for (i = 0; i < 2 * VECTORS; i++) total[i] = LOAD(sums + i * LANES / 2);
    for (n = 0; n < count / 2; n++) {
        memcpy(&pair, inputs + 2 * n, sizeof pair);
        for (i = 0; i < 2 * VECTORS; i++)
            total[i] = DOT(total[i], SET32(pair), LOAD(&layer[n][i * LANES / 2][0]));
    }
    for (i = 0; i < 2 * VECTORS; i++) STORE(sums + i * LANES / 2, total[i]);
}

TARGET static int32_t NAME(score)(const NetworkWeights *weights, const int16_t *bias, const NetworkSums *now_sums,
                                  const int32_t *before) {
    int16_t inputs[NETWORK_INPUTS];
    int32_t sums[NETWORK_WIDTH], value, score;
    const int32_t *now = now_sums->total;
    int i;
    NAME(add_windows)(weights, now_sums, sums);
    for (i = 0; i < NETWORK_WINDOW; i++) inputs[2 * NETWORK_WIDTH + i] = (int16_t)(sums[i] >> NETWORK_SEEN_SHIFT);
    for (i = 0; i < NETWORK_WIDTH; i++) {
        value = now[i] >> NETWORK_SUM_SHIFT;
        inputs[i] = (int16_t)(value < NETWORK_INPUT_LIMIT ? value : NETWORK_INPUT_LIMIT);
        value = before[i] >> NETWORK_SUM_SHIFT;
        inputs[NETWORK_WIDTH + i] = (int16_t)(value < NETWORK_INPUT_LIMIT ? value : NETWORK_INPUT_LIMIT);
    }
    for (i = 0; i < NETWORK_WIDTH; i++) sums[i] = bias[i] * (1 << NETWORK_LAYER_SHIFT);
    NAME(add_layer)(sums, inputs, weights->first, NETWORK_INPUTS);
    for (i = 0; i < NETWORK_WIDTH; i++) {
        value = sums[i] >> NETWORK_LAYER_SHIFT;
        value = value > 0 ? value : 0;
        inputs[i] = (int16_t)(value < NETWORK_HIDDEN_LIMIT ? value : NETWORK_HIDDEN_LIMIT);
    }
    memcpy(sums, weights->second_bias, sizeof sums);
    NAME(add_layer)(sums, inputs, weights->second, NETWORK_WIDTH);
    score = weights->output_bias;
    for (i = 0; i < NETWORK_WIDTH; i++) {
        value = sums[i] >> NETWORK_LAYER_SHIFT;
        value = value > 0 ? value : 0;
        score += (value < NETWORK_HIDDEN_LIMIT ? value : NETWORK_HIDDEN_LIMIT) * weights->output[i];
    }
    return score >> NETWORK_LAYER_SHIFT;
}

#undef VECTORS
#undef NAME
#undef TARGET
#undef LANES
#undef VECTOR
#undef LOAD
#undef STORE
#undef SET16
#undef SET32
#undef ADD16
#undef SUB16
#undef MAX16
#undef MIN16
#undef DOT
#undef NARROW
#undef NARROW_LANES
#undef NARROW_LOAD
#undef NARROW_STORE
#undef NARROW_SET32
#undef NARROW_DOT
#undef NARROW_ADD16
#undef NARROW_SHIFT16
#undef NARROW_LOW
#undef NARROW_ADD32
#undef NARROW_CLAMP
