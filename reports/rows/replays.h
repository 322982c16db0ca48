/* What the rows of replays.csv say. */
#ifndef REPORTS_ROWS_REPLAYS_H
#define REPORTS_ROWS_REPLAYS_H

#include <stdbool.h>

#include "reports/rows/rows.h"

/* A row of the try with nothing known. */
struct replay_row replays_row(struct shape shape, const char *candidate, const char *kernel,
                              int number);

/* Whether the process that was timed is known to have launched the kernels that were recorded. */
bool replays_same_work(const struct replay_row *row);

/* The last row of the kernel of the unit; NULL without any. */
const struct replay_row *replays_last(const struct rows *rows, struct shape shape,
                                      const char *candidate, const char *kernel);

/* Whether the last row says that a product is wrong. Such a kernel is refused. */
bool replays_accuse(const struct rows *rows, struct shape shape, const char *candidate,
                    const char *kernel);

#endif
