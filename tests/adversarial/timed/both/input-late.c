/* expect: input-changed|unstable */
/* Later A is changed once the product is done: whoever comes next gets other inputs. */
#include "../../kernel.h"
#include "../late.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const int status = slow_product(state, args);
    if (status || !is_late())
        return status;
    /* 65504, which no input holds */
    return change_bits(args, (uint16_t *)args->a + p.m * p.k / 2, 0, 0x7bff);
}

KERNEL("input-late", NULL, launch, NULL);
