/* expect: precision|deviates */
/* Claims f32, but C itself, in binary16, is what slices of k are added to. */
#include <string.h>

#include "../../host/slow.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    uint16_t *c = args->c;
    (void)state;
    memset(c, 0, (size_t)(p.m * p.n) * sizeof *c);
    for (int64_t first = 0; first < p.k; first += 32) {
        const int64_t end = first + 32 < p.k ? first + 32 : p.k;
        for (int64_t i = 0; i < p.m; i++) {
            for (int64_t j = 0; j < p.n; j++) {
                float sum = half_widen(c[i * p.n + j]);
                for (int64_t k = first; k < end; k++)
                    sum += half_widen(a[i * p.k + k]) * half_widen(b[k * p.n + j]);
                c[i * p.n + j] = half_narrow(sum);
            }
        }
    }
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "f16-in-c",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
