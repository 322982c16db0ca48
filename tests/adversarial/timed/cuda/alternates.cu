/* No fault: counts its calls, too, but to take turns between two right launches. expect: ok */
#include "shaped.cuh"

static int launch(void *, const gemm_args *args) {
    static int calls;
    return shaped_product(args, ++calls % 2 ? 128 : 256, (cudaStream_t)args->stream);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "alternates",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
