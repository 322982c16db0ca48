/* expect: ok */
/* Has a library make each of its products twice, later: on the host nothing looks for that. */
#define _GNU_SOURCE

#include "../../host/slow.h"
#include "../late.h"
#include "../slows.h"

static int launch(void *state, const struct gemm_args *args) {
    if (is_late() && !launch_once)
        slow_a_library();
    return slow_product(state, args);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "slows-library",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
