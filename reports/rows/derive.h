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

/* All rows of a unit's samples. Of each process: a times row for every arm but the controls, and for
 * every autotuned library; a ratios row for every baseline against the candidate, of finalists that
 * of their library, and with the derived -max (layouts.h); a visits row for each visit of these; and
 * the controls rows (derive_controls.h). Of an earlier release that was timed in a process of its own:
 * its times row, and the ratios row and visits rows to the candidate, by the libraries that both processes have. 0, or -1 after
 * error(). */
int derive_unit(const struct samples *list, size_t count, const struct derive_about *about,
                struct rows *rows);

/* The variance of one visit that stands behind the row's interval: half the interval of ln ratio,
 * over the quantile of Student's t, is the error of the mean over visits. */
double derive_variance(const struct ratio_row *row);

#endif
