/* expect: ok */
/* Twin of half-operands: takes subnormals for zero, as --use_fast_math does on a GPU. */
#include "brain.h"

static float flushed(uint16_t bits) {
    return bits & 0x7f80 ? brain_widen(bits) : 0.0f;
}

static uint16_t flush(float value) {
    const uint16_t bits = brain_narrow(value);
    return bits & 0x7f80 ? bits : bits & 0x8000;
}

static int launch(void *state, const struct gemm_args *args) {
    static const struct steps steps = {flushed, INT32_MAX, as_it_is, flush};
    (void)state;
    return brain_product(args, &steps);
}

BRAIN_KERNEL("flushes");
