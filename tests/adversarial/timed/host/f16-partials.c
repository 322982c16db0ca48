/* expect: precision|deviates */
/* Claims f32, but the sums of two halves of k are rounded to binary16 before they are added. */
#include "split.h"

static int launch(void *state, const struct gemm_args *args) {
    (void)state;
    return split_product(args, (args->problem.k + 1) / 2, through_half);
}

KERNEL("f16-partials", NULL, launch, NULL);
