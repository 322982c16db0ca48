/* expect: precision|deviates */
/* Claims f32, but each sum of 64 of k is rounded to binary16, which is finer than C. */
#include "brain.h"

static int launch(void *state, const struct gemm_args *args) {
    static const struct steps steps = {brain_widen, 64, through_half, brain_narrow};
    (void)state;
    return brain_product(args, &steps);
}

BRAIN_KERNEL("half-partials");
