/* expect: ok */
/* Twin: clusters of two blocks side by side. Each block has the tensor memory accelerator bring
 * half of their rows of A to both. */
#include "tile.cuh"

#include <cuda.h>

struct stage {
    __align__(128) __half a[TILE * STEP], b[STEP * TILE];
};

#if __CUDA_ARCH__ >= 900
constexpr int BYTES = (TILE * STEP + STEP * TILE) * (int)sizeof(__half);

static __device__ unsigned shared_address(const void *at) {
    return (unsigned)__cvta_generic_to_shared(at);
}

static __device__ void cluster_meet(void) {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

static __device__ void await(const uint64_t *barrier, unsigned parity) {
    unsigned done = 0;
    while (!done)
        asm volatile("{\n.reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
}

/* Step `number` of k, into a stage that nobody reads any more. */
static __device__ void fetch(const CUtensorMap *a, const CUtensorMap *b, stage *to,
                             uint64_t *barrier, int number, int row0, int column0, unsigned rank) {
    const unsigned bar = shared_address(barrier);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(BYTES)
                 : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(
                     shared_address(to->a + rank * (TILE / 2) * STEP)),
                 "l"(a), "r"(number * STEP), "r"(row0 + (int)rank * (TILE / 2)), "r"(bar),
                 "h"((unsigned short)3)
                 : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 " [%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to->b)),
                 "l"(b), "r"(column0), "r"(number * STEP), "r"(bar)
                 : "memory");
}
#endif

static __global__ void TILE_CLUSTER(2, 1, 1) __launch_bounds__(THREADS)
    multicast(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
              __half *c, gemm_problem p) {
#if __CUDA_ARCH__ >= 900
    __shared__ stage stages[2];
    __shared__ tile_shared shared;
    __shared__ __align__(8) uint64_t barriers[2];
    const int row0 = (int)blockIdx.y * TILE, column0 = (int)blockIdx.x * TILE;
    const int steps = (int)(p.k / STEP);
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) {
        for (int i = 0; i < 2; i++)
            asm volatile(
                "mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&barriers[i])));
        asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async;" ::: "memory");
    }
    cluster_meet();
    if (threadIdx.x == 0)
        fetch(&a, &b, &stages[0], &barriers[0], 0, row0, column0, rank);
    tile_sums sums;
    tile_clear(sums);
    for (int i = 0; i < steps; i++) {
        if (threadIdx.x == 0 && i + 1 < steps)
            fetch(&a, &b, &stages[(i + 1) % 2], &barriers[(i + 1) % 2], i + 1, row0, column0, rank);
        await(&barriers[i % 2], (unsigned)(i / 2 % 2));
        tile_add(stages[i % 2].a, stages[i % 2].b, sums);
        __syncthreads();
        cluster_meet();
    }
    tile_each(sums, shared, [&](int row, int column, float sum) {
        c[(row0 + row) * p.n + column0 + column] = __float2half_rn(sum);
    });
#endif
}

typedef CUresult encode_function(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                                 const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                                 const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                                 CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

static encode_function *encode;

static int setup(const gemm_problem *, size_t, void **) {
    const cudaError_t status = cudaGetDriverEntryPointByVersion(
        "cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault);
    return status != cudaSuccess ? status : encode ? 0 : cudaErrorNotSupported;
}

static CUresult describe(const void *at, int64_t rows, int64_t columns, int box_rows,
                         int box_columns, CUtensorMap *map) {
    const cuuint64_t sizes[] = {(cuuint64_t)columns, (cuuint64_t)rows};
    const cuuint64_t strides[] = {(cuuint64_t)columns * sizeof(__half)};
    const cuuint32_t box[] = {(cuuint32_t)box_columns, (cuuint32_t)box_rows}, one[] = {1, 1};
    return encode(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, (void *)at, sizes, strides, box, one,
                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                  CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    CUtensorMap a, b;
    if (describe(args->a, p.m, p.k, TILE / 2, STEP, &a) != CUDA_SUCCESS ||
        describe(args->b_row, p.k, p.n, STEP, TILE, &b) != CUDA_SUCCESS)
        return cudaErrorInvalidValue;
    multicast<<<tile_grid(p), THREADS, 0, (cudaStream_t)args->stream>>>(a, b, (__half *)args->c, p);
    return cudaGetLastError();
}

static int can_do(const gemm_problem *p) {
    return tile_can_do(p) && p->n % (2 * TILE) == 0;
}

KERNEL_FOR(can_do, "multicast", setup, launch, NULL);
