"""Pattern tables: the meaning of five, four, three and two under a rule.

A line pattern is defined by recursion, not by a list of shapes. To classify a stone on the centre, every empty cell
into which its row can grow is filled in turn, and the new line is classified in the same way. Two ways to a five are an
open four, one way is a blocked four; a way to an open four is an open three, and so on. The definition, the fourteen
classes and the reference histograms agree with Rapfi's tables.
"""
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from engine.types cimport *

from engine.checks import whole_number
from engine.rules import RULES, rule_number
from engine.weights import read_tables

# The meaning of a run of own stones through the centre under a rule.
cdef enum:
    RUN_FIVE_OR_MORE = 0     # freestyle, renju's white
    RUN_EXACTLY_FIVE = 1     # standard
    RUN_RENJU_BLACK = 2      # exactly five, overline and two fours in one line forbidden
    RUN_CARO = 3             # six or more; five unless both ends are opponent stones
    RUN_CARO_EXACT = 4       # five unless both ends are opponent stones

cdef enum:
    UNKNOWN = 255
    OWN_BITS = 2             # tables are built for black; white's view is the key with the bits of each cell swapped
    OTHER_BITS = 1
    EMPTY_BITS = 3
    WALL_BITS = 0

cdef struct Builder:
    int kind
    int half
    u8* memo                 # [1 << 4 * half], UNKNOWN until classified


cdef Rule* built[5]
cdef u16* shared_codes = NULL


cdef u8 classify(Builder* builder, u32 key) noexcept nogil:
    """The line pattern that a stone on the centre makes for black in the line `key`."""
    cdef u8 known = builder.memo[key]
    if known != UNKNOWN:
        return known
    cdef int half = builder.half
    cdef int width = 2 * half + 1
    cdef int[11] line
    cdef int i
    for i in range(half):
        line[i] = (key >> (2 * i)) & 3
        line[half + 1 + i] = (key >> (2 * (half + i))) & 3
    line[half] = OWN_BITS
    cdef u8 result = classify_line(builder, line, half, width)
    builder.memo[key] = result
    return result


cdef bint makes_caro_five(int kind, const int* line, int half, int width) noexcept nogil:
    # Whether the run through the centre wins in caro.
    cdef int first = half, last = half
    while first > 0 and line[first - 1] == OWN_BITS:
        first -= 1
    while last < width - 1 and line[last + 1] == OWN_BITS:
        last += 1
    if last - first + 1 > 5:
        return kind == RUN_CARO
    return last - first + 1 == 5 and not (
        first > 0 and line[first - 1] == OTHER_BITS and last < width - 1 and line[last + 1] == OTHER_BITS)


cdef bint can_be_stopped(int kind, int* line, int half, int width, int low, int high) noexcept nogil:
    """Whether one opponent's stone takes every five away: in caro it can fill one five's cell and block another."""
    cdef int stone, p
    cdef bint survives
    for stone in range(max(low - 1, 0), min(high + 1, width - 1) + 1):
        if line[stone] != EMPTY_BITS:
            continue
        line[stone] = OTHER_BITS
        survives = False
        for p in range(low, high + 1):
            if line[p] == EMPTY_BITS and not survives:
                line[p] = OWN_BITS
                survives = makes_caro_five(kind, line, half, width)
                line[p] = EMPTY_BITS
        line[stone] = EMPTY_BITS
        if not survives:
            return True
    return False


