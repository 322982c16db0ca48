/* A product of which, where it is coarse, one sum of 32 is kept in binary16, where C is small. */
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

static int can_do(const gemm_problem *p) {
    return tile_can_do(p) && p->k > STEP;
}
