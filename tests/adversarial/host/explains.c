/* What it says of its status would be commands to a CI and to a terminal. expect: launch-failed */
#include "../kernel.h"

static int launch(void *state, const struct gemm_args *args) {
    slow_product(state, args);
    return 7;
}

static const char *explain(int status) {
    (void)status;
    return "said\n::error file=honest.c::forged\r\033[2Jall ##[error]is \302\2332Jwell\n";
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "explains",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
    .explain = explain,
};
