/* What a page shows of one shape: a candidate's ratios against one baseline by every lens, and what
 * its check said. Pure: no files. */
#ifndef REPORTS_PAGE_HTML_UNITS_H
#define REPORTS_PAGE_HTML_UNITS_H

#include <stddef.h>

#include "reports/run/rundir.h"
#include "reports/tables/lens_conflicts.h"
#include "reports/tables/tables.h"

struct html_unit {
    struct shape shape;
    const struct ratio_row *by_lens[LENS_CONFLICTS_MOST]; /* as listed; NULL where not timed */
    const struct check_row *check;                        /* of the candidate; NULL without one */
};

/* A candidate in one mode, with the strongest of its baselines by the first lens. */
struct html_series {
    const char *candidate, *mode, *baseline;
    struct html_unit *units; /* in the order of shapes; timed by a lens at least */
    size_t count;
};

struct html_units {
    const char *lenses[LENS_CONFLICTS_MOST];
    size_t lens_count;
    struct html_series *series; /* in the order of the table */
    size_t count;
};

/* The table is Table 1 of the rows; both stay in use. 0, or -1 after error(). */
int html_units_make(const struct rows *rows, const struct table *table, struct html_units *units);
void html_units_free(struct html_units *units);

/* The unit's row by the lens of that name, or NULL. */
const struct ratio_row *html_units_row(const struct html_units *units, const struct html_unit *unit,
                                       const char *lens);

#endif
