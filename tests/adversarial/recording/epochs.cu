/* recording: carried out */
/* expect: ok */
/* Blocks of one call meet at a count in memory that never goes back: the host passes what it must
 * have reached, so that no call has to clear it. Needs all blocks at once, so there are few. */
#include "twin.cuh"

static __global__ void meet(const __half *a, const __half *b, __half *c, gemm_problem p,
                            unsigned *arrived, unsigned target) {
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; at < p.m * p.n; at += step) {
        float sum = 0.0f;
        for (int64_t k = 0; k < p.k; k++)
            sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
        c[at] = __float2half_rn(sum);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (*(volatile unsigned *)arrived < target)
            ;
    }
}

static int setup(const gemm_problem *, size_t, void **state) {
    const cudaError_t status = cudaMalloc(state, sizeof(unsigned));
    return status == cudaSuccess ? cudaMemset(*state, 0, sizeof(unsigned)) : status;
}

static int launch(void *state, const gemm_args *args) {
    static unsigned calls;
    const unsigned blocks = 64;
    meet<<<blocks, 256, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, args->problem,
        (unsigned *)state, ++calls * blocks);
    return cudaGetLastError();
}

KERNEL("epochs", setup, launch, NULL);
