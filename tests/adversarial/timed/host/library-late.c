/* expect: forbidden */
/* Later the product is OpenBLAS's, whose functions no symbol of this library names. */
#define _GNU_SOURCE

#include <stdlib.h>

#include "../../host/slow.h"
#include "../found.h"
#include "../late.h"

static void (*multiply)(int order, int a, int b, int m, int n, int k, float one,
                        const float *matrix_a, int lda, const float *matrix_b, int ldb, float zero,
                        float *matrix_c, int ldc);
static float *wide; /* A, B and C */

static int setup(const struct gemm_problem *p, size_t workspace_bytes, void **state) {
    (void)workspace_bytes;
    (void)state;
    wide = malloc((size_t)(p->m * p->k + p->k * p->n + p->m * p->n) * sizeof *wide);
    multiply = (__typeof__(multiply))found("cblas_sgemm");
    return !wide || !multiply;
}

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    float *const wide_b = wide + p.m * p.k, *const wide_c = wide_b + p.k * p.n;
    if (!is_late())
        return slow_product(state, args);
    for (int64_t i = 0; i < p.m * p.k; i++)
        wide[i] = half_widen(a[i]);
    for (int64_t i = 0; i < p.k * p.n; i++)
        wide_b[i] = half_widen(b[i]);
    multiply(101, 111, 111, (int)p.m, (int)p.n, (int)p.k, 1, wide, (int)p.k, wide_b, (int)p.n, 0,
             wide_c, (int)p.n);
    for (int64_t i = 0; i < p.m * p.n; i++)
        ((uint16_t *)args->c)[i] = half_narrow(wide_c[i]);
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "library-late",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = setup,
    .launch = launch,
};
