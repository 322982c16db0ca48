/* setup returns a status, which explain puts into words. expect: setup-failed */
#include "../kernel.h"

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    (void)problem;
    (void)workspace_bytes;
    (void)state;
    return 7;
}

static const char *explain(int status) {
    return status == 7 ? "planted: setup has no luck" : "not the status that was returned";
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "setup-fails",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = setup,
    .explain = explain,
    .launch = slow_product,
};
