/* recording: no: cuMemcpyHtoD */
/* expect: unrecorded */
/* A factor comes from the host with each call. */
#include "twin.cuh"

static __device__ float factor;

static __global__ void scaled(const __half *a, const __half *b, __half *c, gemm_problem p) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k; k++)
        sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    c[at] = __float2half_rn(sum * factor);
}

static int launch(void *, const gemm_args *args) {
    static const float one = 1.0f;
    const gemm_problem &p = args->problem;
    const cudaStream_t stream = (cudaStream_t)args->stream;
    const cudaError_t status =
        cudaMemcpyToSymbolAsync(factor, &one, sizeof one, 0, cudaMemcpyHostToDevice, stream);
    if (status != cudaSuccess)
        return status;
    scaled<<<twin_blocks(p), 256, 0, stream>>>((const __half *)args->a, (const __half *)args->b_row,
                                               (__half *)args->c, p);
    return cudaGetLastError();
}

KERNEL("uploads", NULL, launch, NULL);
