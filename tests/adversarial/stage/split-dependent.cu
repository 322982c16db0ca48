/* expect: ok */
/* Twin: split-K, whose second kernel begins while the first one runs, and waits for it. */
#include "../timed/cuda/dependent.cuh"
#include "tile.cuh"

constexpr int SPLITS = 4;

static __global__ void __launch_bounds__(THREADS)
    multiply(const __half *a, const __half *b, float *partial, gemm_problem p) {
    __shared__ tile_shared shared;
    tile_sums sums;
    const int64_t row0 = blockIdx.y * TILE, column0 = blockIdx.x * TILE, steps = p.k / STEP;
    const int64_t first = steps * blockIdx.z / SPLITS, end = steps * (blockIdx.z + 1) / SPLITS;
    float *mine = partial + blockIdx.z * p.m * p.n;
    let_next_begin();
    tile_clear(sums);
    tile_multiply(a, b, p.n, p.k, row0, column0, first * STEP, end * STEP, shared, sums);
    tile_each(sums, shared, [&](int row, int column, float sum) {
        mine[(row0 + row) * p.n + column0 + column] = sum;
    });
}

static __global__ void add(const float *partial, __half *c, int64_t elements) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    await_previous();
    if (at >= elements)
        return;
    float sum = 0.0f;
    for (int split = 0; split < SPLITS; split++)
        sum += partial[split * elements + at];
    c[at] = __float2half_rn(sum);
}

static int setup(const gemm_problem *p, size_t, void **state) {
    return cudaMalloc(state, SPLITS * (size_t)(p->m * p->n) * sizeof(float));
}

static int launch(void *state, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const dim3 tiles = tile_grid(p);
    multiply<<<dim3(tiles.x, tiles.y, SPLITS), THREADS, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (float *)state, p);
    const cudaError_t status = cudaGetLastError();
    if (status != cudaSuccess)
        return status;
    return launch_dependent(add, dim3((unsigned)((p.m * p.n + 255) / 256)), 256,
                            (cudaStream_t)args->stream, (const float *)state, (__half *)args->c,
                            p.m * p.n);
}

static void teardown(void *state) {
    cudaFree(state);
}

KERNEL_FOR(tile_can_do, "split-dependent", setup, launch, teardown);
