#include "bench/unit/memoises.h"

#include <math.h>

#include "bench/checks/audit.h"
#include "correctness/numbers/input.h"
#include "timing/stats.h"

enum { BLOCKS = 5 };

/* Medians of the library and the kernel. Returns an outcome or TROUBLE. */
static int time_row(struct unit_context *staged, struct arm_state *arm, struct wire_time *time,
                    double medians[2]) {
    static struct wire_reply reply;
    double x[2][BLOCKS];
    const double limit = (double)(BLOCKS * time->arm_count) * unit_call_limit(staged);
    const int outcome = unit_ask(staged, arm, wire_time_request(*time), limit, &reply);
    const size_t floats = wire_block_floats(time);
    const float *samples = staged->process.shared;
    const size_t blocks = reply.time.blocks < BLOCKS ? reply.time.blocks : BLOCKS;
    medians[0] = medians[1] = NAN;
    if (outcome != OUTCOME_OK || blocks == 0)
        return outcome;
    for (size_t b = 0; b < blocks; b++)
        for (int i = 0; i < 2; i++)
            x[i][b] = fabs((double)samples[b * floats + (size_t)i]);
    for (int i = 0; i < 2; i++)
        medians[i] = stats_median(x[i], blocks);
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
    const double more = all[1] / few[1] / (all[0] / few[0]);
    if (outcome != OUTCOME_OK || !(more > MEMOISES_TIMES))
        return outcome;
    return audit_one(staged, arm, "stage", FINDING_MEMOISES,
                     "%.3g times as slow as with a few places changed, beside a library", more);
}
