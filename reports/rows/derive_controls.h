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

/* How close to 1 the control must be: such a ratio is equal, however narrow its interval. Two instances
 * of one library differ by where their memory lies. */
double derive_control_margin(const struct control_row *row);

/* Appends the rows of all controls among the columns. */
void derive_controls(const struct series *series, const struct derive_about *about,
                     struct rows *rows);

#endif
