/* An f32 product, but of inputs that were rounded to fp8 (e4m3). expect: deviates */
#include "../../host/slow.h"

/* To 3 bits behind the leading one, ties to even; below 2^-6 in steps of 2^-9; at most 448. */
static float e4m3(uint16_t half) {
    const float value = half_widen(half), size = value < 0 ? -value : value;
    uint32_t bits;
    if (size < 0x1p-6f)
        return (value + 0x1.8p14f) - 0x1.8p14f;
    memcpy(&bits, &size, sizeof bits);
    bits = (bits + 0x7ffff + (bits >> 20 & 1)) & ~0xfffffu;
    float rounded;
    memcpy(&rounded, &bits, sizeof rounded);
    rounded = rounded > 448 ? 448 : rounded;
    return value < 0 ? -rounded : rounded;
}

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    (void)state;
    for (int64_t i = 0; i < p.m; i++) {
        for (int64_t j = 0; j < p.n; j++) {
            float sum = 0.0f;
            for (int64_t k = 0; k < p.k; k++)
                sum += e4m3(a[i * p.k + k]) * e4m3(b[k * p.n + j]);
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow(sum);
        }
    }
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "fp8-inputs",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
