/* The arithmetic of the network for several instruction sets: the same integers from each.

   network_body.h is the code, in the few vector operations that are defined here for plain C, SSE2, AVX2, AVX-512 with
   VNNI, and NEON; `network_kernels` lists those that this machine runs, the fastest first. */
#ifndef TENGEN_NETWORK_KERNELS_H
#define TENGEN_NETWORK_KERNELS_H

#include <string.h>

#include "network_weights.h"

#define WINDOWS_AT_ONCE 8          /* as many as have their sums in registers together */

/* Cells that changed. A cell is a word, its four rows the bytes; old[n] and now[n] differ in one of them. The batch is
   small enough for the change of a sum to fit into sixteen bits. */
#define NETWORK_BATCH 64
typedef struct {
    uint32_t old[NETWORK_BATCH], now[NETWORK_BATCH];
    uint8_t region[NETWORK_BATCH];
    int count;
} NetworkChanges;

/* add_changes: `sums` are `from`, which may be the same, and the features of the cells as they are now, less those of
   the cells as they were, by the table of a view. score: of the sums of now and of the ply before, in centipoints. */
typedef struct {
    void (*add_changes)(NetworkSums *sums, const NetworkSums *from, const int16_t (*table)[NETWORK_WIDTH],
                        const NetworkChanges *changes);
    int32_t (*score)(const NetworkWeights *weights, const int16_t *bias, const NetworkSums *now, const int32_t *before);
    const char *name;
} NetworkKernels;

#if defined(__GNUC__) || defined(__clang__)
#define NETWORK_TARGET(names) __attribute__((target(names)))
#else
#define NETWORK_TARGET(names)      /* MSVC takes every instruction in every function */
#endif

#if defined(__GNUC__) && !defined(__clang__)
#define NETWORK_NOT_UNROLLED _Pragma("GCC unroll 1")
#else
#define NETWORK_NOT_UNROLLED
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
static inline NetworkLanes lanes_add32(NetworkLanes a, NetworkLanes b) {
    NetworkWords v, w; int i;
    memcpy(&v, &a, sizeof v); memcpy(&w, &b, sizeof w);
    for (i = 0; i < 4; i++) v.lane[i] += w.lane[i];
    return lanes_of(&v);
}
static inline NetworkLanes lanes_clamp(NetworkLanes a) {
    NetworkWords v; int i;
    memcpy(&v, &a, sizeof v);
    for (i = 0; i < 4; i++) {
        v.lane[i] >>= NETWORK_LAYER_SHIFT;
        v.lane[i] = v.lane[i] > 0 ? v.lane[i] : 0;
        v.lane[i] = v.lane[i] < NETWORK_HIDDEN_LIMIT ? v.lane[i] : NETWORK_HIDDEN_LIMIT;
    }
    return lanes_of(&v);
}
static inline NetworkLanes lanes_shift(NetworkLanes a) {
    int i; for (i = 0; i < 8; i++) a.lane[i] = (int16_t)((uint16_t)a.lane[i] >> NETWORK_WINDOW_SHIFT); return a;
}
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
#define NARROW_SHIFT16(v) lanes_shift(v)
#define NARROW_ADD32 lanes_add32
#define NARROW_CLAMP(v) lanes_clamp(v)
#include "network_body.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>

static inline __m128i sse2_clamp(__m128i v) {  /* by way of sixteen bits: SSE2 has no maximum of 32 */
    const __m128i zero = _mm_setzero_si128();
    v = _mm_srai_epi32(v, NETWORK_LAYER_SHIFT);
    v = _mm_min_epi16(_mm_max_epi16(_mm_packs_epi32(v, v), zero), _mm_set1_epi16(NETWORK_HIDDEN_LIMIT));
    return _mm_unpacklo_epi16(v, zero);
}
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
#define NARROW_SHIFT16(v) _mm_srli_epi16(v, NETWORK_WINDOW_SHIFT)
#define NARROW_ADD32 _mm_add_epi32
#define NARROW_CLAMP(v) sse2_clamp(v)
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
#define NARROW_SHIFT16(v) _mm256_srli_epi16(v, NETWORK_WINDOW_SHIFT)
#define NARROW_ADD32 _mm256_add_epi32
#define NARROW_CLAMP(v) \
    _mm256_min_epi32(_mm256_max_epi32(_mm256_srai_epi32(v, NETWORK_LAYER_SHIFT), _mm256_setzero_si256()), \
                     _mm256_set1_epi32(NETWORK_HIDDEN_LIMIT))
#include "network_body.h"

#define NAME(x) x##_vnni
#define TARGET NETWORK_TARGET("avx512f,avx512bw,avx512vl,avx512vnni")
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
#define NARROW __m256i                   /* windows have no more channels and neurons */
#define NARROW_LANES 8
#define NARROW_LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define NARROW_STORE(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define NARROW_SET32(v) _mm256_set1_epi32(v)
#define NARROW_DOT(sum, a, b) _mm256_dpwssd_epi32(sum, a, b)
#define NARROW_ADD16 _mm256_add_epi16
#define NARROW_SHIFT16(v) _mm256_srli_epi16(v, NETWORK_WINDOW_SHIFT)
#define NARROW_LOW(v) _mm512_castsi512_si256(v)
#define NARROW_ADD32 _mm256_add_epi32
#define NARROW_CLAMP(v) \
    _mm256_min_epi32(_mm256_max_epi32(_mm256_srai_epi32(v, NETWORK_LAYER_SHIFT), _mm256_setzero_si256()), \
                     _mm256_set1_epi32(NETWORK_HIDDEN_LIMIT))
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
#define HAS_VNNI() (network_has(1, (int)(1u << 16 | 1u << 30 | 1u << 31), 0xE6) && network_has(2, 1 << 11, 0xE6))
#else
#define HAS_AVX2() __builtin_cpu_supports("avx2")
#define HAS_VNNI() (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") \
                    && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni"))
#endif

#elif defined(__ARM_NEON) || defined(_M_ARM64)
#include <arm_neon.h>

static inline int16x8_t neon_set32(int32_t value) { return vreinterpretq_s16_s32(vdupq_n_s32(value)); }
static inline int16x8_t neon_dot(int16x8_t sum, int16x8_t a, int16x8_t b) {
    int32x4_t pairs = vpaddq_s32(vmull_s16(vget_low_s16(a), vget_low_s16(b)), vmull_high_s16(a, b));
    return vreinterpretq_s16_s32(vaddq_s32(vreinterpretq_s32_s16(sum), pairs));
}
static inline int16x8_t neon_clamp(int16x8_t v) {
    int32x4_t value = vmaxq_s32(vshrq_n_s32(vreinterpretq_s32_s16(v), NETWORK_LAYER_SHIFT), vdupq_n_s32(0));
    return vreinterpretq_s16_s32(vminq_s32(value, vdupq_n_s32(NETWORK_HIDDEN_LIMIT)));
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
#define NARROW_SHIFT16(v) vreinterpretq_s16_u16(vshrq_n_u16(vreinterpretq_u16_s16(v), NETWORK_WINDOW_SHIFT))
#define NARROW_ADD32(a, b) vreinterpretq_s16_s32(vaddq_s32(vreinterpretq_s32_s16(a), vreinterpretq_s32_s16(b)))
#define NARROW_CLAMP(v) neon_clamp(v)
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
