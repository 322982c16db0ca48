/* expect: ok */
/* No fault: exports functions, too, but by names of its own that merely look like others'. */
#include "../../kernel.h"

GEMMGATE_EXPORT int64_t hgemm_tile(int64_t size);
GEMMGATE_EXPORT int64_t clocked_rows(int64_t rows);
GEMMGATE_EXPORT int64_t elapsed_rows(int64_t rows);

int64_t hgemm_tile(int64_t size) {
    return size < 32 ? size : 32;
}

int64_t clocked_rows(int64_t rows) {
    return rows - rows % hgemm_tile(rows);
}

int64_t elapsed_rows(int64_t rows) {
    return clocked_rows(rows);
}

static int launch(void *state, const struct gemm_args *args) {
    return elapsed_rows(args->problem.m) > 0 ? slow_product(state, args) : 1;
}

KERNEL("own-names", NULL, launch, NULL);
