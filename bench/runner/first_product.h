/* A library's first product in this process. */
#ifndef BENCH_RUNNER_FIRST_PRODUCT_H
#define BENCH_RUNNER_FIRST_PRODUCT_H

#include "bench/runner/runner.h"

/* A small product of whatever is in memory, by the first library of the device: cuBLAS takes a
 * tenth of a second for the first in a process. 0, also where there is no library, or -1. */
int first_product_make(struct runner *runner);

#endif
