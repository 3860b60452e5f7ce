/* The weights of a network as its kernels want them; network.pxd says what they compute. */
#ifndef TENGEN_NETWORK_WEIGHTS_H
#define TENGEN_NETWORK_WEIGHTS_H

#include <stdint.h>

#include "network_shape.h"

/* With the inputs of a layer in pairs, [input / 2][neuron][input % 2]: one instruction does a pair. */
typedef struct {
    int16_t table[2][NETWORK_ROWS][NETWORK_WIDTH];         /* by the view's colour */
    int16_t first[NETWORK_INPUTS / 2][NETWORK_WIDTH][2];
    int16_t second[NETWORK_WIDTH / 2][NETWORK_WIDTH][2];
    int32_t second_bias[NETWORK_WIDTH];
    int16_t window[NETWORK_SEEN / 2][NETWORK_WINDOW][2];
    int32_t window_bias[NETWORK_WINDOW];
    int16_t output[NETWORK_WIDTH];
    int16_t (*mask[2])[NETWORK_WIDTH];                     /* by the side to move: [threat mask] */
    int32_t output_bias;
    int32_t limit;                                         /* of the score, centipoints */
    uint64_t number;                                       /* another one for each network that was read */
    int32_t has_base;                                      /* the score is added to the classical evaluation */
} NetworkWeights;

/* The features of a position's empty cells added up: all of them, and those of each region that windows see. */
typedef struct {
    int32_t total[NETWORK_WIDTH];
    int16_t regions[NETWORK_REGIONS][NETWORK_SEEN];       /* at most 25 cells a region */
} NetworkSums;

#endif
