/* Later slices of 16 are added up in binary16: no element is off by more than two libraries may be,
 * but many are off by some. BLUR(sum): last places added to an element before that. */
#include "../../host/slow.h"
#include "../late.h"

#define SLICE 16

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    const int late = is_late();
    (void)state;
    for (int64_t i = 0; i < p.m; i++)
        for (int64_t j = 0; j < p.n; j++) {
            float sum = 0;
            for (int64_t k = 0; k < p.k; k++) {
                sum += half_widen(a[i * p.k + k]) * half_widen(b[k * p.n + j]);
                if (late && k % SLICE == SLICE - 1)
                    sum = half_widen(half_narrow(sum));
            }
            ((uint16_t *)args->c)[i * p.n + j] =
                (uint16_t)(half_narrow(sum) + (late ? 0 : BLUR(sum)));
        }
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = NAME,
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
