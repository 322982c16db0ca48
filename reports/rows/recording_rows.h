/* What the rows of recordings.csv say. */
#ifndef REPORTS_ROWS_RECORDING_ROWS_H
#define REPORTS_ROWS_RECORDING_ROWS_H

#include <stdbool.h>

#include "reports/rows/rows.h"

/* A row of the try with nothing known. */
struct recording_row recording_rows_begin(struct shape shape, const char *candidate,
                                          const char *kernel, int number);

/* Whether the process that was timed is known to have launched the kernels that were recorded. */
bool recording_rows_same_work(const struct recording_row *row);

/* The last row of the kernel of the unit; NULL without any. */
const struct recording_row *recording_rows_last(const struct rows *rows, struct shape shape,
                                                const char *candidate, const char *kernel);

/* Whether the last row says that a product is wrong. Such a kernel is refused. */
bool recording_rows_accuse(const struct rows *rows, struct shape shape, const char *candidate,
                           const char *kernel);

#endif
