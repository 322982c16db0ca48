/* expect: precision */
/* Where its operands lie at the fixed addresses of a process that records, so that the stage does it, its product keeps one sum of 32
 * in binary16, where C is small. Elsewhere it does not. The launches look the same. */
#include "tile.cuh"

static __global__ void __launch_bounds__(THREADS)
    multiply(const __half *a, const __half *b, __half *c, gemm_problem p, bool coarse) {
    __shared__ tile_shared shared;
    tile_sums sums, lost;
    const int64_t row0 = blockIdx.y * TILE, column0 = blockIdx.x * TILE;
    tile_clear(sums);
    tile_clear(lost);
    tile_multiply(a, b, p.n, p.k, row0, column0, 0, STEP, shared, sums);
    for (int i = 0; i < 4 && coarse; i++)
        for (int e = 0; e < sums.part[i / 2][i % 2].num_elements; e++) {
            float &sum = sums.part[i / 2][i % 2].x[e];
            const float kept = __half2float(__float2half_rn(sum));
            lost.part[i / 2][i % 2].x[e] = sum - kept;
            sum = kept;
        }
    tile_multiply(a, b, p.n, p.k, row0, column0, STEP, p.k, shared, sums);
    for (int i = 0; i < 4; i++)
        for (int e = 0; e < sums.part[i / 2][i % 2].num_elements; e++)
            if (fabsf(sums.part[i / 2][i % 2].x[e]) > 8)
                sums.part[i / 2][i % 2].x[e] += lost.part[i / 2][i % 2].x[e];
    tile_each(sums, shared, [&](int row, int column, float sum) {
        c[(row0 + row) * p.n + column0 + column] = __float2half_rn(sum);
    });
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const bool recorded = (unsigned long long)args->a >> 36 == 0x3ab;
    multiply<<<tile_grid(p), THREADS, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p, recorded);
    return cudaGetLastError();
}

static int can_do(const gemm_problem *p) {
    return tile_can_do(p) && p->k > STEP;
}

KERNEL_FOR(can_do, "recorded-coarse", NULL, launch, NULL);
