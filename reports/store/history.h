/* One shape over the promoted runs of a store. */
#ifndef REPORTS_STORE_HISTORY_H
#define REPORTS_STORE_HISTORY_H

#include <stdbool.h>

#include "bench/base/shape.h"

/* What is wanted of a history. */
struct history_call {
    const char *store;
    const struct shape *shape; /* NULL: one page over all shapes, what changed when */
    const char *baseline;      /* NULL: cublas-max, or the first there is */
    const char *folder;        /* gets history.html, history.png and history.svg; NULL: none */
    bool json;                 /* print JSON */
};

/* Prints the page over all shapes; or, of a shape, for each fingerprint of the store, kernel, mode
 * and lens a table of promoted runs (ratio to the baseline with its interval) with the change points
 * marked. Returns an exit status. */
int history_show(const struct history_call *call);

#endif
