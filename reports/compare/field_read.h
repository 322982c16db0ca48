/* Reading what is to be compared from run directories. */
#ifndef REPORTS_COMPARE_FIELD_READ_H
#define REPORTS_COMPARE_FIELD_READ_H

#include "reports/compare/field.h"
#include "reports/run/about.h"

/* The speeds of a complete run whose numbers are what its samples give, without those of kernels
 * that have failed a check, also later than they were timed. 0, or -1 after error(). */
int field_read_run(const char *run, struct pairs *speeds, struct about *about);

/* Reads such runs of equal machines. Says through error() what cannot be compared. Returns an exit status; either way the caller frees. */
int field_read(const char *const *folders, size_t count, struct field_run runs[FIELD_RUNS]);
void field_runs_free(struct field_run *runs, size_t count);

#endif
