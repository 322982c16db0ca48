/* From raw samples to rows: every number of times.csv, ratios.csv, visits.csv and controls.csv.
 * Pure: no files, so that `run` derives them and `verify` derives them again. */
#ifndef REPORTS_ROWS_DERIVE_H
#define REPORTS_ROWS_DERIVE_H

#include <jansson.h>

#include "reports/rows/derive_values.h"
#include "reports/rows/rows.h"
#include "timing/light.h"

/* What a device does at best, from manifest.json: the entry of `devices` with that label, in a run
 * on several, else the manifest's own `limits`. 0, or -1 after error(). */
int derive_rates(const json_t *manifest, const char *device, struct light_rates *rates);

/* All rows of a unit's samples. Of each process: a times row for every arm but the controls, and for
 * every autotuned library; a ratios row for every baseline against the candidate, of finalists that
 * of their library, and with the derived -max (layouts.h); a visits row for each visit of these; and
 * the controls rows (derive_controls). Of an earlier release that was timed in a process of its own:
 * its times row, and the ratios row and visits rows to the candidate, by the libraries that both processes have. 0, or -1 after
 * error(). */
int derive_unit(const struct samples *list, size_t count, const struct derive_about *about,
                struct rows *rows);

/* The variance of one visit that stands behind the row's interval: half the interval of ln ratio,
 * over the quantile of Student's t, is the error of the mean over visits. */
double derive_variance(const struct ratio_row *row);

/* Appends the rows of all controls among the columns: things whose true result is known.
 *
 *     aa        a baseline beside itself in the same blocks: the ratio is 1
 *     across    one baseline over another in the first half of the visits, which are fresh processes,
 *               over the same in the last half: 1. Times themselves may differ between processes, of
 *               all arms alike; what is claimed is that ratios do not
 *     autotune  an autotuned library over its first suggestion, which is in its own list: 1 or less
 *     delay     the baseline with a short and with a long known delay: what the long one costs more
 *               over what it is longer: 1, whatever the launch of a delay costs */
struct series;
void derive_controls(const struct series *series, const struct derive_about *about,
                     struct rows *rows);

/* How close to 1 the control must be: such a ratio is equal, however narrow its interval. Two instances
 * of one library differ by where their memory lies. */
double derive_control_margin(const struct control_row *row);

#endif
