#include "bench/unit/memoises.h"

#include <math.h>

#include "bench/checks/audit.h"
#include "correctness/numbers/input.h"

enum { BLOCKS = 5 };

/* The least times of the library and the kernel: what disturbs a call makes it longer. Returns an
 * outcome or TROUBLE. */
static int time_row(struct unit_context *staged, struct arm_state *arm, struct wire_time *time,
                    double least[2]) {
    static struct wire_reply reply;
    const double limit = (double)(BLOCKS * time->arm_count) * unit_call_limit(staged);
    const int outcome = unit_ask(staged, arm, wire_time_request(*time), limit, &reply);
    const size_t floats = wire_block_floats(time);
    const float *samples = staged->process.shared;
    const size_t blocks = reply.time.blocks < BLOCKS ? reply.time.blocks : BLOCKS;
    least[0] = least[1] = NAN;
    if (outcome != OUTCOME_OK)
        return outcome;
    for (size_t b = 0; b < blocks; b++)
        for (int i = 0; i < 2; i++)
            least[i] = fmin(least[i], fabs((double)samples[b * floats + (size_t)i]));
    return outcome;
}

/* In a row where the lens is timed; 0: it is not. */
static int calls_in_a_row(const struct unit_result *result) {
    for (int i = 0; i < result->series_count; i++)
        if (result->series[i].lens == LENS_STREAM)
            return (int)result->series[i].samples.calls;
    return 0;
}

int memoises_look(struct unit_context *staged, struct arm_state *arm) {
    const struct arm_state *library = unit_library(staged);
    const int calls = calls_in_a_row(staged->result);
    double few[2], all[2];
    if (!library || calls < 2)
        return OUTCOME_OK;
    struct wire_time time = {.lenses = 1 << LENS_STREAM,
                             .interval = {.cache = CACHE_WARM, .stream_calls = calls},
                             .seconds = 3600,
                             .most_blocks = BLOCKS,
                             .seed = seed_derive(staged->seed, SEED_WARMUP, ~UINT64_C(0)),
                             .arm_count = 2,
                             .arms = {library->number, arm->number},
                             .reference = -1};
    int outcome = time_row(staged, arm, &time, few);
    time.interval.whole = 1;
    if (outcome == OUTCOME_OK)
        outcome = time_row(staged, arm, &time, all);
    /* A library that new operands made faster was disturbed before. */
    const double more = all[1] / few[1] / fmax(1, all[0] / few[0]);
    if (outcome != OUTCOME_OK || !(more > MEMOISES_TIMES))
        return outcome;
    return audit_one(staged, arm, "stage", FINDING_MEMOISES,
                     "%.3g times as slow as with a few places changed, beside a library", more);
}
