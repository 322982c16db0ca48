/* expect: values|precision|deviates */
/* C passes through binary16, whose range is shorter. */
#include "brain.h"

static uint16_t by_half(float value) {
    return brain_narrow(through_half(value));
}

static int launch(void *state, const struct gemm_args *args) {
    static const struct steps steps = {brain_widen, INT32_MAX, as_it_is, by_half};
    (void)state;
    return brain_product(args, &steps);
}

BRAIN_KERNEL("half-result");
