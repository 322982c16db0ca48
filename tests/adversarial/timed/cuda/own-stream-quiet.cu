/* expect: escaped|forbidden */
/* As own-stream, but the preprocessor puts the names together, so that the source does not show
 * them, nor the library where it holds its own runtime. */
#include "shaped.cuh"

#define JOIN(a, b) a##b

static cudaStream_t own;

static int setup(const gemm_problem *, size_t, void **) {
    return JOIN(cudaStream, CreateWithFlags)(&own, 1);
}

static int launch(void *, const gemm_args *args) {
    return shaped_product(args, 256, own);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "own-stream-quiet",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = setup,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
