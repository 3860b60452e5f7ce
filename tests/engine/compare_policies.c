/* The arithmetic of a policy on many random cells, as one number; test_kernels.py builds it with and without vectors. */
#include <stdio.h>
#include <stdlib.h>

#include "policy.h"

static uint32_t state = 1;

static uint32_t next_number(void) {
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

static int16_t within(int limit) { return (int16_t)((int)(next_number() % (2u * (uint32_t)limit + 1)) - limit); }

int main(void) {
    PolicyWeights *weights = calloc(1, sizeof *weights);
    PolicyCell cells[POLICY_CELLS];
    int32_t points[POLICY_CELLS];
    uint64_t computed = 0;
    int round, count, n, i, k, large;
    if (weights == NULL) return 1;
    for (round = 0; round < 2000; round++) {
        if (round % 20 == 0) {
            large = round % 40 == 0;  /* numbers up to their limits, or as they are in a policy */
            for (n = 0; n < 2; n++)
                for (k = 0; k < 256; k++)
                    for (i = 0; i < POLICY_WIDTH; i++) weights->table[n][k][i] = within(large ? 4095 : 60);
            for (k = 0; k < POLICY_WIDTH; k++) weights->base[k] = within(large ? 32767 : 500);
            for (n = 0; n < POLICY_WIDTH / 2; n++)
                for (k = 0; k < POLICY_WIDTH; k++)
                    for (i = 0; i < 2; i++) weights->layer[n][k][i] = within(large ? 12500 : 500);
            for (n = 0; n < POLICY_STONES; n++)
                for (k = 0; k < POLICY_DISTANCES; k++) weights->nearness[n][k] = within(large ? 1000 : 50);
        }
        count = (int)(next_number() % (POLICY_CELLS + 1));
        for (n = 0; n < count; n++) {
            cells[n].rows = next_number();
            for (i = 0; i < POLICY_STONES; i++) cells[n].distance[i] = (uint8_t)(next_number() % POLICY_DISTANCES);
        }
        policy_points(weights, round & 1, cells, count, points);
        for (n = 0; n < count; n++) computed = computed * 1099511628211u + (uint32_t)points[n];
    }
    free(weights);
    printf("%016llx\n", (unsigned long long)computed);
    return 0;
}
