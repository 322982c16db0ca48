/* A right and slow product, into which each kernel of this folder plants one fault. */
#ifndef SLOW_CUH
#define SLOW_CUH

#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <gemmgate.h>

/* One thread an element of C. */
static __global__ void slow_kernel(const __half *a, const __half *b, __half *c, gemm_problem p) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k; k++)
        sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    c[at] = __float2half_rn(sum);
}

/* C = A * B. Returns a status, as launch does. */
static inline int slow_product(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    slow_kernel<<<(unsigned)((p.m * p.n + 255) / 256), 256, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    return cudaGetLastError();
}

static inline const char *slow_explain(int status) {
    return cudaGetErrorString((cudaError_t)status);
}

#endif
