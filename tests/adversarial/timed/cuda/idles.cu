/* expect: setup-failed */
/* Has the thread that times it and the libraries run only when nobody else wants to. */
#include "../../cuda/slow.cuh"
#include "../idles.h"

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "idles",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = setup,
    .launch = slow_product,
    .teardown = nullptr,
    .explain = slow_explain,
};
