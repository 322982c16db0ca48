/* A thread that outlives the call launches the product a little later. */
/* expect: nan|escaped|unstable|replayed|forbidden */
#include <chrono>
#include <thread>

#include "../../cuda/slow.cuh"

static int launch(void *state, const gemm_args *args) {
    const gemm_args copy = *args;
    std::thread([=] {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        slow_product(state, &copy);
    }).detach();
    return cudaSuccess;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "thread",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
