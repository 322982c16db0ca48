/* Which libraries have the device do the same. cuBLAS and cuBLASLt often choose the same kernel for a
 * shape: then their launches have the same grids, attributes and parameters, on the same operands. Such
 * libraries are one arm on the stage, and the interval of one is that of all. */
#ifndef BENCH_CHECKS_LIBRARY_WORK_H
#define BENCH_CHECKS_LIBRARY_WORK_H

#include "bench/jobs/unit_context.h"

/* Fills `work` in the rows of the libraries that have passed, in the process that has checked them. It
 * stays empty where it is not known: without a recorder, where two calls are not alike, or where a call
 * asks for what cannot be recorded, as a graph. 0 or TROUBLE. */
int library_work_tell(struct unit_context *context);

#endif
