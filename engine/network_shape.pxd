# The shape of the network for Cython, as constants of the C compiler. network_shape.h is their home and explains each.
cdef extern from "network_shape.h":
    enum:
        NETWORK_WIDTH
        NETWORK_SIDE
        NETWORK_REGIONS
        NETWORK_WINDOW
        NETWORK_SEEN
        NETWORK_INPUTS
        NETWORK_ROWS
        NETWORK_ABSENT
        NETWORK_FEATURE_LIMIT
        NETWORK_INPUT_LIMIT
        NETWORK_HIDDEN_LIMIT
        NETWORK_SUM_SHIFT
        NETWORK_WINDOW_SHIFT
        NETWORK_SEEN_SHIFT
        NETWORK_LAYER_SHIFT
