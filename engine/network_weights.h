/* The weights of a network as its kernels want them; network.pxd says what they compute. */
#ifndef TENGEN_NETWORK_WEIGHTS_H
#define TENGEN_NETWORK_WEIGHTS_H

#include <stdint.h>

#define NETWORK_WIDTH 32           /* channels of a cell, and neurons of a layer */
#define NETWORK_ROWS 256           /* of the table: white's pattern << 4 | black's */
#define NETWORK_ABSENT 254         /* the row that makes any cell's feature 0 */

/* With the inputs of a layer in pairs, [input / 2][neuron][input % 2]: one instruction does a pair. */
typedef struct {
    int16_t table[2][NETWORK_ROWS][NETWORK_WIDTH];         /* by the view's colour */
    int16_t (*mask[2])[NETWORK_WIDTH];                     /* by the side to move: [threat mask] */
    int16_t first[NETWORK_WIDTH][NETWORK_WIDTH][2];
    int16_t second[NETWORK_WIDTH / 2][NETWORK_WIDTH][2];
    int32_t second_bias[NETWORK_WIDTH];
    int16_t output[NETWORK_WIDTH];
    int32_t output_bias;
    int32_t limit;                                         /* of the score, centipoints */
    int32_t has_base;                                      /* the score is added to the classical evaluation */
} NetworkWeights;

#endif
