/* expect: ok */
/* Twin: split-K in a cluster of four blocks, whose sums meet in the shared memory of each other. */
#include "tile.cuh"

#include <cooperative_groups.h>

constexpr unsigned SPLITS = 4;

static __global__ void TILE_CLUSTER(1, 1, SPLITS) __launch_bounds__(THREADS)
    multiply(const __half *a, const __half *b, __half *c, gemm_problem p) {
#if __CUDA_ARCH__ >= 900
    __shared__ tile_shared shared;
    __shared__ float mine[TILE * TILE];
    const int64_t row0 = blockIdx.y * TILE, column0 = blockIdx.x * TILE, steps = p.k / STEP;
    const auto cluster = cooperative_groups::this_cluster();
    const unsigned rank = cluster.block_rank();
    tile_sums sums;
    tile_clear(sums);
    tile_multiply(a, b, p.n, p.k, row0, column0, steps * rank / SPLITS * STEP,
                  steps * (rank + 1) / SPLITS * STEP, shared, sums);
    tile_each(sums, shared,
              [&](int row, int column, float sum) { mine[row * TILE + column] = sum; });
    cluster.sync();
    const int share = TILE * TILE / SPLITS;
    for (int i = threadIdx.x; i < share; i += THREADS) {
        const int at = (int)rank * share + i;
        float sum = 0.0f;
        for (unsigned other = 0; other < SPLITS; other++)
            sum += cluster.map_shared_rank(mine, other)[at];
        c[(row0 + at / TILE) * p.n + column0 + at % TILE] = __float2half_rn(sum);
    }
    cluster.sync();
#endif
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const dim3 tiles = tile_grid(p);
    multiply<<<dim3(tiles.x, tiles.y, SPLITS), THREADS, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    return cudaGetLastError();
}

KERNEL_FOR(tile_can_do, "cluster-split", NULL, launch, NULL);
