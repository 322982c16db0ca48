/* One element of C, the last, is off by one last place. expect: inexact */
#include "slow.cuh"

static __global__ void spoil(uint16_t *element) {
    *element ^= 1;
}

static int launch(void *state, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const int status = slow_product(state, args);
    if (status != cudaSuccess)
        return status;
    spoil<<<1, 1, 0, (cudaStream_t)args->stream>>>((uint16_t *)args->c + p.m * p.n - 1);
    return cudaGetLastError();
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "wrong-element",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
