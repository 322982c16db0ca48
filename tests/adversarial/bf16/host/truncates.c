/* expect: precision|deviates */
/* Sums in binary32, of which C gets the upper half: cut off, not rounded. */
#include "brain.h"

static uint16_t cut(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static int launch(void *state, const struct gemm_args *args) {
    static const struct steps steps = {brain_widen, INT32_MAX, as_it_is, cut};
    (void)state;
    return brain_product(args, &steps);
}

BRAIN_KERNEL("truncates");
