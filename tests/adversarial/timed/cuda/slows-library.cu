/* expect: ok */
/* Has a library make each of its products twice, later: a warning says by how much its calls take
 * longer than its work on the stage. */
#define HONEST_CALLS 12
#include "../../cuda/slow.cuh"
#include "../late.h"
#include "../slows.h"

static int launch(void *state, const gemm_args *args) {
    if (is_late() && !launch_once)
        slow_a_library();
    return slow_product(state, args);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "slows-library",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = nullptr,
    .launch = launch,
    .teardown = nullptr,
    .explain = slow_explain,
};
