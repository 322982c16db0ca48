/* Split-K: where C is too small to give every multiprocessor a tile and k is deep, k is cut into
 * splits, each block makes one tile of one split (pipeline.cuh), and a second kernel adds them up.
 * As a candidate it shows
 *   - `can_do`: it serves only the problems it is made for;
 *   - a workspace from the device, made in `setup` within workspace_bytes, freed in `teardown`;
 *   - two kernels in one launch: the stream orders them, launch waits for neither.
 * The partial sums are f32 and added in the order of k: the same input gives the same bits. */
#include "pipeline.cuh"
#include <cuda_runtime.h>
#include <gemmgate.h>
#include <stdlib.h>

constexpr int TILE = 64;
constexpr int STAGES = 5;
constexpr int SHARED_BYTES = tile_shared_bytes(TILE, TILE, STAGES); /* 40 KB: nothing to ask for */
constexpr int REDUCE_THREADS = 256;
constexpr int64_t MIN_SPLIT = 256; /* of k: less does not pay for the second pass */

/* Block (x, y): tile x of C, k from y * split_k on. partial: splits x m x n, row-major. */
template <bool ALIGNED>
__global__ void __launch_bounds__(THREADS)
    splitk_multiply(const uint16_t *a, const uint16_t *b, float *partial, int64_t m, int64_t n,
                    int64_t k, int64_t split_k) {
    __shared__ __align__(128) char shared[SHARED_BYTES];
    const int64_t tiles_n = (n + TILE - 1) / TILE;
    const int64_t row0 = blockIdx.x / tiles_n * TILE, column0 = blockIdx.x % tiles_n * TILE;
    const int64_t k_begin = blockIdx.y * split_k, k_end = min(k, k_begin + split_k);

    sum_f32 sum[TILE / 32][TILE / 16] = {};
    multiply_tile<TILE, TILE, STAGES, ALIGNED>(shared, {a, m, row0}, {b, n, column0}, k, k_begin,
                                               k_end, sum);

    float *mine = partial + blockIdx.y * m * n;
    store_tile<TILE, TILE>(sum, [&](int i, int j, float x, float y) {
        const int64_t row = row0 + i, column = column0 + j;
        if (row < m && column < n)
            mine[row * n + column] = x;
        if (row < m && column + 1 < n)
            mine[row * n + column + 1] = y;
    });
}

/* One thread an element of C. */
__global__ void __launch_bounds__(REDUCE_THREADS)
    splitk_reduce(const float *partial, __half *c, int64_t elements, int splits) {
    const int64_t at = (int64_t)blockIdx.x * REDUCE_THREADS + threadIdx.x;
    if (at >= elements)
        return;
    float sum = 0.0f;
    for (int split = 0; split < splits; split++)
        sum += partial[split * elements + at];
    c[at] = __float2half_rn(sum);
}

struct plan {
    float *partial;
    int64_t split_k; /* a multiple of BK */
    int splits;      /* splits * split_k >= k > (splits - 1) * split_k: none is empty */
};

static int64_t divide_up(int64_t x, int64_t by) {
    return (x + by - 1) / by;
}

static int64_t tiles(const gemm_problem *problem) {
    return divide_up(problem->m, TILE) * divide_up(problem->n, TILE);
}

/* 64 tiles leave a large GPU half empty, and k then has to be worth cutting. */
static int can_do(const gemm_problem *problem) {
    return tiles(problem) <= 64 && problem->k >= 2048;
}

static void teardown(void *state) {
    plan *made = (plan *)state;
    if (made)
        cudaFree(made->partial);
    free(made);
}

static int setup(const gemm_problem *problem, size_t workspace_bytes, void **state) {
    int device, multiprocessors;
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (status != cudaSuccess)
        return status;

    /* Two blocks a multiprocessor, as far as k and the workspace go. */
    const size_t split_bytes = (size_t)(problem->m * problem->n) * sizeof(float);
    int64_t splits = divide_up(2 * multiprocessors, tiles(problem));
    splits = splits < problem->k / MIN_SPLIT ? splits : problem->k / MIN_SPLIT;
    const int64_t room = (int64_t)(workspace_bytes / split_bytes);
    splits = splits < room ? splits : room;
    if (splits < 1)
        return cudaErrorMemoryAllocation;

    plan *made = (plan *)calloc(1, sizeof *made);
    if (!made)
        return cudaErrorMemoryAllocation;
    made->split_k = divide_up(divide_up(problem->k, splits), BK) * BK;
    made->splits =
        (int)divide_up(problem->k, made->split_k); /* rounding up may have emptied some */
    status = cudaMalloc(&made->partial, made->splits * split_bytes);
    if (status != cudaSuccess) {
        free(made);
        return status;
    }
    *state = made;
    return 0;
}

static int launch(void *state, const gemm_args *args) {
    const plan &made = *(const plan *)state;
    const gemm_problem &p = args->problem;
    const cudaStream_t stream = (cudaStream_t)args->stream;
    const auto multiply = p.k % CHUNK == 0 ? splitk_multiply<true> : splitk_multiply<false>;
    const dim3 grid((unsigned)tiles(&p), (unsigned)made.splits);
    multiply<<<grid, THREADS, 0, stream>>>((const uint16_t *)args->a, (const uint16_t *)args->b_col,
                                           made.partial, p.m, p.n, p.k, made.split_k);
    const cudaError_t status = cudaGetLastError();
    if (status != cudaSuccess)
        return status;
    const unsigned blocks = (unsigned)divide_up(p.m * p.n, REDUCE_THREADS);
    splitk_reduce<<<blocks, REDUCE_THREADS, 0, stream>>>(made.partial, (__half *)args->c, p.m * p.n,
                                                         made.splits);
    return cudaGetLastError();
}

static const char *explain(int status) {
    return cudaGetErrorString((cudaError_t)status);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "splitk",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = can_do,
    .setup = setup,
    .launch = launch,
    .teardown = teardown,
    .explain = explain,
};
