/* Later one element of C is NaN. expect: unstable */
#include "../../cuda/slow.cuh"
#include "../late.h"

static __global__ void put(uint16_t *at, uint16_t value) {
    *at = value;
}

static int launch(void *state, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const int status = slow_product(state, args);
    if (status != cudaSuccess || !is_late())
        return status;
    put<<<1, 1, 0, (cudaStream_t)args->stream>>>((uint16_t *)args->c + p.m * p.n / 2, 0x7e00);
    return cudaGetLastError();
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "nan-late",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
