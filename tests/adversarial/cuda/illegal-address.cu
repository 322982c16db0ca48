/* A write to an address that is nobody's: the context is lost. expect: device-error */
#include "slow.cuh"

static __global__ void write(uint16_t *nowhere) {
    *nowhere = 0;
}

static int launch(void *, const gemm_args *args) {
    write<<<1, 1, 0, (cudaStream_t)args->stream>>>((uint16_t *)16);
    return cudaGetLastError();
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "illegal-address",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
