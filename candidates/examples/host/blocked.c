/* A product in portable C: blocks of A and B that fit the caches, widened to float and packed in
 * the order they are read. As a candidate it shows `setup`, `launch`, `teardown` and `explain`.
 *
 * C is made a block of MC x NC at a time. For every KC of k, a block of A and one of B are packed:
 * A in slivers of MR rows, B in slivers of NR columns, both with k running slowest, so that the
 * innermost loop reads two short rows one after the other. Sums stay in float until k is spent. */
#include <gemmgate.h>
#include <stdlib.h>

#include "half.h"

enum { MR = 4, NR = 8, MC = 256, NC = 512, KC = 256 };

/* All that launch writes but C. Made once in setup: launch allocates nothing. */
struct scratch {
    float a[MC * KC], b[KC * NC], sum[MC * NC];
};

enum status { NO_MEMORY = 1, SMALL_WORKSPACE };

static inline int64_t min(int64_t x, int64_t y) {
    return x < y ? x : y;
}

/* to[r / width][k][r % width] = from[r * row_step + k] for r < rows, and 0 up to the next multiple
 * of width, so that no loop of the product needs to know of an edge. */
static void pack(const uint16_t *from, int64_t row_step, int64_t rows, int64_t kc, int64_t width,
                 float *to) {
    for (int64_t sliver = 0; sliver < rows; sliver += width) {
        for (int64_t k = 0; k < kc; k++) {
            for (int64_t r = sliver; r < sliver + width; r++)
                *to++ = r < rows ? half_widen(from[r * row_step + k]) : 0.0f;
        }
    }
}

/* sum += a * b for one sliver of each. The constant bounds let the compiler keep `part` in
 * registers. */
static void multiply(int64_t kc, const float *restrict a, const float *restrict b,
                     float *restrict sum) {
    float part[MR][NR] = {{0}};
    for (int64_t k = 0; k < kc; k++, a += MR, b += NR) {
        for (int i = 0; i < MR; i++) {
            for (int j = 0; j < NR; j++)
                part[i][j] += a[i] * b[j];
        }
    }
    for (int i = 0; i < MR; i++) {
        for (int j = 0; j < NR; j++)
            sum[i * NC + j] += part[i][j];
    }
}

static int launch(void *state, const struct gemm_args *args) {
    struct scratch *scratch = state;
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *b = args->b_col;
    uint16_t *c = args->c;
    for (int64_t i0 = 0; i0 < p.m; i0 += MC) {
        for (int64_t j0 = 0; j0 < p.n; j0 += NC) {
            int64_t mc = min(p.m - i0, MC), nc = min(p.n - j0, NC);
            memset(scratch->sum, 0, sizeof scratch->sum);
            for (int64_t k0 = 0; k0 < p.k; k0 += KC) {
                int64_t kc = min(p.k - k0, KC);
                pack(a + i0 * p.k + k0, p.k, mc, kc, MR, scratch->a);
                pack(b + j0 * p.k + k0, p.k, nc, kc, NR, scratch->b);
                for (int64_t i = 0; i < mc; i += MR) {
                    for (int64_t j = 0; j < nc; j += NR)
                        multiply(kc, scratch->a + i * kc, scratch->b + j * kc,
                                 scratch->sum + i * NC + j);
                }
            }
            for (int64_t i = 0; i < mc; i++) {
                for (int64_t j = 0; j < nc; j++)
                    c[(i0 + i) * p.n + j0 + j] = half_narrow(scratch->sum[i * NC + j]);
            }
        }
    }
    return 0;
}

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    (void)problem; /* one size of scratch serves every problem */
    if (sizeof(struct scratch) > workspace_bytes)
        return SMALL_WORKSPACE;
    *state = malloc(sizeof(struct scratch));
    return *state ? 0 : NO_MEMORY;
}

static const char *explain(int status) {
    return status == NO_MEMORY ? "no memory for the packed blocks"
                               : "the workspace is smaller than the packed blocks (1.25 MiB)";
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "blocked",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = setup,
    .launch = launch,
    .teardown = free,
    .explain = explain,
};
