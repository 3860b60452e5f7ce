"""The transposition table: allocation, replacement and fill level. The layout and `probe` are in table.pxd."""
from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free

from engine.bits cimport load, store
from engine.types cimport *

from engine.checks import whole_number

cdef extern from *:
    """
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif
    static void tengen_ask_for_huge_pages(void *start, size_t bytes) {
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        (void)madvise(start, bytes, MADV_HUGEPAGE);  /* a system that refuses maps usual pages */
    #else
        (void)start; (void)bytes;
    #endif
    }
    """
    void ask_for_huge_pages "tengen_ask_for_huge_pages"(void* start, size_t bytes) noexcept nogil

MOST_KEY = (1 << 64) - 1
MOST_VALUE = (1 << 15) - 1  # of a score, either way
MOST_DEPTH = 1 << 20        # of an argument; stored depths end at DEPTH_LIMIT


cdef bint allocate(Table* table, u64 bytes) noexcept nogil:
    """An empty table of at most `bytes` (at least one bucket); False without memory. The old one is gone either way.

    Pages come zeroed from the system and cost nothing until they are touched. A table of HUGE_PAGE
    or more asks for huge pages: probes go everywhere, and the processor remembers the addresses of few small pages.
    """
    release(table)
    cdef u64 size = bytes // sizeof(Bucket)
    if size < 1:
        size = 1
    cdef u64 border = PAGE * sizeof(Bucket)
    if size * sizeof(Bucket) >= <u64>HUGE_PAGE:
        border = HUGE_PAGE
    table.block = calloc(size + border // sizeof(Bucket), sizeof(Bucket))
    if table.block == NULL:
        return False
    table.touched = <u64*>calloc(size // PAGE // 64 + 1, sizeof(u64))
    if table.touched == NULL:
        release(table)
        return False
    table.buckets = <Bucket*>((<uintptr_t>table.block + border - 1) & ~<uintptr_t>(border - 1))
    if border > PAGE * sizeof(Bucket):
        ask_for_huge_pages(table.buckets, size * sizeof(Bucket))
    table.size = size
    table.generation = 0
    return True


cdef void release(Table* table) noexcept nogil:
    free(table.block)
    free(table.touched)
    table.block = NULL
    table.touched = NULL
    table.buckets = NULL
    table.size = 0


cdef void write_entry(Table* table, u64 key, int value, int eval, int move, int bound, int depth,
                      int ply) noexcept nogil:
    """Store the result of a search of `depth`, over the position's old entry or else over the shallowest one, with age.

    A bound is dropped if the same search has stored a result of the position that is more than two plies deeper; every
    other result replaces the old one, even a deeper one. A new entry without a move takes over the old entry's move.
    """
    cdef Bucket* bucket = bucket_of(table, key)
    cdef Entry* victim = NULL
    cdef u64 data, old = 0
    cdef int i, worth, least = 1 << 30, stored_depth
    for i in range(BUCKET):
        data = load(&bucket.entries[i].data)
        if (load(&bucket.entries[i].check) ^ data) == key and data:
            victim = &bucket.entries[i]
            old = data
            break
        worth = -(1 << 29) if data == 0 else <int>(data >> 44 & 0xFFF) - AGE_WEIGHT * <int>(
            (table.generation - (data >> 56)) & 0xFF)
        if worth < least:
            least = worth
            victim = &bucket.entries[i]
    stored_depth = min(max(depth + DEPTH_OFFSET, 0), DEPTH_LIMIT)
    if old:
        if move == NO_MOVE:
            move = <int>(old >> 32 & 0x3FF)
        if (bound != BOUND_EXACT and stored_depth + 32 < <int>(old >> 44 & 0xFFF)
                and (old >> 56) == table.generation):
            return
    if value >= MATE_BOUND:
        value += ply
    elif value <= -MATE_BOUND:
        value -= ply
    data = (<u64><u16>value | <u64><u16>eval << 16 | <u64>move << 32 | <u64>bound << 42
            | <u64>stored_depth << 44 | table.generation << 56)
    store(&victim.data, data)
    store(&victim.check, key ^ data)


cdef int permille_full(const Table* table) noexcept nogil:
    """How many of the first thousand entries are from the current search."""
    cdef u64 i, buckets = min(table.size, <u64>250), data
    cdef int used = 0, j
    for i in range(buckets):
        for j in range(BUCKET):
            data = load(&table.buckets[i].entries[j].data)
            used += data != 0 and (data >> 56) == table.generation
    return <int>(used * 1000 // (buckets * BUCKET)) if buckets else 0


cdef class TableProbe:
    """A table of its own, for tests: store and probe entries, and tear one on purpose."""
    cdef Table table

    def __cinit__(self, size):
        if not allocate(&self.table, whole_number("size", size, 0, 1 << 62)):
            raise MemoryError("no memory for a table")

    def __dealloc__(self):
        release(&self.table)

    def write(self, key, value, eval, move, bound, depth, ply=0):
        """Store a search's result, as `write_entry` does. depth: in sixteenths of a ply; bound: as in types.pxd."""
        write_entry(&self.table, whole_number("key", key, 0, MOST_KEY), whole_number("value", value, -MATE, MATE),
                    whole_number("eval", eval, -MOST_VALUE, MOST_VALUE), whole_number("move", move, 0, CELLS - 1),
                    whole_number("bound", bound, 0, BOUND_EXACT), whole_number("depth", depth, -MOST_DEPTH, MOST_DEPTH),
                    whole_number("ply", ply, 0, MATE))

    def read(self, key, ply=0):
        """(value, eval, move, bound, depth) or None."""
        cdef Found found
        if not probe(&self.table, whole_number("key", key, 0, MOST_KEY), whole_number("ply", ply, 0, MATE), &found):
            return None
        return found.value, found.eval, found.move, found.bound, found.depth

    def new_search(self):
        """Make every entry one search older."""
        self.table.generation = (self.table.generation + 1) & 255

    def tear(self, key, bits):
        """Flip bits in the data words of a key's bucket, as a second writer could."""
        cdef Bucket* bucket = bucket_of(&self.table, whole_number("key", key, 0, MOST_KEY))
        cdef u64 flipped = whole_number("bits", bits, 0, MOST_KEY)
        for i in range(BUCKET):
            bucket.entries[i].data ^= flipped

    @property
    def buckets(self):
        """How many buckets of four entries there are."""
        return self.table.size

    @property
    def permille(self):
        """The part of the table that the current search filled, in permille, by its first thousand entries."""
        return permille_full(&self.table)
