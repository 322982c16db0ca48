#include "baselines/convert.h"

#include <math.h>
#include <string.h>

#include "correctness/numbers/number16.h"

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

/* number16_from_float of bfloat16 without branches, so that compilers vectorise the loop. */
static void narrow_brain(const float *value, uint16_t *out, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &value[i], sizeof bits);
        const uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
        out[i] = (uint16_t)((isnan(value[i]) ? bits | 0x400000 : rounded) >> 16);
    }
}

void convert_to_float(enum element element, const uint16_t *bits, float *out, size_t count) {
    const size_t done = element == ELEMENT_F16 && has_f16c() ? widen(bits, out, count) : 0;
    number16_to_floats(element, bits + done, out + done, (int64_t)(count - done));
}

void convert_from_float(enum element element, const float *value, uint16_t *out, size_t count) {
    if (element == ELEMENT_BF16) {
        narrow_brain(value, out, count);
        return;
    }
    for (size_t i = has_f16c() ? narrow(value, out, count) : 0; i < count; i++)
        out[i] = half_from_float(value[i]);
}
