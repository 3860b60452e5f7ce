/* The shape of the network, and the limits and shifts of its integers: their only home. network.pxd says what they mean
   together; network_shape.pxd hands them to Cython, and constants.pyx to Python. */
#ifndef TENGEN_NETWORK_SHAPE_H
#define TENGEN_NETWORK_SHAPE_H

#define NETWORK_WIDTH 32           /* channels of a cell, and neurons of a layer */
#define NETWORK_SIDE 5             /* regions of the board in a row, and in a column; odd, so that the eight turns of a
                                      board have the same ones */
#define NETWORK_REGIONS (NETWORK_SIDE * NETWORK_SIDE)
#define NETWORK_WINDOWS ((NETWORK_SIDE - 1) * (NETWORK_SIDE - 1))    /* of two by two regions */
#define NETWORK_WINDOW 8           /* neurons that see a window */
#define NETWORK_SEEN 16            /* channels of it that they see, the first ones */
#define NETWORK_INPUTS (2 * NETWORK_WIDTH + NETWORK_WINDOW)          /* of the first layer */
#define NETWORK_ROWS 256           /* of the table: white's pattern << 4 | black's */
#define NETWORK_ABSENT 254         /* the row that makes any cell's feature 0 */

/* The largest integers. The least is 0 everywhere. */
#define NETWORK_FEATURE_LIMIT 511  /* of a cell's feature */
#define NETWORK_INPUT_LIMIT 8191   /* of an input of the first layer */
#define NETWORK_HIDDEN_LIMIT 4095  /* of a neuron's output */

/* How far sums are shifted to the right. */
#define NETWORK_SUM_SHIFT 3        /* a channel's sum over the board, to an input of the first layer */
#define NETWORK_WINDOW_SHIFT 2     /* a channel's sum over a window, to an input of the window's neurons */
#define NETWORK_SEEN_SHIFT 3       /* a neuron's sum over the windows, to an input of the first layer */
#define NETWORK_LAYER_SHIFT 10     /* the sum of weights times inputs, to a neuron's output */

#endif
