# The meaning of five, four, three and two under a rule, as tables for the board.
#
# A line key describes the cells around a centre in one direction, two bits a cell: 11 empty, 10 black, 01 white,
# 00 wall. It holds `half` cells on each side (four in freestyle, five where a sixth stone matters) and leaves the
# centre out. `lines[key]` gives the line pattern that a stone on the centre makes, black's in the low four bits,
# white's in the high four. The four line patterns of a cell form a multiset, numbered 0..2379: its pattern code. Each
# line pattern has a mark, and the sum of four marks tells the code; a cell keeps the sums.
# `info[colour][code]` then gives the pattern class, the share in the evaluation, and whether the class is "hot".
#
# All rules run the same code; they differ in these tables alone.
from engine.types cimport EMPTY, PATTERN_CODES, THREAT_MASKS, i16, u8, u16, u32, u64

cdef struct CodeInfo:
    i16 value   # the value of the cell for its colour, in centipoints
    u8 cls      # pattern class
    u8 hot      # 1 when the class is a four or better, or may hide one (forbidden): the cells a VCF looks at

cdef struct Rule:
    int number                        # Gomocup's number of the rule
    int half                          # cells seen on each side of the centre
    bint has_forbidden                # renju: black has forbidden points
    bint can_spoil                    # caro: a five can be spoiled from its end as well as on its last cell
    u64 low_mask                      # the key bits below the centre
    u64 high_mask                     # the key bits above it, after the centre was dropped
    u8* lines                         # [1 << 4 * half]: key -> line patterns of black and white
    u16* codes                        # [1 << 16]: sum of four marks -> pattern code
    u32[256] marks                    # of an entry of `lines`: black's in the low half, white's in the high
    CodeInfo[2][PATTERN_CODES] info
    u64* parts[2]                     # [1 << 16]: sum of four marks -> a colour's part of a cell, see `part_of`
    # Move ordering, [1] for a side that has to stop a live four, [0] for one that is free:
    i16[2][2][PATTERN_CODES] own_score     # worth of the cell to the side that plays there, by its colour and code
    i16[2][2][PATTERN_CODES] other_score   # worth of denying it, by the denied colour and its code
    i16[2][THREAT_MASKS] threat        # evaluation of the mask of threat classes present, by side to move

cdef inline u64 part_of(const CodeInfo* info, int colour) noexcept nogil:
    # What a colour's line patterns make of an empty cell. The parts of both colours add up to the cell's first four
    # bytes (piece, classes, hot), and above them its value in sixteen bits.
    return ((EMPTY if colour == 0 else 0) + (<u64>info.cls << (8 + 8 * colour)) + (<u64>info.hot << (24 + colour))
            + ((<u64>(info.value if colour == 0 else -info.value)) << 32))

cdef inline u8 class_in(u64 part, int colour) noexcept nogil:
    # The pattern class in a colour's part, or in the sum of both.
    return <u8>(part >> (8 + 8 * colour))

cdef const Rule* rule_tables(name) except NULL
