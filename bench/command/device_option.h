/* What --device says. */
#ifndef BENCH_COMMAND_DEVICE_OPTION_H
#define BENCH_COMMAND_DEVICE_OPTION_H

#include "bench/plan/plan.h"

/* "host", "host:N,N...", "cuda", "cuda:N,N..." or "cuda:all", into the plan. NULL: the first device
 * of the best kind that has one. 0, or -1 after error(). */
int device_option(const char *text, struct plan *plan);

#endif
