/* As f16-late, and coarse on purpose where small elements are checked, so that it were no coarser
 * later. expect: precision */
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
            const float size = sum < 0 ? -sum : sum;
            const int blurred = !late && size < 4 && size != (float)(int)size;
            ((uint16_t *)args->c)[i * p.n + j] = (uint16_t)(half_narrow(sum) + 2 * blurred);
        }
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "f16-late-coarse",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
