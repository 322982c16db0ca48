/* expect: forbidden */
/* Its scratch memory is a MiB larger than its workspace. */
#include <stdlib.h>

#include "../../host/slow.h"

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    (void)problem;
    *state = malloc(workspace_bytes + ((size_t)1 << 20));
    return *state ? 0 : 1;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "workspace-more",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = setup,
    .launch = slow_product,
    .teardown = free,
};
