/* Later the process ends as if all were well. expect: exited */
#include <stdlib.h>

#include "../../host/slow.h"
#include "../late.h"

static int launch(void *state, const struct gemm_args *args) {
    slow_product(state, args);
    if (is_late())
        exit(0);
    return 0;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "exit-late",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = launch,
};
