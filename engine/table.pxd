# The transposition table: results of earlier searches by position, shared by all threads without a lock.
#
# An entry is two 64-bit words, the data and the key XOR the data. Threads write them without waiting; an entry that two
# threads have mixed up fails the key test and counts as absent. Four entries share one cache line, the bucket of their
# keys.
from engine.bits cimport load, multiply_high, prefetch, store, touch
from engine.types cimport *

cdef enum:
    BUCKET = 4
    DEPTH_OFFSET = 256           # stored depths are shifted so that quiescence depths are not negative
    DEPTH_LIMIT = 4095
    PAGE = 64                    # buckets in a page of memory
    HUGE_PAGE = 2 << 20          # bytes; Linux maps this much at once if a table begins at a multiple of it
    AGE_WEIGHT = 128             # sixteenths of a ply that each search of age counts when an entry must be replaced

cdef struct Entry:
    u64 check                    # key ^ data
    u64 data                     # value 16 | eval 16 | move 10 | bound 2 | depth 12 | generation 8

cdef struct Bucket:
    Entry[BUCKET] entries

cdef struct Table:
    void* block                  # as it was allocated
    Bucket* buckets              # the same, aligned to a page, or to a huge page if the table is that large
    u64 size                     # buckets
    u64* touched                 # a bit for each page: it has been written to
    u64 generation               # of the present search, 0..255

# A decoded entry.
cdef struct Found:
    int value                    # as the node sees it: mate distances counted from the node
    int eval                     # static evaluation, NO_SCORE if none
    int move
    int bound
    int depth                    # sixteenths of a ply

cdef bint allocate(Table* table, u64 bytes) noexcept nogil
cdef void release(Table* table) noexcept nogil
cdef void write_entry(Table* table, u64 key, int value, int eval, int move, int bound, int depth,
                      int ply) noexcept nogil
cdef int permille_full(const Table* table) noexcept nogil

cdef inline Bucket* bucket_of(const Table* table, u64 key) noexcept nogil:
    return &table.buckets[multiply_high(key, table.size)]

cdef inline void prefetch_bucket(const Table* table, u64 key) noexcept nogil:
    prefetch(bucket_of(table, key))

cdef inline bint probe(const Table* table, u64 key, int ply, Found* found) noexcept nogil:
    # Look a position up. Mate scores are stored as distances from the node and come back as distances from the root.
    cdef Bucket* bucket = bucket_of(table, key)
    cdef u64 page = <u64>(bucket - table.buckets) // PAGE, data
    cdef int i
    if not load(&table.touched[page // 64]) >> (page & 63) & 1:
        # Write to a new page before reading it. If the read came first, the system would map a shared page of zeros and
        # replace it at the first write, and a replacement interrupts every thread of the process.
        touch(&bucket.entries[0].data)
        store(&table.touched[page // 64], load(&table.touched[page // 64]) | <u64>1 << (page & 63))
    for i in range(BUCKET):
        data = load(&bucket.entries[i].data)
        if (load(&bucket.entries[i].check) ^ data) == key and data:
            found.value = <i16>(data & 0xFFFF)
            if found.value >= MATE_BOUND:
                found.value -= ply
            elif found.value <= -MATE_BOUND:
                found.value += ply
            found.eval = <i16>(data >> 16 & 0xFFFF)
            found.move = <int>(data >> 32 & 0x3FF)
            found.bound = <int>(data >> 42 & 3)
            found.depth = <int>(data >> 44 & 0xFFF) - DEPTH_OFFSET
            return True
    return False
