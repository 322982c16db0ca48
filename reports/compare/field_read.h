/* Reading what is to be compared from run directories. */
#ifndef REPORTS_COMPARE_FIELD_READ_H
#define REPORTS_COMPARE_FIELD_READ_H

#include "reports/compare/field.h"
#include "reports/run/opened.h"

/* Reads the rows and speeds of an opened run, which must be complete and what its samples give,
 * without the speeds of kernels that have failed a check, also later than they were timed. 0, or -1
 * after error(). */
int field_read_run(struct rundir *run);

/* Reads such runs of equal machines, at most FIELD_RUNS. Says through error() what cannot be
 * compared. Returns an exit status. */
int field_read(struct rundir *opened, size_t count, struct field_run runs[FIELD_RUNS]);

#endif
