/* setup outlives every limit. expect: timed-out */
#include <unistd.h>

#include "slow.h"

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    (void)problem;
    (void)workspace_bytes;
    (void)state;
    sleep(3600);
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "slow-setup",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = setup,
    .launch = slow_product,
};
