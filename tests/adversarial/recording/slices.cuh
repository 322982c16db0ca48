/* C is a sum of two slices in memory of the kernel's own, of which it writes one. CLEARS: whether
 * it clears that memory before the first call. */
#ifndef SLICES_CUH
#define SLICES_CUH

#include "twin.cuh"

static __global__ void multiply(const __half *a, const __half *b, float *slice, gemm_problem p) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k; k++)
        sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    slice[at] = sum;
}

static __global__ void add(const float *slices, __half *c, int64_t elements) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < elements)
        c[at] = __float2half_rn(slices[at] + slices[elements + at]);
}

static int setup(const gemm_problem *p, size_t, void **slices) {
    const size_t bytes = 2 * p->m * p->n * sizeof(float);
    const cudaError_t status = cudaMalloc(slices, bytes);
    return status == cudaSuccess && CLEARS ? cudaMemset(*slices, 0, bytes) : status;
}

static int launch(void *slices, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const cudaStream_t stream = (cudaStream_t)args->stream;
    multiply<<<twin_blocks(p), 256, 0, stream>>>((const __half *)args->a,
                                                 (const __half *)args->b_row, (float *)slices, p);
    add<<<twin_blocks(p), 256, 0, stream>>>((const float *)slices, (__half *)args->c, p.m * p.n);
    return cudaGetLastError();
}

#endif
