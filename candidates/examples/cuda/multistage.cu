/* A multi-stage cp.async pipeline into mma.sync (pipeline.cuh), with the tile chosen by shape.
 * As a candidate it shows
 *   - both accumulators in one kernel: `accumulate` has two bits, problem.accumulate is one of
 * them;
 *   - a choice made in `setup`: the state points into a constant table, so there is no teardown;
 *   - edges handled inside the kernel: no `tile`, no padding, any m, n and k;
 *   - the status of the CUDA runtime as the kernel's own, put into words by `explain`. */
#include "pipeline.cuh"
#include <cuda_runtime.h>
#include <gemmgate.h>

/* Rows of tiles that are walked together, so that blocks which run at one time share columns of B
 * and a few rows of A in the L2 cache. */
constexpr int WALK_ROWS = 8;

/* One block, one BM x BN tile of C. Columns are written in pairs where n is even: a pair that
 * starts at an even column is then wholly inside or outside, and its address a multiple of 4. */
template <int BM, int BN, int STAGES, bool ALIGNED, class Sum>
__global__ void __launch_bounds__(THREADS, 2)
    multistage(const uint16_t *a, const uint16_t *b, __half *c, int64_t m, int64_t n, int64_t k) {
    extern __shared__ __align__(128) char shared[];
    const int tiles_m = (int)((m + BM - 1) / BM), tiles_n = (int)((n + BN - 1) / BN);
    const int group = blockIdx.x / (WALK_ROWS * tiles_n), rest = blockIdx.x % (WALK_ROWS * tiles_n);
    const int rows =
        min(WALK_ROWS, tiles_m - group * WALK_ROWS); /* the last group may have fewer */
    const int64_t row0 = (int64_t)(group * WALK_ROWS + rest % rows) * BM;
    const int64_t column0 = (int64_t)(rest / rows) * BN;

    Sum sum[BM / 32][BN / 16] = {};
    multiply_tile<BM, BN, STAGES, ALIGNED>(shared, {a, m, row0}, {b, n, column0}, k, sum);

    store_tile<BM, BN>(sum, [&](int i, int j, float x, float y) {
        const int64_t row = row0 + i, column = column0 + j;
        if (row >= m || column >= n)
            return;
        __half *to = c + row * n + column;
        if (n % 2 == 0) {
            *(__half2 *)to = __floats2half2_rn(x, y);
        } else {
            to[0] = __float2half_rn(x);
            if (column + 1 < n)
                to[1] = __float2half_rn(y);
        }
    });
}

using multistage_kernel = void (*)(const uint16_t *, const uint16_t *, __half *, int64_t, int64_t,
                                   int64_t);

struct variant {
    int bm, bn, shared_bytes;
    multistage_kernel kernels[2][2]; /* [f32 accumulation][k a multiple of 8] */
};

template <int BM, int BN, int STAGES> constexpr variant make_variant() {
    return {
        BM,
        BN,
        tile_shared_bytes(BM, BN, STAGES),
        {{multistage<BM, BN, STAGES, false, sum_f16>, multistage<BM, BN, STAGES, true, sum_f16>},
         {multistage<BM, BN, STAGES, false, sum_f32>, multistage<BM, BN, STAGES, true, sum_f32>}}};
}

/* The largest tile that gives every multiprocessor a block is taken: large tiles read less, small
 * ones leave fewer multiprocessors idle. */
static const variant variants[] = {make_variant<128, 128, 4>(), make_variant<128, 64, 4>(),
                                   make_variant<64, 64, 4>()};
constexpr int VARIANTS = sizeof variants / sizeof *variants;

static int64_t tiles(const variant &variant, const gemm_problem &problem) {
    return (problem.m + variant.bm - 1) / variant.bm * ((problem.n + variant.bn - 1) / variant.bn);
}

static multistage_kernel kernel_for(const variant &variant, const gemm_problem &problem) {
    return variant.kernels[problem.accumulate == GEMM_F32][problem.k % CHUNK == 0];
}

static int setup(const gemm_problem *problem, size_t, void **state) {
    int device, multiprocessors;
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (status != cudaSuccess)
        return status;
    int chosen = 0;
    while (chosen < VARIANTS - 1 && tiles(variants[chosen], *problem) < multiprocessors)
        chosen++;
    *state = (void *)&variants[chosen];
    /* More than 48 KB of shared memory must be asked for. */
    return cudaFuncSetAttribute((const void *)kernel_for(variants[chosen], *problem),
                                cudaFuncAttributeMaxDynamicSharedMemorySize,
                                variants[chosen].shared_bytes);
}

static int launch(void *state, const gemm_args *args) {
    const variant &chosen = *(const variant *)state;
    const gemm_problem &p = args->problem;
    const multistage_kernel kernel = kernel_for(chosen, p);
    kernel<<<(unsigned)tiles(chosen, p), THREADS, chosen.shared_bytes,
             (cudaStream_t)args->stream>>>((const uint16_t *)args->a, (const uint16_t *)args->b_col,
                                           (__half *)args->c, p.m, p.n, p.k);
    return cudaGetLastError();
}

static const char *explain(int status) {
    return cudaGetErrorString((cudaError_t)status);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "multistage",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F16 | GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = setup,
    .launch = launch,
    .teardown = nullptr,
    .explain = explain,
};
