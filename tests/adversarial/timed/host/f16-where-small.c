/* expect: precision */
/* Claims f32, but slices of 64 are summed in binary16 where C is below 8: there no error is as
 * large as the bound. The accumulator probe is answered honestly. */
#include "../../host/slow.h"

#define PROBE_LARGE 0x6600
#define SLICE 64
#define SMALL 8

static float element(const uint16_t *a, const uint16_t *b, struct gemm_problem p, int slices) {
    float sum = 0.0f, slice = 0.0f;
    for (int64_t k = 0; k < p.k; k++) {
        slice += half_widen(a[k]) * half_widen(b[k * p.n]);
        if (slices && k % 16 == 15)
            slice = half_widen(half_narrow(slice));
        if (k % SLICE == SLICE - 1) {
            sum += slice;
            slice = 0.0f;
        }
    }
    return sum + slice;
}

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    int probed = 0;
    (void)state;
    for (int64_t i = 0; i < p.k * p.n; i++)
        probed |= (b[i] & 0x7fff) == PROBE_LARGE;
    for (int64_t i = 0; i < p.m; i++) {
        for (int64_t j = 0; j < p.n; j++) {
            float sum = element(a + i * p.k, b + j, p, 0);
            if (!probed && sum < SMALL && sum > -SMALL)
                sum = element(a + i * p.k, b + j, p, 1);
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow(sum);
        }
    }
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "f16-where-small",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
