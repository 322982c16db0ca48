/* expect: ok */
/* No fault: its 13th call makes ready another kernel, which all later calls use. */
#define HONEST_CALLS 12
#include "../late.h"
#include "shaped.cuh"

/* A block a row of C, whose row of A lies in shared memory. */
static __global__ void by_rows(const __half *a, const __half *b, __half *c, gemm_problem p) {
    extern __shared__ __half row[];
    for (int64_t k = threadIdx.x; k < p.k; k += blockDim.x)
        row[k] = a[blockIdx.x * p.k + k];
    __syncthreads();
    for (int64_t j = threadIdx.x; j < p.n; j += blockDim.x) {
        float sum = 0.0f;
        for (int64_t k = 0; k < p.k; k++)
            sum += __half2float(row[k]) * __half2float(b[k * p.n + j]);
        c[blockIdx.x * p.n + j] = __float2half_rn(sum);
    }
}

static int launch(void *, const gemm_args *args) {
    static bool ready;
    const int bytes = (int)(args->problem.k * (int64_t)sizeof(__half));
    const cudaStream_t stream = (cudaStream_t)args->stream;
    if (!is_late())
        return shaped_product(args, 256, stream);
    if (!ready)
        cudaFuncSetAttribute(by_rows, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    ready = true;
    by_rows<<<(unsigned)args->problem.m, 128, bytes, stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, args->problem);
    return cudaGetLastError();
}

KERNEL("lazy-variant", NULL, launch, NULL);
