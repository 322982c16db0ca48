/* What the rows of replays.csv say. */
#ifndef REPORTS_ROWS_REPLAYS_H
#define REPORTS_ROWS_REPLAYS_H

#include <stdbool.h>

#include "reports/rows/rows.h"

/* Processes that must find a product wrong before that accuses. */
#define REPLAYS_TRIES 3

/* A row of the try with nothing known. */
struct replay_row replays_row(struct shape shape, const char *candidate, const char *kernel,
                              int number);

/* Whether the process that was timed is known to have launched the kernels that were recorded. */
bool replays_same_work(const struct replay_row *row);

/* Whether the try made no recording that could be carried out. */
bool replays_none(const struct replay_row *row);

/* Whether the kernel's work was carried out and its product was right. */
bool replays_right(const struct replay_row *row);

/* The last row of the kernel of the unit that is right or "faulty", else its last row; NULL without
 * any. */
const struct replay_row *replays_last(const struct rows *rows, struct shape shape,
                                      const char *candidate, const char *kernel);

/* What the tries accuse the kernel of; "" is nothing. "bits", "wrong" or "varies" (wrong, and the
 * same call has other bits each time that it is carried out): REPLAYS_TRIES tries say so, and none
 * is right. "faulty" (wrong natively, too, in a fresh process): one try says so. */
const char *replays_accuse(const struct rows *rows, struct shape shape, const char *candidate,
                           const char *kernel);

#endif
