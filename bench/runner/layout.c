#include "bench/runner/layout.h"

#include "bench/runner/operands.h"

#define PAGE (UINT64_C(2) << 20)

static uint64_t bytes_of(int64_t rows, int64_t cols) {
    const uint64_t elements = (uint64_t)(rows + LAYOUT_PADDING) * (uint64_t)(cols + LAYOUT_PADDING);
    return (2 * elements + 2 * GUARD_BYTES + PAGE - 1) / PAGE * PAGE;
}

static uint64_t operand_bytes(struct shape s) {
    return bytes_of(s.m, s.k) + 2 * bytes_of(s.k, s.n);
}

uint64_t layout_call_bytes(struct shape s) {
    return operand_bytes(s) + bytes_of(s.m, s.n);
}

int layout_calls(struct shape s) {
    const uint64_t calls = LAYOUT_ROW_BYTES / layout_call_bytes(s);
    return calls < 2 ? 2 : calls > LAYOUT_CALLS ? LAYOUT_CALLS : (int)calls;
}

void layout_operands(struct shape s, enum layout_operands whose, int call, uint64_t offsets[3]) {
    offsets[0] = PAGE + (uint64_t)((int)whose * layout_calls(s) + call) * operand_bytes(s);
    offsets[1] = offsets[0] + bytes_of(s.m, s.k);
    offsets[2] = offsets[1] + bytes_of(s.k, s.n);
}

uint64_t layout_c(struct shape s, int call) {
    uint64_t behind[3];
    layout_operands(s, LAYOUT_OPERANDS, 0, behind);
    return behind[0] + (uint64_t)call * bytes_of(s.m, s.n);
}

uint64_t layout_rest(struct shape s) {
    return layout_c(s, layout_calls(s));
}
