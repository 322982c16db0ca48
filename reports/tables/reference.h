/* The libraries, and which of them is the reference: the one answer for every page that names one. The order
 * is fixed, so that no sample has a say. Pure: no files. */
#ifndef REPORTS_TABLES_REFERENCE_H
#define REPORTS_TABLES_REFERENCE_H

#include <stdbool.h>

/* All baselines that a run can have, in the order of every report, and NULL. */
extern const char *const reference_baselines[];

/* By that order; other names come last, by name. */
int reference_compare(const char *left, const char *right);

/* Whether a kernel is held against the library rather than against the other (NULL: none yet). An
 * autotuned library comes first, else the last in that order does. RUNDIR_PREVIOUS is never taken. */
bool reference_before(const char *name, const char *other);

#endif
