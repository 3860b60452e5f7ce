# Single machine instructions and the clock, under one name for gcc, clang and MSVC.
#
# The data that threads share are read and written by relaxed loads and stores: the stop flag, the words of the
# transposition table, the moves being searched, and each worker's count of nodes. On every 64-bit machine these compile
# to plain moves.
from engine.types cimport i64, u32, u64

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    #define WIN32_LEAN_AND_MEAN
    #define NOMINMAX
    #include <windows.h>
    static __inline int tengen_lowest_bit(uint32_t v) { unsigned long i; _BitScanForward(&i, v); return (int)i; }
    static __inline uint64_t tengen_multiply_high(uint64_t a, uint64_t b) { return __umulh(a, b); }
    static __inline uint64_t tengen_load(const uint64_t *p) { return *(const volatile uint64_t *)p; }
    static __inline void tengen_store(uint64_t *p, uint64_t v) { *(volatile uint64_t *)p = v; }
    static __inline void tengen_touch(uint64_t *p) { _InterlockedCompareExchange64((volatile __int64 *)p, 0, 0); }
    #if defined(_M_X64)
    #define tengen_prefetch(p) _mm_prefetch((const char *)(p), _MM_HINT_T0)
    #else
    #define tengen_prefetch(p) ((void)(p))
    #endif
    static __inline int64_t tengen_now_us(void) {
        LARGE_INTEGER f, t; QueryPerformanceFrequency(&f); QueryPerformanceCounter(&t);
        return (int64_t)(t.QuadPart / f.QuadPart * 1000000 + t.QuadPart % f.QuadPart * 1000000 / f.QuadPart);
    }
    #else
    #include <time.h>
    static inline int tengen_lowest_bit(uint32_t v) { return __builtin_ctz(v); }
    static inline uint64_t tengen_multiply_high(uint64_t a, uint64_t b) {
        return (uint64_t)((unsigned __int128)a * b >> 64);
    }
    static inline uint64_t tengen_load(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
    static inline void tengen_store(uint64_t *p, uint64_t v) { __atomic_store_n(p, v, __ATOMIC_RELAXED); }
    // Clang makes a load of `fetch_or` with 0, which does not write; a compare-exchange stays a write.
    static inline void tengen_touch(uint64_t *p) {
        uint64_t zero = 0;
        __atomic_compare_exchange_n(p, &zero, 0, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    #define tengen_prefetch(p) __builtin_prefetch(p)
    static inline int64_t tengen_now_us(void) {
        struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);
        return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
    }
    #endif
    """
    int lowest_bit "tengen_lowest_bit"(u32 value) noexcept nogil            # index of the lowest set bit; value != 0
    u64 multiply_high "tengen_multiply_high"(u64 a, u64 b) noexcept nogil   # upper 64 bits of the product
    u64 load "tengen_load"(const u64* word) noexcept nogil
    void store "tengen_store"(u64* word, u64 value) noexcept nogil
    void touch "tengen_touch"(u64* word) noexcept nogil                     # writes 0 over 0; safe while others write
    void prefetch "tengen_prefetch"(const void* address) noexcept nogil
    i64 now_us "tengen_now_us"() noexcept nogil                             # monotonic, microseconds

cdef inline u64 splitmix64(u64* state) noexcept nogil:
    # Sebastiano Vigna's SplitMix64: one 64-bit pseudo-random number a step, from any seed.
    state[0] += <u64>0x9E3779B97F4A7C15
    cdef u64 z = state[0]
    z = (z ^ (z >> 30)) * <u64>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <u64>0x94D049BB133111EB
    return z ^ (z >> 31)
