/* Intervals of few visits, moderated by those of the run's other rows. */
#ifndef REPORTS_ROWS_MODERATE_H
#define REPORTS_ROWS_MODERATE_H

#include "reports/rows/rows.h"

/* Fewest shapes of a lens, a mode and a size class that are a class of their own. */
enum { MODERATE_LEAST = 10 };

/* Takes all ratio and control rows of a run as their units have them, and gives each row of two or
 * more visits the interval, the degrees of freedom and the verdict that follow from its visits'
 * variance, moderated (timing/moderation.h) by the rows of its lens, mode and size class; by those
 * of all sizes where its class has fewer shapes than MODERATE_LEAST. Rows of one shape share a
 * kernel's arm, so that a class knows no more degrees of freedom than one row of each of its shapes
 * has. The variance includes what the
 * step of the clock hides, step^2 / 12, and the interval reaches half a step to both sides at
 * least. Ratios are a class apart from each kind of control: a control is to tell whether intervals
 * that are made in this way hold. Rows of one visit stay as they are.
 * Not to be called twice on the same rows. */
void moderate_rows(struct rows *rows);

#endif
