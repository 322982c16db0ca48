/* What the rows of replays.csv say: derived from their numbers, by `run` and again by `verify`. */
#ifndef REPORTS_ROWS_REPLAYS_H
#define REPORTS_ROWS_REPLAYS_H

#include <stdbool.h>

#include "reports/rows/rows.h"
#include "reports/rows/samples.h"
#include "timing/replayed.h"

/* A row of the try with nothing known. */
struct replay_row replays_row(struct shape shape, const char *candidate, int number);

/* Whether the process that was timed is known to have launched the kernels that were recorded. */
bool replays_same_work(const struct replay_row *row);

/* Fills faster, allowed and verdict. Times of other work are not compared. */
enum replayed_verdict replays_judge(struct replay_row *row);

/* Whether the samples are those that replays are held against: offline, by the device lens. */
bool replays_is_native(const struct samples *samples);

/* Fills the native numbers from such samples, if they have the row's baseline, and what follows
 * from them. */
void replays_compare(const struct samples *samples, struct replay_row *row);

/* Whether the kernel's work was carried out and its product was right. */
bool replays_right(const struct replay_row *row);

/* The last row of the candidate on the shape that satisfies it, else its last row; NULL without
 * any. */
const struct replay_row *replays_last(const struct rows *rows, struct shape shape,
                                      const char *candidate);

/* What the tries of a candidate on the shape accuse it of: "", "bits" or "wrong". Each is what
 * REPLAYED_TRIES tries say, with none that says another thing. */
const char *replays_accuse(const struct rows *rows, struct shape shape, const char *candidate);

#endif
