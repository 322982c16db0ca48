/* expect: ok */
/* Twin: stream-K. Every block has as many steps of k as any other, of one tile or of two. Sums of
 * tiles that several blocks share meet by atomics in memory of its own; the block that adds the
 * last one writes C and leaves that memory as it was. So its bits may differ from call to call. */
#include "tile.cuh"

struct work {
    float *sums;
    unsigned *steps; /* by tile: how many have been added */
    int blocks;
};

static __global__ void __launch_bounds__(THREADS)
    stream_k(const __half *a, const __half *b, __half *c, gemm_problem p, work w) {
    __shared__ tile_shared shared;
    __shared__ bool last;
    const int64_t steps = p.k / STEP, across = p.n / TILE, all = p.m / TILE * across * steps;
    int64_t at = all * blockIdx.x / gridDim.x;
    const int64_t end = all * (blockIdx.x + 1) / gridDim.x;
    while (at < end) {
        const int64_t tile = at / steps, first = at % steps;
        const int64_t count = min(steps - first, end - at);
        const int64_t row0 = tile / across * TILE, column0 = tile % across * TILE;
        tile_sums sums;
        tile_clear(sums);
        tile_multiply(a, b, p.n, p.k, row0, column0, first * STEP, (first + count) * STEP, shared,
                      sums);
        at += count;
        if (count == steps) {
            tile_each(sums, shared, [&](int row, int column, float sum) {
                c[(row0 + row) * p.n + column0 + column] = __float2half_rn(sum);
            });
            continue;
        }
        tile_each(sums, shared, [&](int row, int column, float sum) {
            atomicAdd(&w.sums[(row0 + row) * p.n + column0 + column], sum);
        });
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            last = atomicAdd(&w.steps[tile], (unsigned)count) + count == steps;
        __syncthreads();
        if (!last)
            continue;
        __threadfence();
        for (int i = threadIdx.x; i < TILE * TILE; i += THREADS) {
            const int64_t where = (row0 + i / TILE) * p.n + column0 + i % TILE;
            c[where] = __float2half_rn(__ldcg(&w.sums[where]));
            __stcg(&w.sums[where], 0.0f);
        }
        if (threadIdx.x == 0)
            w.steps[tile] = 0;
        __syncthreads();
    }
}

static int setup(const gemm_problem *p, size_t, void **state) {
    const size_t sums = (size_t)(p->m * p->n) * sizeof(float);
    const size_t steps = (size_t)(p->m / TILE * (p->n / TILE)) * sizeof(unsigned);
    static work w;
    int device, units = 0;
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device);
    w.blocks = 4 * units;
    if (status == cudaSuccess)
        status = cudaMalloc(&w.sums, sums + steps);
    w.steps = (unsigned *)((char *)w.sums + sums);
    *state = &w;
    return status == cudaSuccess ? cudaMemset(w.sums, 0, sums + steps) : status;
}

static int launch(void *state, const gemm_args *args) {
    const work &w = *(const work *)state;
    stream_k<<<w.blocks, THREADS, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, args->problem, w);
    return cudaGetLastError();
}

static void teardown(void *state) {
    cudaFree(((work *)state)->sums);
}

KERNEL_FOR(tile_can_do, "stream-k", setup, launch, teardown);
