/* expect: ok */
/* No fault: exports functions, too, but by names of its own that merely look like others'. */
#include "../../host/slow.h"

GEMMGATE_EXPORT int64_t hgemm_tile(int64_t size);
GEMMGATE_EXPORT int64_t clocked_rows(int64_t rows);

int64_t hgemm_tile(int64_t size) {
    return size < 32 ? size : 32;
}

int64_t clocked_rows(int64_t rows) {
    return rows - rows % hgemm_tile(rows);
}

static int can_start(void *state, const struct gemm_args *args) {
    return clocked_rows(args->problem.m) > 0 ? slow_product(state, args) : 1;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "own-names",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .launch = can_start,
};
