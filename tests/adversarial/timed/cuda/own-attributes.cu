/* No fault: raises a limit, too, but one of its own kernel. expect: ok */
#include "../../kernel.h"

#define SHARED_BYTES (64 * 1024)

/* A block a row of C, whose row of A lies in shared memory. */
static __global__ void multiply(const __half *a, const __half *b, __half *c, gemm_problem p) {
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

static int can_do(const gemm_problem *problem) {
    return problem->k <= SHARED_BYTES / (int)sizeof(__half);
}

static int setup(const gemm_problem *, size_t, void **) {
    return cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                SHARED_BYTES);
}

static int launch(void *, const gemm_args *args) {
    multiply<<<(unsigned)args->problem.m, 128, SHARED_BYTES, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, args->problem);
    return cudaGetLastError();
}

KERNEL_FOR(can_do, "own-attributes", setup, launch, NULL);
