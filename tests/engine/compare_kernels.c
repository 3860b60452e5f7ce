/* Compares the network's kernels of this machine with each other, on random weights and sums.

   Prints their names and what they computed, as one number that is the same on every machine; fails where two differ.
   test_kernels.py compiles it, for other processors too. */
#include <stdio.h>

#include "network_kernels.h"

#define ROUNDS 20000
#define ROUNDS_A_NETWORK 50
#define FULL_REGION (25 * NETWORK_FEATURE_LIMIT)
#define FULL_BOARD (22 * 22 * NETWORK_FEATURE_LIMIT)

static uint64_t state = 88172645463325252u;

/* Any integer below the limit (xorshift). */
static int below(uint32_t limit) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)((uint32_t)(state >> 32) % limit);
}

static int within(int limit) { return below(2 * (uint32_t)limit + 1) - limit; }

static void fill(int16_t *numbers, size_t bytes, int limit) {
    size_t i;
    for (i = 0; i < bytes / sizeof *numbers; i++) numbers[i] = (int16_t)within(limit);
}

/* Weights as large as a file may have them, or of the size that trained ones have. */
static void make_weights(NetworkWeights *weights, int16_t *bias, int is_large) {
    int i;
    fill(&weights->table[0][0][0], sizeof weights->table, is_large ? 4095 : 300);
    fill(&weights->first[0][0][0], sizeof weights->first, is_large ? 190000 / NETWORK_INPUTS : 200);
    fill(&weights->second[0][0][0], sizeof weights->second, is_large ? 380000 / NETWORK_WIDTH : 500);
    fill(&weights->window[0][0][0], sizeof weights->window, is_large ? 120000 / NETWORK_SEEN : 500);
    fill(weights->output, sizeof weights->output, is_large ? 380000 / NETWORK_WIDTH : 500);
    fill(bias, NETWORK_WIDTH * sizeof *bias, 4095);
    for (i = 0; i < NETWORK_WINDOW; i++) weights->window_bias[i] = within(1 << 20);
    for (i = 0; i < NETWORK_WIDTH; i++) weights->second_bias[i] = within(1 << 20);
    weights->output_bias = within(1 << 20);
}

static void make_sums(NetworkSums *sums, int32_t *before, int is_large) {
    int i, n;
    for (i = 0; i < NETWORK_REGIONS; i++)
        for (n = 0; n < NETWORK_SEEN; n++) sums->regions[i][n] = (int16_t)below(is_large ? FULL_REGION : 3000);
    for (i = 0; i < NETWORK_WIDTH; i++) {
        sums->total[i] = below(is_large ? FULL_BOARD : 20000);
        before[i] = below(is_large ? FULL_BOARD : 20000);
    }
}

static void make_changes(NetworkChanges *changes) {
    int i, turn;
    changes->count = below(NETWORK_BATCH + 1);
    for (i = 0; i < changes->count; i++) {
        turn = 8 * below(4);
        changes->old[i] = (uint32_t)below(1u << 16) << 16 | (uint32_t)below(1u << 16);
        changes->now[i] = (changes->old[i] & ~(255u << turn)) | (uint32_t)below(256) << turn;
        changes->region[i] = (uint8_t)below(NETWORK_REGIONS);
    }
}

static uint64_t mixed(uint64_t number, const void *bytes, size_t count) {
    const uint8_t *byte = bytes;
    while (count--) number = (number ^ *byte++) * 1099511628211u;
    return number;
}

int main(void) {
    static NetworkWeights weights;
    int16_t bias[NETWORK_WIDTH];
    int32_t before[NETWORK_WIDTH], score, first_score = 0;
    NetworkKernels kernels[8];
    NetworkSums sums, changed, first_changed;
    NetworkChanges changes;
    uint64_t number = 14695981039346656037u;
    int round, i, is_large;
    const int count = network_kernels(kernels);

    memset(&first_changed, 0, sizeof first_changed);
    for (round = 0; round < ROUNDS; round++) {
        if (round % ROUNDS_A_NETWORK == 0) make_weights(&weights, bias, round / ROUNDS_A_NETWORK % 2);
        is_large = round % 2;
        make_sums(&sums, before, is_large);
        make_changes(&changes);
        for (i = 0; i < count; i++) {
            /* Both ways that the engine has: into other sums, and where they are. */
            changed = sums;
            if (is_large) memset(&changed, 0, sizeof changed);
            kernels[i].add_changes(&changed, is_large ? &sums : &changed, weights.table[round / 2 % 2], &changes);
            score = kernels[i].score(&weights, bias, &sums, before);
            if (i == 0) {
                first_changed = changed;
                first_score = score;
            } else if (score != first_score || memcmp(&changed, &first_changed, sizeof changed)) {
                printf("round %d: %s and %s differ\n", round, kernels[0].name, kernels[i].name);
                return 1;
            }
        }
        number = mixed(mixed(number, &first_changed, sizeof first_changed), &first_score, sizeof first_score);
    }
    for (i = 0; i < count; i++) printf("%s ", kernels[i].name);
    printf("%016llx\n", (unsigned long long)number);
    return 0;
}
