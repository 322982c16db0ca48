/* What --device says. */
#ifndef BENCH_COMMAND_OPTIONS_DEVICE_OPTION_H
#define BENCH_COMMAND_OPTIONS_DEVICE_OPTION_H

#include "bench/plan/plan.h"

/* "host", "host:N,N...", "cuda", "cuda:N,N..." or "cuda:all", into the plan. NULL: the first GPU if
 * a kernel of the plan's sets needs one, else the first device of the best kind that has
 * one. Returns an exit status: EXIT_PASS, EXIT_TROUBLE after error(), and EXIT_NO_DEVICE after
 * error() where the sets need a GPU and there is none. */
int device_option(const char *text, struct plan *plan);

#endif
