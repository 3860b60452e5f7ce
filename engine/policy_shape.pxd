# The shape of a policy for Cython, as constants of the C compiler. policy.h is their home and explains each.
cdef extern from "policy.h":
    enum:
        POLICY_WIDTH
        POLICY_CELLS
        POLICY_WITHIN
        POLICY_STONES
        POLICY_DISTANCES
        POLICY_FEATURE_LIMIT
        POLICY_WORTH_LIMIT
        POLICY_POINTS_LIMIT
        POLICY_LAYER_SHIFT
        POLICY_POINTS_SHIFT
