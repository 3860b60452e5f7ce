/* The arithmetic of the network for several instruction sets: the same integers from each.

   network_body.h is the code, in the few vector operations that are defined here for plain C, SSE2, AVX2, AVX-512 with
   VNNI, and NEON; `network_kernels` lists those that this machine runs, the fastest first. */
#ifndef TENGEN_NETWORK_KERNELS_H
#define TENGEN_NETWORK_KERNELS_H

#include <string.h>

#include "network_weights.h"

#define FEATURE_LIMIT 511
#define INPUT_LIMIT 8191
#define HIDDEN_LIMIT 4095

/* add_changes: `sums` are `from` and the features of the cells `now`, less those of the cells `old`, by the table of a
   view. A cell is a word, its four rows the bytes; old[n] and now[n] differ in one of them. count: at most 64, so that
   sixteen bits hold the change. score: of the sums of now and of the ply before, in centipoints. */
typedef struct {
    void (*add_changes)(int32_t *sums, const int32_t *from, const int16_t (*table)[NETWORK_WIDTH], const uint32_t *old,
                        const uint32_t *now, int count);
    int32_t (*score)(const NetworkWeights *weights, const int16_t *bias, const int32_t *now, const int32_t *before);
    const char *name;
} NetworkKernels;

#if defined(__GNUC__) || defined(__clang__)
#define NETWORK_TARGET(names) __attribute__((target(names)))
#else
#define NETWORK_TARGET(names)      /* MSVC takes every instruction in every function */
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static __inline int network_lowest_bit(uint32_t word) { unsigned long i; _BitScanForward(&i, word); return (int)i; }
#else
static inline int network_lowest_bit(uint32_t word) { return __builtin_ctz(word); }
#endif

/* Plain C: eight lanes in a struct, which a compiler may or may not turn into vectors. */
typedef struct { int16_t lane[8]; } NetworkLanes;
typedef struct { int32_t lane[4]; } NetworkWords;
static inline NetworkLanes lanes_of(const void *p) { NetworkLanes v; memcpy(&v, p, sizeof v); return v; }
static inline NetworkLanes lanes_set16(int value) {
    NetworkLanes v; int i; for (i = 0; i < 8; i++) v.lane[i] = (int16_t)value; return v;
}
static inline NetworkLanes lanes_set32(int32_t value) {
    NetworkWords v; int i; for (i = 0; i < 4; i++) v.lane[i] = value; return lanes_of(&v);
}
#define LANES_BY(name, expression) \
    static inline NetworkLanes name(NetworkLanes a, NetworkLanes b) { \
        int i; for (i = 0; i < 8; i++) a.lane[i] = (int16_t)(expression); return a; \
    }
LANES_BY(lanes_add, a.lane[i] + b.lane[i])
LANES_BY(lanes_sub, a.lane[i] - b.lane[i])
LANES_BY(lanes_max, a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i])
LANES_BY(lanes_min, a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i])
#undef LANES_BY
static inline NetworkLanes lanes_dot(NetworkLanes sum, NetworkLanes a, NetworkLanes b) {
    NetworkWords v; int i;
    memcpy(&v, &sum, sizeof v);
    for (i = 0; i < 4; i++) v.lane[i] += a.lane[2 * i] * b.lane[2 * i] + a.lane[2 * i + 1] * b.lane[2 * i + 1];
    return lanes_of(&v);
}
#define NAME(x) x##_plain
#define TARGET
#define LANES 8
#define VECTOR NetworkLanes
#define LOAD(p) lanes_of(p)
#define STORE(p, v) memcpy(p, &(v), sizeof(NetworkLanes))
#define SET16(v) lanes_set16(v)
#define SET32(v) lanes_set32(v)
#define ADD16 lanes_add
#define SUB16 lanes_sub
#define MAX16 lanes_max
#define MIN16 lanes_min
#define DOT lanes_dot
#include "network_body.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>

#define NAME(x) x##_sse2
#define TARGET
#define LANES 8
#define VECTOR __m128i
#define LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define STORE(p, v) _mm_storeu_si128((__m128i *)(p), v)
#define SET16(v) _mm_set1_epi16(v)
#define SET32(v) _mm_set1_epi32(v)
#define ADD16 _mm_add_epi16
#define SUB16 _mm_sub_epi16
#define MAX16 _mm_max_epi16
#define MIN16 _mm_min_epi16
#define DOT(sum, a, b) _mm_add_epi32(sum, _mm_madd_epi16(a, b))
#include "network_body.h"

