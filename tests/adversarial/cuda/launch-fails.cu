/* An invalid launch configuration, which launch reports. expect: launch-failed */
#include "slow.cuh"

static __global__ void nothing() {
}

static int launch(void *, const gemm_args *args) {
    nothing<<<1, 4096, 0, (cudaStream_t)args->stream>>>();
    return cudaGetLastError();
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "launch-fails",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
