/* A right product, after which later the element PLACE of C, of the problem p, is ELEMENT
 * (binary16). */
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
    put<<<1, 1, 0, (cudaStream_t)args->stream>>>((uint16_t *)args->c + PLACE, ELEMENT);
    return cudaGetLastError();
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = NAME,
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
