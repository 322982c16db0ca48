#include "bench/runner/visit.h"

#include <stdio.h>

#define AFTER_MOVE (UINT64_C(1) << 40)

uint64_t visit_after_move(uint64_t block) {
    return block + AFTER_MOVE;
}

const char *visit_name(uint64_t visit, char text[VISIT_NAME]) {
    if (visit < AFTER_MOVE)
        snprintf(text, VISIT_NAME, "block %llu", (unsigned long long)visit);
    else
        snprintf(text, VISIT_NAME, "first visit after a move, before block %llu",
                 (unsigned long long)(visit - AFTER_MOVE));
    return text;
}

int visit_output(const struct wire_time *request, int slot, uint64_t visit) {
    return (int)(((uint64_t)slot + visit) % (uint64_t)request->arm_count);
}
