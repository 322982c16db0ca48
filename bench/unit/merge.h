/* What a job of a visit has found goes into the unit's result. */
#ifndef BENCH_UNIT_MERGE_H
#define BENCH_UNIT_MERGE_H

#include "bench/context/unit_context.h"

/* All that the job on this copy has found: samples behind those of the visits before, findings, and
 * what is known of the arms. 0, or -1 after error(): its arms are others than those before. */
int merge_job(struct unit_context *context, struct unit_context *job);

/* Of a job that failed, only what was found of this arm, and its outcome. Returns the unit's own arm;
 * NULL: it is a control. */
struct arm_state *merge_failed(struct unit_context *context, struct unit_context *job,
                               const struct arm_state *failed);

#endif
