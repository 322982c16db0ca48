/* From raw samples to rows: every number of times.csv, ratios.csv, visits.csv and controls.csv.
 * Pure: no files, so that `run` derives them and `verify` derives them again. */
#ifndef REPORTS_ROWS_DERIVE_H
#define REPORTS_ROWS_DERIVE_H

#include <jansson.h>
#include <stdbool.h>

#include "reports/rows/derive_values.h"
#include "reports/rows/rows.h"
#include "timing/light.h"

/* What a device does at best, from manifest.json: the entry of `devices` with that label, in a run
 * on several, else the manifest's own `limits`. 0, or -1 after error(). */
int derive_rates(const json_t *manifest, const char *device, struct light_rates *rates);

/* The paper's equation 3 for one kernel: ratio is mean(t_ref / t_custom); a code_length that is NaN
 * counts as 0. */
double derive_reward(double ratio, double deviation, double code_length, double alpha, double beta);

/* All rows of a unit's samples: derive_rows of each, and of an earlier release that was timed in a
 * process of its own the ratios row to the candidate (apart.h) with its visits rows. 0, or -1 after
 * error(). */
int derive_unit(const struct samples *list, size_t count, const struct derive_about *about,
                struct rows *rows);

/* A times row for every arm but the controls, and for every autotuned library; a ratios row for every
 * baseline against the candidate, of finalists that of their library, and with the derived -max
 * (layouts.h); a visits row for each visit of these; and the controls rows (derive_controls.h). 0, or
 * -1 after error(). Of the process of an earlier release there is that release's times row alone: the
 * rest is of the candidate's process. */
int derive_rows(const struct samples *samples, const struct derive_about *about, struct rows *rows);

/* The variance of one visit that stands behind the row's interval: half the interval of ln ratio,
 * over the quantile of Student's t, is the error of the mean over visits. */
double derive_variance(const struct ratio_row *row);

#endif
