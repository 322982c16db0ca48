/* recording: carried out */
/* expect: ok */
/* Much shared memory, clusters of two blocks, and a launch that may begin before the one before it
 * has ended; needs sm_90. */
#include "twin.cuh"

static __global__ void shared_rows(const __half *a, const __half *b, __half *c, gemm_problem p) {
    extern __shared__ float sums[];
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
    sums[threadIdx.x] = 0.0f;
    if (at >= p.m * p.n)
        return;
    for (int64_t k = 0; k < p.k; k++)
        sums[threadIdx.x] +=
            __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    c[at] = __float2half_rn(sums[threadIdx.x]);
}

enum { SHARED_BYTES = 100 << 10 };

static int setup(const gemm_problem *, size_t, void **) {
    cudaError_t status = cudaFuncSetAttribute(
        shared_rows, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES);
    return status == cudaSuccess
               ? cudaFuncSetAttribute(shared_rows, cudaFuncAttributePreferredSharedMemoryCarveout,
                                      100)
               : status;
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim.x = 2;
    attributes[0].val.clusterDim.y = attributes[0].val.clusterDim.z = 1;
    attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[1].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((twin_blocks(p) + 1) / 2 * 2);
    config.blockDim = dim3(256);
    config.dynamicSmemBytes = SHARED_BYTES;
    config.stream = (cudaStream_t)args->stream;
    config.attrs = attributes;
    config.numAttrs = 2;
    return cudaLaunchKernelEx(&config, shared_rows, (const __half *)args->a,
                              (const __half *)args->b_row, (__half *)args->c, p);
}

KERNEL("attributes", setup, launch, NULL);
