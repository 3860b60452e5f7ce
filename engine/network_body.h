/* The network's two functions in the vector operations that network_kernels.h defines; it includes this file once for each
   instruction set. */

#define VECTORS (NETWORK_WIDTH / LANES)          /* that hold 32 numbers of sixteen bits */

TARGET static void NAME(add_changes)(int32_t *sums, const int32_t *from, const int16_t (*table)[NETWORK_WIDTH],
                                     const uint32_t *old, const uint32_t *now, int count) {
    const VECTOR zero = SET16(0), limit = SET16(FEATURE_LIMIT);
    VECTOR delta[VECTORS], common, before, after;
    int16_t out[NETWORK_WIDTH];
    int n, i;
    for (i = 0; i < VECTORS; i++) delta[i] = zero;
    for (n = 0; n < count; n++) {
        const int turn = network_lowest_bit((old[n] ^ now[n]) | 1u << 31) & 24;
        const uint32_t rest = old[n] >> turn | (uint32_t)((uint64_t)old[n] << (32 - turn));
        const int16_t *a = table[rest & 255], *b = table[now[n] >> turn & 255];
        const int16_t *c = table[rest >> 8 & 255], *d = table[rest >> 16 & 255], *e = table[rest >> 24];
        for (i = 0; i < VECTORS; i++) {
            common = ADD16(ADD16(LOAD(c + i * LANES), LOAD(d + i * LANES)), LOAD(e + i * LANES));
            before = MIN16(MAX16(ADD16(common, LOAD(a + i * LANES)), zero), limit);
            after = MIN16(MAX16(ADD16(common, LOAD(b + i * LANES)), zero), limit);
            delta[i] = ADD16(delta[i], SUB16(after, before));
        }
    }
    for (i = 0; i < VECTORS; i++) STORE(out + i * LANES, delta[i]);
    for (i = 0; i < NETWORK_WIDTH; i++) sums[i] = from[i] + out[i];
}

TARGET static int32_t NAME(score)(const NetworkWeights *weights, const int16_t *bias, const int32_t *now,
                                  const int32_t *before) {
    int16_t inputs[2 * NETWORK_WIDTH];
    int32_t sums[NETWORK_WIDTH], value, pair;
    VECTOR total[2 * VECTORS];
    int i, n;
    for (i = 0; i < NETWORK_WIDTH; i++) {
        value = now[i] >> 3;
        inputs[i] = (int16_t)(value < INPUT_LIMIT ? value : INPUT_LIMIT);
        value = before[i] >> 3;
        inputs[NETWORK_WIDTH + i] = (int16_t)(value < INPUT_LIMIT ? value : INPUT_LIMIT);
    }
    for (i = 0; i < NETWORK_WIDTH; i++) sums[i] = bias[i] * 1024;
    for (i = 0; i < 2 * VECTORS; i++) total[i] = LOAD(sums + i * LANES / 2);
    for (n = 0; n < NETWORK_WIDTH; n++) {
        memcpy(&pair, inputs + 2 * n, sizeof pair);
        for (i = 0; i < 2 * VECTORS; i++)
            total[i] = DOT(total[i], SET32(pair), LOAD(&weights->first[n][i * LANES / 2][0]));
    }
    for (i = 0; i < 2 * VECTORS; i++) STORE(sums + i * LANES / 2, total[i]);
    for (i = 0; i < NETWORK_WIDTH; i++) {
        value = sums[i] >> 10;
        value = value > 0 ? value : 0;
        inputs[i] = (int16_t)(value < HIDDEN_LIMIT ? value : HIDDEN_LIMIT);
    }
    for (i = 0; i < 2 * VECTORS; i++) total[i] = LOAD(weights->second_bias + i * LANES / 2);
    for (n = 0; n < NETWORK_WIDTH / 2; n++) {
        memcpy(&pair, inputs + 2 * n, sizeof pair);
        for (i = 0; i < 2 * VECTORS; i++)
            total[i] = DOT(total[i], SET32(pair), LOAD(&weights->second[n][i * LANES / 2][0]));
    }
    for (i = 0; i < 2 * VECTORS; i++) STORE(sums + i * LANES / 2, total[i]);
    pair = weights->output_bias;
    for (i = 0; i < NETWORK_WIDTH; i++) {
        value = sums[i] >> 10;
        value = value > 0 ? value : 0;
        pair += (value < HIDDEN_LIMIT ? value : HIDDEN_LIMIT) * weights->output[i];
    }
    return pair >> 10;
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
