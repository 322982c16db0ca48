/* expect: ok */
/* Twin of brain-partials: sums of slices of k in binary32. */
#include "brain.h"

static int launch(void *state, const struct gemm_args *args) {
    static const struct steps steps = {brain_widen, 64, as_it_is, brain_narrow};
    (void)state;
    return brain_product(args, &steps);
}

BRAIN_KERNEL("f32-partials");
