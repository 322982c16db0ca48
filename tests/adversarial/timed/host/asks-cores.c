/* expect: ok */
/* No fault: asks how its thread is scheduled, and on which cores, and changes nothing of it. */
#define _GNU_SOURCE

#include <sched.h>

#include "../../host/slow.h"

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    cpu_set_t cores;
    (void)problem;
    (void)workspace_bytes;
    (void)state;
    return sched_getaffinity(0, sizeof cores, &cores) != 0 || sched_getscheduler(0) < 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "asks-cores",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = setup,
    .launch = slow_product,
};
