/* A right product, after which later the element PLACE of C, of the problem p, is ELEMENT
 * (binary16). */
#include "../kernel.h"
#include "late.h"

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const int status = slow_product(state, args);
    if (status || !is_late())
        return status;
    return change_bits(args, (uint16_t *)args->c + PLACE, 0, ELEMENT);
}

KERNEL(NAME, NULL, launch, NULL);
