/* What the kernels of this folder share: they differ in what they ask of CUDA around a product. */
#ifndef TWIN_CUH
#define TWIN_CUH

#include "../kernel.h"

static inline unsigned twin_blocks(const gemm_problem &p) {
    return (unsigned)((p.m * p.n + 255) / 256);
}

#endif
