#include "bench/runner/layout.h"

#include "bench/runner/operands.h"

#define PAGE (UINT64_C(2) << 20)

static uint64_t bytes_of(int64_t rows, int64_t cols) {
    const uint64_t elements = (uint64_t)(rows + LAYOUT_PADDING) * (uint64_t)(cols + LAYOUT_PADDING);
    return (2 * elements + 2 * GUARD_BYTES + PAGE - 1) / PAGE * PAGE;
}

void layout_operands(struct shape s, enum layout_operands whose, uint64_t places[3]) {
    const uint64_t a = bytes_of(s.m, s.k), b = bytes_of(s.k, s.n);
    places[0] = PAGE + (uint64_t)whose * (a + 2 * b);
    places[1] = places[0] + a;
    places[2] = places[1] + b;
}

uint64_t layout_c(struct shape s, int i) {
    uint64_t behind[3];
    layout_operands(s, LAYOUT_OPERANDS, behind);
    return behind[0] + (uint64_t)i * bytes_of(s.m, s.n);
}

uint64_t layout_rest(struct shape shape) {
    return layout_c(shape, CHAIN_CALLS);
}
