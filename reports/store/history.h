/* One shape over the promoted runs of a store. */
#ifndef REPORTS_STORE_HISTORY_H
#define REPORTS_STORE_HISTORY_H

#include <stdbool.h>

#include "bench/base/shape.h"

/* shape NULL: prints one page over all shapes of the store: what changed when, by size class and
 * shape, and draws no figure. Else prints, for each fingerprint of the store, kernel, mode and lens
 * of the shape, a table of promoted runs (ratio to the baseline with its interval, a bar) with the
 * change points marked, and writes the figure to `figure` (PNG or SVG by its ending; NULL: none).
 * baseline NULL: cublas-max, or the first there is. json: prints the same as JSON. Returns an exit
 * status. */
int history_show(const char *store, const struct shape *shape, const char *baseline,
                 const char *figure, bool json);

#endif
