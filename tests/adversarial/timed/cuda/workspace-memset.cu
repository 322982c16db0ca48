/* expect: ok */
/* No fault: clears its workspace in each call and adds to it in any order, in binary32. */
#include "../../kernel.h"

static __global__ void add(const __half *a, const __half *b, float *sums, gemm_problem p) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    float sum = 0.0f;
    for (int64_t k = blockIdx.y; k < p.k; k += gridDim.y)
        sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    atomicAdd(sums + at, sum);
}

static __global__ void narrow(const float *sums, __half *c, int64_t count) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count)
        c[at] = __float2half_rn(sums[at]);
}

static int setup(const gemm_problem *problem, size_t, void **state) {
    return cudaMalloc(state, problem->m * problem->n * sizeof(float));
}

static int launch(void *state, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const unsigned blocks = (unsigned)((p.m * p.n + 255) / 256);
    const cudaStream_t stream = (cudaStream_t)args->stream;
    const cudaError_t status = cudaMemsetAsync(state, 0, p.m * p.n * sizeof(float), stream);
    if (status != cudaSuccess)
        return status;
    add<<<dim3(blocks, 4), 256, 0, stream>>>((const __half *)args->a, (const __half *)args->b_row,
                                             (float *)state, p);
    narrow<<<blocks, 256, 0, stream>>>((const float *)state, (__half *)args->c, p.m * p.n);
    return cudaGetLastError();
}

static void teardown(void *state) {
    cudaFree(state);
}

KERNEL("workspace-memset", setup, launch, teardown);
