/* A product by two kernels: slices of k into partial sums of a type, and their sum into C. */
#ifndef SPLIT_CUH
#define SPLIT_CUH

#include "../../kernel.h"

#define SPLITS 4

template <class partial>
static __global__ void split_multiply(const __half *a, const __half *b, partial *sums,
                                      gemm_problem p) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, all = p.m * p.n;
    const int64_t slice = (p.k + SPLITS - 1) / SPLITS, first = blockIdx.y * slice;
    if (at >= all)
        return;
    float sum = 0.0f;
    for (int64_t k = first; k < min(first + slice, p.k); k++)
        sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    sums[blockIdx.y * all + at] = (partial)sum;
}

template <class partial>
static __global__ void split_add(const partial *sums, __half *c, gemm_problem p) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, all = p.m * p.n;
    if (at >= all)
        return;
    float sum = 0.0f;
    for (int split = 0; split < SPLITS; split++)
        sum += (float)sums[split * all + at];
    c[at] = __float2half_rn(sum);
}

template <class partial> static int split_setup(const gemm_problem *problem, size_t, void **state) {
    return cudaMalloc(state, SPLITS * problem->m * problem->n * sizeof(partial));
}

template <class partial> static int split_launch(void *state, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const unsigned blocks = (unsigned)((p.m * p.n + 255) / 256);
    const cudaStream_t stream = (cudaStream_t)args->stream;
    split_multiply<<<dim3(blocks, SPLITS), 256, 0, stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (partial *)state, p);
    split_add<<<blocks, 256, 0, stream>>>((const partial *)state, (__half *)args->c, p);
    return cudaGetLastError();
}

static inline void split_teardown(void *state) {
    cudaFree(state);
}

#endif
