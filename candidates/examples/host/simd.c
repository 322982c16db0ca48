/* A product with vector instructions: one program, two inner kernels (AVX2 with FMA and F16C, portable
 * C), of which setup chooses what this CPU has. As a candidate it shows a state that
 * carries a choice made per problem, and scratch memory sized by the problem within the workspace.
 *
 * C is made a panel of at most M_PANEL x N_PANEL at a time, kept in float until k is spent. For
 * every K_BLOCK of k, A's part of the panel is widened once (it stays in L3) and B's part N_BLOCK
 * columns at a time (L2). An inner kernel makes a tile of mr x nr sums in registers: it broadcasts
 * A's elements, whose mr short rows stay in L1 while B's slivers of nr columns pass by. A's rows
 * are K_BLOCK apart, a constant, so that mr rows need one pointer and A needs no transposition. */
#include <gemmgate.h>
#include <immintrin.h>
#include <stdlib.h>

#include "half.h"

enum { M_PANEL = 1008, N_PANEL = 2048, N_BLOCK = 384, K_BLOCK = 384, ALIGNMENT = 64 };

/* One way to do the three things that depend on the CPU. mr divides M_PANEL; nr divides N_PANEL,
 * N_BLOCK and K_BLOCK. */
struct path {
    int64_t mr, nr;

    /* to[(j / nr) * step + j % nr] = from[j] for j < n, and 0 up to the next multiple of nr. */
    void (*widen)(const uint16_t *from, int64_t n, float *to, int64_t step);

    /* tile (mr x nr, contiguous) = a * b, or += where add is nonzero. a: mr rows, K_BLOCK apart;
     * b: kc rows of nr, contiguous. */
    void (*multiply)(int64_t kc, const float *a, const float *b, float *tile, int add);

    /* c[i * ldc + j] = tile[i * nr + j] for i < rows, j < cols. */
    void (*narrow)(const float *tile, int64_t rows, int64_t cols, uint16_t *c, int64_t ldc);
};

/* ---- AVX2: 6 x 16, 12 registers of sums, 2 of B, 1 of A ---- */

#define AVX2 __attribute__((target("avx2,fma,f16c")))

AVX2 static void avx2_widen(const uint16_t *from, int64_t n, float *to, int64_t step) {
    for (int64_t j = 0; j < n; j += 16, to += step) {
        uint16_t edge[16] = {0};
        const uint16_t *part = from + j;
        if (n - j < 16)
            part = memcpy(edge, part, (size_t)(n - j) * sizeof *edge);
        _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)part)));
        _mm256_storeu_ps(to + 8, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)part + 1)));
    }
}

AVX2 static void avx2_multiply(int64_t kc, const float *a, const float *b, float *tile, int add) {
    __m256 sum[6][2];
#pragma GCC unroll 6
    for (int i = 0; i < 6; i++)
        sum[i][0] = sum[i][1] = _mm256_setzero_ps();
    for (int64_t k = 0; k < kc; k++, a++, b += 16) {
        __m256 b0 = _mm256_loadu_ps(b), b1 = _mm256_loadu_ps(b + 8);
        _mm_prefetch((const char *)(b + 128), _MM_HINT_T0);
#pragma GCC unroll 6
        for (int i = 0; i < 6; i++) {
            __m256 ai = _mm256_broadcast_ss(a + i * K_BLOCK);
            sum[i][0] = _mm256_fmadd_ps(ai, b0, sum[i][0]);
            sum[i][1] = _mm256_fmadd_ps(ai, b1, sum[i][1]);
        }
    }
#pragma GCC unroll 6
    for (int i = 0; i < 6; i++, tile += 16) {
        if (add) {
            sum[i][0] = _mm256_add_ps(sum[i][0], _mm256_loadu_ps(tile));
            sum[i][1] = _mm256_add_ps(sum[i][1], _mm256_loadu_ps(tile + 8));
        }
        _mm256_storeu_ps(tile, sum[i][0]);
        _mm256_storeu_ps(tile + 8, sum[i][1]);
    }
}

AVX2 static void avx2_narrow(const float *tile, int64_t rows, int64_t cols, uint16_t *c,
                             int64_t ldc) {
    for (; rows > 0; rows--, tile += 16, c += ldc) {
        uint16_t edge[16];
        uint16_t *to = cols < 16 ? edge : c;
        __m128i low = _mm256_cvtps_ph(_mm256_loadu_ps(tile), _MM_FROUND_TO_NEAREST_INT);
        __m128i high = _mm256_cvtps_ph(_mm256_loadu_ps(tile + 8), _MM_FROUND_TO_NEAREST_INT);
        _mm_storeu_si128((__m128i *)to, low);
        _mm_storeu_si128((__m128i *)to + 1, high);
        if (cols < 16)
            memcpy(c, edge, (size_t)cols * sizeof *c);
    }
}

/* ---- Any other x86: 4 x 8, for the compiler to vectorise ---- */

static void portable_widen(const uint16_t *from, int64_t n, float *to, int64_t step) {
    for (int64_t j = 0; j < n; j += 8, to += step) {
        for (int64_t i = 0; i < 8; i++)
            to[i] = j + i < n ? half_widen(from[j + i]) : 0.0f;
    }
}

/* A vector type of the compiler's, not of the CPU's: left to itself gcc 12 shuffles instead. */
typedef float four __attribute__((vector_size(16)));

