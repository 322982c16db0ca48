/* Controls rows: things whose true result is known. Pure: no files.
 *
 *     aa        a baseline beside itself in the same blocks: the ratio is 1
 *     across    one baseline over another in the first half of the visits, which are fresh processes,
 *               over the same in the last half: 1. Times themselves may differ between processes, of
 *               all arms alike; what is claimed is that ratios do not
 *     autotune  an autotuned library over its first suggestion, which is in its own list: 1 or less
 *     delay     the baseline with a short and with a long known delay: what the long one costs more
 *               over what it is longer: 1, whatever the launch of a delay costs */
#ifndef REPORTS_ROWS_DERIVE_CONTROLS_H
#define REPORTS_ROWS_DERIVE_CONTROLS_H

#include <stdbool.h>

#include "reports/rows/derive_values.h"
#include "reports/rows/rows.h"
#include "reports/rows/series.h"

/* A ratio of a baseline to itself this close to 1 is equal, however narrow its interval: two
 * instances of one library differ by where their memory lies. */
#define DERIVE_AA_MARGIN 0.0025

/* The same for a delay's. */
#define DERIVE_DELAY_MARGIN 0.02

/* Whether 1 is the most that the true result can be, and less is as right. */
bool derive_control_is_bound(const struct control_row *row);

/* How close to 1 the control must be. */
double derive_control_margin(const struct control_row *row);

/* Appends the rows of all controls among the columns. */
void derive_controls(const struct series *series, const struct derive_about *about,
                     struct rows *rows);

#endif
