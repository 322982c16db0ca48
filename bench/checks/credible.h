/* Whether the times of the kernels under test can be those of their work. */
#ifndef BENCH_CHECKS_CREDIBLE_H
#define BENCH_CHECKS_CREDIBLE_H

#include "bench/jobs/unit_context.h"

/* The least that the product can take on the device; NaN: not known. */
double credible_light_seconds(const struct unit_context *context);

/* Once all visits are made: no kernel is faster than the device can be, nor than its own single
 * calls allow. One that is gets an outcome that says so, and has no times. */
void credible_look(struct unit_context *context);

#endif
