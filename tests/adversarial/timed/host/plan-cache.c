/* No fault: keeps something by shape and by content, too, but never a result. expect: ok */
#include <stdlib.h>
#include <string.h>

#include "../../kernel.h"

static struct gemm_problem seen;
static int narrow; /* which loop to take for the shape seen */

/* C = A * B row by row of C, the sums of a row kept apart. */
static int by_rows(const struct gemm_args *args, float *sums) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_row;
    for (int64_t i = 0; i < p.m; i++) {
        memset(sums, 0, (size_t)p.n * sizeof *sums);
        for (int64_t k = 0; k < p.k; k++)
            for (int64_t j = 0; j < p.n; j++)
                sums[j] += half_widen(a[i * p.k + k]) * half_widen(b[k * p.n + j]);
        for (int64_t j = 0; j < p.n; j++)
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow(sums[j]);
    }
    return 0;
}

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    (void)workspace_bytes;
    *state = malloc((size_t)problem->n * sizeof(float));
    return *state ? 0 : 1;
}

static int launch(void *state, const struct gemm_args *args) {
    if (memcmp(&seen, &args->problem, sizeof seen) != 0) {
        seen = args->problem;
        narrow = seen.n < 8;
    }
    return narrow ? slow_product(NULL, args) : by_rows(args, state);
}

KERNEL("plan-cache", setup, launch, free);
