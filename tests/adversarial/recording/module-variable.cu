/* recording: carried out */
/* expect: ok */
/* Variables of the module are written in setup; of one the kernel is given the address. */
#include "twin.cuh"

static __device__ float scale[2];
static __constant__ float halve;

static __global__ void scaled(const __half *a, const __half *b, __half *c, gemm_problem p,
                              const float *factor) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k; k++)
        sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    c[at] = __float2half_rn(sum * scale[0] * *factor * halve);
}

static int setup(const gemm_problem *, size_t, void **state) {
    const float values[2] = {0.5f, 4.0f}, half = 0.5f;
    cudaError_t status = cudaMemcpyToSymbol(scale, values, sizeof values);
    if (status == cudaSuccess)
        status = cudaMemcpyToSymbol(halve, &half, sizeof half);
    return status == cudaSuccess ? cudaGetSymbolAddress(state, scale) : status;
}

static int launch(void *state, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    scaled<<<twin_blocks(p), 256, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p,
        (const float *)state + 1);
    return cudaGetLastError();
}

KERNEL("module-variable", setup, launch, NULL);
