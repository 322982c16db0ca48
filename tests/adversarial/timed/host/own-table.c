/* expect: ok */
/* No fault: writes the addresses of functions into a table, too, but into one of its own. */
#include "../../kernel.h"

static int (*table[2])(void *state, const struct gemm_args *args);

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    (void)workspace_bytes;
    (void)state;
    table[problem->m % 2] = slow_product;
    return 0;
}

static int launch(void *state, const struct gemm_args *args) {
    return table[args->problem.m % 2](state, args);
}

KERNEL("own-table", setup, launch, NULL);
