/* expect: forbidden */
/* Its scratch memory, a MiB larger than its workspace, is allocated when the library is loaded. */
#include "../../cuda/slow.cuh"

static void *scratch;

__attribute__((constructor)) static void allocate(void) {
    cudaMalloc(&scratch, (size_t)33 << 20);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "workspace-early",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = slow_product,
    .teardown = nullptr,
    .explain = slow_explain,
};
