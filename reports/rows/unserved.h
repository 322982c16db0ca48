/* What a run's plan asks for and its kernels do not serve. */
#ifndef REPORTS_ROWS_UNSERVED_H
#define REPORTS_ROWS_UNSERVED_H

#include <jansson.h>

#include "reports/rows/rows.h"

/* The shapes of the plan for which there is no kernel, or each says that it does not serve the
 * shape: sorted, of so many. A run of libraries alone has none. */
struct unserved {
    struct shape *list;
    size_t count, shapes;
};

/* The caller frees with unserved_free. plan: plan.json; NULL: nothing is known. */
void unserved_find(const struct rows *rows, const json_t *plan, struct unserved *unserved);

/* Appends "1 of 2 shapes has no kernel: 96x96x96". */
void unserved_text(const struct unserved *unserved, char *text, size_t size);

void unserved_free(struct unserved *unserved);

#endif
