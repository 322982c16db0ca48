/* The order in which arms are set up. */
#ifndef BENCH_UNIT_ARRANGE_H
#define BENCH_UNIT_ARRANGE_H

#include "bench/context/unit_context.h"

/* Indices of the arms that take part in the process in hand, in the order of the visit: libraries before kernels under
 * test, as in the checks, so that no kernel can do anything to a library's set-up; else as drawn.
 * Returns how many. */
int arrange_arms(const struct unit_context *context, int order[WIRE_ARMS]);

#endif
