/* Whether the times of the kernels under test can be those of their work. */
#ifndef BENCH_CHECKS_CREDIBLE_H
#define BENCH_CHECKS_CREDIBLE_H

#include "bench/context/unit_context.h"

/* The least that the product can take on the device of the first round; NaN: not known. */
double credible_light_seconds(const struct unit_context *context);

/* Once all rounds are timed: no kernel is faster than the device can be, nor than its own single
 * calls allow. One that is gets an outcome that says so, and evidence. The earlier release is left
 * out then: EVENT_PREVIOUS_FAILED. Of a candidate that has failed in whatever way all times go:
 * EVENT_FAILED. */
enum unit_event credible_look(struct unit_context *context);

#endif