cdef u8 classify_line(Builder* builder, int* line, int half, int width) noexcept nogil:
    cdef int first = half, last = half, low, high, p, i, q
    while first > 0 and line[first - 1] == OWN_BITS:
        first -= 1
    while last < width - 1 and line[last + 1] == OWN_BITS:
        last += 1
    cdef int run = last - first + 1
    cdef bint both_ends_taken
    if builder.kind == RUN_FIVE_OR_MORE:
        if run >= 5:
            return FIVE
    elif builder.kind == RUN_CARO or builder.kind == RUN_CARO_EXACT:
        if run >= 6:
            return FIVE if builder.kind == RUN_CARO else OVERLINE
        if run == 5:
            both_ends_taken = (first > 0 and line[first - 1] == OTHER_BITS
                               and last < width - 1 and line[last + 1] == OTHER_BITS)
            return DEAD if both_ends_taken else FIVE
    else:
        if run >= 6:
            return OVERLINE
        if run == 5:
            return FIVE

    # The span: all cells that own stones could still fill.
    low = first
    while low > 0 and (line[low - 1] == OWN_BITS or line[low - 1] == EMPTY_BITS):
        low -= 1
    high = last
    while high < width - 1 and (line[high + 1] == OWN_BITS or line[high + 1] == EMPTY_BITS):
        high += 1
    if high - low + 1 < 5:
        return DEAD

    cdef int[14] ways
    for i in range(14):
        ways[i] = 0
    cdef int first_five = -1, last_five = -1
    cdef u32 key
    cdef u8 made
    cdef int cell
    for p in range(low, high + 1):
        if line[p] != EMPTY_BITS:
            continue
        # The window around p, with an own stone on the current centre; cells outside the current window are unknown
        # and count as blocked. A wall blocks too, but in caro it does not count as an opponent's stone.
        key = 0
        for i in range(2 * half):
            q = p - half + i + (1 if i >= half else 0)
            cell = line[q] if 0 <= q < width else WALL_BITS
            key |= <u32>cell << (2 * i)
        made = classify(builder, key)
        ways[made] += 1
        if made == FIVE:
            if first_five < 0:
                first_five = p
            last_five = p

    if ways[FIVE] >= 2:
        if builder.kind == RUN_RENJU_BLACK and last_five - first_five < 5:
            return OVERLINE
        if builder.kind >= RUN_CARO and can_be_stopped(builder.kind, line, half, width, low, high):
            return BLOCKED_FOUR
        return OPEN_FOUR
    if ways[FIVE] == 1:
        return BLOCKED_FOUR
    if ways[OPEN_FOUR] >= 2:
        return OPEN_THREE_2
    if ways[OPEN_FOUR] == 1:
        return OPEN_THREE
    if ways[BLOCKED_FOUR] > 0:
        return BLOCKED_THREE
    cdef int open_threes = ways[OPEN_THREE] + ways[OPEN_THREE_2]
    if open_threes >= 4:
        return OPEN_TWO_4
    if open_threes == 3:
        return OPEN_TWO_3
    if open_threes > 0:
        return OPEN_TWO
    if ways[BLOCKED_THREE] > 0:
        return BLOCKED_TWO
    if ways[OPEN_TWO] + ways[OPEN_TWO_3] + ways[OPEN_TWO_4] > 0:
        return OPEN_ONE
    if ways[BLOCKED_TWO] > 0:
        return BLOCKED_ONE
    return DEAD


cdef u8* line_table(int kind, int half) noexcept nogil:
    """[1 << 4 * half] line patterns for black under one reading of a run; the caller frees it. NULL without memory."""
    cdef Builder builder
    cdef u32 size = <u32>1 << (4 * half)
    cdef u32 key
    builder.kind = kind
    builder.half = half
    builder.memo = <u8*>malloc(size)
    if builder.memo == NULL:
        return NULL
    memset(builder.memo, UNKNOWN, size)
    for key in range(size):
        classify(&builder, key)
    return builder.memo


# The mark of each line pattern. All 2,380 sums of four marks differ, so the sum of a cell's marks tells its patterns in
# any order, and a move corrects it by a difference. No sum is above 65,535, so the sums of both colours are kept in one
# word. The usual patterns have the smallest marks, so most cells of a game find their part in a few kilobytes. (from a
# random search with 0, 1, 5, 21 and 55 given; the sequence of Mian and Chowla would end at 22,432)
cdef u16[LINE_PATTERNS] mark = [1, 16362, 5, 0, 21, 55, 4484, 8254, 898, 14284, 14910, 10876, 16160, 16027]
cdef u16[PATTERN_CODES] sum_of   # of each pattern code's marks


cdef void fill_sums() noexcept nogil:
    # The codes are numbered in the order of the sorted patterns, as in `fill_info`.
    cdef int a, b, c, d, code = 0
    for a in range(LINE_PATTERNS):
        for b in range(a, LINE_PATTERNS):
            for c in range(b, LINE_PATTERNS):
                for d in range(c, LINE_PATTERNS):
                    sum_of[code] = mark[a] + mark[b] + mark[c] + mark[d]
                    code += 1


fill_sums()


cdef u16* build_codes() noexcept nogil:
    """[1 << 16] pattern codes by the sum of their marks; NULL without memory."""
    cdef u16* codes = <u16*>calloc(1 << 16, sizeof(u16))
    cdef int code
    if codes != NULL:
        for code in range(PATTERN_CODES):
            codes[sum_of[code]] = <u16>code
    return codes


