/* Builds without CUDA, or without the headers of CUPTI. */
#include "bench/device/trace.h"

#include "bench/base/error.h"

static const char reason[] = "gemmgate-runner was built without CUPTI";

void trace_load(void) {
}

int trace_start(const char **why) {
    *why = reason;
    return -1;
}

int trace_begin(int call) {
    return error("call %d: %s", call, reason);
}

int trace_end(int call) {
    return error("call %d: %s", call, reason);
}

int trace_collect(struct behaviour_event *events, uint64_t most, uint64_t *count,
                  uint64_t *dropped) {
    (void)events, (void)most;
    *count = *dropped = 0;
    return error("%s", reason);
}
