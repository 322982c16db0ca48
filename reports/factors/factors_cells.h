/* What the runs of a chain say of each shape. Pure. */
#ifndef REPORTS_FACTORS_FACTORS_CELLS_H
#define REPORTS_FACTORS_FACTORS_CELLS_H

#include <stdbool.h>

#include "reports/factors/factors_file.h"
#include "reports/pairs/pairs.h"

/* One shape in one step. */
struct factors_cell {
    bool valued, refused;       /* by the step's own run */
    double value;               /* ln ratio or ratio, as the step's mean wants it */
    double x[PAIRS_VISITS];     /* the same of each round, about that value; NaN where missing */
    size_t rounds;              /* up to the last that is there; a row without rounds is one */
    struct moderation variance; /* of one of these, as it stands behind the interval of the row */
};

/* All shapes of all steps, sorted; cells[step * count + shape]. */
struct factors_cells {
    struct shape *shapes;
    struct factors_cell *cells;
    size_t count;
};

/* rows[i] are of chain->steps[i].run. 0, or -1 after error(). */
int factors_cells_make(const struct factors_chain *chain, const struct rows *rows,
                       struct factors_cells *cells);
void factors_cells_free(struct factors_cells *cells);

#endif
