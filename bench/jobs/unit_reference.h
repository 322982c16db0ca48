/* The FP32 products that a unit's checks compare with: of a GPU made there before a kernel is loaded,
 * and checked each time; of the host device made on the processor. */
#ifndef BENCH_JOBS_UNIT_REFERENCE_H
#define BENCH_JOBS_UNIT_REFERENCE_H

#include "bench/jobs/unit_context.h"

/* Makes those of the unit's shape, unless they are the session's last. On the device `process`
 * makes them: a runner that has the unit's shape and no arm yet, so that no kernel can have changed
 * what it does. Then they are in the judge's memory, and no more in the runner's. 0, or -1 after
 * error(). Where the device is at fault, the session is marked as `unfit`: no kernel has failed. */
int unit_reference_make(struct unit_context *context, struct runner_process *process);

/* The product of the inputs of the kind; the calls of a check have the same seed. m*n floats until
 * those of another shape are made. NULL after error(). */
const float *unit_reference(struct unit_context *context, enum input_kind kind);

/* The seed of those inputs. */
uint64_t unit_reference_seed(const struct unit_context *context, enum input_kind kind);

void unit_reference_free(struct device_session *session);

#endif
