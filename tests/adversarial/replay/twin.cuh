/* What the kernels of this folder share: they differ in what they ask of CUDA around a product. */
#ifndef TWIN_CUH
#define TWIN_CUH

#include "../cuda/slow.cuh"

static inline unsigned twin_blocks(const gemm_problem &p) {
    return (unsigned)((p.m * p.n + 255) / 256);
}

#define TWIN_KERNEL(words, set_up, multiply)                                                       \
    GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {                                    \
        .abi = GEMMGATE_ABI,                                                                       \
        .name = words,                                                                             \
        .device = GEMM_CUDA,                                                                       \
        .accumulate = GEMM_F32,                                                                    \
        .tile = {},                                                                                \
        .can_do = nullptr,                                                                         \
        .setup = set_up,                                                                           \
        .launch = multiply,                                                                        \
        .teardown = nullptr,                                                                       \
        .explain = slow_explain,                                                                   \
    };

#endif
