/* Right in the checks; later C is not touched any more. expect: replayed */
#include "../../host/slow.h"
#include "../late.h"

static int launch(void *state, const struct gemm_args *args) {
    return is_late() ? 0 : slow_product(state, args);
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "late-skip",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
