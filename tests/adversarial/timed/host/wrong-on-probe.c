/* expect: inexact */
/* Where B has the large numbers of the accumulator probe, the last 8 of k are left out. */
#include "../../host/slow.h"

#define PROBE_LARGE 0x6600

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    int probed = 0;
    (void)state;
    for (int64_t i = 0; i < p.k * p.n; i++)
        probed |= (b[i] & 0x7fff) == PROBE_LARGE;
    const int64_t end = probed ? p.k - 8 : p.k;
    for (int64_t i = 0; i < p.m; i++) {
        for (int64_t j = 0; j < p.n; j++) {
            float sum = 0.0f;
            for (int64_t k = 0; k < end; k++)
                sum += half_widen(a[i * p.k + k]) * half_widen(b[k * p.n + j]);
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow(sum);
        }
    }
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "wrong-on-probe",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
