#include "baselines/half_convert.h"

#include "correctness/numbers/half.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

/* Both return how many leading elements they did. */
__attribute__((target("avx,f16c"))) static size_t widen(const uint16_t *half, float *out,
                                                        size_t count) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8)
        _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(half + i))));
    return i;
}

__attribute__((target("avx,f16c"))) static size_t narrow(const float *value, uint16_t *out,
                                                         size_t count) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8)
        _mm_storeu_si128((__m128i *)(out + i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(value + i), _MM_FROUND_TO_NEAREST_INT));
    return i;
}

/* clang 14 has no name for F16C in __builtin_cpu_supports. The instruction cpuid is asked once: in
 * a virtual machine it costs microseconds. */
static int has_f16c(void) {
    static int answer = -1;
    unsigned eax, ebx, ecx, edx;
    if (answer < 0)
        answer = __builtin_cpu_supports("avx") && __get_cpuid(1, &eax, &ebx, &ecx, &edx) &&
                 (ecx & bit_F16C);
    return answer;
}
#else
static size_t widen(const uint16_t *half, float *out, size_t count) {
    (void)half, (void)out, (void)count;
    return 0;
}

static size_t narrow(const float *value, uint16_t *out, size_t count) {
    (void)value, (void)out, (void)count;
    return 0;
}

static int has_f16c(void) {
    return 0;
}
#endif

void half_convert_to_float(const uint16_t *half, float *out, size_t count) {
    const size_t done = has_f16c() ? widen(half, out, count) : 0;
    half_to_floats(half + done, out + done, (int64_t)(count - done));
}

void half_convert_from_float(const float *value, uint16_t *out, size_t count) {
    for (size_t i = has_f16c() ? narrow(value, out, count) : 0; i < count; i++)
        out[i] = half_from_float(value[i]);
}
