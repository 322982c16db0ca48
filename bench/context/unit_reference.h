/* The FP32 products that a unit's checks compare with: made on its device, by a process of their
 * own and checked each time, or on the processor. */
#ifndef BENCH_CONTEXT_UNIT_REFERENCE_H
#define BENCH_CONTEXT_UNIT_REFERENCE_H

#include "bench/context/unit_context.h"

/* That of the inputs of the kind; the calls of a check have the same seed. m*n floats until another
 * unit's are asked for. NULL after error(). Where a product of the device is at fault, the session
 * is marked as `unfit`: no kernel has failed. */
const float *unit_reference(struct unit_context *context, enum input_kind kind);

/* The seed of those inputs. */
uint64_t unit_reference_seed(const struct unit_context *context, enum input_kind kind);

/* Makes them all, before any kernel is on the device: nothing is in the way of theirs then, nor are
 * they in a kernel's. 0, or -1 after error(). */
int unit_reference_make(struct unit_context *context);

/* "gpu" or "cpu": who makes them now. */
const char *unit_reference_maker(const struct device_session *session);

/* For a device that takes one process at a time: ends the process that makes them, which are made
 * on the processor from now on. Returns whether there was one. */
bool unit_reference_give_way(struct device_session *session);

#endif
