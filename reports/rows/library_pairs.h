/* Which libraries are compared with each other where no kernel is under test. */
#ifndef REPORTS_ROWS_LIBRARY_PAIRS_H
#define REPORTS_ROWS_LIBRARY_PAIRS_H

#include <stdbool.h>

/* In the name of an arm, what comes before the release of a library that is not the program's own:
 * cublas@12.4.5-nn. */
#define LIBRARY_RELEASE '@'

/* Whether the first is to be compared with the second: a search (X-exhaustive-nn) with the choices
 * that need none (X-heuristic-nn, X-autotune-nn), and a release (X@1.2-nn) with the program's own
 * (X-nn). Likewise for tn, and for the faster of both, max. */
bool library_is_beside(const char *name, const char *other);

#endif
