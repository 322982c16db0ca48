/* A thread that outlives the call launches the product a little later. */
/* expect: nan|escaped|unstable|replayed|unrecorded */
#include <chrono>
#include <thread>

#include "../../kernel.h"

static int launch(void *state, const gemm_args *args) {
    const gemm_args copy = *args;
    std::thread([=] {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        slow_product(state, &copy);
    }).detach();
    return cudaSuccess;
}

KERNEL("thread", NULL, launch, NULL);
