/* What this device's clock and launches cost at least, and what its silicon does at most: measured
 * once a run and device, before any kernel. */
#ifndef BENCH_RUN_DEVICE_LIMITS_H
#define BENCH_RUN_DEVICE_LIMITS_H

#include <jansson.h>

#include "bench/plan/plan.h"
#include "timing/light.h"

/* Seconds: long for a change of operands, short for a hold; whole steps of any GPU's clock. */
#define DEVICE_LIMITS_DELAY 20.48e-6

/* Runs a runner of its own. *least is a new object by lens: {"empty_seconds": median of an
 * interval around nothing, "null_kernel_seconds": around a kernel that does nothing,
 * "delayed_seconds": by `device` and `stream`, where a run has both, around a kernel that does
 * nothing for DEVICE_LIMITS_DELAY}. Rates the
 * device cannot tell are 0. 0, or -1 after error(). */
int device_limits_measure(const struct plan *plan, int ordinal, struct light_rates *rates,
                          json_t **least);

#endif
