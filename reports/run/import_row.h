/* Rows of what others have measured: most of their numbers are not known. */
#ifndef REPORTS_RUN_IMPORT_ROW_H
#define REPORTS_RUN_IMPORT_ROW_H

#include "reports/rows/rows.h"

#define IMPORT_CANDIDATE "cuda-l2"

/* Without baseline and numbers, which are NaN. */
struct ratio_row import_row(struct shape shape, const char *mode, const char *lens,
                            const char *note);

#endif
