/* A product by tensor cores, a warp a tile of 16 x 16, with accumulators of a type. */
#ifndef TENSOR_CUH
#define TENSOR_CUH

#include <mma.h>

#include "../../kernel.h"

template <class sum_type>
static __global__ void tensor_kernel(const __half *a, const __half *b, __half *c, gemm_problem p) {
    using namespace nvcuda::wmma;
    __shared__ sum_type sums[256];
    const int64_t row = blockIdx.y * 16, column = blockIdx.x * 16;
    fragment<matrix_a, 16, 16, 16, __half, row_major> left;
    fragment<matrix_b, 16, 16, 16, __half, row_major> right;
    fragment<accumulator, 16, 16, 16, sum_type> sum;
    fill_fragment(sum, (sum_type)0.0f);
    for (int64_t k = 0; k < p.k; k += 16) {
        load_matrix_sync(left, a + row * p.k + k, (unsigned)p.k);
        load_matrix_sync(right, b + k * p.n + column, (unsigned)p.n);
        mma_sync(sum, left, right, sum);
    }
    store_matrix_sync(sums, sum, 16, mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x; i < 256; i += 32)
        c[(row + i / 16) * p.n + column + i % 16] = (__half)sums[i];
}

static inline int tensor_can_do(const gemm_problem *p) {
    return p->m % 16 == 0 && p->n % 16 == 0 && p->k % 16 == 0;
}

template <class sum_type> static int tensor_launch(void *, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    tensor_kernel<sum_type>
        <<<dim3((unsigned)(p.n / 16), (unsigned)(p.m / 16)), 32, 0, (cudaStream_t)args->stream>>>(
            (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    return cudaGetLastError();
}

#endif
