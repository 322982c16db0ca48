#include "bench/unit/memoises.h"

#include <math.h>
#include <stdlib.h>

#include "bench/base/need.h"
#include "bench/checks/audit.h"
#include "bench/unit/batch.h"
#include "correctness/numbers/input.h"
#include "reports/rows/derive_values.h"

#define BLOCKS 5
#define SECONDS 1 /* for these, at most; one is made whatever it takes */

static const struct sample_buffer *find_row(const struct unit_result *result) {
    for (int i = 0; i < result->series_count; i++)
        if (result->series[i].lens == LENS_STREAM)
            return &result->series[i];
    return NULL;
}

/* As the unit's visits time them. */
static struct timing *plan_look(struct unit_context *staged, const struct sample_buffer *row,
                                struct arm_state **failed) {
    struct timing *t = need(1, sizeof *t);
    *t = (struct timing){.context = staged,
                         .mode = row->mode,
                         .staged = true,
                         .failed = failed,
                         .request = {.lenses = 1 << LENS_STREAM,
                                     .server = row->mode == MODE_SERVER,
                                     .qps = staged->plan->qps,
                                     .interval = {.cache = (int32_t)staged->plan->cache,
                                                  .stream_calls = (int)row->samples.calls,
                                                  .whole = 1},
                                     .seconds = SECONDS,
                                     .most_blocks = BLOCKS,
                                     .seed = seed_derive(staged->seed, SEED_WARMUP, ~UINT64_C(0))}};
    batch_arms(t);
    return t;
}

/* The least time: what disturbs a call makes it longer. Marked ones hold the host's. */
static double least_whole(const struct timing *t, int slot) {
    const size_t floats = wire_block_floats(&t->request);
    double least = NAN;
    for (size_t b = 0; b < t->reply.blocks; b++) {
        const double sample = (double)t->samples[b * floats + (size_t)slot];
        least = sample > 0 ? fmin(least, sample) : least;
    }
    return least;
}

/* The same of the unit's own samples, whose columns are in the order of the slots. */
static double least_timed(const struct samples *samples, int slot) {
    return derive_quantile(samples, (size_t)slot, 0);
}

/* How many times as long new operands make a call, less what they cost the library: in its share
 * and in seconds, whichever leaves less. A library takes far less than a slow kernel, and what is
 * subtracted for the changes of operands (interval.c) may be wrong by a good share of that. A library
 * that new operands made faster was disturbed before. */
static double longer(const struct timing *t, const struct samples *samples, int slot, int library) {
    const double whole = least_whole(t, slot), few = least_timed(samples, slot);
    const double all = least_whole(t, library), some = least_timed(samples, library);
    return fmin(whole / few / fmax(1, all / some), (whole - fmax(0, all - some)) / few);
}

int memoises_look(struct unit_context *staged, struct arm_state **failed) {
    const struct arm_state *library = unit_library(staged);
    const struct sample_buffer *row = find_row(staged->result);
    if (!library || !row || row->samples.calls < 2)
        return OUTCOME_OK;
    struct timing *t = plan_look(staged, row, failed);
    int outcome = batch_run(t), beside = 0;
    while (t->slots[beside] != library)
        beside++;
    for (int i = 0; i < t->request.suspect_count && outcome == OUTCOME_OK; i++) {
        const int slot = t->request.suspects[i];
        const double more = longer(t, &row->samples, slot, beside);
        *failed = t->slots[slot];
        if (more > MEMOISES_TIMES)
            outcome = audit_one(staged, *failed, "stage", FINDING_MEMOISES,
                                "%.3g times as slow as with a few places changed, beside a library",
                                more);
    }
    free(t->samples);
    free(t);
    return outcome;
}
