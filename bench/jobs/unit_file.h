/* A unit in the run's folder: whole, or with what its next visit must know, which may be made much
 * later, by another process and on another device. That is what the rows and samples so far say, a
 * recording of each kernel, and a few numbers. */
#ifndef BENCH_JOBS_UNIT_FILE_H
#define BENCH_JOBS_UNIT_FILE_H

#include "bench/jobs/unit_context.h"

/* Reads it into a context that has its plan, unit, session and an empty result, and nothing else.
 * The rows of the arms leave the result. 0; 1: nothing is stored; -1 after error(). */
int unit_file_read(struct unit_context *context);

/* Stores it as one that waits for a later visit, or with no more visits to come. The rows of the
 * arms are put into the result, and name the device. 0, or -1 after error(). */
int unit_file_write(struct unit_context *context, bool whole);

#endif
