/* expect: ok */
/* Twin: blocks that stay take tile after tile from a counter in a variable of the module. The last
 * block sets it back. */
#include "tile.cuh"

static __device__ unsigned next_tile, blocks_done;

static __global__ void __launch_bounds__(THREADS)
    persistent(const __half *a, const __half *b, __half *c, gemm_problem p) {
    __shared__ tile_shared shared;
    __shared__ unsigned mine;
    const unsigned across = (unsigned)(p.n / TILE), tiles = (unsigned)(p.m / TILE) * across;
    for (;;) {
        if (threadIdx.x == 0)
            mine = atomicAdd(&next_tile, 1);
        __syncthreads();
        const unsigned tile = mine;
        __syncthreads();
        if (tile >= tiles)
            break;
        const int64_t row0 = tile / across * TILE, column0 = tile % across * TILE;
        tile_sums sums;
        tile_clear(sums);
        tile_multiply(a, b, p.n, p.k, row0, column0, 0, p.k, shared, sums);
        tile_each(sums, shared, [&](int row, int column, float sum) {
            c[(row0 + row) * p.n + column0 + column] = __float2half_rn(sum);
        });
    }
    if (threadIdx.x != 0 || atomicAdd(&blocks_done, 1) + 1 < gridDim.x)
        return;
    next_tile = 0;
    blocks_done = 0;
}

static int launch(void *, const gemm_args *args) {
    persistent<<<264, THREADS, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, args->problem);
    return cudaGetLastError();
}

KERNEL_FOR(tile_can_do, "dynamic-tiles", NULL, launch, NULL);