#define NAME(x) x##_avx2
#define TARGET NETWORK_TARGET("avx2")
#define LANES 16
#define VECTOR __m256i
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define SET16(v) _mm256_set1_epi16(v)
#define SET32(v) _mm256_set1_epi32(v)
#define ADD16 _mm256_add_epi16
#define SUB16 _mm256_sub_epi16
#define MAX16 _mm256_max_epi16
#define MIN16 _mm256_min_epi16
#define DOT(sum, a, b) _mm256_add_epi32(sum, _mm256_madd_epi16(a, b))
#include "network_body.h"

#define NAME(x) x##_vnni
#define TARGET NETWORK_TARGET("avx512f,avx512bw,avx512vnni")
#define LANES 32
#define VECTOR __m512i
#define LOAD(p) _mm512_loadu_si512((const void *)(p))
#define STORE(p, v) _mm512_storeu_si512((void *)(p), v)
#define SET16(v) _mm512_set1_epi16(v)
#define SET32(v) _mm512_set1_epi32(v)
#define ADD16 _mm512_add_epi16
#define SUB16 _mm512_sub_epi16
#define MAX16 _mm512_max_epi16
#define MIN16 _mm512_min_epi16
#define DOT(sum, a, b) _mm512_dpwssd_epi32(sum, a, b)
#include "network_body.h"

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
/* Whether the processor has the instructions and the system saves their registers: bits of leaf 7, and of XCR0. */
static int network_has(int word, int bits, uint64_t saved) {
    int leaf[4];
    __cpuid(leaf, 0);
    if (leaf[0] < 7) return 0;
    __cpuid(leaf, 1);
    if (!(leaf[2] >> 27 & 1) || (_xgetbv(0) & saved) != saved) return 0;
    __cpuidex(leaf, 7, 0);
    return (leaf[word] & bits) == bits;
}
#define HAS_AVX2() network_has(1, 1 << 5, 0x6)
#define HAS_VNNI() (network_has(1, 1 << 16 | 1 << 30, 0xE6) && network_has(2, 1 << 11, 0xE6))
#else
#define HAS_AVX2() __builtin_cpu_supports("avx2")
#define HAS_VNNI() (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") \
                    && __builtin_cpu_supports("avx512vnni"))
#endif

#elif defined(__ARM_NEON) || defined(_M_ARM64)
#include <arm_neon.h>

static inline int16x8_t neon_set32(int32_t value) { return vreinterpretq_s16_s32(vdupq_n_s32(value)); }
static inline int16x8_t neon_dot(int16x8_t sum, int16x8_t a, int16x8_t b) {
    int32x4_t pairs = vpaddq_s32(vmull_s16(vget_low_s16(a), vget_low_s16(b)), vmull_high_s16(a, b));
    return vreinterpretq_s16_s32(vaddq_s32(vreinterpretq_s32_s16(sum), pairs));
}
#define NAME(x) x##_neon
#define TARGET
#define LANES 8
#define VECTOR int16x8_t
#define LOAD(p) vld1q_s16((const int16_t *)(p))
#define STORE(p, v) vst1q_s16((int16_t *)(p), v)
#define SET16(v) vdupq_n_s16(v)
#define SET32(v) neon_set32(v)
#define ADD16 vaddq_s16
#define SUB16 vsubq_s16
#define MAX16 vmaxq_s16
#define MIN16 vminq_s16
#define DOT neon_dot
#include "network_body.h"
#endif

/* The kernels that this machine runs, the fastest first; returns how many. */
static int network_kernels(NetworkKernels *found) {
    int count = 0;
#define LIST(x) do { \
        found[count].add_changes = add_changes_##x; found[count].score = score_##x; found[count++].name = #x; \
    } while (0)
#if defined(__x86_64__) || defined(_M_X64)
    if (HAS_VNNI()) LIST(vnni);
    if (HAS_AVX2()) LIST(avx2);
    LIST(sse2);
#elif defined(__ARM_NEON) || defined(_M_ARM64)
    LIST(neon);
#endif
    LIST(plain);
#undef LIST
    return count;
}
#endif