static void portable_multiply(int64_t kc, const float *a, const float *b, float *tile, int add) {
    four sum[4][2] = {{{0}}};
    for (int64_t k = 0; k < kc; k++, a++, b += 8) {
        four b0, b1;
        memcpy(&b0, b, sizeof b0);
        memcpy(&b1, b + 4, sizeof b1);
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            sum[i][0] += a[i * K_BLOCK] * b0;
            sum[i][1] += a[i * K_BLOCK] * b1;
        }
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 8; j++)
            tile[i * 8 + j] = sum[i][j / 4][j % 4] + (add ? tile[i * 8 + j] : 0.0f);
    }
}

static void portable_narrow(const float *tile, int64_t rows, int64_t cols, uint16_t *c,
                            int64_t ldc) {
    for (; rows > 0; rows--, tile += 8, c += ldc) {
        for (int64_t j = 0; j < cols; j++)
            c[j] = half_narrow(tile[j]);
    }
}

static const struct path avx2 = {6, 16, avx2_widen, avx2_multiply, avx2_narrow};
static const struct path portable = {4, 8, portable_widen, portable_multiply, portable_narrow};

static const struct path *path_of_this_cpu(void) {
    /* No CPU has AVX2 without F16C, whose name clang 14 does not know here. */
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &avx2;
    return &portable;
}

/* ---- The candidate ---- */

struct plan {
    const struct path *path;
    float *a;   /* M_PANEL rows of K_BLOCK */
    float *b;   /* N_BLOCK / nr slivers of K_BLOCK rows of nr */
    float *sum; /* tiles of mr x nr, those of one column of tiles after one another */
};

enum status { NO_MEMORY = 1, SMALL_WORKSPACE };

static inline int64_t min(int64_t x, int64_t y) {
    return x < y ? x : y;
}

static inline int64_t round_up(int64_t x, int64_t step) {
    return (x + step - 1) / step * step;
}

/* sum (+)= A's panel times N_BLOCK or fewer columns of B, for one block of k. */
static void multiply_block(const struct plan *plan, int64_t mc, int64_t nc, int64_t kc, float *sum,
                           int add) {
    const struct path *path = plan->path;
    int64_t column = round_up(mc, path->mr) * path->nr; /* sums in a column of tiles */
    for (int64_t i = 0; i < mc; i += path->mr) {
        for (int64_t j = 0; j < nc; j += path->nr)
            path->multiply(kc, plan->a + i * K_BLOCK, plan->b + j * K_BLOCK,
                           sum + j / path->nr * column + i * path->nr, add);
    }
}

/* The mc x nc panel of C at (i0, j0). */
static void make_panel(const struct plan *plan, const struct gemm_args *args, int64_t i0,
                       int64_t mc, int64_t j0, int64_t nc) {
    const struct path *path = plan->path;
    const struct gemm_problem p = args->problem;
    const uint16_t *a = (const uint16_t *)args->a + i0 * p.k;
    const uint16_t *b = (const uint16_t *)args->b_row + j0;
    uint16_t *c = (uint16_t *)args->c + i0 * p.n + j0;
    int64_t column = round_up(mc, path->mr) * path->nr;
    for (int64_t k0 = 0; k0 < p.k; k0 += K_BLOCK) {
        int64_t kc = min(p.k - k0, K_BLOCK);
        /* Rows of A past mc are whatever was there: they reach only sums that are never stored. */
        for (int64_t i = 0; i < mc; i++)
            path->widen(a + i * p.k + k0, kc, plan->a + i * K_BLOCK, path->nr);
        for (int64_t j = 0; j < nc; j += N_BLOCK) {
            int64_t block = min(nc - j, N_BLOCK);
            for (int64_t k = 0; k < kc; k++)
                path->widen(b + (k0 + k) * p.n + j, block, plan->b + k * path->nr,
                            K_BLOCK * path->nr);
            multiply_block(plan, mc, block, kc, plan->sum + j / path->nr * column, k0 > 0);
        }
    }
    for (int64_t j = 0; j < nc; j += path->nr) {
        for (int64_t i = 0; i < mc; i += path->mr)
            path->narrow(plan->sum + j / path->nr * column + i * path->nr, min(mc - i, path->mr),
                         min(nc - j, path->nr), c + i * p.n + j, p.n);
    }
}

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    for (int64_t i = 0; i < p.m; i += M_PANEL) {
        for (int64_t j = 0; j < p.n; j += N_PANEL)
            make_panel(state, args, i, min(p.m - i, M_PANEL), j, min(p.n - j, N_PANEL));
    }
    return 0;
}

static void teardown(void *state) {
    struct plan *plan = state;
    if (plan)
        free(plan->a);
    free(plan);
}

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    const struct path *path = path_of_this_cpu();
    int64_t rows = round_up(min(problem->m, M_PANEL), path->mr);
    int64_t columns = round_up(min(problem->n, N_PANEL), path->nr);
    int64_t a = rows * K_BLOCK, b = N_BLOCK * K_BLOCK, sum = rows * columns;
    size_t bytes = (size_t)round_up((a + b + sum) * (int64_t)sizeof(float), ALIGNMENT);
    if (bytes > workspace_bytes)
        return SMALL_WORKSPACE;

    struct plan *plan = malloc(sizeof *plan);
    float *scratch = aligned_alloc(ALIGNMENT, bytes);
    if (!plan || !scratch) {
        free(plan);
        free(scratch);
        return NO_MEMORY;
    }
    memset(scratch, 0, bytes);
    *plan = (struct plan){path, scratch, scratch + a, scratch + a + b};
    *state = plan;
    return 0;
}

static const char *explain(int status) {
    return status == NO_MEMORY ? "no memory for the packed blocks"
                               : "the workspace is smaller than the packed blocks (at most 11 MiB)";
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "simd",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = setup,
    .launch = launch,
    .teardown = teardown,
    .explain = explain,
};
