/* A right and slow product with a fault that numbers of a usual size do not show: CHANGE of an
 * element of A, CHANGE_B, CHANGE_PRODUCT, CHANGE_C, or products to SKIP. */
#include "../../host/slow.h"

#ifndef CHANGE
#define CHANGE(x) (x)
#endif
#ifndef CHANGE_B
#define CHANGE_B(x) (x)
#endif
#ifndef CHANGE_PRODUCT
#define CHANGE_PRODUCT(x) (x)
#endif
#ifndef CHANGE_C
#define CHANGE_C(x) (x)
#endif
#ifndef SKIP
#define SKIP(a, b) 0
#endif

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    (void)state;
    for (int64_t i = 0; i < p.m; i++) {
        for (int64_t j = 0; j < p.n; j++) {
            float sum = 0.0f;
            for (int64_t k = 0; k < p.k; k++) {
                const float x = half_widen(a[i * p.k + k]), y = half_widen(b[k * p.n + j]);
                const float product = CHANGE(x) * CHANGE_B(y);
                if (!SKIP(x, y))
                    sum += CHANGE_PRODUCT(product);
            }
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow(CHANGE_C(sum));
        }
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
