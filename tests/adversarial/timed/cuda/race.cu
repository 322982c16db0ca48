/* expect: inexact|nan */
/* One block clears C while others add to it, without a barrier. Blocks are made so large that the
 * clearing one, the last, starts when some have added already. */
#include "../../kernel.h"

#define THREADS 32
#define SHARED_BYTES (48 * 1024)

static __global__ void multiply(const __half *a, const __half *b, __half *c, gemm_problem p) {
    if (blockIdx.x == gridDim.x - 1) {
        for (int64_t at = threadIdx.x; at < p.m * p.n; at += THREADS)
            c[at] = __float2half_rn(0.0f);
        return;
    }
    const int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k; k++)
        sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    atomicAdd(c + at, __float2half_rn(sum));
}

static int launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const unsigned blocks = (unsigned)((p.m * p.n + THREADS - 1) / THREADS) + 1;
    multiply<<<blocks, THREADS, SHARED_BYTES, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    return cudaGetLastError();
}

KERNEL("race", NULL, launch, NULL);
