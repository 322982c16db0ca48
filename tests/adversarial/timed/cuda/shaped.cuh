/* slow_product with other sizes of a block, or on another stream. */
#ifndef SHAPED_CUH
#define SHAPED_CUH

#include "../../kernel.h"

static inline int shaped_product(const gemm_args *args, unsigned threads, cudaStream_t stream) {
    const gemm_problem &p = args->problem;
    slow_kernel<<<(unsigned)((p.m * p.n + threads - 1) / threads), threads, 0, stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p);
    return cudaGetLastError();
}

#endif