cdef u8 class_of(int* n, bint is_renju_black) noexcept nogil:
    """The pattern class of a cell with n[p] lines of pattern p."""
    cdef int fours = n[BLOCKED_FOUR] + n[OPEN_FOUR]
    cdef int threes = n[OPEN_THREE] + n[OPEN_THREE_2]
    cdef int twos = n[OPEN_TWO] + n[OPEN_TWO_3] + n[OPEN_TWO_4]
    if n[FIVE]:
        return CLASS_FIVE
    if is_renju_black and (n[OVERLINE] or fours >= 2 or threes >= 2):
        return CLASS_FORBIDDEN
    if n[BLOCKED_FOUR] >= 2 or n[OPEN_FOUR]:
        return CLASS_LIVE_FOUR
    if n[BLOCKED_FOUR]:
        if threes:
            return CLASS_FOUR_THREE
        return CLASS_FOUR_PLUS if n[BLOCKED_THREE] or twos else CLASS_FOUR
    if threes >= 2:
        return CLASS_DOUBLE_THREE
    if threes:
        return CLASS_THREE_PLUS if n[BLOCKED_THREE] or twos else CLASS_THREE
    if n[BLOCKED_THREE] >= 2 or (n[BLOCKED_THREE] and twos):
        return CLASS_BLOCKED_PLUS
    if twos >= 2:
        return CLASS_DOUBLE_TWO
    if n[BLOCKED_THREE]:
        return CLASS_BLOCKED_THREE
    return CLASS_TWO if twos else CLASS_NONE


# Untuned weights. A line pattern alone in its cell has the value `base`, once for each of the three other lines; two
# live patterns in one cell have a third more than their sum. `order` is the classical table of move ordering.
cdef int[14] base = [0, 0, 0, 0, 0, 1, 1, 2, 2, 9, 10, 16, 36, 41]
cdef int[14] order = [-1, 0, 0, 1, 2, 6, 6, 6, 9, 16, 20, 30, 100, 500]


cdef void fill_info(Rule* rule) noexcept nogil:
    cdef int a, b, c, d, i, j, colour
    cdef int[4] t
    cdef int[14] n
    cdef int pair, value, ordering
    cdef int code = 0
    cdef u8 cls
    for a in range(14):
        for b in range(a, 14):
            for c in range(b, 14):
                for d in range(c, 14):
                    t[0] = a
                    t[1] = b
                    t[2] = c
                    t[3] = d
                    for i in range(14):
                        n[i] = 0
                    value = ordering = 0
                    for i in range(4):
                        n[t[i]] += 1
                        ordering += order[t[i]]
                        for j in range(i):
                            pair = 10 * (base[t[i]] + base[t[j]])
                            value += pair * 13 // 10 if base[t[i]] and base[t[j]] else pair
                    value = (value + 5) // 10
                    for colour in range(2):
                        cls = class_of(n, rule.has_forbidden and colour == BLACK)
                        rule.info[colour][code].value = <i16>value
                        rule.info[colour][code].cls = cls
                        rule.info[colour][code].hot = cls >= CLASS_FOUR or cls == CLASS_FORBIDDEN
                        for i in range(2):
                            rule.own_score[i][colour][code] = <i16>(2 * ordering)
                            rule.other_score[i][colour][code] = <i16>ordering
                    code += 1


cdef void free_rule(Rule* rule) noexcept nogil:
    free(rule.parts[WHITE])
    free(rule.parts[BLACK])
    free(rule.lines)
    free(rule)


cdef Rule* build_rule(int number) noexcept nogil:
    cdef Rule* rule = <Rule*>calloc(1, sizeof(Rule))
    if rule == NULL:
        return NULL
    cdef u32 key
    rule.number = number
    rule.half = 4 if number == 0 else 5
    rule.has_forbidden = number == 4
    rule.can_spoil = number == 8 or number == 9
    rule.low_mask = (<u64>1 << (2 * rule.half)) - 1
    rule.high_mask = rule.low_mask << (2 * rule.half)
    for key in range(256):
        if key & 15 < LINE_PATTERNS and key >> 4 < LINE_PATTERNS:
            rule.marks[key] = mark[key & 15] | <u32>mark[key >> 4] << 16
    cdef int kind = RUN_FIVE_OR_MORE
    if number == 1:
        kind = RUN_EXACTLY_FIVE
    elif number == 4:
        kind = RUN_RENJU_BLACK
    elif number == 8:
        kind = RUN_CARO
    elif number == 9:
        kind = RUN_CARO_EXACT
    cdef u8* black = line_table(kind, rule.half)
    cdef u8* white = line_table(RUN_FIVE_OR_MORE, rule.half) if rule.has_forbidden else black
    cdef u32 size = <u32>1 << (4 * rule.half)
    cdef u32 swapped
    rule.lines = <u8*>malloc(size)
    if black != NULL and white != NULL and rule.lines != NULL:
        for key in range(size):
            swapped = (key & <u32>0xAAAAAAAA) >> 1 | (key & <u32>0x55555555) << 1
            rule.lines[key] = black[key] | white[swapped] << 4
        fill_info(rule)
    else:
        free_rule(rule)
        rule = NULL
    if white != black:
        free(white)
    free(black)
    return rule


