/* One element of A is changed once the product is done. expect: input-changed */
#include "slow.cuh"

static __global__ void change(uint16_t *element) {
    *element = 0x7bff; /* 65504, which no input holds */
}

static int launch(void *state, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    const int status = slow_product(state, args);
    if (status != cudaSuccess)
        return status;
    change<<<1, 1, 0, (cudaStream_t)args->stream>>>((uint16_t *)args->a + p.m * p.k / 2);
    return cudaGetLastError();
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "input-changed",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
