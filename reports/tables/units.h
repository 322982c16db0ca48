/* What a page shows of one shape: a candidate's ratios against one baseline by every lens, and what
 * its check said. Pure: no files. */
#ifndef REPORTS_TABLES_UNITS_H
#define REPORTS_TABLES_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/run/rundir.h"
#include "reports/tables/tables.h"

/* Lenses of a run, at most. */
enum { UNITS_LENSES = 8 };

struct unit {
    struct shape shape;
    const struct ratio_row *by_lens[UNITS_LENSES]; /* as listed; NULL where not timed */
    const struct check_row *check;                 /* of the candidate; NULL without one */
    const struct time_row *time; /* of the candidate by the series' lens; NULL where not timed */
};

/* A candidate in one mode, with the reference library by the first lens. */
struct unit_series {
    const char *candidate, *mode, *baseline;
    const char *lens;   /* that times are shown of: device where there is one, else the first */
    struct unit *units; /* in the order of shapes; timed by a lens at least */
    size_t count;
};

struct units {
    const char *lenses[UNITS_LENSES]; /* that ratios were timed by, in the order of tables */
    size_t lens_count;
    struct unit_series *series; /* in the order of the table */
    size_t count;
};

/* The table is Table 1 of the rows; both stay in use. */
void units_make(const struct rows *rows, const struct table *table, struct units *units);
void units_free(struct units *units);

/* Whether a unit of the series was timed by the lens of that place in the list. */
bool units_has_lens(const struct unit_series *series, size_t lens);

/* The unit's row by the lens of that name, or NULL. */
const struct ratio_row *units_row(const struct units *units, const struct unit *unit,
                                  const char *lens);

#endif