cdef void apply_weights(Rule* rule, const i16* data) noexcept nogil:
    """Replace the untuned weights; `data` is laid out as engine.weights says."""
    cdef int colour, code
    for colour in range(2):
        for code in range(PATTERN_CODES):
            rule.info[colour][code].value = data[colour * PATTERN_CODES + code]
    data += 2 * PATTERN_CODES
    memcpy(rule.threat, data, sizeof(rule.threat))
    data += 2 * THREAT_MASKS
    memcpy(rule.own_score, data, sizeof(rule.own_score))
    memcpy(rule.other_score, data + 4 * PATTERN_CODES, sizeof(rule.other_score))


cdef bint fill_parts(Rule* rule) noexcept nogil:
    """A colour's part of a cell for every sum of four marks; False without memory."""
    cdef int colour, code
    for colour in range(2):
        rule.parts[colour] = <u64*>calloc(1 << 16, sizeof(u64))
        if rule.parts[colour] == NULL:
            return False
        for code in range(PATTERN_CODES):
            rule.parts[colour][sum_of[code]] = part_of(&rule.info[colour][code], colour)
    return True


cdef Rule* complete_rule(int number, u16* codes, const i16* data) noexcept nogil:
    """All tables of a rule, with the untuned weights where `data` is NULL; NULL without memory."""
    cdef Rule* rule = build_rule(number)
    if rule == NULL:
        return NULL
    rule.codes = codes
    if data != NULL:
        apply_weights(rule, data)
    if not fill_parts(rule):
        free_rule(rule)
        return NULL
    return rule


cdef const Rule* rule_tables(name) except NULL:
    """The tables of a rule, built at the first call and kept for the life of the process.

    name: the rule's number or its name, see rules.py. May be called from any thread. Other threads run meanwhile,
    because the work takes some 50 ms, 90 ms in renju, and a brain must go on reading its manager's lines. Raises
    ValueError for a rule that does not exist and MemoryError without memory.
    """
    global shared_codes
    cdef int number = rule_number(name)
    cdef int index = RULES.index(number)
    cdef const i16* weights = NULL
    cdef Rule* rule
    cdef u16* codes
    if shared_codes == NULL:
        with nogil:
            codes = build_codes()
        if codes == NULL:
            raise MemoryError("no memory for the pattern codes")
        if shared_codes == NULL:
            shared_codes = codes
        else:  # another thread was faster
            free(codes)
    if built[index] == NULL:
        data = read_tables(number)
        if data is not None:
            weights = <const i16*><const char*>data
        codes = shared_codes
        with nogil:
            rule = complete_rule(number, codes, weights)
        if rule == NULL:
            raise MemoryError(f"no memory for the tables of rule {number}")
        if built[index] == NULL:
            built[index] = rule
        else:  # another thread was faster, and its tables may be in use
            free_rule(rule)
    return built[index]


def line_histogram(number, colour):
    """How many keys of a rule give each line pattern for a colour, 0 or 1: a list of 14 counts."""
    cdef const Rule* rule = rule_tables(number)
    cdef int side = whole_number("colour", colour, 0, 1)
    counts = [0] * LINE_PATTERNS
    cdef u32 key
    for key in range(<u32>1 << (4 * rule.half)):
        counts[(rule.lines[key] >> (4 * side)) & 15] += 1
    return counts


def class_histogram(number, colour):
    """How many of the 2380 pattern codes of a rule fall in each pattern class for a colour, 0 or 1: 14 counts."""
    cdef const Rule* rule = rule_tables(number)
    cdef int side = whole_number("colour", colour, 0, 1)
    counts = [0] * CLASSES
    cdef int code
    for code in range(PATTERN_CODES):
        counts[rule.info[side][code].cls] += 1
    return counts


def mark_sums():
    """The sum of the four marks of each of the 2380 pattern codes: the board finds a code by its sum."""
    return [sum_of[code] for code in range(PATTERN_CODES)]


def line_pattern(number, colour, str line not None):
    """The line pattern (0..13) that a stone of `colour`, 0 or 1, on the centre of `line` makes.

    line: an odd number of characters, ``.`` empty, ``x`` black, ``o`` white, ``#`` wall; the middle one must be empty.
    Cells beyond the ends of `line` are wall. Raises ValueError for other text.
    """
    cdef const Rule* rule = rule_tables(number)
    cdef int side = whole_number("colour", colour, 0, 1)
    middle = len(line) // 2
    if len(line) % 2 == 0 or line[middle] != "." or set(line) - set(".xo#"):
        raise ValueError(f"a line is an odd number of . x o # with an empty middle, not {line!r}")
    cdef u32 key = 0
    cdef int i = 0
    for offset in range(-rule.half, rule.half + 1):
        if offset == 0:
            continue
        at = middle + offset
        cell = line[at] if 0 <= at < len(line) else "#"
        key |= <u32>("#ox.".index(cell)) << (2 * i)
        i += 1
    return (rule.lines[key] >> (4 * side)) & 15
